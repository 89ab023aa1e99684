/**
 * Decides which SVG documents may be uploaded (spec/connectors#upload-content): those that contain only drawing
 * instructions. Elements and attributes that are not listed in this file are rejected. A document is scanned once, as
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

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'

/** Namespaces of drawing tools and of metadata. Browsers ignore everything in them. */
const inertNamespaces: readonly string[] = [
  'http://www.inkscape.org/namespaces/inkscape',
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://inkscape.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://purl.org/dc/elements/1.1/',
  'http://www.serif.com/',
  'http://www.bohemiancoding.com/sketch/ns',
  'https://boxy-svg.com',
  'http://svgjs.com/svgjs',
]
const ADOBE = 'http://ns.adobe.com/'

type Kind = 'svg' | 'xlink' | 'xml' | 'inert'

/**
 * The namespace prefixes of a document. A prefix must have the same namespace throughout the document, so the scope of
 * a declaration does not matter.
 */
class Namespaces {
  private readonly kinds = new Map<string, Kind>([['xml', 'xml']])

  /** Returns the first invalid namespace declaration of a tag, or null. */
  declare(attributes: readonly Attribute[]): string | null {
    for (const { name, value } of attributes) {
      if (name === 'xmlns' && value !== SVG) return `xmlns="${value.slice(0, 80)}"`
      if (!name.startsWith('xmlns:')) continue
      const prefix = name.slice('xmlns:'.length)
      const kind = kindOf(value)
      if (!kind || (this.kinds.get(prefix) ?? kind) !== kind) return `${name}="${value.slice(0, 80)}"`
      this.kinds.set(prefix, kind)
    }
    return null
  }

  /**
   * Returns the kind of namespace and the local name of a qualified name. Returns undefined if its prefix is not
   * declared.
   */
  resolve(name: string): { kind: Kind; local: string } | undefined {
    const [first = '', local] = name.split(':')
    if (local === undefined) return { kind: 'svg', local: first }
    const kind = this.kinds.get(first)
    return kind && { kind, local }
  }
}

function kindOf(namespace: string): Kind | null {
  if (namespace === SVG) return 'svg'
  if (namespace === XLINK) return 'xlink'
  return inertNamespaces.includes(namespace) || namespace.startsWith(ADOBE) ? 'inert' : null
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
  { element, names }: { element: { kind: Kind; local: string }; names: Namespaces },
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

const atRules = new Set(['@media', '@font-face'])

const wordSet = (names: string) => new Set(names.trim().split(/\s+/))

const functions = wordSet(`
  url format local rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix var calc min max clamp
  matrix matrix3d translate translatex translatey translate3d scale scalex scaley scale3d rotate rotatex rotatey rotatez
  rotate3d skew skewx skewy perspective rect inset circle ellipse polygon path
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  cubic-bezier steps linear-gradient radial-gradient not is where nth-child nth-of-type and or device-cmyk icc-color`)

/** The elements of SVG 2, except those that run scripts or that load, animate or embed anything. */
const elements = wordSet(`
  svg g defs symbol use switch view a title desc metadata style
  path rect circle ellipse line polyline polygon image text tspan tref textPath
  linearGradient radialGradient meshgradient meshrow meshpatch stop solidColor pattern hatch hatchpath
  clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
  feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
  fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  font font-face font-face-src font-face-name glyph missing-glyph hkern vkern color-profile`)

const xlinkAttributes = wordSet('type role arcrole title show actuate')

const attributes = wordSet(`
  id class style lang role tabindex version baseProfile xmlns width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points
  pathLength viewBox preserveAspectRatio transform transform-origin transform-box zoomAndPan contentStyleType
  contentScriptType enable-background requiredFeatures requiredExtensions systemLanguage externalResourcesRequired
  overflow clip clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits mask-type
  color color-interpolation color-interpolation-filters color-profile color-rendering cursor direction display
  fill fill-opacity fill-rule filter filterUnits primitiveUnits filterRes flood-color flood-opacity lighting-color
  font font-family font-size font-size-adjust font-stretch font-style font-variant font-weight font-kerning
  font-feature-settings font-variation-settings font-variant-ligatures font-variant-caps font-variant-numeric
  font-variant-east-asian font-variant-position font-variant-alternates line-height inline-size shape-inside
  shape-subtract shape-padding shape-margin shape-image-threshold
  glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation kerning letter-spacing
  marker marker-start marker-mid marker-end markerUnits markerWidth markerHeight refX refY orient mix-blend-mode
  offset opacity paint-order pointer-events shape-rendering solid-color solid-opacity stop-color stop-opacity
  stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
  text-align text-anchor text-decoration text-decoration-line text-decoration-style text-decoration-color text-indent
  text-orientation text-overflow text-rendering text-transform unicode-bidi vector-effect visibility white-space
  will-change word-spacing writing-mode alignment-baseline baseline-shift dominant-baseline
  gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform hatchUnits
  hatchContentUnits hatchTransform pitch
  dx dy rotate textLength lengthAdjust method spacing startOffset side
  in in2 result mode type values tableValues slope intercept amplitude exponent operator k1 k2 k3 k4 order kernelMatrix
  divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale diffuseConstant specularConstant
  specularExponent limitingConeAngle azimuth elevation pointsAtX pointsAtY pointsAtZ z scale xChannelSelector
  yChannelSelector stdDeviation radius baseFrequency numOctaves seed stitchTiles crossorigin decoding
  media title target rel download space
  horiz-adv-x horiz-origin-x horiz-origin-y vert-adv-y vert-origin-x vert-origin-y units-per-em panose-1 ascent descent
  cap-height x-height bbox stemv stemh unicode unicode-range glyph-name orientation arabic-form underline-position
  underline-thickness strikethrough-position strikethrough-thickness overline-position overline-thickness accent-height
  alphabetic hanging ideographic mathematical v-alphabetic v-hanging v-ideographic v-mathematical widths name local
  rendering-intent u1 u2 g1 g2 k`)
