import type { CustomClientMetadata } from '../../contract/applications/applications.ts'
import type { ApplicationUrls, MetadataProblem } from './application-rules.ts'

/**
 * The requirements of the FAPI 2.0 Security Profile for an application that enables it (spec/provider#fapi, ADR-0112).
 */

/**
 * The signing algorithm for the application's tokens. It is the only supported algorithm that FAPI 2.0 §5.4.1 permits.
 */
export const FAPI_ALGORITHM = 'ES256'

/** The algorithms that FAPI 2.0 §5.4.1 permits. Ed25519 is the new name for EdDSA with that curve. */
const assertionAlgorithms: readonly unknown[] = ['ES256', 'PS256', 'EdDSA', 'Ed25519']
export const isFapiAlgorithm = (alg: unknown): boolean => assertionAlgorithms.includes(alg)

export const getIdTokenAlgorithm = ({ fapi2, idTokenSignedResponseAlg }: CustomClientMetadata) =>
  fapi2 ? FAPI_ALGORITHM : idTokenSignedResponseAlg

/**
 * With FAPI 2.0, ID tokens contain only the claims that are requested for them, because userinfo returns the claims of
 * scopes (OIDC Core §5.4). For all other applications this is a setting, so that what relied on the ID token keeps
 * working (ADR-0170).
 */
export const getIdTokenClaims = ({ fapi2, idTokenClaims }: Nullable<'fapi2' | 'idTokenClaims'>) =>
  idTokenClaims ?? (fapi2 ? 'minimal' : 'all')

/** In a form, null marks metadata that is going to be removed. */
type Nullable<Key extends keyof CustomClientMetadata> = {
  [Name in Key]?: CustomClientMetadata[Name] | null
}

/**
 * Returns the reasons why an application does not comply with the profile. The operator has to fix them; no setting is
 * changed automatically.
 */
export function findFapiProblems({
  type,
  oidcClientMetadata: { redirectUris },
  customClientMetadata: { fapi2, jwks, jwksUri, deviceFlow, dpopBoundAccessTokens, idTokenSignedResponseAlg },
}: ApplicationUrls): MetadataProblem[] {
  if (!fapi2) return []
  const at = (key: string, isWrong: boolean, message: string) =>
    isWrong ? [{ path: ['customClientMetadata', key], message }] : []
  const isPublic = type === 'Native' || type === 'SPA'
  const hasOtherAlgorithm =
    idTokenSignedResponseAlg !== undefined && idTokenSignedResponseAlg !== FAPI_ALGORITHM
  return [
    ...at('fapi2', isPublic, 'is only for confidential applications'),
    ...at('fapi2', !isPublic && !jwks && jwksUri === undefined, 'needs jwks or jwksUri'),
    ...at('deviceFlow', deviceFlow === true, 'is not part of FAPI 2.0'),
    ...at('dpopBoundAccessTokens', dpopBoundAccessTokens === false, 'is required by FAPI 2.0'),
    ...at('idTokenSignedResponseAlg', hasOtherAlgorithm, `must be ${FAPI_ALGORITHM} with FAPI 2.0`),
    ...redirectUris.flatMap((uri, index) =>
      uri.startsWith('https:')
        ? []
        : [{ path: ['oidcClientMetadata', 'redirectUris', index], message: 'must use https with FAPI 2.0' }],
    ),
  ]
}
