import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { OidcPages } from '../application/applications/oidc-pages.ts'
import {
  clientAssertionAlgorithms,
  idTokenAlgorithms,
  MAX_TOKEN_LIFETIME_SECONDS,
} from '../contract/applications/applications.ts'
import { hostCookieName, pathCookieName } from '../contract/cookie-names.ts'
import type { Experience } from '../contract/experience/experience.ts'
import { SELECT_ORGANIZATION } from '../contract/organisations/organizations.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../contract/time.ts'
import { isAllowedOrigin } from '../domain/applications/allowed-origin.ts'
import { claimsByScope } from '../domain/applications/claims.ts'
import { authenticationLevels } from '../domain/interactions/authentication.ts'
import { isRevoked } from '../domain/sessions/revocation.ts'
import type { Database } from '../storage/database.ts'
import type { InteractionStore } from '../storage/interactions/interactions.ts'
import type { SigningKeys } from '../storage/tenants/signing-keys.ts'
import { accessTokenClaims } from './access/access-token-claims.ts'
import { toProviderAccount } from './access/claims.ts'
import { loadExistingGrant } from './access/grants.ts'
import { refreshTokenSeconds } from './access/offline-access.ts'
import { normalizeOrganization, usesOrganizations } from './access/organization.ts'
import { defaultResourceOfMachine, limitLifetime, limitToOrganization } from './access/organization-tokens.ts'
import {
  applyGrantedResourceName,
  applyRegisteredResourceNames,
  mayIntrospect,
  resourceServerInfo,
  rotateRefreshToken,
} from './access/resource-servers.ts'
import { checkAssertion } from './applications/client-assertions.ts'
import { type ClientMetadataSource, extraClientMetadata } from './applications/clients.ts'
import { fapiProfile, isFapi, requiresNonce } from './applications/fapi.ts'
import {
  createUnregisteredClientSupport,
  isUnregistered,
  mayRequestScope,
  type UnregisteredClientDependencies,
} from './applications/unregistered-clients.ts'
import { CLOCK_TOLERANCE_SECONDS } from './clock-tolerance.ts'
import { refuseUnknownDeviceLevels } from './interactions/authentication-level.ts'
import { interactionUrl, readBrowserInteraction } from './interactions/interaction-pages.ts'
import { interactionPolicy } from './interactions/interaction-policy.ts'
import { keepOfflineAccess } from './interactions/offline-scope.ts'
import { renderError, renderLoggedOut, renderLogout } from './pages.ts'
import { createAdapter } from './persistence/adapter.ts'
import { getProviderRequest } from './request-context.ts'
import { renderDeviceAllowed, renderDeviceCodeForm } from './sessions/device-pages.ts'
import { sessionValidityTimes } from './sessions/exemptions.ts'
import { toSessionVisit } from './sessions/session-visit.ts'

export type ConfigurationDependencies = UnregisteredClientDependencies & {
  db: Database
  clients: ClientMetadataSource
  interactions: InteractionStore
  /** Returns the tenant's sign-in experience. */
  experience: () => Promise<Experience>
  pages: OidcPages
  keys: SigningKeys
  /** The issuer URL of the provider. */
  issuer: URL
  /** The keys of the current root secret and of the previous one, in this order (spec/storage#root-secret). */
  cookieKeys: string[]
}
export const FORTNIGHT = 14 * DAY_SECONDS

/** The token lifetimes, in seconds (spec/provider#token-lifetimes). */
const lifetimes: Configuration['ttl'] = {
  AuthorizationCode: 60,
  AccessToken: (ctx, token) => limitLifetime(ctx, token.resourceServer?.accessTokenTTL ?? HOUR_SECONDS),
  ClientCredentials: (ctx, token) => limitLifetime(ctx, token.resourceServer?.accessTokenTTL ?? 600),
  IdToken: (_ctx, _token, client) => seconds(client.idTokenTtl) ?? HOUR_SECONDS,
  RefreshToken: (_ctx, token, client) => refreshTokenSeconds(token, client),
  DeviceCode: 600,
  Interaction: HOUR_SECONDS,
  // Sessions without a user expire early. Each visit to the sign-out or device page begins such a session, and anyone
  // can open these pages.
  Session: (_ctx, { accountId }) => (accountId ? FORTNIGHT : 600),
  Grant: FORTNIGHT,
}

