/**
 * A page that is the same for everybody, printed from a plate: drawn and encoded once, with gaps for what is one visitor's own
 * (design 5).
 */
export type PageTemplate = {
  /** One more than there are gaps. */
  pieces: readonly Uint8Array[]
  slots: readonly Placeholder[]
  headers: Headers
  /** The same with where forms may lead, by the list of it: everybody from one application brings the same list. */
  headersFor: WeakMap<readonly string[], Headers>
}

/** What goes into the gaps, all of it ASCII: the interaction's id, and the address where it may begin again. */
export type PageValues = { interaction: string; restart: string }
type Placeholder = keyof PageValues

/** A page as it would be answered, drawn with stand-ins which nothing else in it can be like. */
export async function makePageTemplate(
  draw: (placeholders: PageValues, nonce: string) => Promise<Response>,
): Promise<PageTemplate> {
  const placeholders: PageValues = { interaction: newPlaceholder(), restart: newPlaceholder() }
  const placeholderOf = new Map(
    Object.entries(placeholders).map(([placeholder, text]) => [text, placeholder as Placeholder]),
  )
  const nonce = newPlaceholder()
  const answer = await draw(placeholders, nonce)
  const html = (await answer.text()).replaceAll(` nonce="${nonce}"`, '')
  const parts = html.split(new RegExp(`(${[...placeholderOf.keys()].join('|')})`))
  const headers = new Headers(answer.headers)
  const policy = headers.get(POLICY) ?? ''
  headers.set(POLICY, policy.replace(`'nonce-${nonce}'`, (await hashes(html)).join(' ')))
  return {
    pieces: parts.filter((_, index) => index % 2 === 0).map((text) => encoder.encode(text)),
    slots: parts.flatMap((text) => placeholderOf.get(text) ?? []),
    headers,
    headersFor: new WeakMap(),
  }
}

const POLICY = 'content-security-policy'

export function answerFromTemplate(
  template: PageTemplate,
  own: PageValues,
  formTargets: readonly string[],
): Response {
  const headers = template.headersFor.get(formTargets) ?? withTargets(template.headers, formTargets)
  template.headersFor.set(formTargets, headers)
  return new Response(fillTemplate(template, own), { headers })
}

/** `form-action` is the last of the policy (`security-headers.ts`). */
function withTargets(plain: Headers, formTargets: readonly string[]): Headers {
  const headers = new Headers(plain)
  headers.set(POLICY, [headers.get(POLICY), ...formTargets].join(' '))
  return headers
}

/**
 * The styles of a page as CSP sources: they are known, so their hashes serve as well as a nonce, and the policy is the same for
 * everybody. Of the text as the parser of HTML sees it, which has one way to end a line and no NUL.
 */
function hashes(html: string): Promise<string[]> {
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css)
  return Promise.all(
    styles.map(async (css) => {
      const seen = css.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(seen)))
      return `'sha256-${hash.toBase64()}'`
    }),
  )
}

/** Of characters that mean themselves in HTML, in JSON, in addresses, and in an interaction's id. */
const newPlaceholder = () => crypto.randomUUID()

const encoder = new TextEncoder()

/** Onto a sheet of its own: a runtime may go on reading it while the next visitor's page is printed. */
function fillTemplate({ pieces, slots }: PageTemplate, own: PageValues): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const piece of pieces) length += piece.length
  for (const placeholder of slots) length += own[placeholder].length

  const page = new Uint8Array(length)
  let at = 0
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]
    if (piece) {
      page.set(piece, at)
      at += piece.length
    }
    const placeholder = slots[index]
    if (placeholder) at = writeAscii(own[placeholder], page, at)
  }
  return page
}

/** Short as these are, it is quicker done than asked of an encoder. Answers where it ends. */
function writeAscii(text: string, page: Uint8Array, at: number): number {
  for (let index = 0; index < text.length; index++) page[at + index] = text.charCodeAt(index)
  return at + text.length
}
