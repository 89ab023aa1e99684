type Registered = { redirectUris: readonly string[]; listed: unknown }

/**
 * The origins of an application's pages that may call the provider and the account API (spec/provider#cors): our own, those
 * it listed, and those of its redirect URIs.
 */
export function mayCallFrom(origin: string, own: string, { redirectUris, listed }: Registered): boolean {
  return (
    origin !== 'null' &&
    (origin === own ||
      redirectUris.some((uri) => URL.parse(uri)?.origin === origin) ||
      (Array.isArray(listed) && listed.includes(origin)))
  )
}
