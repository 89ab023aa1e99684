import { atRules, attributes, elements, functions, xlinkAttributes } from './svg-names.ts'
import { type NamespaceKind, Namespaces } from './svg-namespaces.ts'

/**
 * Decides which SVG documents may be uploaded (spec/connectors#upload-content): those that contain only drawing
 * instructions. Elements and attributes that `svg-names.ts` does not list are rejected. A document is scanned once, as
 * an XML parser would read it, and rejected if it is not well-formed.
 */

/**
 * Scans a document. Returns null if the text is not an SVG document. In the result, `forbidden` is the first part that
 * is not allowed, such as `<script>`.
 */
export function scanSvg(text: string): { forbidden: string | null } | null {
  const { parts, end } = readPrologue(text)
  // Drawing tools declare entities in the DOCTYPE for use when they open the file again. Such a DOCTYPE is rejected,
  // because this scanner would end it at the first `>`.
  if (parts.some((part) => part.startsWith('<!') && !part.startsWith('<!--') && part.includes('[')))
    return { forbidden: '<!DOCTYPE [' }
  if (!/^<svg[ \t\r\n/>]/i.test(text.slice(end, end + 5))) return null
  const isAtStart = /^\ufeff?<\?xml[ \t\r\n]/.test(text)
  return { forbidden: forbiddenInPrologue(parts, isAtStart) ?? forbiddenIn(text, end) }
}

/** Returns the parts of the document before the first element, and the position at which that element begins. */
function readPrologue(text: string): { parts: string[]; end: number } {
  const parts: string[] = []
  for (let at = skipBlank(text, 0); ; at = skipBlank(text, at)) {
    const section = prologue.find(([begin]) => text.slice(at, at + begin.length).toLowerCase() === begin)
    if (!section) return { parts, end: at }
    const [begin, end] = section
    const endIndex = text.indexOf(end, at + begin.length)
    if (endIndex < 0) return { parts, end: at }
    parts.push(text.slice(at, endIndex + end.length))
    at = endIndex + end.length
  }
}

const prologue = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!doctype svg', '>'],
] as const

const BLANK = /[\ufeff \t\r\n]*/y

function skipBlank(text: string, at: number): number {
  BLANK.lastIndex = at
  BLANK.test(text)
  return BLANK.lastIndex
}

/**
 * Returns the first forbidden part of the prologue. Encodings other than UTF-8 are forbidden, because a browser would
 * decode a different text from the one that is checked here.
 */
function forbiddenInPrologue(parts: readonly string[], isAtStart: boolean): string | null {
  const instructions = parts.filter((part) => part.startsWith('<?'))
  const stray = instructions[isAtStart ? 1 : 0]
  if (stray) return instructionName(stray)
  const [declaration = ''] = instructions
  const [, encoding = 'utf-8'] = /\bencoding\s*=\s*["']?([\w.:-]*)/i.exec(declaration) ?? []
  return encoding.toLowerCase() === 'utf-8' ? null : `encoding ${encoding}`
}

const instructionName = (text: string) => /^<\?[\w.:-]*/.exec(text)?.[0] ?? '<?'

const MALFORMED = 'malformed XML'

function forbiddenIn(text: string, begin: number): string | null {
  const names = new Namespaces()
  const open: string[] = []
  let styles = ''
  for (let at = begin; at < text.length; ) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('--', at + 4)
      if (end < 0 || text[end + 2] !== '>') return MALFORMED
      at = end + 3
    } else if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at)
      if (end < 0 || open.length === 0) return MALFORMED
      if (open.at(-1) === 'style') styles += text.slice(at + 9, end)
      at = end + 3
    } else if (text.startsWith('</', at)) {
      const [whole, name] = matchAt(CLOSING, text, at) ?? []
      if (whole === undefined || open.pop() !== name) return MALFORMED
      if (name === 'style') {
        const css = forbiddenInCss(styles)
        if (css) return `${css} in <style>`
        styles = ''
      }
      at += whole.length
    } else if (text[at] === '<') {
      if (text[at + 1] === '?') return instructionName(text.slice(at, at + 80))
      const tag = readTag(text, at)
      if (typeof tag === 'string') return tag
      const forbidden =
        (open.at(-1) === 'style' ? `<${tag.name}> in <style>` : null) ?? forbiddenInTag(tag, names)
      if (forbidden) return forbidden
      if (open.length === 0 && at > begin) return MALFORMED
      if (!tag.isEmpty) open.push(tag.name)
      at = tag.end
    } else {
      const next = text.indexOf('<', at)
      const content = text.slice(at, next < 0 ? text.length : next)
      const decoded = withoutReferences(content)
      if (decoded.forbidden) return decoded.forbidden
      if (open.length === 0 && /[^ \t\r\n]/.test(content)) return MALFORMED
      if (open.at(-1) === 'style') styles += decoded.text
      at += content.length
    }
  }
  return open.length > 0 ? MALFORMED : null
}

