/**
 * What an operator's own HTML may contain (spec/experience#custom-content-html): text, pictures and links; no scripts,
 * forms, frames or styles, and no id that equals one of ours. Everything that is not listed here is removed. The server
 * uses workerd's parser, the preview the browser's (ADR-0034).
 */

/** An element is kept, replaced by its content, or removed with its content. */
export function elementTreatment(element: string): 'kept' | 'unwrapped' | 'dropped' {
  if (keptElements.has(element)) return 'kept'
  return dropped.has(element) ? 'dropped' : 'unwrapped'
}

/** The value of an attribute, or null if it is removed. `value` may contain character references. */
export function keptValue(element: string, name: string, value: string): string | null {
  if (name === 'id') return PREFIX + value
  if (everywhere.has(name) || own[element]?.includes(name)) return value
  switch (`${element} ${name}`) {
    case 'a href':
      return linked(value.trim())
    case 'img src':
      return pictured(value.trim())
    case 'img srcset':
    case 'source srcset':
      return picturedSet(value.trim())
    default:
      return null
  }
}

/** Links to other sites open in a new tab, so that users do not lose their sign-in. */
export function linkAttributes(href: string | null): readonly (readonly [name: string, value: string])[] {
  return href !== null && WEB.test(href) ? outward : []
}

const outward = [
  ['target', '_blank'],
  ['rel', 'noopener'],
] as const

/** Elements without content and end tag (HTML §13.1.2). */
export const voidElements: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'wbr'])

/** Keeps ids apart from those of our own elements and from globals of the window. */
const PREFIX = 'custom-'

const words = (text: string) => new Set(text.trim().split(/\s+/))

const keptElements = words(`
  a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark nav ol p picture pre q rp rt ruby s samp
  section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr`)

/** Their content is no text for readers, or is parsed by other rules than HTML's. */
const dropped = words(`
  applet audio base canvas embed frame frameset head iframe link math meta noembed noframes noscript object param
  plaintext script select style svg template textarea title video xmp`)

const everywhere = words('aria-hidden aria-label class dir hidden lang role title translate')

const own: Readonly<Record<string, readonly string[]>> = {
  col: ['span'],
  colgroup: ['span'],
  details: ['open'],
  img: ['alt', 'decoding', 'height', 'loading', 'sizes', 'width'],
  li: ['value'],
  ol: ['reversed', 'start', 'type'],
  source: ['height', 'media', 'sizes', 'type', 'width'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  time: ['datetime'],
}

// Compared with the address as it is written: one that hides its scheme behind character references is removed.
const WEB = /^https?:\/\//i
const SECURE = /^https:\/\//i
const MESSAGE = /^(?:mailto|tel):/i
/** With two slashes it would be the address of another site. */
const OWN_PATH = /^\/(?!\/)/
/**
 * Browsers drop tabs and line breaks and read a backslash as a slash, so `/\t/other.example` is another site, and so it is
 * with a character reference, which is written out only when the page is parsed.
 */
const HIDES_SLASH = /[\\\p{Cc}]|&(?:#|tab|newline|sol|bsol)/iu
const isOwn = (address: string) => OWN_PATH.test(address) && !HIDES_SLASH.test(address)
const PICTURE = /^data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,]/i

function linked(address: string): string | null {
  if (address.startsWith('#')) return `#${PREFIX}${address.slice(1)}`
  return isOwn(address) || [WEB, MESSAGE].some((form) => form.test(address)) ? address : null
}

/** The content security policy may allow fewer (spec/pages#csp). */
function pictured(address: string): string | null {
  return isOwn(address) || [SECURE, PICTURE].some((form) => form.test(address)) ? address : null
}

/** Candidates are separated by a comma and a space, because an address may contain a comma. */
function picturedSet(value: string): string | null {
  const candidates = value.split(/,\s+/)
  return candidates.every((candidate) => pictured(candidate) !== null) ? candidates.join(', ') : null
}
