import {
  elementTreatment,
  linkAttributes,
  sanitizeAttribute,
} from '../../src/domain/experience/custom-content.ts'

/**
 * The operator's HTML as the server would serve it, by the same rules (`src/web/pages/custom-content.ts`). The document of the parser runs
 * nothing and loads nothing.
 */
export function safeContent(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const made = document.implementation.createHTMLDocument()
  made.body.append(...copies(parsed.body, made))
  return made.body.innerHTML
}

function copies(parent: Element, made: Document): Node[] {
  return [...parent.childNodes].flatMap((node): Node[] => {
    if (node instanceof Text) return [made.createTextNode(node.data)]
    // Comments, and elements of SVG and MathML.
    if (!(node instanceof HTMLElement)) return []
    const treatment = elementTreatment(node.localName)
    if (treatment === 'dropped') return []
    if (treatment === 'unwrapped') return copies(node, made)

    const copy = made.createElement(node.localName)
    copyAttributes(node, copy)
    copy.append(...copies(node, made))
    return [copy]
  })
}

function copyAttributes(from: Element, to: Element): void {
  for (const { name, value } of from.attributes) {
    const allowed = sanitizeAttribute(from.localName, name, value)
    if (allowed !== null) to.setAttribute(name, allowed)
  }
  for (const [name, value] of linkAttributes(to.getAttribute('href'))) to.setAttribute(name, value)
}
