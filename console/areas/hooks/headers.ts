type HeaderFields = Readonly<Record<string, string>>

/** Headers as the lines of a text area. */
export const formatHeaders = (headers: HeaderFields): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The reverse; or the first line that is none. Empty lines count for nothing. */
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
