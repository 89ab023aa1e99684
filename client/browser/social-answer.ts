/**
 * Sends the fragment of the URL to the callback as a query, whose state names the interaction (spec/pages#callback):
 * some providers respond in the fragment, which never reaches a server. Returns false without such a fragment.
 */
export function forwardFragment(connectorId: string): boolean {
  const { hash, search } = location
  // Some providers add a fragment of their own to a query that already has the response.
  if (hash.length < 2 || new URLSearchParams(search).has('state')) return false
  location.replace(`/callback/${connectorId}?${search.slice(1)}&${hash.slice(1)}`)
  return true
}
