/**
 * What a provider has put behind `#` reaches no server. It is sent to the callback once more, as a query (contract 10.5), where
 * its state says which interaction it belongs to. False where there was nothing to send.
 */
export function sentFragment(connectorId: string): boolean {
  const { hash, search } = location
  // Some providers put a fragment of their own behind a query that has the answer.
  if (hash.length < 2 || new URLSearchParams(search).has('state')) return false
  location.replace(`/callback/${connectorId}?${search.slice(1)}&${hash.slice(1)}`)
  return true
}
