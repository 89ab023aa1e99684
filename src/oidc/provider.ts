import { createHmac } from 'node:crypto'
import { errors, Provider } from 'oidc-provider'
import type { FloodLimits } from '../application/dependencies.ts'
import type { Deliveries } from '../application/hooks/deliveries.ts'
import { isTransient } from '../storage/database.ts'
import { logFailure } from '../storage/event-log.ts'
import { hashAccessTokens } from './access/access-token-hash.ts'
import { registerTokenExchange } from './access/token-exchange.ts'
import { limitAccount } from './account-limit.ts'
import { type ClientLimitParts, limitClientAuthentication } from './applications/client-authentication.ts'
import { type ClientKeyParts, keepClientKeys } from './applications/client-keys.ts'
import { nameForbiddenGrants } from './applications/forbidden-grants.ts'
import { limitUnregisteredClients, tellClients } from './applications/unregistered-clients.ts'
import { auditEvents, countFailures } from './audit.ts'
import { methodsAt } from './methods.ts'
import { answerFailure } from './pages.ts'
import { isProtocolCall, protocolFailure } from './protocol-failure.ts'
import { type ConfigurationParts, providerConfiguration } from './provider-configuration.ts'
import { providerRequest } from './request-context.ts'
import { sendLogoutToken } from './sessions/back-channel-logout.ts'
import {
  beginDeviceAgain,
  completeDeviceAnswer,
  keepCodeInField,
  lacksDeviceSession,
  limitDeviceCodes,
} from './sessions/device-flow.ts'
import { keepExemptions } from './sessions/exemptions.ts'

export type ProviderParts = Omit<ConfigurationParts, 'issuer'> &
  ClientLimitParts &
  ClientKeyParts & {
    deliveries: Deliveries
    refreshKey: string
    floodLimits: FloodLimits
  }

/** The OpenID Provider of one tenant at one origin (spec/provider#issuer). */
export function createProvider(issuer: string, parts: ProviderParts): Provider {
  const provider = new Provider(issuer, providerConfiguration({ ...parts, issuer: new URL(issuer) }))
  provider.proxy = true // X-Forwarded-* are overwritten from the request's own address
  deriveRefreshTokenSuccessors(provider, parts.refreshKey)
  hashAccessTokens(provider)
  keepExemptions(provider)
  registerTokenExchange(provider, parts)
  provider.Client.prototype.backchannelLogout = sendLogoutToken(provider, parts.db, parts.deliveries)
  limitClientAuthentication(provider, parts)
  limitUnregisteredClients(provider, parts)
  keepClientKeys(provider, parts)
  limitDeviceCodes(provider, parts)
  auditEvents(provider)
  nameForbiddenGrants(provider)
  countFailures(provider, parts.db)

  provider.on('server_error', (ctx, error) => {
    const { work, requestId } = providerRequest()
    work.discard()
    logFailure(error, { requestId, at: 'oidc' })
    if (!isTransient(error)) return
    ctx.status = 503
    ctx.set('Retry-After', '1')
    // The library has answered by now, with a page where the client accepts one.
    const body: unknown = ctx.body
    const isPage = typeof body !== 'object' || !body || !('error' in body)
    if (isPage && !isProtocolCall(ctx.path)) return
    ctx.remove('Content-Type')
    ctx.body = protocolFailure(503)
  })

  // All writes of the request are committed before its answer is sent. If they fail, the answer fails.
  provider.use(async (ctx, next) => {
    // For its own page (form_post) the library adds the hash of its script.
    ctx.set('Content-Security-Policy', LIBRARY_PAGE)
    const allow = methodsAt(ctx.path)
    keepCodeInField(ctx)
    try {
      // The library also answers to other letter cases and a slash behind, where no limit of ours is, and takes some of its
      // addresses for an interaction of a device where they are asked for by GET.
      if (allow?.split(', ').includes(ctx.method)) await next()
    } catch (error) {
      if (!lacksDeviceSession(ctx)) throw error
      beginDeviceAgain(ctx)
      ctx.set('Content-Security-Policy', `${LIBRARY_PAGE}; frame-ancestors 'none'`)
      return
    }
    const policy = ctx.response.get('Content-Security-Policy')
    if (ctx.oidc?.params?.response_mode !== 'form_post' && !policy.includes('frame-ancestors')) {
      ctx.set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`)
    }
    if (!ctx.oidc) {
      if (allow) ctx.set('Allow', allow)
      return answerFailure(parts.pages, ctx, allow ? unknownMethod : unknownAddress)
    }
    try {
      if (ctx.oidc.route === 'discovery') await tellClients(parts, ctx)
      await completeDeviceAnswer(parts.db, ctx)
      await limitAccount(parts, ctx.oidc)
      if (await providerRequest().work.commit()) return
      await answerFailure(parts.pages, ctx, new errors.SessionNotFound('interaction session not found'))
    } catch (error) {
      // The library had answered, and has counted no failure.
      const event = failureEvents[ctx.oidc.route]
      if (ctx.status < 400 && event && error instanceof errors.OIDCProviderError)
        provider.emit(event, ctx, error)
      await answerFailure(parts.pages, ctx, error)
    }
  })
  return provider
}

const failureEvents: Record<string, 'grant.error' | 'authorization.error'> = {
  token: 'grant.error',
  authorization: 'authorization.error',
  resume: 'authorization.error',
}

/** A silent sign-in by form_post runs in a hidden frame, and its page has nothing to click; no other page may be framed. */
const LIBRARY_PAGE = "default-src 'none'; script-src; base-uri 'none'"

/** Under /oidc there are no addresses but the library's. */
const unknownAddress = new errors.OIDCProviderError(404, 'invalid_request')
unknownAddress.error_description = 'unrecognized address'

const unknownMethod = new errors.OIDCProviderError(405, 'invalid_request')
unknownMethod.error_description = 'unrecognized method'

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
