/**
 * Returns the URL of a call whose path begins after `/api`, or null if the browser would normalise the path to a
 * different one. Ids come from the address bar and from lists, and browsers resolve `..\users` and `%2e%2e` as path
 * segments. Without this check, a crafted link could make a button on the page change a different entity.
 */
export function buildApiUrl(path: string, origin: string): URL | null {
  const fullPath = `/api${path}`
  const url = URL.parse(fullPath, origin)
  return url?.pathname === fullPath ? url : null
}
