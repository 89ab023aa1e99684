export const applicationTypes = ['Native', 'SPA', 'Traditional', 'MachineToMachine'] as const
export type ApplicationType = (typeof applicationTypes)[number]

export type OidcClientMetadata = {
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  logoUri?: string | undefined
}

/** What an application's ID tokens may be signed with (decision 26). */
export const idTokenAlgorithms = ['RS256', 'ES384'] as const

/** Spec 3 and decision 29. Lifetimes in seconds. */
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
}
