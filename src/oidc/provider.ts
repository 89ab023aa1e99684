import { createHmac } from 'node:crypto'
import { errors, Provider } from 'oidc-provider'
import type { FloodLimits } from '../application/dependencies.ts'
import type { DeliveryService } from '../application/hooks/deliveries.ts'
import { isTransientError } from '../storage/database.ts'
import { logFailure } from '../storage/event-log.ts'
import { addAccessTokenHash } from './access/access-token-hash.ts'
import { extendOfflineAccess } from './access/offline-access.ts'
import { addTemplateClaims } from './access/template-claims.ts'
import { registerTokenExchange } from './access/token-exchange.ts'
import { limitAccountRequests } from './account-limit.ts'
import { leaveAudienceToUs } from './applications/client-assertions.ts'
import {
  type ClientLimitDependencies,
  limitClientAuthentication,
} from './applications/client-authentication.ts'
import { type ClientKeyDependencies, supplyClientKeys } from './applications/client-keys.ts'
import { correctForbiddenGrantErrors } from './applications/forbidden-grants.ts'
import { adaptDiscovery, limitUnregisteredClients } from './applications/unregistered-clients.ts'
import { countFailures, recordAuditEvents } from './audit.ts'
import { recordSignInDecisions } from './interactions/sign-in-decision.ts'
import { allowedMethodsAt } from './methods.ts'
import { nameSignedOutApplication, respondToFailure } from './pages.ts'
import { storeField } from './persistence/stored-field.ts'
import { isProtocolEndpoint, serverErrorBody } from './protocol-failure.ts'
import { type ConfigurationDependencies, createProviderConfiguration } from './provider-configuration.ts'
import { getProviderRequest } from './request-context.ts'
import { sendLogoutToken } from './sessions/back-channel-logout.ts'
import {
  completeDeviceResponse,
  hideCodeFromLibrary,
  lacksDeviceSession,
  limitDeviceCodes,
  restartDeviceFlow,
} from './sessions/device-flow.ts'
import { storeExemptions } from './sessions/exemptions.ts'
import { forgetSignedOutAccount } from './sessions/remembered-browser.ts'

export type ProviderOptions = Omit<ConfigurationDependencies, 'issuer'> &
  ClientLimitDependencies &
  ClientKeyDependencies & {
    deliveries: DeliveryService
    refreshKey: string
    floodLimits: FloodLimits
  }

