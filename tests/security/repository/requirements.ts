/** An entry of docs/operations/security.md. `state` is how it is proved, or why it is not; `reason` belongs to the latter. */
export type Requirement = {
  line: number
  chapter: string
  clause: string
  text: string
  code: string
  state: 'Test' | 'Gap' | 'Platform' | 'Operator' | 'Not applicable' | 'none'
  reason: string
  /** Ids ahead of the titles of tests. */
  tests: string[]
}

/**
 * Entries are list items: `- **clause** text`, and below them `Code: …`, `Test: [id] [id]`, or `**Gap**: reason`.
 * A line that is indented further continues the one before.
 */
export function readRequirements(document: string): Requirement[] {
  const found: Requirement[] = []
  let chapter = ''
  for (const { line, text } of joinedLines(document)) {
    if (text.startsWith('## ')) chapter = text.slice('## '.length)
    const [, clause, wording] = /^- \*\*(\S+)\*\* (.+)$/.exec(text) ?? []
    if (clause && wording)
      found.push({ line, chapter, clause, text: wording, code: '', state: 'none', reason: '', tests: [] })
    const entry = found.at(-1)
    if (entry && text.startsWith('  - ')) readDetail(entry, text.slice('  - '.length))
  }
  return found
}

function readDetail(entry: Requirement, text: string): void {
  const [, code] = /^Code: (.+)$/.exec(text) ?? []
  if (code) entry.code = code
  const [, ids] = /^Test: (.+)$/.exec(text) ?? []
  if (ids) {
    entry.state = 'Test'
    entry.tests.push(...[...ids.matchAll(/\[([^\]]+)\]/g)].map(([, id = '']) => id))
  }
  const [, state, reason] = /^\*\*(Gap|Platform|Operator|Not applicable)\*\*: (.+)$/.exec(text) ?? []
  if (state === 'Gap' || state === 'Platform' || state === 'Operator' || state === 'Not applicable')
    Object.assign(entry, { state, reason })
}

function joinedLines(document: string): { line: number; text: string }[] {
  const joined: { line: number; text: string }[] = []
  for (const [index, text] of document.split('\n').entries()) {
    const last = joined.at(-1)
    const continues = last && (text.startsWith('    ') || (/^- /.test(last.text) && /^ {2}[^ -]/.test(text)))
    if (continues) last.text += ` ${text.trim()}`
    else joined.push({ line: index + 1, text })
  }
  return joined
}
