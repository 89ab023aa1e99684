import type { Experience } from '../../contract/experience/experience.ts'
import {
  getElementTreatment,
  linkAttributes,
  sanitizeAttribute,
  voidElements,
} from '../../domain/experience/custom-content.ts'
import { logFailure } from '../../storage/event-log.ts'

/**
 * Returns the experience with the operator's HTML sanitized (spec/experience#custom-content-html). The HTML is
 * sanitized only once while the settings are cached, so the page, its hydration and the API have the same HTML.
 */
export async function withSanitizedContent(experience: Experience): Promise<Experience> {
  const entries = Object.entries(experience.customContent)
  const safe = await Promise.all(
    entries.map(async ([path, html]) => [path, await safeOrNone(path, html)] as const),
  )
  return { ...experience, customContent: Object.fromEntries(safe) }
}

/**
 * Users must be able to sign in even if the parser cannot handle the HTML, for example because of thousands of nested
 * elements.
 */
async function safeOrNone(path: string, html: string): Promise<string> {
  try {
    return await sanitizeHtml(html)
  } catch (error) {
    logFailure(error, { at: 'customContent', path })
    return ''
  }
}

/**
 * Returns HTML with only the elements and attributes listed in `domain/experience/custom-content.ts`. workerd parses
 * the HTML, which is then serialized again with quotes and end tags, so that nothing depends on how other parsers would
 * read the original (ADR-0034).
 */
export async function sanitizeHtml(html: string): Promise<string> {
  const out: string[] = []
  const open: string[] = []
  /** The number of open elements that are being removed, including their content. */
  let dropping = 0

  /** Closes an element and all open elements inside it. */
  function close(name: string): void {
    const at = open.lastIndexOf(name)
    if (at < 0) return
    closeFrom(at + 1)
    open.pop()
    out.push(`</${name}>`)
  }

  function closeFrom(at: number): void {
    const closed = open.splice(at).reverse()
    out.push(...closed.filter((name) => !endsByItself.has(name)).map((name) => `</${name}>`))
  }

  const reader = new HTMLRewriter()
    .on('*', {
      element(element) {
        const name = element.tagName.toLowerCase()
        const treatment = getElementTreatment(name)
        if (treatment === 'dropped') {
          dropping += onEnd(element, () => dropping--) ? 1 : 0
          return
        }
        if (dropping > 0 || treatment === 'unwrapped') return
        out.push(startTag(name, element.attributes))
        if (voidElements.has(name)) return
        open.push(name)
        onEnd(element, () => close(name))
      },
    })
    .onDocument({
      text({ text }) {
        // Escapes characters that could begin a tag. Character references are kept.
        if (dropping === 0) out.push(text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
      },
    })
  await reader.transform(new Response(html)).arrayBuffer()

  closeFrom(0)
  return out.join('')
}

/** Registers a handler for the element's end tag. Returns false if the element has no end tag. */
function onEnd(element: FoundElement, run: () => void): boolean {
  try {
    element.onEndTag(run)
    return true
  } catch {
    return false
  }
}

function startTag(element: string, pairs: Iterable<string[]>): string {
  const attributes = new Map<string, string>()
  for (const [name = '', value = ''] of pairs) {
    const allowed = sanitizeAttribute(element, name.toLowerCase(), value)
    if (allowed !== null) attributes.set(name.toLowerCase(), allowed)
  }
  for (const [name, value] of linkAttributes(attributes.get('href') ?? null)) attributes.set(name, value)
  return `<${element}${[...attributes].map(([name, value]) => ` ${name}="${quoted(value)}"`).join('')}>`
}

const quoted = (value: string) =>
  value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The elements whose end tag can be omitted (HTML 13.1.2.4). */
const endsByItself: ReadonlySet<string> = new Set(
  'caption colgroup dd dt li p rp rt tbody td tfoot th thead tr'.split(' '),
)
