/**
 * Returns the text of a page that users both see and hear: what is neither hidden from screen readers nor from the
 * eyes. It works on the markup that the server renders.
 */
export function seenText(html: string): string {
  const texts: string[] = []
  let hiddenIn = 0
  for (const [, slash, name = '', attributes = '', text = ''] of html.matchAll(TOKEN)) {
    if (name === '') {
      if (hiddenIn === 0) texts.push(text)
    } else if (slash) {
      if (hiddenIn > 0) hiddenIn--
    } else if (!VOID.test(name) && !attributes.endsWith('/')) {
      if (hiddenIn > 0 || isHidden(name, attributes)) hiddenIn++
    }
  }
  return texts
    .join('')
    .replaceAll(/&#x27;/g, "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

/** Matches a tag, a comment or the doctype, or the text up to the next tag. */
const TOKEN = /<(\/?)(\w+)((?:[\s/][^<>]*?)?)>|<![^>]*>|([^<]+)/g
const VOID = /^(?:br|hr|img|input|link|meta|source|wbr)$/

const isHidden = (name: string, attributes: string): boolean =>
  /^(?:script|style|svg|noscript)$/.test(name) ||
  /\s(?:aria-hidden="true"|hidden|inert)/.test(attributes) ||
  /class="[^"]*\b(?:visually-hidden|form-late)\b/.test(attributes) ||
  (name === 'dialog' && !/\sopen\b/.test(attributes))
