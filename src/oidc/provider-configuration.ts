import { type Configuration, errors } from 'oidc-provider'
import type { OidcPages } from '../application/oidc-pages.ts'
import { LONGEST_TOKEN } from '../contract/applications.ts'
import { hostCookie, pathCookie } from '../contract/cookie-names.ts'
import type { Experience } from '../contract/experience.ts'
import { mayCallFrom } from '../domain/allowed-origin.ts'
import { isRevoked } from '../domain/revocation.ts'
import type { Database } from '../storage/database.ts'
import type { InteractionStore } from '../storage/interactions.ts'
import type { SigningKeys } from '../storage/signing-keys.ts'
import { createAdapter } from './adapter.ts'
import { claimsByScope, toProviderAccount } from './claims.ts'
import { type ClientMetadataSource, extraClientMetadata } from './clients.ts'
import { loadExistingGrant } from './grants.ts'
import { interactionOfBrowser, interactionPolicy, interactionUrl } from './interaction-pages.ts'
import { renderError, renderLoggedOut, renderLogout } from './pages.ts'
import { providerRequest } from './request-context.ts'
import { mayIntrospect, resourceServerInfo, rotateRefreshToken } from './resource-servers.ts'

export type ConfigurationParts = {
  db: Database
  clients: ClientMetadataSource
  interactions: InteractionStore
  /** The tenant's. */
  experience: () => Promise<Experience>
  pages: OidcPages
  keys: SigningKeys
  /** The address of the provider. */
  issuer: URL
  /** The key of the present root secret first, then that of the previous one (spec/storage#root-secret). */
  cookieKeys: string[]
}

const HOUR = 3600
const FORTNIGHT = 14 * 24 * HOUR

/** In seconds (spec/provider#token-lifetimes). */
const lifetimes = {
  AuthorizationCode: 60,
  AccessToken: HOUR,
  ClientCredentialsWithoutResource: 600,
  IdToken: HOUR,
  RefreshToken: FORTNIGHT,
  Interaction: HOUR,
  Session: FORTNIGHT,
  Grant: FORTNIGHT,
}

/** The library's configuration for one tenant at one origin. */
export function providerConfiguration({
  db,
  clients,
  interactions,
  experience,
  pages,
  keys,
  issuer,
  cookieKeys,
}: ConfigurationParts): Configuration {
  return {
    adapter: (name: string) =>
      createAdapter(name, { clients, interactionOfBrowser: interactionOfBrowser(db, interactions) }),
    jwks: keys.jwks,
    claims: claimsByScope,
    scopes: ['openid', 'offline_access'],
    responseTypes: ['code', 'none'],
    conformIdTokenClaims: false, // spec/provider#id-tokens
    clockTolerance: 15, // seconds, spec/provider#clock-tolerance
    pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
    extraParams: { interaction_mode: checkInteractionMode },
    extraClientMetadata: { properties: [...extraClientMetadata] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES384'] },
    cookies: {
      keys: cookieKeys,
      names: {
        session: hostCookie('_session', issuer),
        interaction: hostCookie('_interaction', issuer),
        resume: pathCookie('_interaction_resume', issuer),
      },
      long: { signed: true, httpOnly: true, sameSite: 'lax', path: '/' },
      short: { signed: true, httpOnly: true, sameSite: 'lax', path: '/' },
    },
    interactions: { policy: interactionPolicy(), url: interactionUrl(interactions, experience) },
    loadExistingGrant: loadExistingGrant(db),
    clientBasedCORS: (ctx, origin, { redirectUris = [], corsAllowedOrigins: listed }) =>
      mayCallFrom(origin, ctx.URL.origin, { redirectUris, listed }),
    renderError: (ctx, _out, error) => renderError(pages, ctx, error),

    async findAccount(ctx, id, token) {
      const user = await providerRequest().work.user(id)
      const since = token ? undefined : ctx.oidc.session?.loginTs
      const isGone = since === undefined ? !user || user.isSuspended : isRevoked(user, since)
      return user && !isGone ? toProviderAccount(user) : undefined
    },

    expiresWithSession: (_ctx, source) => !source.scopes.has('offline_access'),
    issueRefreshToken: (_ctx, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    rotateRefreshToken,

    ttl: {
      AuthorizationCode: lifetimes.AuthorizationCode,
      AccessToken: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? lifetimes.AccessToken,
      ClientCredentials: (_ctx, token) =>
        token.resourceServer?.accessTokenTTL ?? lifetimes.ClientCredentialsWithoutResource,
      IdToken: (_ctx, _token, client) => seconds(client.idTokenTtl) ?? lifetimes.IdToken,
      RefreshToken: (_ctx, _token, client) => seconds(client.refreshTokenTtl) ?? lifetimes.RefreshToken,
      Interaction: lifetimes.Interaction,
      Session: lifetimes.Session,
      Grant: lifetimes.Grant,
    },

    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      dPoP: { enabled: true },
      backchannelLogout: { enabled: true },
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
        getResourceServerInfo: resourceServerInfo(db),
        useGrantedResource: () => false,
        // Client credentials have no default resource (spec/provider#client-credentials).
        defaultResource: (ctx, _client, oneOf) =>
          oneOf ?? (ctx.oidc.params?.grant_type === 'client_credentials' ? '' : undefined),
      },
    },
  }
}

/** The pages that an application may request first (spec/provider#prompts). */
const interactionModes = ['signIn', 'signUp', 'resetPassword']

function checkInteractionMode(_ctx: unknown, value: string | undefined) {
  if (value === undefined || interactionModes.includes(value)) return
  throw new errors.InvalidRequest(`interaction_mode must be one of ${interactionModes.join(', ')}`)
}

const seconds = (value: unknown) =>
  typeof value === 'number' && value > 0 ? Math.min(value, LONGEST_TOKEN) : undefined
