/**
 * Some providers answer in the fragment, which reaches no server. It is sent to the callback again as a query (spec/pages#callback),
 * where its state names the interaction. False without such a fragment.
 */
export function sentFragment(connectorId: string): boolean {
  const { hash, search } = location
  // Some providers add a fragment of their own to a query that has the answer.
  if (hash.length < 2 || new URLSearchParams(search).has('state')) return false
  location.replace(`/callback/${connectorId}?${search.slice(1)}&${hash.slice(1)}`)
  return true
}
