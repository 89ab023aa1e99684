/**
 * The address of a call, whose path begins after `/api`; null where it would be sent to another path than is written. Ids come from
 * the address bar and from lists, and to a browser `..\users` and `%2e%2e` are steps to another entity: a link would decide what a
 * button of the page changes.
 */
export function apiAddress(path: string, origin: string): URL | null {
  const fullPath = `/api${path}`
  const url = URL.parse(fullPath, origin)
  return url?.pathname === fullPath ? url : null
}
