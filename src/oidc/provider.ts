import { createHmac } from 'node:crypto'
import { type Configuration, errors, Provider } from 'oidc-provider'
import type { Deliveries } from '../application/deliveries.ts'
import type { OidcPages } from '../application/oidc-pages.ts'
import { LONGEST_TOKEN } from '../contract/applications.ts'
import type { Experience } from '../contract/experience.ts'
import { mayCallFrom } from '../domain/allowed-origin.ts'
import { isRevoked } from '../domain/revocation.ts'
import { type Database, isTransient } from '../storage/database.ts'
import { logFailure } from '../storage/event-log.ts'
import type { InteractionStore } from '../storage/interactions.ts'
import type { SigningKeys } from '../storage/signing-keys.ts'
import { createAdapter } from './adapter.ts'
import { auditEvents } from './audit.ts'
import { sendLogoutToken } from './back-channel-logout.ts'
import { claimsByScope, toAccount } from './claims.ts'
import { type ClientMetadataSource, extraClientMetadata } from './clients.ts'
import { loadExistingGrant } from './grants.ts'
import { interactionPolicy, interactionUrl } from './interaction-pages.ts'
import { answerFailure, renderError, renderLoggedOut, renderLogout } from './pages.ts'
import { providerRequest } from './request-context.ts'
import { mayIntrospect, resourceServerInfo } from './resource-servers.ts'

export type ProviderParts = {
  db: Database
  clients: ClientMetadataSource
  interactions: InteractionStore
  /** The tenant's. */
  experience: () => Promise<Experience>
  deliveries: Deliveries
  pages: OidcPages
  keys: SigningKeys
  /** The key of the present root secret first, then that of the previous one (spec/storage#root-secret). */
  cookieKeys: string[]
  refreshKey: string
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

/** The OpenID Provider of one tenant at one origin (spec/provider#issuer). */
export function createProvider(issuer: string, parts: ProviderParts): Provider {
  const provider = new Provider(issuer, configuration(parts))
  provider.proxy = true // X-Forwarded-* are overwritten from the request's own address
  deriveRefreshTokenSuccessors(provider, parts.refreshKey)
  provider.Client.prototype.backchannelLogout = sendLogoutToken(provider, parts.db, parts.deliveries)
  auditEvents(provider)

  provider.on('server_error', (ctx, error) => {
    const { work, requestId } = providerRequest()
    work.discard()
    logFailure(error, { requestId, at: 'oidc' })
    if (!isTransient(error)) return
    ctx.status = 503
    ctx.set('Retry-After', '1')
    // The library's JSON body for programs; a browser has got a page by now.
    const body: unknown = ctx.body
    if (typeof body === 'object' && body && 'error' in body) ctx.body = { error: 'temporarily_unavailable' }
  })

  // All writes of the request are committed before its answer is sent. If they fail, the answer fails.
  provider.use(async (ctx, next) => {
    // For its own page (form_post) the library adds the hash of its script.
    ctx.set('Content-Security-Policy', LIBRARY_PAGE)
    await next()
    const policy = ctx.response.get('Content-Security-Policy')
    if (ctx.oidc?.params?.response_mode !== 'form_post' && !policy.includes('frame-ancestors')) {
      ctx.set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`)
    }
    if (!ctx.oidc) return answerFailure(parts.pages, ctx, unknownAddress)
    try {
      if (await providerRequest().work.commit()) return
      await answerFailure(parts.pages, ctx, new errors.SessionNotFound('interaction session not found'))
    } catch (error) {
      await answerFailure(parts.pages, ctx, error)
    }
  })
  return provider
}

function configuration({
  db,
  clients,
  interactions,
  experience,
  pages,
  keys,
  cookieKeys,
}: ProviderParts): Configuration {
  return {
    adapter: (name: string) => createAdapter(name, clients),
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
      return user && !isGone ? toAccount(user) : undefined
    },

    expiresWithSession: (_ctx, source) => !source.scopes.has('offline_access'),
    issueRefreshToken: (_ctx, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),

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

/** A silent sign-in by form_post runs in a hidden frame, and its page has nothing to click; no other page may be framed. */
const LIBRARY_PAGE = "default-src 'none'; script-src; base-uri 'none'"

/** Under /oidc there are no addresses but the library's. */
const unknownAddress = new errors.OIDCProviderError(404, 'invalid_request')
unknownAddress.error_description = 'unrecognized address'

const seconds = (value: unknown) =>
  typeof value === 'number' && value > 0 ? Math.min(value, LONGEST_TOKEN) : undefined

/**
 * Derives a refresh token's successor from it: a client that uses a token twice gets the same successor
 * (spec/provider#refresh-token-successor). `generateTokenId` makes the library's token values; a test covers that name.
 */
function deriveRefreshTokenSuccessors(provider: Provider, key: string): void {
  const { prototype } = provider.RefreshToken
  const original: () => string = Reflect.get(prototype, 'generateTokenId')
  Reflect.set(prototype, 'generateTokenId', function successor(this: unknown): string {
    const predecessor = Provider.ctx?.oidc.entities.RotatedRefreshToken
    return predecessor
      ? createHmac('sha256', key).update(predecessor.jti).digest('base64url')
      : original.call(this)
  })
}
