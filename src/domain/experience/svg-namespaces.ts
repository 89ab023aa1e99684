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

/** The kind of a namespace: elements and attributes of an inert one are ignored by browsers. */
export type NamespaceKind = 'svg' | 'xlink' | 'xml' | 'inert'

/**
 * The namespace prefixes of a document. A prefix must have the same namespace throughout the document, so the scope of
 * a declaration does not matter.
 */
export class Namespaces {
  private readonly kinds = new Map<string, NamespaceKind>([['xml', 'xml']])

  /** Returns the first invalid namespace declaration of a tag, or null. */
  declare(attributes: readonly { name: string; value: string }[]): string | null {
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
  resolve(name: string): { kind: NamespaceKind; local: string } | undefined {
    const [first = '', local] = name.split(':')
    if (local === undefined) return { kind: 'svg', local: first }
    const kind = this.kinds.get(first)
    return kind && { kind, local }
  }
}

function kindOf(namespace: string): NamespaceKind | null {
  if (namespace === SVG) return 'svg'
  if (namespace === XLINK) return 'xlink'
  return inertNamespaces.includes(namespace) || namespace.startsWith(ADOBE) ? 'inert' : null
}
