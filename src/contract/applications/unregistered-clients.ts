/**
 * Clients that no operator has registered. Their id is an address, and the document at that address describes them
 * (ADR-0101).
 */

/** The longest client id that is accepted. */
export const MAX_CLIENT_ADDRESS_LENGTH = 512

/** Application ids never contain a colon, so an address cannot be mistaken for one. */
export const isClientAddress = (clientId: string): boolean => /^https:/i.test(clientId)

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
] as const

/** The most that such a client may request, whatever its document says (spec/experience#tenant-settings). */
export type UnregisteredClients = {
  enabled: boolean
  /** Scopes of OpenID Connect. Clients without `offline_access` receive no refresh token. */
  scopes: (typeof oidcScopes)[number][]
  /** Indicators of the tenant's resources, or null for all of them. */
  resources: string[] | null
}

/** A client as the user saw it when granting access; its document may change afterwards. */
export type ClientSnapshot = {
  name: string
  /** In ASCII (Punycode), because the name could be mistaken for another one. */
  host: string
  logo: string | null
}
