/**
 * What an operator's own HTML may hold (product 1, contract 10.2): text, pictures and links; nothing that runs, sends,
 * frames or styles, and no name that one of ours could be taken for. Whatever is not listed here is left out. The
 * server reads it with workerd's parser, the preview with the browser's (decision record 0034).
 */

/** What becomes of an element: it stays, it goes but its content stays, or it goes with all that is in it. */
export function fateOf(element: string): 'kept' | 'unwrapped' | 'dropped' {
  if (kept.has(element)) return 'kept'
  return dropped.has(element) ? 'dropped' : 'unwrapped'
}

/** What an attribute keeps of its value; null if it goes. `value` may be as it was written, references and all. */
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
      return allPictured(value.trim())
    default:
      return null
  }
}

/** What a link is given whether or not its author thought of it: who leaves the page would leave their sign-in. */
export function addedTo(href: string | null): readonly (readonly [name: string, value: string])[] {
  return href !== null && WEB.test(href) ? outward : []
}

const outward = [
  ['target', '_blank'],
  ['rel', 'noopener'],
] as const

/** Elements that have nothing in them and no end (HTML 13.1.2). */
export const voidElements: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'wbr'])

/** So that no element has the name of one of ours, for our script or as a global of the window. */
const PREFIX = 'custom-'

const words = (text: string) => new Set(text.trim().split(/\s+/))

const kept = words(`
  a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark nav ol p picture pre q rp rt ruby s samp
  section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr`)

/** What is in them is no text for readers, or is read by other rules than HTML's. */
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

// An address has to begin like this as it is written: one that hides its scheme behind references goes.
const WEB = /^https?:\/\//i
const SECURE = /^https:\/\//i
const MESSAGE = /^(?:mailto|tel):/i
/** With two slashes it would be somebody else's. */
const OURS = /^\/(?![/\\])/
const PICTURE = /^data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,]/i

function linked(address: string): string | null {
  if (address.startsWith('#')) return `#${PREFIX}${address.slice(1)}`
  return [WEB, OURS, MESSAGE].some((form) => form.test(address)) ? address : null
}

/** The content security policy lets pictures come by https, from here, and inside the page. */
function pictured(address: string): string | null {
  return [SECURE, OURS, PICTURE].some((form) => form.test(address)) ? address : null
}

/** Candidates are parted by a comma and a space, since an address may have a comma in it. */
function allPictured(value: string): string | null {
  const candidates = value.split(/,\s+/)
  return candidates.every((candidate) => pictured(candidate) !== null) ? candidates.join(', ') : null
}
