import type { oidcScopes } from './unregistered-clients.ts'

/** Clients that register themselves (RFC 7591, spec/provider#client-registration). */

type OidcScope = (typeof oidcScopes)[number]

/**
 * The limits for clients that register themselves: the scopes and resources that they may request, and the number of
 * clients (spec/experience#tenant-settings).
 */
export type ClientRegistration = {
  enabled: boolean
  /** The allowed OpenID Connect scopes. Clients without `offline_access` receive no refresh token. */
  scopes: OidcScope[]
  /** The indicators of the allowed resources, or null to allow all of the tenant's resources. */
  resources: string[] | null
  mostClients: number
  /** The number of days after which a client is deleted if no user has granted it access. */
  unusedDays: number
}

/** The length of generated tokens and secrets, in characters. It gives them 256 bits of entropy. */
export const TOKEN_LENGTH = 43

export const registrationAuthMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const

/** The part of a client's registration request that is stored. */
export type DynamicRegistration = {
  /** The scopes that the client has registered. Each request is also subject to the tenant's current limits. */
  scopes: OidcScope[]
  authMethod: (typeof registrationAuthMethods)[number]
}
