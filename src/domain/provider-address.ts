/** What differs from one authorization request of a connector to the next. */
const OF_ONE_CALL: ReadonlySet<string> = new Set(['state', 'nonce', 'code_challenge'])

/**
 * Whether an address somebody else has written leads where a connector itself would lead (decision 39): to the same
 * endpoint, for the same client, and back to the same place. Without the last two, a provider where anybody may
 * register a client would be our open redirect: it sends that client's visitors wherever they are expected.
 */
export function leadsToProvider(asked: URL, own: URL): boolean {
  const isSameEndpoint =
    asked.protocol === own.protocol &&
    asked.host === own.host &&
    asked.pathname === own.pathname &&
    asked.hash === own.hash
  if (!isSameEndpoint || asked.username !== '' || asked.password !== '') return false

  // Exactly its parameters: with `request_uri`, or another spelling of `client_id`, a provider may hear something else.
  const names = new Set(own.searchParams.keys())
  return (
    [...asked.searchParams.keys()].every((name) => names.has(name)) &&
    [...names].every((name) => {
      const [value, ...more] = asked.searchParams.getAll(name)
      return more.length === 0 && (OF_ONE_CALL.has(name) || value === own.searchParams.get(name))
    })
  )
}
