/**
 * Returns the URL of a call whose path begins after `/api`, or null if the browser would normalise the path to a
 * different one. Ids come from the address bar and from lists, and browsers treat `..\users` and `%2e%2e` as steps to
 * another entity, so a link could control which entity a button on the page changes.
 */
export function buildApiUrl(path: string, origin: string): URL | null {
  const fullPath = `/api${path}`
  const url = URL.parse(fullPath, origin)
  return url?.pathname === fullPath ? url : null
}
