import {
  type ApplicationType,
  type ClientKey,
  type CustomClientMetadata,
  idTokenAlgorithms,
  type OidcClientMetadata,
} from '../../contract/applications/applications.ts'
import {
  type DynamicRegistration,
  registrationAuthMethods,
} from '../../contract/applications/client-registration.ts'
import { oidcScopes } from '../../contract/applications/unregistered-clients.ts'
import { hasSpaceOrControl } from '../../contract/blank.ts'
import { isRecord } from '../../contract/is-record.ts'
import { isLoadablePicture } from '../experience/pictures.ts'
import { findApplicationUrlProblems, lacksRedirectUri } from './application-rules.ts'
import { isLegible } from './client-document.ts'
import { findKeySetProblem } from './client-keys.ts'

/**
 * The metadata that a client sends when it registers (RFC 7591 §2, spec/provider#client-registration). Only the fields
 * listed here are read. Values that the tenant does not allow are rejected, or left out of the response as RFC 7591
 * §3.2.1 permits.
 */

type RegistrationError = {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata' | 'unapproved_software_statement'
  description: string
}

export type RegisteredMetadata = {
  name: string
  type: ApplicationType
  oidcClientMetadata: {
    redirectUris: string[]
    postLogoutRedirectUris: string[]
    logoUri?: string | undefined
  }
  customClientMetadata: Pick<
    CustomClientMetadata,
    | 'dpopBoundAccessTokens'
    | 'idTokenSignedResponseAlg'
    | 'initiateLoginUri'
    | 'jwks'
    | 'jwksUri'
    | 'policyUri'
    | 'tosUri'
  > & { isThirdParty: true; dynamicRegistration: DynamicRegistration }
}

type RegistrationContext = {
  /** The scopes that the tenant allows for clients that register themselves. */
  scopes: readonly string[]
  environment: 'production' | 'development'
}

const MAX_REDIRECTS = 10
const MAX_ADDRESS_LENGTH = 2048
const GRANTS = ['authorization_code', 'refresh_token']

export function parseRegistration(
  body: unknown,
  context: RegistrationContext,
): RegisteredMetadata | RegistrationError {
  if (!isRecord(body)) return invalid('the body must be a JSON object')
  // A value of null means the same as an omitted value (RFC 7592 §2.2).
  const metadata = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  if ('software_statement' in metadata) {
    return { error: 'unapproved_software_statement', description: 'software statements are not supported' }
  }
  const problem = simpleProblem(metadata)
  if (problem) return invalid(problem)
  const redirectUris = addressesOf(metadata.redirect_uris)
  if (!redirectUris) return invalidRedirect('redirect_uris must be a list of at most 10 addresses')
  const registered = toMetadata(metadata, redirectUris, context)
  return typeof registered === 'string' ? invalid(registered) : validate(registered, context)
}

/** Checks a client against the same rules as applications that an operator creates. */
function validate(
  registered: RegisteredMetadata,
  { environment }: RegistrationContext,
): RegisteredMetadata | RegistrationError {
  if (lacksRedirectUri(registered)) return invalidRedirect('redirect_uris is empty')
  const [problem] = findApplicationUrlProblems(registered, { environment })
  if (!problem) return registered
  const path = problem.path.map((part) => wireNames[part] ?? part).slice(1)
  const description = `${path.join('/')} ${problem.message}`
  return problem.path.includes('redirectUris') ? invalidRedirect(description) : invalid(description)
}

const wireNames: Record<string | number, string> = {
  redirectUris: 'redirect_uris',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  jwksUri: 'jwks_uri',
}

function simpleProblem({
  client_name: name,
  grant_types: grants = ['authorization_code'],
  response_types: responses = ['code'],
  application_type: type = 'web',
  scope = '',
  dpop_bound_access_tokens: dpop = false,
}: Record<string, unknown>): string | null {
  if (typeof name !== 'string' || !isLegible(name)) return 'client_name cannot be displayed'
  if (!isListOf(grants, GRANTS) || !grants.includes('authorization_code'))
    return 'grant_types must be authorization_code, with or without refresh_token'
  if (!isListOf(responses, ['code']) || responses.length === 0) return 'response_types must be code'
  if (type !== 'web' && type !== 'native') return 'application_type must be web or native'
  if (typeof scope !== 'string') return 'scope must be a string'
  return typeof dpop === 'boolean' ? null : 'dpop_bound_access_tokens must be a boolean'
}

function toMetadata(
  metadata: Record<string, unknown>,
  redirectUris: string[],
  { scopes: ceiling }: RegistrationContext,
): RegisteredMetadata | string {
  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic'
  const authMethod = registrationAuthMethods.find((supported) => supported === method)
  if (!authMethod) return `token_endpoint_auth_method must be one of ${registrationAuthMethods.join(', ')}`
  const isPublic = authMethod === 'none'
  const isNative = metadata.application_type === 'native'
  if (isNative && !isPublic) return 'token_endpoint_auth_method must be none for a native application'

  const postLogoutRedirectUris = addressesOf(metadata.post_logout_redirect_uris ?? [])
  if (!postLogoutRedirectUris) return 'post_logout_redirect_uris must be a list of at most 10 addresses'
  const description = describe(metadata, redirectUris)
  if (typeof description === 'string') return description
  const { logoUri, ...ownPages } = description
  const keys = keysOf(metadata, authMethod)
  if (typeof keys === 'string') return keys
  const alg = metadata.id_token_signed_response_alg
  const idTokenSignedResponseAlg = idTokenAlgorithms.find((supported) => supported === alg)
  if (alg !== undefined && !idTokenSignedResponseAlg)
    return `id_token_signed_response_alg must be one of ${idTokenAlgorithms.join(', ')}`
  return {
    name: String(metadata.client_name),
    type: isNative ? 'Native' : isPublic ? 'SPA' : 'Traditional',
    oidcClientMetadata: { redirectUris, postLogoutRedirectUris, ...(logoUri !== undefined && { logoUri }) },
    customClientMetadata: {
      isThirdParty: true,
      dynamicRegistration: { authMethod, scopes: scopesOf(metadata, ceiling) },
      ...ownPages,
      ...keys,
      ...(idTokenSignedResponseAlg && { idTokenSignedResponseAlg }),
      ...(metadata.dpop_bound_access_tokens === true && { dpopBoundAccessTokens: true }),
    },
  }
}

