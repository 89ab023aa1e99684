/**
 * Decides what an operator's own HTML may contain (spec/experience#custom-content-html): text, pictures and links, but
 * no scripts, forms, frames or styles, and no ids that clash with ours. Everything that is not listed here is removed.
 * The server uses workerd's HTML parser, and the preview uses the browser's (ADR-0034).
 */

/** Decides whether an element is kept, replaced by its content, or removed together with its content. */
export function getElementTreatment(element: string): 'kept' | 'unwrapped' | 'dropped' {
  if (keptElements.has(element)) return 'kept'
  return droppedElements.has(element) ? 'dropped' : 'unwrapped'
}

/**
 * Returns the sanitized value of an attribute, or null to remove the attribute. `value` may contain character
 * references.
 */
export function sanitizeAttribute(element: string, name: string, value: string): string | null {
  if (name === 'id') return PREFIX + value
  if (globalAttributes.has(name) || elementAttributes[element]?.includes(name)) return value
  switch (`${element} ${name}`) {
    case 'a href':
      return linkAddress(value.trim())
    case 'img src':
      return pictureAddress(value.trim())
    case 'img srcset':
    case 'source srcset':
      return pictureSet(value.trim())
    default:
      return null
  }
}

/**
 * Returns the attributes of a link. Links to other sites open in a new tab, so that users do not leave their sign-in.
 */
export function linkAttributes(href: string | null): readonly (readonly [name: string, value: string])[] {
  return href !== null && WEB.test(href) ? newTabAttributes : []
}

const newTabAttributes = [
  ['target', '_blank'],
  ['rel', 'noopener'],
] as const

/** Elements that have neither content nor an end tag (HTML §13.1.2). */
export const voidElements: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'wbr'])

/**
 * The prefix of ids in custom content. It prevents clashes with the ids of our own elements and with global variables
 * of the window.
 */
const PREFIX = 'custom-'

const words = (text: string) => new Set(text.trim().split(/\s+/))

const keptElements = words(`
  a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark nav ol p picture pre q rp rt ruby s samp
  section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr`)

/** Elements whose content is not meant for readers, or is not parsed as HTML. */
const droppedElements = words(`
  applet audio base canvas embed frame frameset head iframe link math meta noembed noframes noscript object param
  plaintext script select style svg template textarea title video xmp`)

const globalAttributes = words('aria-hidden aria-label class dir hidden lang role title translate')

const elementAttributes: Readonly<Record<string, readonly string[]>> = {
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

// These patterns match the raw attribute value, so a URL whose scheme is hidden by character references is removed.
const WEB = /^https?:\/\//i
const SECURE = /^https:\/\//i
const MESSAGE = /^(?:mailto|tel):/i
/** A path with two leading slashes would point to another site. */
const OWN_PATH = /^\/(?!\/)/
/**
 * Browsers drop tabs and line breaks and read a backslash as a slash, so `/\t/other.example` points to another site.
 * Character references could hide the same characters, because they are decoded only when the page is parsed.
 */
const HIDES_SLASH = /[\\\p{Cc}]|&(?:#|tab|newline|sol|bsol)/iu
const isOwn = (address: string) => OWN_PATH.test(address) && !HIDES_SLASH.test(address)
const PICTURE = /^data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,]/i

function linkAddress(address: string): string | null {
  if (address.startsWith('#')) return `#${PREFIX}${address.slice(1)}`
  return isOwn(address) || [WEB, MESSAGE].some((form) => form.test(address)) ? address : null
}

/**
 * Returns the URL of a picture, or null if it is not allowed. The content security policy may allow fewer URLs
 * (spec/pages#csp).
 */
function pictureAddress(address: string): string | null {
  return isOwn(address) || [SECURE, PICTURE].some((form) => form.test(address)) ? address : null
}

/** Sanitizes a `srcset`. Candidates are separated by a comma and a space, because a URL may itself contain commas. */
function pictureSet(value: string): string | null {
  const candidates = value.split(/,\s+/)
  return candidates.every((candidate) => pictureAddress(candidate) !== null) ? candidates.join(', ') : null
}
