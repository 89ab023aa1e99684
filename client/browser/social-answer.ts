/**
 * Redirects to the callback with the URL fragment as its query. Some providers respond in the fragment, which browsers
 * do not send to servers. The callback finds the interaction by the state (spec/pages#callback). Returns false if the
 * URL has no such fragment.
 */
export function forwardFragment(connectorId: string): boolean {
  const { hash, search } = location
  // Some providers respond in the query and also add a fragment, which is not part of the response.
  if (hash.length < 2 || new URLSearchParams(search).has('state')) return false
  location.replace(`/callback/${connectorId}?${search.slice(1)}&${hash.slice(1)}`)
  return true
}
