/** The parameters that differ between authorization requests of one connector. */
const VARIABLE_PARAMETERS: ReadonlySet<string> = new Set(['state', 'nonce', 'code_challenge'])

/**
 * Checks whether an address sent by a client equals the connector's own authorization request (spec/connectors#landing,
 * ADR-0042), with the same endpoint, client and redirect URI. Without the last two, a provider where anyone can
 * register a client would make this an open redirect.
 */
export function leadsToProvider(address: URL, own: URL): boolean {
  const isSameEndpoint =
    address.protocol === own.protocol &&
    address.host === own.host &&
    address.pathname === own.pathname &&
    address.hash === own.hash
  if (!isSameEndpoint || address.username !== '' || address.password !== '') return false

  // Only these parameters are allowed: with `request_uri`, or another spelling of `client_id`, a provider may read
  // another request.
  const names = new Set(own.searchParams.keys())
  return (
    [...address.searchParams.keys()].every((name) => names.has(name)) &&
    [...names].every((name) => {
      const [value, ...more] = address.searchParams.getAll(name)
      return more.length === 0 && (VARIABLE_PARAMETERS.has(name) || value === own.searchParams.get(name))
    })
  )
}
