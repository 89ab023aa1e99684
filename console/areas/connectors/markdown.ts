/** Parses the subset of Markdown that the connectors' guides use. HTML is neither parsed nor generated. */

export type Inline =
  | { kind: 'text' | 'code' | 'strong' | 'emphasis'; text: string }
  | { kind: 'link'; text: string; href: string }

export type Block =
  | { kind: 'heading' | 'paragraph'; content: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string }

const FENCED = /^```\w*\n([\s\S]*?)^```$/m
const ITEM = /^(?:\d+\.|[-*])\s+(.*)$/

export function parseMarkdown(text: string): Block[] {
  return text.split(FENCED).flatMap((part, at): Block[] => {
    if (at % 2 === 1) return [{ kind: 'code', text: part.trimEnd() }]
    return part.split(/\n\s*\n/).flatMap((paragraph) => parseParagraph(paragraph.split('\n')))
  })
}

function parseParagraph(source: readonly string[]): Block[] {
  const lines = source.filter((line) => line.trim() !== '')
  const [first, ...others] = lines
  if (first === undefined) return []
  const heading = /^#{1,6}\s+(.*)$/.exec(first)?.[1]
  if (heading !== undefined)
    return [{ kind: 'heading', content: parseInline(heading) }, ...parseParagraph(others)]
  const at = lines.findIndex((line) => ITEM.test(line))
  if (at > 0) return [...parseParagraph(lines.slice(0, at)), parseList(lines.slice(at))]
  return at === 0 ? [parseList(lines)] : [{ kind: 'paragraph', content: parseInline(joinLines(lines)) }]
}

/** Parses a list. A line that doesn't begin an item continues the previous one. */
function parseList(lines: readonly string[]): Block {
  const items: string[][] = []
  for (const line of lines) {
    const itemText = ITEM.exec(line)?.[1]
    if (itemText === undefined) items.at(-1)?.push(line)
    else items.push([itemText])
  }
  return {
    kind: 'list',
    isOrdered: /^\d/.test(lines[0] ?? ''),
    items: items.map((item) => parseInline(joinLines(item))),
  }
}

const joinLines = (lines: readonly string[]) => lines.map((line) => line.trim()).join(' ')

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\((https:\/\/[^\s)]+)\)/g

function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    const [whole, code, strong, emphasis, label = '', href = ''] = match
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', text: emphasis })
    else parts.push({ kind: 'link', text: label, href })
    end = match.index + whole.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}
