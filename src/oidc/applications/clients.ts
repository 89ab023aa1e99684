import type { AdapterPayload, Client } from 'oidc-provider'
import { isSameResource } from '../../contract/access/resource-names.ts'
import type {
  ClientRegistration,
  DynamicRegistration,
} from '../../contract/applications/client-registration.ts'
import { ACCOUNT_APP_ID, CONSOLE_APP_ID, DEMO_APP_ID, MANAGEMENT_CLIENT_ID } from '../../contract/product.ts'
import { getIdTokenAlgorithm, getIdTokenClaims } from '../../domain/applications/fapi.ts'
import { unsealPreviousSecret, unsealSecret } from '../../storage/applications/application-secrets.ts'
import type { ApplicationRow, ClientRow, StoredApplication } from '../../storage/applications/applications.ts'
import type { Seals } from '../../storage/seal.ts'
import { getProviderRequest } from '../request-context.ts'
import { accountApp, consoleApp, demoApp, managementClient } from './built-in-clients.ts'
import { clientLimits } from './client-ceiling.ts'

/** Provides our applications to the library as clients (spec/provider#clients). */
export type ClientMetadataSource = {
  find(tenantId: string, clientId: string): Promise<AdapterPayload | undefined>
  /**
   * Reports whether the secret with which an application has just authenticated is still accepted, because the client
   * was read up to a few seconds ago. If it has authenticated with keys, reports whether its secret is the same as
   * then: an application that gains operator scopes gets a new one (spec/management#replaced-credentials).
   */
  isCurrent(client: Client, stored: StoredApplication): Promise<boolean>
}

export function createClientMetadataSource({
  application,
  seals,
  managementSecret,
  registration,
  consoleOrigin,
}: {
  seals: Seals
  application(tenantId: string, id: string): Promise<ClientRow | null>
  managementSecret: string | undefined
  /** Returns the origin of a tenant's console. The argument is any URL of the tenant. */
  consoleOrigin(tenantId: string, url: URL): string
  /** Returns the tenant's limits for clients that have registered themselves. */
  registration(tenantId: string): Promise<ClientRegistration>
}): ClientMetadataSource {
  return {
    async find(tenantId, clientId) {
      if (clientId === DEMO_APP_ID) return demoApp(new URL(getProviderRequest().request.url).origin)
      if (clientId === ACCOUNT_APP_ID) return accountApp(new URL(getProviderRequest().request.url).origin)
      if (clientId === CONSOLE_APP_ID)
        return consoleApp(consoleOrigin(tenantId, new URL(getProviderRequest().request.url)))
      if (clientId === MANAGEMENT_CLIENT_ID)
        return managementSecret ? managementClient(managementSecret) : undefined
      // No application has such a long id, and looking it up would only fill the cache.
      if (clientId.length > MAX_ID_LENGTH) return undefined
      const row = await application(tenantId, clientId)
      if (!row) return undefined
      const metadata = toClientMetadata(row)
      const { dynamicRegistration } = row.customClientMetadata
      return dynamicRegistration
        ? { ...metadata, ...limitsOf(row, dynamicRegistration, await registration(tenantId)) }
        : metadata
    },
    async isCurrent({ storedSecret }, stored) {
      const { now, clientSecret = storedSecret } = getProviderRequest()
      const { secret, previousSecret } = await unsealSecret(seals, stored)
      if (secret === clientSecret) return true
      const isLive = previousSecret !== null && previousSecret.expiresAt > now()
      return isLive && (await unsealPreviousSecret(seals, stored)) === clientSecret
    },
  }
}

/**
 * Limits a client that has registered itself. It is a third party, has only the authorization code and refresh token
 * grants, and must respect the tenant's current limits (spec/provider#client-registration).
 */
function limitsOf(
  { customClientMetadata: { allowedResources }, oidcClientMetadata: { redirectUris } }: ApplicationRow,
  { scopes, authMethod }: DynamicRegistration,
  { scopes: ceiling, resources }: ClientRegistration,
): AdapterPayload {
  const allowedScopes = scopes.filter((scope) => ceiling.includes(scope))
  const { scope, grantTypes } = clientLimits(allowedScopes)
  const allowed = resources ?? allowedResources
  return {
    isDynamicallyRegistered: true,
    registeredAuthMethod: authMethod,
    isThirdParty: true,
    allowedBuiltInResources: [],
    scope,
    ...(allowed && {
      allowedResources: allowed.filter(
        (name) => allowedResources?.some((own) => isSameResource(own, name)) ?? true,
      ),
    }),
    grant_types: grantTypes,
    redirect_uris: redirectUris,
    response_types: ['code'],
  }
}

const MAX_ID_LENGTH = 21 // spec/limits#ids

