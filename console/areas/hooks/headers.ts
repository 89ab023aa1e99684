type HeaderFields = Readonly<Record<string, string>>

/** Formats headers as text, one per line. */
export const formatHeaders = (headers: HeaderFields): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Parses headers. If a line is invalid, returns that line. Empty lines are ignored. */
export function parseHeaders(text: string): { headers?: Record<string, string>; invalidLine?: string } {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return { invalidLine: line }
    headers[name] = value
  }
  return { headers }
}
