import type { oidcScopes } from './unregistered-clients.ts'

/** Clients that register themselves (RFC 7591, spec/provider#client-registration). */

type OidcScope = (typeof oidcScopes)[number]

/** What they may be at most, and how many (spec/experience#tenant-settings). */
export type ClientRegistration = {
  enabled: boolean
  /** Of OpenID Connect. Without `offline_access` they get no refresh token. */
  scopes: OidcScope[]
  /** Indicators of the tenant's resources; null means all. */
  resources: string[] | null
  mostClients: number
  /** After so many days a client is deleted that no user has allowed anything. */
  unusedDays: number
}

/** Of a token or secret that is made here, in characters: 256 bits. */
export const TOKEN_LENGTH = 43

export const registrationAuthMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const

/** What an application that registered itself keeps of what it asked for. */
export type DynamicRegistration = {
  /** The ceiling of the tenant applies in addition, as it is at each request. */
  scopes: OidcScope[]
  authMethod: (typeof registrationAuthMethods)[number]
}