/**
 * Returns the pages and the logo with which the client describes itself. What is on the host of no redirect URI may
 * belong to somebody else, so it is left out (OIDC Dynamic Client Registration §9.1). The page that starts a sign-in is
 * not shown, and a redirect to it gives it nothing.
 */
function describe(
  { logo_uri: logo, policy_uri: policy, tos_uri: tos, initiate_login_uri: initiate }: Record<string, unknown>,
  redirectUris: readonly string[],
): ClientDescription | string {
  const pages = { policy_uri: policy, tos_uri: tos, initiate_login_uri: initiate }
  const wrong = Object.entries(pages).find(([, uri]) => uri !== undefined && !isSecureAddress(uri))
  if (wrong) return `${wrong[0]} must be an https address`
  if (logo !== undefined && !(isSecureAddress(logo) && isLoadablePicture(logo)))
    return 'logo_uri must be an https address'

  const hosts = redirectUris.filter(isSecureAddress).map((uri) => new URL(uri).hostname)
  const isOwn = (uri: unknown): uri is string => isSecureAddress(uri) && hosts.includes(new URL(uri).hostname)
  return {
    ...(isOwn(logo) && { logoUri: logo }),
    ...(isOwn(policy) && { policyUri: policy }),
    ...(isOwn(tos) && { tosUri: tos }),
    ...(isSecureAddress(initiate) && { initiateLoginUri: initiate }),
  }
}

type ClientDescription = Pick<OidcClientMetadata, 'logoUri'> &
  Pick<CustomClientMetadata, 'initiateLoginUri' | 'policyUri' | 'tosUri'>

function isSecureAddress(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > MAX_ADDRESS_LENGTH || hasSpaceOrControl(uri)) return false
  const url = URL.parse(uri)
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}

/**
 * Returns the requested OpenID Connect scopes that the tenant allows. Resource scopes are not registered, because they
 * depend on the user's roles.
 */
function scopesOf(
  { scope, grant_types: grants }: Record<string, unknown>,
  ceiling: readonly string[],
): DynamicRegistration['scopes'] {
  const requested = typeof scope === 'string' ? ['openid', ...scope.split(' ')] : oidcScopes
  const mayRefresh = Array.isArray(grants) && grants.includes('refresh_token')
  return oidcScopes.filter(
    (name) => ceiling.includes(name) && requested.includes(name) && (mayRefresh || name !== 'offline_access'),
  )
}

function keysOf(
  { jwks, jwks_uri: jwksUri }: Record<string, unknown>,
  authMethod: DynamicRegistration['authMethod'],
): Pick<CustomClientMetadata, 'jwks' | 'jwksUri'> | string {
  // Keys are stored only for client authentication.
  if (authMethod !== 'private_key_jwt') return {}
  if ((jwks === undefined) === (jwksUri === undefined)) return 'either jwks or jwks_uri is required'
  if (jwksUri !== undefined) {
    const isText = typeof jwksUri === 'string' && jwksUri.length <= MAX_ADDRESS_LENGTH
    return isText ? { jwksUri } : 'jwks_uri must be an address'
  }
  const keys = isRecord(jwks) ? jwks.keys : undefined
  const problem = Array.isArray(keys) ? findKeySetProblem(keys) : 'is not a key set'
  // `findKeySetProblem` has checked that each key is a public key. Non-standard fields are dropped.
  return problem ? `jwks ${problem}` : { jwks: { keys: (keys as ClientKey[]).map(publicKey) } }
}

const publicKey = ({ kty, kid, use, alg, key_ops, crv, x, y, n, e }: ClientKey): ClientKey =>
  JSON.parse(JSON.stringify({ kty, kid, use, alg, key_ops, crv, x, y, n, e }))

function addressesOf(addresses: unknown): string[] | null {
  if (!Array.isArray(addresses) || addresses.length > MAX_REDIRECTS) return null
  const isAddress = (uri: unknown): uri is string =>
    typeof uri === 'string' && uri.length <= MAX_ADDRESS_LENGTH && uri.isWellFormed()
  return addresses.every(isAddress) ? addresses : null
}

const isListOf = (value: unknown, allowed: readonly string[]): value is string[] =>
  Array.isArray(value) && value.every((item) => allowed.includes(item))

export const isRegistrationError = (
  result: RegisteredMetadata | RegistrationError,
): result is RegistrationError => 'error' in result

const invalid = (description: string): RegistrationError => ({
  error: 'invalid_client_metadata',
  description,
})
const invalidRedirect = (description: string): RegistrationError => ({
  error: 'invalid_redirect_uri',
  description,
})
