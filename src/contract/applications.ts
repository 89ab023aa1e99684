export const applicationTypes = ['Native', 'SPA', 'Traditional', 'MachineToMachine'] as const
export type ApplicationType = (typeof applicationTypes)[number]

export type OidcClientMetadata = {
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  logoUri?: string | undefined
}

/** What an application's ID tokens may be signed with (decision 26). */
export const idTokenAlgorithms = ['RS256', 'ES384'] as const

/** So long a key is published after it has signed for the last time, so no token may live longer. In seconds. */
export const LONGEST_TOKEN = 14 * 24 * 60 * 60

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
