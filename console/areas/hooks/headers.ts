/** Headers as the lines that a text area shows. */
export const headerLines = (headers: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

/** The reverse; or the first line that is none. Empty lines count for nothing. */
export function readHeaders(
  lines: readonly string[],
): { headers: Record<string, string> } | { wrong: string } {
  const headers: Record<string, string> = {}
  for (const line of lines.map((each) => each.trim()).filter(Boolean)) {
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return { wrong: line }
    headers[name] = value
  }
  return { headers }
}