/**
 * Custom client metadata, which the library keeps without interpreting it (spec/provider#client-metadata). Times are in
 * seconds.
 */
const customKeys = [
  'corsAllowedOrigins',
  'idTokenTtl',
  'refreshTokenTtl',
  'refreshTokenMaxTtl',
  'tenantId',
  'isThirdParty',
  'deviceFlow',
  'organizationMode',
  'fapi2',
  'allowedResources',
  'allowedBuiltInResources',
  'tokenExchangeClients',
  'tokenExchangeResources',
  'tokenExchangeScopes',
] as const
export const extraClientMetadata = [
  ...customKeys,
  'idTokenClaims',
  'claimTemplate',
  'secondFactorPolicy',
  'rememberDays',
  'isDynamicallyRegistered',
  'registeredAuthMethod',
  'storedSecret',
  'previousSecret',
] as const

const byType = {
  Native: {
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    isPublic: true,
  },
  SPA: { application_type: 'web', grant_types: ['authorization_code', 'refresh_token'], isPublic: true },
  Traditional: {
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    isPublic: false,
  },
  MachineToMachine: { application_type: 'web', grant_types: ['client_credentials'], isPublic: false },
} as const satisfies Record<ApplicationRow['type'], object>

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/**
 * All clients have this grant type. Whether a client may use it is decided by the application's policy
 * (spec/provider#token-exchange).
 */
export const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** Converts an application to the library's client metadata. */
function toClientMetadata({
  id,
  name,
  secret,
  type,
  oidcClientMetadata: { redirectUris, postLogoutRedirectUris, logoUri },
  customClientMetadata: custom,
  secondFactorPolicy,
  rememberDays,
  claims,
  previousSecret,
  previousSecretValue,
  secretProblem,
}: ClientRow): AdapterPayload {
  const { isPublic, application_type, grant_types } = byType[type]
  const keys = keysOf(custom)
  const idTokenAlg = getIdTokenAlgorithm(custom)
  const isMachine = type === 'MachineToMachine'
  const isDevice = !isMachine && custom.deviceFlow === true
  // The library requires that applications with the authorization code grant have a redirect URI.
  const hasRedirect = !isMachine && !(isDevice && redirectUris.length === 0)
  const grants = grant_types.filter((grant) => hasRedirect || grant !== 'authorization_code')
  if (!isPublic && !keys && secretProblem) throw secretProblem
  return {
    client_id: id,
    client_name: name,
    storedSecret: secret,
    ...(previousSecret &&
      previousSecretValue && {
        previousSecret: { value: previousSecretValue, expiresAt: previousSecret.expiresAt },
      }),
    application_type,
    grant_types: [...grants, ...(isDevice ? [DEVICE_GRANT] : []), EXCHANGE_GRANT],
    response_types: !hasRedirect ? [] : custom.fapi2 ? ['code'] : ['code', 'none'],
    redirect_uris: isMachine ? [] : redirectUris,
    post_logout_redirect_uris: isMachine ? [] : postLogoutRedirectUris,
    ...(logoUri ? { logo_uri: logoUri } : {}),
    ...(isPublic
      ? { token_endpoint_auth_method: 'none' }
      : keys
        ? { token_endpoint_auth_method: 'private_key_jwt', ...keys }
        : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret }),
    ...(idTokenAlg ? { id_token_signed_response_alg: idTokenAlg } : {}),
    ...(custom.backchannelLogoutUri
      ? {
          backchannel_logout_uri: custom.backchannelLogoutUri,
          backchannel_logout_session_required: custom.backchannelLogoutSessionRequired ?? false,
        }
      : {}),
    ...(custom.initiateLoginUri ? { initiate_login_uri: custom.initiateLoginUri } : {}),
    ...(custom.dpopBoundAccessTokens || custom.fapi2 ? { dpop_bound_access_tokens: true } : {}),
    ...(custom.fapi2 ? { require_pushed_authorization_requests: true } : {}),
    ...(secondFactorPolicy && { secondFactorPolicy }),
    ...(rememberDays === 0 && { rememberDays }),
    ...(claims && { claimTemplate: claims }),
    ...Object.fromEntries(
      customKeys.flatMap((key) => (custom[key] === undefined ? [] : [[key, custom[key]]])),
    ),
    idTokenClaims: getIdTokenClaims(custom),
  }
}

/**
 * Returns the application's keys. Once an application has keys, it cannot authenticate with its secret
 * (spec/provider#client-keys).
 */
function keysOf({ jwks, jwksUri }: ApplicationRow['customClientMetadata']) {
  if (jwks) return { jwks }
  return jwksUri === undefined ? undefined : { jwks_uri: jwksUri }
}
