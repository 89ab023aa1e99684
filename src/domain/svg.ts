/**
 * Whether a text is an SVG document that cannot run script (spec/connectors#upload-content). When in doubt it refuses: it is
 * no XML parser, so everything that could hide something from it is refused as well. Each pattern reads a text of 8 MiB
 * once: no match can begin inside another.
 */
export function isHarmlessSvg(text: string): boolean {
  const drawing = afterPrologue(text)
  return (
    drawing !== null &&
    /^<svg[\s/>]/i.test(drawing) &&
    !declarations.test(drawing) &&
    !activeElement.test(drawing) &&
    !activeAttribute.test(drawing) &&
    !hasScriptAddress(drawing)
  )
}

/** The text from its first element on; null when the part before could change the meaning of the rest. */
function afterPrologue(text: string): string | null {
  for (let rest = text.trimStart(); ; rest = rest.trimStart()) {
    const end = prologue.find(([begin]) => rest.slice(0, begin.length).toLowerCase() === begin)?.[1]
    if (end === undefined) return rest
    const length = rest.indexOf(end)
    if (length < 0 || changesMeaning(rest.slice(0, length))) return null
    rest = rest.slice(length + end.length)
  }
}

const prologue = [
  ['<?xml ', '?>'],
  ['<!--', '-->'],
  ['<!doctype svg', '>'],
] as const

/** Own entities, or another encoding: a browser would read another text than we do. */
function changesMeaning(part: string): boolean {
  if (part.startsWith('<!--')) return false
  const [, encoding = 'utf-8'] = /\bencoding\s*=\s*["']?([\w.:-]*)/i.exec(part) ?? []
  return part.includes('[') || encoding.toLowerCase() !== 'utf-8'
}

/** Entities, and processing instructions such as a style sheet. */
const declarations = /<!(?:doctype|entity|attlist|element|notation)|<\?/i

/** With any prefix: `<x:script>` is a script where the prefix means SVG or XHTML. */
const activeElement =
  /<(?:[\w.-]+:)?(?:script|handler|listener|foreignobject|iframe|object|embed|applet|audio|video|base|meta|link|form|html|body|animate|set|animatemotion|animatetransform|discard)(?![\w.-])/i

/** Event handlers, and attributes that turn another attribute into one. */
const activeAttribute = /[\s"'/](?:[\w.-]+:)?on[a-z]+\s*=|\battributename\s*=/i

/** Addresses may lead into the drawing, to the web, or to an embedded picture. */
function hasScriptAddress(text: string): boolean {
  const plain = withoutReferences(text).replaceAll(/[\s\p{Cc}]/gu, '')
  return (
    /(?:java|vb|live)script:/i.test(plain) || /["'(]data:(?!image\/(?:png|jpe?g|gif|webp)[;,])/i.test(plain)
  )
}

/** With character references replaced, as a parser of attributes does. */
const withoutReferences = (text: string) =>
  text.replaceAll(
    /&#(?:x([\da-f]+)|(\d+));?|&(\w+);?/gi,
    (whole, hex?: string, decimal?: string, name = '') => {
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      if (code <= 0x10ffff) return String.fromCodePoint(code)
      return named[name.toLowerCase()] ?? whole
    },
  )

const named: Record<string, string> = { colon: ':', tab: '\t', newline: '\n', quot: '"', apos: "'" }
