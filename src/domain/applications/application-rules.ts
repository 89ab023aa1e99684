/**
 * The rules for an application's URLs (spec/provider#redirect-uris), including the rules of the OpenID provider
 * library.
 */
import type {
  ApplicationType,
  CustomClientMetadata,
  OidcClientMetadata,
} from '../../contract/applications/applications.ts'
import { hasSpaceOrControl } from '../../contract/blank.ts'
import { findKeySetProblem } from './client-keys.ts'
import { findDocumentUrlProblem } from './document-address.ts'
import { findOfflineProblems } from './offline-access.ts'
import { findRedirectUriProblem, loopbackHosts, redirectUriProblems } from './redirect-uri.ts'

export type ApplicationUrls = {
  type: ApplicationType
  oidcClientMetadata: Pick<OidcClientMetadata, 'redirectUris' | 'postLogoutRedirectUris'>
  customClientMetadata: Pick<
    CustomClientMetadata,
    | 'backchannelLogoutUri'
    | 'deviceFlow'
    | 'dpopBoundAccessTokens'
    | 'fapi2'
    | 'idTokenSignedResponseAlg'
    | 'isThirdParty'
    | 'jwks'
    | 'jwksUri'
    | 'organizationMode'
    | 'refreshTokenMaxTtl'
    | 'refreshTokenTtl'
  >
}

export type MetadataProblem = { path: (string | number)[]; message: string }

/**
 * Returns the problems with an application. If there are none, the provider's library accepts the application as a
 * client.
 */
export function findApplicationUrlProblems(
  { type, oidcClientMetadata, customClientMetadata }: ApplicationUrls,
  { environment }: { environment: 'production' | 'development' },
): MetadataProblem[] {
  const lists = (['redirectUris', 'postLogoutRedirectUris'] as const).flatMap((list) =>
    oidcClientMetadata[list].flatMap((uri, index) => {
      const fault = findRedirectUriProblem(uri, { type, isThirdParty: customClientMetadata.isThirdParty })
      return fault ? [{ path: ['oidcClientMetadata', list, index], message: redirectUriProblems[fault] }] : []
    }),
  )
  const { backchannelLogoutUri } = customClientMetadata
  const message = backchannelLogoutUri === undefined ? null : logoutProblem(backchannelLogoutUri, environment)
  return [
    ...lists,
    ...(message ? [{ path: ['customClientMetadata', 'backchannelLogoutUri'], message }] : []),
    ...(customClientMetadata.deviceFlow && type === 'MachineToMachine'
      ? [{ path: ['customClientMetadata', 'deviceFlow'], message: 'is only for applications with users' }]
      : []),
    ...((customClientMetadata.organizationMode ?? 'none') !== 'none' && type === 'MachineToMachine'
      ? [
          {
            path: ['customClientMetadata', 'organizationMode'],
            message: 'is only for applications with users',
          },
        ]
      : []),
    ...findOfflineProblems(type, customClientMetadata),
    ...keyProblems(type, customClientMetadata, environment),
  ]
}

/** Only applications that can keep a private key secret may have keys. */
function keyProblems(
  type: ApplicationType,
  { jwks, jwksUri }: ApplicationUrls['customClientMetadata'],
  environment: 'production' | 'development',
): MetadataProblem[] {
  const at = (key: string, message: string | null) =>
    message === null ? [] : [{ path: ['customClientMetadata', key], message }]
  const isPublic = type === 'Native' || type === 'SPA'
  if (jwks && isPublic) return at('jwks', CONFIDENTIAL_ONLY)
  if (jwksUri !== undefined && isPublic) return at('jwksUri', CONFIDENTIAL_ONLY)
  if (jwks && jwksUri !== undefined) return at('jwksUri', 'cannot be combined with jwks')
  return [
    ...at('jwks', jwks ? findKeySetProblem(jwks.keys) : null),
    ...at('jwksUri', jwksUri === undefined ? null : findDocumentUrlProblem(jwksUri, environment)),
  ]
}

const CONFIDENTIAL_ONLY = 'is only for applications of type Traditional or MachineToMachine'

/**
 * Users return to the application through a redirect, so without a redirect URI nobody could sign in. This does not
 * apply to machine-to-machine applications, which have no users, or to the device flow, which does not redirect users.
 */
export const lacksRedirectUri = ({
  type,
  oidcClientMetadata,
  customClientMetadata,
}: ApplicationUrls): boolean =>
  type !== 'MachineToMachine' &&
  !customClientMetadata.deviceFlow &&
  oidcClientMetadata.redirectUris.length === 0

/**
 * Returns the problem with a back-channel logout URL. Our server calls this URL, so it must use https, except for a
 * loopback URL in development.
 */
function logoutProblem(uri: string, environment: 'production' | 'development'): string | null {
  const parsed = hasSpaceOrControl(uri) ? null : URL.parse(uri)
  if (!parsed) return 'is not a URL'
  if (uri.includes('#')) return 'must not have a fragment'
  const isLocal =
    environment === 'development' && parsed.protocol === 'http:' && loopbackHosts.has(parsed.hostname)
  return parsed.protocol === 'https:' || isLocal ? null : 'must use https'
}
