/** Clients that no operator has registered: an address is their id, and what is there says what they are (ADR-0101). */

/** The longest id that is accepted. */
export const MAX_CLIENT_ADDRESS_LENGTH = 512

/** The ids of applications have no colon, and no address is without one. */
export const isClientAddress = (clientId: string): boolean => /^https:/i.test(clientId)

/** Scopes of OpenID Connect that the provider has (spec/provider#scopes-and-claims). */
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

/** What such a client may ask of a user at most, whatever it says of itself (spec/experience#tenant-settings). */
export type UnregisteredClients = {
  enabled: boolean
  /** Of OpenID Connect. Without `offline_access` they get no refresh token. */
  scopes: (typeof oidcScopes)[number][]
  /** Indicators of the tenant's resources; null means all. */
  resources: string[] | null
}

/** A client as its user saw it when it was allowed; it may say something else of itself afterwards. */
export type SeenClient = {
  name: string
  /** In ASCII, as browsers show a name that could be mistaken for another. */
  host: string
  logo: string | null
}
