/**
 * Prepares an e-mail for a frame in the console. The frame inherits the content security policy of the console, which
 * blocks inline styles without its nonce (ADR-0182), and so does the parser. The styles are therefore renamed before
 * the text is parsed, and collected in one element with the nonce. The frame runs no scripts; they are removed only to
 * keep errors out of the browser's log.
 */
export function prepareMailHtml(html: string): string {
  const renamed = html
    .replaceAll(/(<[^>]*?\s)style(\s*=)/gi, '$1data-style$2')
    .replaceAll(/<style\b/gi, `<script type="${SHEET}"`)
    .replaceAll(/<\/style\b/gi, '</script')
  const mail = new DOMParser().parseFromString(renamed, 'text/html')
  const sheets = [...mail.querySelectorAll('script')].map((script) => {
    script.remove()
    return script.type === SHEET ? script.textContent : ''
  })
  const rules = [...mail.querySelectorAll<HTMLElement>('[data-style]')].map((element, at) => {
    const declarations = element.dataset.style ?? ''
    element.dataset.style = String(at)
    return `[data-style="${at}"]{${declarations}}`
  })
  const sheet = mail.createElement('style')
  sheet.setAttribute('nonce', readNonce())
  sheet.textContent = [...sheets, ...rules].join('\n')
  mail.head.append(sheet)
  return `<!doctype html>${mail.documentElement.outerHTML}`
}

/** A type of script that marks a style sheet. The content of a script is plain text, like that of a style sheet. */
const SHEET = 'text/css'

/** The nonce is a property, because browsers hide the attribute of an element in a document. */
const readNonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
