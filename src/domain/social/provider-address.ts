/** The parameters that may differ between authorization requests of the same connector. */
const VARIABLE_PARAMETERS: ReadonlySet<string> = new Set(['state', 'nonce', 'code_challenge'])

/**
 * Checks whether a URL sent by a client equals the connector's own authorization request (spec/connectors#landing,
 * ADR-0042): endpoint, client id and redirect URI must be the same. Without the last two checks, this would be an open
 * redirect at every provider where anyone can register a client.
 */
export function matchesAuthorizationUrl(url: URL, own: URL): boolean {
  const isSameEndpoint =
    url.protocol === own.protocol &&
    url.host === own.host &&
    url.pathname === own.pathname &&
    url.hash === own.hash
  if (!isSameEndpoint || url.username !== '' || url.password !== '') return false

  // Only these parameters are allowed. With `request_uri`, or with another spelling of `client_id`, a provider might
  // process a different request.
  const names = new Set(own.searchParams.keys())
  return (
    [...url.searchParams.keys()].every((name) => names.has(name)) &&
    [...names].every((name) => {
      const [value, ...more] = url.searchParams.getAll(name)
      return more.length === 0 && (VARIABLE_PARAMETERS.has(name) || value === own.searchParams.get(name))
    })
  )
}
