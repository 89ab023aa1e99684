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

/** Algorithms for the ID tokens of an application (spec/provider#signing-keys). */
export const idTokenAlgorithms = ['RS256', 'ES384', 'ES256'] as const

/** Which claims the ID token has: those of the granted scopes, or only those that the parameter `claims` names. */
export const idTokenClaims = ['all', 'minimal'] as const

/** Algorithms of the assertions by which applications authenticate (spec/provider#client-keys). None of a shared secret. */
export const clientAssertionAlgorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256'] as const

/** A public key (RFC 7517); which of the parts are needed follows from its type. */
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

/** Seconds. A key is published for this long after its last signature, so no token may live longer (ADR-0053). */
export const MAX_TOKEN_SECONDS = 14 * DAY_SECONDS

/** spec/provider#client-metadata. Lifetimes in seconds, resources by their indicators. */
export type CustomClientMetadata = {
  corsAllowedOrigins?: string[] | undefined
  idTokenTtl?: number | undefined
  refreshTokenTtl?: number | undefined
  tenantId?: string | undefined
  isThirdParty?: boolean | undefined
  idTokenSignedResponseAlg?: (typeof idTokenAlgorithms)[number] | undefined
  /** `all` without it. */
  idTokenClaims?: (typeof idTokenClaims)[number] | undefined
  backchannelLogoutUri?: string | undefined
  backchannelLogoutSessionRequired?: boolean | undefined
  initiateLoginUri?: string | undefined
  dpopBoundAccessTokens?: boolean | undefined
  /** It keeps the FAPI 2.0 Security Profile (spec/provider#fapi). */
  fapi2?: boolean | undefined
  /** It may sign users in on devices without a browser (RFC 8628). */
  deviceFlow?: boolean | undefined
  /** Its public keys, by value or by address: it then authenticates by assertions and not by its secret (RFC 7523). */
  jwks?: { keys: ClientKey[] } | undefined
  jwksUri?: string | undefined
  /** It registered itself (spec/provider#client-registration). */
  dynamicRegistration?: DynamicRegistration | undefined
  allowedResources?: string[] | undefined
  allowedBuiltInResources?: (typeof BUILT_IN_RESOURCES)[number][] | undefined
  /** Applications whose users' tokens it may exchange (RFC 8693), for these resources and scopes: all scopes without the last. */
  tokenExchangeClients?: string[] | undefined
  tokenExchangeResources?: string[] | undefined
  tokenExchangeScopes?: string[] | undefined
}