/** Creates the OpenID Provider for a tenant at an origin (spec/provider#issuer). */
export function createProvider(issuer: string, parts: ProviderOptions): Provider {
  const provider = new Provider(issuer, createProviderConfiguration({ ...parts, issuer: new URL(issuer) }))
  provider.proxy = true // the request URL determines the `X-Forwarded-*` headers, which replace those of the client
  deriveRefreshTokenSuccessors(provider, parts.refreshKey)
  addAccessTokenHash(provider)
  addTemplateClaims(provider)
  storeExemptions(provider)
  storeField(provider.Grant, 'sessionUid')
  storeField(provider.Grant, 'organizationId')
  storeField(provider.Grant, 'endsWithSession')
  recordSignInDecisions(provider)
  registerTokenExchange(provider, parts)
  provider.Client.prototype.backchannelLogout = sendLogoutToken(provider, parts.db, parts.deliveries)
  limitClientAuthentication(provider, parts)
  limitUnregisteredClients(provider, parts)
  supplyClientKeys(provider, parts)
  leaveAudienceToUs(provider)
  limitDeviceCodes(provider, parts)
  recordAuditEvents(provider)
  extendOfflineAccess(provider)
  correctForbiddenGrantErrors(provider)
  countFailures(provider, parts.db)

  provider.on('server_error', (ctx, error) => {
    const { work, requestId } = getProviderRequest()
    work.discard()
    logFailure(error, { requestId, at: 'oidc' })
    if (!isTransientError(error)) return
    ctx.status = 503
    ctx.set('Retry-After', '1')
    // The library has already set the response body. If the client accepts HTML, the body is a page.
    const body: unknown = ctx.body
    const isPage = typeof body !== 'object' || !body || !('error' in body)
    if (isPage && !isProtocolEndpoint(ctx.path)) return
    ctx.remove('Content-Type')
    ctx.body = serverErrorBody(503)
  })

  provider.on('authorization.success', () => {
    const { submission } = getProviderRequest()
    if (submission) submission.isAuthorized = true
  })

  // All writes of the request are committed before the response is sent. If the commit fails, the client gets an error.
  provider.use(async (ctx, next) => {
    // The library adds the hash of a script to this policy: that of its form_post page.
    ctx.set('Content-Security-Policy', LIBRARY_PAGE)
    const allow = allowedMethodsAt(ctx.path)
    hideCodeFromLibrary(ctx)
    try {
      // The library also accepts paths in another letter case or with a trailing slash, to which our limits would not
      // apply. It also treats GET requests for some paths as device interactions.
      if (allow?.split(', ').includes(ctx.method)) await next()
    } catch (error) {
      if (!lacksDeviceSession(ctx)) throw error
      restartDeviceFlow(ctx)
      ctx.set('Content-Security-Policy', `${LIBRARY_PAGE}; frame-ancestors 'none'`)
      return
    }
    const policy = ctx.response.get('Content-Security-Policy')
    if (ctx.oidc?.params?.response_mode !== 'form_post' && !policy.includes('frame-ancestors')) {
      ctx.set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`)
    }
    if (!ctx.oidc) {
      if (allow) ctx.set('Allow', allow)
      return respondToFailure(parts.pages, ctx, allow ? unknownMethod : unknownAddress)
    }
    const { work, submission } = getProviderRequest()
    if (submission && !(submission.isAuthorized && ctx.status === 303)) return work.discard()
    try {
      if (ctx.oidc.route === 'discovery') await adaptDiscovery(parts, ctx)
      if (ctx.oidc.route === 'end_session_confirm') await forgetSignedOutAccount(ctx.oidc)
      if (ctx.oidc.route === 'end_session_confirm') nameSignedOutApplication(ctx)
      await completeDeviceResponse(parts.db, ctx)
      await limitAccountRequests(parts, ctx.oidc)
      if (submission) {
        submission.finished = work.handOver()
        return
      }
      if (await work.commit()) return
      await respondToFailure(parts.pages, ctx, new errors.SessionNotFound('interaction session not found'))
    } catch (error) {
      // The library had already set a successful response, so it has not reported this failure.
      const event = failureEvents[ctx.oidc.route]
      if (ctx.status < 400 && event && error instanceof errors.OIDCProviderError)
        provider.emit(event, ctx, error)
      await respondToFailure(parts.pages, ctx, error)
    }
  })
  return provider
}

const failureEvents: Record<string, 'grant.error' | 'authorization.error'> = {
  token: 'grant.error',
  authorization: 'authorization.error',
  resume: 'authorization.error',
}

/**
 * The content security policy of the library's own pages. The form_post page of a silent sign-in runs in a hidden
 * frame. It may be framed because it contains nothing to click; no other page may be.
 */
const LIBRARY_PAGE = "default-src 'none'; script-src; base-uri 'none'"

/** The error for a path under /oidc that the library does not serve. */
const unknownAddress = new errors.OIDCProviderError(404, 'invalid_request')
unknownAddress.error_description = 'unrecognized address'

const unknownMethod = new errors.OIDCProviderError(405, 'invalid_request')
unknownMethod.error_description = 'unrecognized method'

/**
 * Derives a refresh token's successor from the token itself, so that using a token twice yields the same successor
 * (spec/provider#refresh-token-successor). The library creates token values in the method `generateTokenId`; a test
 * covers its name.
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