/** The pattern of a name. It matches only ASCII, because all allowed names are ASCII. */
const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const S = '[ \\t\\r\\n]'
const OPENING = new RegExp(`<(${NAME})(?=[ \\t\\r\\n/>])`, 'y')
const ATTRIBUTE = new RegExp(`${S}+(${NAME})${S}*=${S}*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const TAG_END = new RegExp(`${S}*(/?)>`, 'y')
const CLOSING = new RegExp(`</(${NAME})${S}*>`, 'y')

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

type Attribute = { name: string; value: string }
type Tag = { name: string; attributes: Attribute[]; isEmpty: boolean; end: number }

/** Parses a tag. Returns a string that describes the problem if the tag is malformed. */
function readTag(text: string, begin: number): Tag | string {
  const [opening = '', name] = matchAt(OPENING, text, begin) ?? []
  if (name === undefined)
    return /^<![A-Za-z]+|^<[^ \t\r\n/>]*/.exec(text.slice(begin, begin + 40))?.[0] ?? '<'
  const attributes: Attribute[] = []
  let at = begin + opening.length
  for (let match = matchAt(ATTRIBUTE, text, at); match; match = matchAt(ATTRIBUTE, text, at)) {
    const [whole, attribute = '', double, single] = match
    const decoded = withoutReferences(double ?? single ?? '')
    if (decoded.forbidden) return decoded.forbidden
    attributes.push({ name: attribute, value: decoded.text })
    at += whole.length
  }
  const end = matchAt(TAG_END, text, at)
  return end ? { name, attributes, isEmpty: end[1] === '/', end: at + end[0].length } : `<${name}>`
}

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Replaces character references as an XML parser does. Any other reference is forbidden, because it would refer to an
 * entity that the document declares.
 */
function withoutReferences(value: string): { text: string; forbidden: string | null } {
  let forbidden: string | null = null
  const text = value.replaceAll(
    /&(?:#x([\da-f]{1,6});|#(\d{1,7});|([a-z]\w{0,40});)?/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      const character = name ? predefined[name] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined
      if (character === undefined) forbidden ??= whole
      return character ?? ''
    },
  )
  return { text, forbidden }
}

function forbiddenInTag({ name, attributes }: Tag, names: Namespaces): string | null {
  const declared = names.declare(attributes)
  if (declared) return declared
  const element = names.resolve(name)
  // Reject prefixed SVG elements, whose names could be misleading.
  const isKnown = element?.kind === 'inert' || (name === element?.local && elements.has(name))
  if (!element || !isKnown) return `<${name}>`
  for (const attribute of attributes) {
    if (/^xmlns(?::|$)/.test(attribute.name)) continue
    const forbidden = forbiddenInAttribute(attribute, { element, names })
    if (forbidden) return `${forbidden} of <${name}>`
  }
  return null
}

function forbiddenInAttribute(
  { name, value }: Attribute,
  { element, names }: { element: { kind: NamespaceKind; local: string }; names: Namespaces },
): string | null {
  const resolved = names.resolve(name)
  if (!resolved) return name
  const { kind, local } = resolved
  if (kind === 'inert' || element.kind === 'inert') return null
  if (kind === 'xml') return ['space', 'lang', 'id'].includes(local) ? null : name
  if (local === 'href' && (kind === 'xlink' || !name.includes(':')))
    return isHarmlessAddress(value, element.local) ? null : name
  if (kind === 'xlink') return xlinkAttributes.has(local) ? null : name
  if (name.includes(':') || !(attributes.has(local) || /^(?:aria|data)-[\w.-]+$/.test(local))) return name
  const css =
    !isTextAttribute(local) && (local === 'style' || value.includes('(')) ? forbiddenInCss(value) : null
  return css ? `${css} in ${name}` : null
}

/** Attributes for names and descriptions, whose values browsers never read as CSS. */
const isTextAttribute = (name: string) =>
  /^(?:id|class|title|unicode|glyph-name|(?:aria|data)-.*)$/.test(name)

const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/=\s]*$/i

/**
 * Checks whether a reference is harmless. A reference may point to the document itself, an image may be embedded, and a
 * link may point to another site.
 */
function isHarmlessAddress(value: string, element: string): boolean {
  const address = value.trim()
  if (address.startsWith('#')) return true
  if (element === 'image' || element === 'feImage') return PICTURE.test(address)
  return element === 'a' && /^https?:\/\//i.test(address)
}

/**
 * Returns the first forbidden part of a style sheet, a style attribute or an attribute value with functions. CSS loads
 * resources with `url()`, `@import` and a few functions, and escapes could spell any of them. CSS comments are checked
 * as well, because recognizing a comment requires parsing the strings around it.
 */
function forbiddenInCss(css: string): string | null {
  if (css.includes('\\')) return '\\'
  for (const [rule] of css.matchAll(/(?<![\w.-])@[\w-]*/g)) if (!atRules.has(rule.toLowerCase())) return rule
  // Without the lookbehind, the search would restart at every character of a long name and take quadratic time.
  for (const [, name = ''] of css.matchAll(/(?<![\w-])([\w-]+)\(/g))
    if (!functions.has(name.toLowerCase())) return `${name}()`
  for (const [, address = ''] of css.matchAll(/url\(\s*["']?\s*([^"')\s]{0,200})/gi))
    if (
      !/^#|^data:(?:image\/(?:png|jpe?g|gif|webp)|(?:application\/(?:x-)?)?font[\w/.+-]*)[;,]/i.test(address)
    )
      return `url(${address.slice(0, 40)})`
  return /(?:behavior|-moz-binding)\s*:/i.exec(css)?.[0] ?? null
}
