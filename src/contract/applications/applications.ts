import type { OrganizationMode } from '../organisations/organizations.ts'
import type { BUILT_IN_RESOURCES } from '../product.ts'
import { DAY_SECONDS } from '../time.ts'
import type { DynamicRegistration } from './client-registration.ts'

export const applicationTypes = ['Native', 'SPA', 'Traditional', 'MachineToMachine'] as const
export type ApplicationType = (typeof applicationTypes)[number]

export type OidcClientMetadata = {
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  logoUri?: string | undefined
}

/** The signing algorithms for an application's ID tokens (spec/provider#signing-keys). */
export const idTokenAlgorithms = ['RS256', 'ES384', 'ES256'] as const

/**
 * The claims that an ID token contains: all that the granted scopes cover, or only those requested with the parameter
 * `claims`.
 */
export const idTokenClaims = ['all', 'minimal'] as const

/**
 * The signing algorithms accepted for client assertions (spec/provider#client-keys). Algorithms that use a shared
 * secret are not supported.
 */
export const clientAssertionAlgorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256'] as const

/** A public key (RFC 7517). Its type determines which of the fields are required. */
export type ClientKey = {
  kty: 'EC' | 'OKP' | 'RSA'
  kid?: string | undefined
  use?: 'sig' | undefined
  alg?: (typeof clientAssertionAlgorithms)[number] | undefined
  key_ops?: string[] | undefined
  crv?: string | undefined
  x?: string | undefined
  y?: string | undefined
  n?: string | undefined
  e?: string | undefined
}

/**
 * The maximum lifetime of a token, in seconds. A key remains published for this long after its last signature, so no
 * token may be valid for longer (ADR-0053).
 */
export const MAX_TOKEN_LIFETIME_SECONDS = 14 * DAY_SECONDS

/** The longest that an application can let its users stay signed in after an authorization, in seconds. */
export const MAX_OFFLINE_SECONDS = 365 * DAY_SECONDS

/**
 * The custom metadata of an application (spec/provider#client-metadata). Lifetimes are in seconds, and resources are
 * identified by their indicator.
 */
export type CustomClientMetadata = {
  corsAllowedOrigins?: string[] | undefined
  idTokenTtl?: number | undefined
  /** The time for which a refresh token is valid without use. */
  refreshTokenTtl?: number | undefined
  /** The time for which refresh tokens can be renewed after the authorization (spec/provider#grants). */
  refreshTokenMaxTtl?: number | undefined
  tenantId?: string | undefined
  isThirdParty?: boolean | undefined
  idTokenSignedResponseAlg?: (typeof idTokenAlgorithms)[number] | undefined
  /** The claims in ID tokens. Defaults to `all`, with `fapi2` to `minimal`. */
  idTokenClaims?: (typeof idTokenClaims)[number] | undefined
  backchannelLogoutUri?: string | undefined
  backchannelLogoutSessionRequired?: boolean | undefined
  initiateLoginUri?: string | undefined
  /** The application's own privacy policy and terms, which its consent page links to. */
  policyUri?: string | undefined
  tosUri?: string | undefined
  dpopBoundAccessTokens?: boolean | undefined
  /** If true, the application must comply with the FAPI 2.0 Security Profile (spec/provider#fapi). */
  fapi2?: boolean | undefined
  /** If true, the application may sign users in on devices without a browser (RFC 8628). */
  deviceFlow?: boolean | undefined
  /** The way in which its users act for organisations. Defaults to `none`. */
  organizationMode?: OrganizationMode | undefined
  /**
   * The application's public keys, inline or by URL. An application with public keys authenticates with a client
   * assertion instead of its secret (RFC 7523).
   */
  jwks?: { keys: ClientKey[] } | undefined
  jwksUri?: string | undefined
  /** Set if the application registered itself (spec/provider#client-registration). */
  dynamicRegistration?: DynamicRegistration | undefined
  allowedResources?: string[] | undefined
  allowedBuiltInResources?: (typeof BUILT_IN_RESOURCES)[number][] | undefined
  /**
   * The applications whose users' tokens this application may exchange, and the resources and scopes that it can
   * request (RFC 8693). Without `tokenExchangeScopes`, all scopes are allowed.
   */
  tokenExchangeClients?: string[] | undefined
  tokenExchangeResources?: string[] | undefined
  tokenExchangeScopes?: string[] | undefined
}
