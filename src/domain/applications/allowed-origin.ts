type Registered = { redirectUris: readonly string[]; listed: unknown }

/**
 * Checks whether pages of an origin may call the provider and the account API for an application. They may if the
 * origin is our own, one that the application has registered, or that of one of its redirect URIs (spec/provider#cors).
 */
export function isAllowedOrigin(origin: string, own: string, { redirectUris, listed }: Registered): boolean {
  return (
    origin !== 'null' &&
    (origin === own ||
      redirectUris.some((uri) => URL.parse(uri)?.origin === origin) ||
      (Array.isArray(listed) && listed.includes(origin)))
  )
}
