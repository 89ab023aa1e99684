import type { oidcScopes } from './unregistered-clients.ts'

/** Clients that register themselves (RFC 7591, spec/provider#client-registration). */

type OidcScope = (typeof oidcScopes)[number]

/**
 * The limits for such clients: their scopes and resources, and how many may exist (spec/experience#tenant-settings).
 */
export type ClientRegistration = {
  enabled: boolean
  /** Scopes of OpenID Connect. Clients without `offline_access` receive no refresh token. */
  scopes: OidcScope[]
  /** Indicators of the tenant's resources, or null for all of them. */
  resources: string[] | null
  mostClients: number
  /** The number of days after which a client is deleted if no user has granted it anything. */
  unusedDays: number
}

/** The length, in characters, of generated tokens and secrets: 256 bits. */
export const TOKEN_LENGTH = 43

export const registrationAuthMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const

/** The part of an application's own registration request that is stored. */
export type DynamicRegistration = {
  /** The tenant's limits at the time of each request apply in addition. */
  scopes: OidcScope[]
  authMethod: (typeof registrationAuthMethods)[number]
}
