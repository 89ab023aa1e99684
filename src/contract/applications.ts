import type { BUILT_IN_RESOURCES } from './product.ts'

export const applicationTypes = ['Native', 'SPA', 'Traditional', 'MachineToMachine'] as const
export type ApplicationType = (typeof applicationTypes)[number]

export type OidcClientMetadata = {
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  logoUri?: string | undefined
}

/** Algorithms for the ID tokens of an application (spec/provider#signing-keys). */
export const idTokenAlgorithms = ['RS256', 'ES384'] as const

/** Seconds. A key is published for this long after its last signature, so no token may live longer (ADR-0053). */
export const LONGEST_TOKEN = 14 * 24 * 60 * 60

/** spec/provider#client-metadata. Lifetimes in seconds, resources by their indicators. */
export type CustomClientMetadata = {
  corsAllowedOrigins?: string[] | undefined
  idTokenTtl?: number | undefined
  refreshTokenTtl?: number | undefined
  tenantId?: string | undefined
  isThirdParty?: boolean | undefined
  idTokenSignedResponseAlg?: (typeof idTokenAlgorithms)[number] | undefined
  backchannelLogoutUri?: string | undefined
  backchannelLogoutSessionRequired?: boolean | undefined
  initiateLoginUri?: string | undefined
  dpopBoundAccessTokens?: boolean | undefined
  allowedResources?: string[] | undefined
  allowedBuiltInResources?: (typeof BUILT_IN_RESOURCES)[number][] | undefined
}
