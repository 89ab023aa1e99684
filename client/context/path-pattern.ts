/** The last part of a path whose pattern ends in a name, as in `/social/link/:connectorId`. Null for another path. */
export function lastPart(path: string, pattern: string): string | null {
  const [start = '', name] = pattern.split(':')
  const part = `${path}/`.startsWith(start) ? path.slice(start.length) : '/'
  return name === undefined || part.includes('/') ? null : part
}
