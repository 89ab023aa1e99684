import {
  getElementTreatment,
  linkAttributes,
  sanitizeAttribute,
} from '../../src/domain/experience/custom-content.ts'

/**
 * Returns the operator's HTML as the server would serve it, sanitized by the same rules
 * (`src/web/pages/custom-content.ts`). Documents created by `DOMParser` run no scripts and load nothing.
 */
export function sanitizeContent(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const output = document.implementation.createHTMLDocument()
  output.body.append(...copies(parsed.body, output))
  return output.body.innerHTML
}

function copies(parent: Element, output: Document): Node[] {
  return [...parent.childNodes].flatMap((node): Node[] => {
    if (node instanceof Text) return [output.createTextNode(node.data)]
    // Drop comments, and SVG and MathML elements.
    if (!(node instanceof HTMLElement)) return []
    const treatment = getElementTreatment(node.localName)
    if (treatment === 'dropped') return []
    if (treatment === 'unwrapped') return copies(node, output)

    const copy = output.createElement(node.localName)
    copyAttributes(node, copy)
    copy.append(...copies(node, output))
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