/** Returns the library's configuration for a tenant at an origin. */
export function createProviderConfiguration({
  db,
  clients,
  interactions,
  experience,
  pages,
  keys,
  issuer,
  cookieKeys,
  settings,
  documents,
}: ConfigurationDependencies): Configuration {
  const unregistered = createUnregisteredClientSupport({ settings, documents })
  return {
    fetch: unregistered.fetch,
    adapter: (name: string) =>
      createAdapter(name, { db, clients, readBrowserInteraction: readBrowserInteraction(db, interactions) }),
    jwks: keys.jwks,
    claims: claimsByScope,
    acrValues: [...authenticationLevels],
    scopes: ['openid', 'offline_access'],
    // This is also the default (OpenID Connect Discovery §3), but it is stated explicitly for people who read the
    // document.
    discovery: {
      request_parameter_supported: false,
      prompt_values_supported: ['none', 'login', 'consent', SELECT_ORGANIZATION],
    },
    responseTypes: ['code', 'none'],
    // The client authentication methods that applications can use (spec/provider#clients).
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    assertJwtClientAuthClaimsAndHeader: checkAssertion,
    conformIdTokenClaims: false, // spec/provider#id-tokens
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    pkce: {
      required: (_ctx, client) =>
        client.clientAuthMethod === 'none' || isFapi(client) || isUnregistered(client),
    },
    extraParams: {
      interaction_mode: checkInteractionMode,
      organization: normalizeOrganization,
      resource: applyRegisteredResourceNames,
      scope: (ctx) => {
        keepOfflineAccess(db, ctx)
        addDefaultScope(ctx)
      },
    },
    extraClientMetadata: { properties: [...extraClientMetadata] },
    enabledJWA: {
      idTokenSigningAlgValues: [...idTokenAlgorithms],
      clientAuthSigningAlgValues: [...clientAssertionAlgorithms],
    },
    cookies: {
      keys: cookieKeys,
      names: {
        session: hostCookieName('_session', issuer),
        interaction: hostCookieName('_interaction', issuer),
        resume: pathCookieName('_interaction_resume', issuer),
      },
      long: { signed: true, httpOnly: true, sameSite: 'lax', path: '/' },
      short: { signed: true, httpOnly: true, sameSite: 'lax', path: '/' },
    },
    interactions: {
      policy: interactionPolicy(settings),
      url: interactionUrl(interactions, { experience, settings }),
    },
    loadExistingGrant: loadExistingGrant(db),
    clientBasedCORS: (ctx, origin, { redirectUris = [], corsAllowedOrigins: listed }) =>
      isAllowedOrigin(origin, ctx.URL.origin, { redirectUris, listed }),
    renderError: (ctx, _out, error) => renderError(pages, ctx, error),

    async findAccount(ctx, id, token) {
      // The library calls this before it compares the resources of a token request with those that were granted.
      if (token) applyGrantedResourceName(ctx, token)
      if (token) await limitToOrganization(ctx, settings)
      const user = await getProviderRequest().work.user(id)
      const standing = token ? undefined : sessionValidityTimes(ctx.oidc.session)
      const isGone = standing ? isRevoked(user, standing) : !user || user.isSuspended
      return user && !isGone ? toProviderAccount(db, user, ctx) : undefined
    },

    expiresWithSession: ({ oidc }, source) =>
      !source.scopes.has('offline_access') && !(oidc.client && usesOrganizations(oidc.client)),
    issueRefreshToken: (_ctx, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    rotateRefreshToken: rotateRefreshToken(settings),
    // By default, the library keeps the grant of a revoked access token and deletes the tokens one by one.
    revokeGrantPolicy: () => true,

    ttl: lifetimes,
    extraTokenClaims: accessTokenClaims,

    features: featuresOf({ db, clients, pages, settings }, unregistered.feature),
  }
}

/** Returns the library's features that we use, configured for our pages and rules. */
const featuresOf = (
  { db, clients, pages, settings }: Pick<ConfigurationDependencies, 'db' | 'clients' | 'pages' | 'settings'>,
  clientIdMetadataDocument: ReturnType<typeof createUnregisteredClientSupport>['feature'],
): Configuration['features'] => ({
  claimsParameter: { enabled: true },
  clientIdMetadataDocument,
  devInteractions: { enabled: false },
  clientCredentials: { enabled: true },
  pushedAuthorizationRequests: { enabled: true },
  dPoP: { enabled: true, requireNonce: requiresNonce },
  fapi: { enabled: true, profile: fapiProfile },
  backchannelLogout: { enabled: true },
  deviceFlow: {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    // The library calls this just before it issues the codes.
    deviceInfo: (ctx) => {
      refuseUnknownDeviceLevels(ctx)
      const { request, now } = getProviderRequest()
      return { ...toSessionVisit(request, now()) }
    },
    userCodeInputSource: (ctx, form, _out, error) => renderDeviceCodeForm(pages, ctx, { form, error }),
    // Our form leads past this page, because the consent page asks the question after the sign-in (ADR-0172).
    userCodeConfirmSource: (ctx, form, _client, _deviceInfo, userCode) =>
      renderDeviceCodeForm(pages, ctx, { form, userCode }),
    successSource: (ctx) => renderDeviceAllowed(pages, ctx),
  },
  revocation: {
    enabled: true,
    allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
  },
  introspection: { enabled: true, allowedPolicy: mayIntrospect },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: (ctx, form) => renderLogout(pages, ctx, form),
    postLogoutSuccessSource: (ctx) => renderLoggedOut(pages, ctx),
  },
  resourceIndicators: {
    enabled: true,
    getResourceServerInfo: resourceServerInfo(db, clients, settings),
    useGrantedResource: () => false,
    // The client credentials grant has no default resource (spec/provider#client-credentials).
    defaultResource: (ctx, _client, oneOf) => {
      if (oneOf !== undefined) return oneOf
      if (ctx.oidc.params?.grant_type === 'client_credentials') return defaultResourceOfMachine(ctx, settings)
      // The library calls this before it removes the scopes of resources.
      if (ctx.oidc.route !== 'token') normalizeOrganization(ctx)
      return undefined
    },
  },
})

/** The values of `interaction_mode`, with which applications can choose the first page (spec/provider#prompts). */
const interactionModes = ['signIn', 'signUp', 'resetPassword']

function checkInteractionMode(_ctx: unknown, value: string | undefined) {
  if (value === undefined || interactionModes.includes(value)) return
  throw new errors.InvalidRequest(`interaction_mode must be one of ${interactionModes.join(', ')}`)
}

/**
 * Adds the scope `openid` to a request without scopes. Otherwise the library would reject the request after the user
 * has consented to it (spec/provider#scopes-and-claims, RFC 6749 §3.3).
 */
function addDefaultScope({ oidc: { client, params = {} } }: KoaContextWithOIDC) {
  if (params.scope !== undefined) return
  if (!mayRequestScope(client, 'openid'))
    throw new errors.InvalidScope('requested scope is not allowed', 'openid')
  params.scope = 'openid'
}

const seconds = (value: unknown) =>
  typeof value === 'number' && value > 0 ? Math.min(value, MAX_TOKEN_LIFETIME_SECONDS) : undefined
