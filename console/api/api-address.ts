/**
 * Returns the URL of a call whose path begins after `/api`, or null if the browser would send the call to a different
 * path than the one written here. Ids come from the address bar and from lists, and a browser treats `..\users` and
 * `%2e%2e` as steps to another entity: a link could decide what a button on the page changes.
 */
export function apiAddress(path: string, origin: string): URL | null {
  const fullPath = `/api${path}`
  const url = URL.parse(fullPath, origin)
  return url?.pathname === fullPath ? url : null
}
