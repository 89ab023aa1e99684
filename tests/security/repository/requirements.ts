/**
 * An entry of docs/operations/security.md. If `state` is not `Test`, `reason` states why the entry has no
 * test.
 */
export type Requirement = {
  line: number
  chapter: string
  clause: string
  text: string
  code: string
  state: 'Test' | 'Gap' | 'Platform' | 'Operator' | 'Not applicable' | 'none'
  reason: string
  /** The ids at the beginning of test titles. */
  tests: string[]
}

/**
 * Reads the entries, which are list items of the form `- **clause** text`, with `Code: …`, `Test: [id] [id]` or
 * `**Gap**: reason` below them. A line that is indented further continues the previous one.
 */
export function readRequirements(document: string): Requirement[] {
  const requirements: Requirement[] = []
  let chapter = ''
  for (const { line, text } of joinedLines(document)) {
    if (text.startsWith('## ')) chapter = text.slice('## '.length)
    const [, clause, wording] = /^- \*\*(\S+)\*\* (.+)$/.exec(text) ?? []
    if (clause && wording)
      requirements.push({
        line,
        chapter,
        clause,
        text: wording,
        code: '',
        state: 'none',
        reason: '',
        tests: [],
      })
    const entry = requirements.at(-1)
    if (entry && text.startsWith('  - ')) readDetail(entry, text.slice('  - '.length))
  }
  return requirements
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
