import type { CustomClientMetadata } from '../../contract/applications/applications.ts'
import type { AddressProblem, ApplicationAddresses } from './application-rules.ts'

/** What the FAPI 2.0 Security Profile asks of an application that switches it on (spec/provider#fapi, ADR-0112). */

/** What its tokens are signed with: of those that FAPI 2.0 §5.4.1 allows, the one of ours. */
export const FAPI_ALGORITHM = 'ES256'

/** FAPI 2.0 §5.4.1; Ed25519 is the new name of EdDSA on that curve. */
const assertionAlgorithms: readonly unknown[] = ['ES256', 'PS256', 'EdDSA', 'Ed25519']
export const isFapiAlgorithm = (alg: unknown): boolean => assertionAlgorithms.includes(alg)

export const idTokenAlgorithmOf = ({ fapi2, idTokenSignedResponseAlg }: CustomClientMetadata) =>
  fapi2 ? FAPI_ALGORITHM : idTokenSignedResponseAlg

/** Whoever switches it on is told what it lacks; nothing is changed behind its back. */
export function fapiProblems({
  type,
  oidcClientMetadata: { redirectUris },
  customClientMetadata: { fapi2, jwks, jwksUri, deviceFlow, dpopBoundAccessTokens, idTokenSignedResponseAlg },
}: ApplicationAddresses): AddressProblem[] {
  if (!fapi2) return []
  const at = (key: string, isWrong: boolean, message: string) =>
    isWrong ? [{ path: ['customClientMetadata', key], message }] : []
  const isPublic = type === 'Native' || type === 'SPA'
  const hasOtherAlgorithm =
    idTokenSignedResponseAlg !== undefined && idTokenSignedResponseAlg !== FAPI_ALGORITHM
  return [
    ...at('fapi2', isPublic, 'is for confidential applications'),
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
