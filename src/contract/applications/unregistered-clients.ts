/**
 * Clients that no operator has registered. The id of such a client is a URL, and the document at that URL describes the
 * client (ADR-0101).
 */

/** The longest client id that is accepted. */
export const MAX_CLIENT_URL_LENGTH = 512

/** Distinguishes client URLs from application ids, which never contain a colon. */
export const isClientUrl = (clientId: string): boolean => /^https:/i.test(clientId)

/** The OpenID Connect scopes that the provider supports (spec/provider#scopes-and-claims). */
export const oidcScopes = [
  'openid',
  'offline_access',
  'profile',
  'email',
  'address',
  'phone',
  'custom_data',
  'identities',
  'roles',
  'organizations',
] as const

/**
 * The maximum that unregistered clients may request, whatever their documents say (spec/experience#tenant-settings).
 */
export type UnregisteredClients = {
  enabled: boolean
  /** The allowed OpenID Connect scopes. Clients without `offline_access` receive no refresh token. */
  scopes: (typeof oidcScopes)[number][]
  /** The indicators of the allowed resources, or null to allow all of the tenant's resources. */
  resources: string[] | null
}

/** A client as it was shown to the user who granted access. The client's document may change later. */
export type ClientSnapshot = {
  name: string
  /** The host in ASCII (Punycode), because an internationalized name could look like another host. */
  host: string
  logo: string | null
}
