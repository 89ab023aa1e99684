import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { actorChain } from '../domain/access/token-exchange.ts'
import type { Database } from '../storage/database.ts'
import { countFailedRequest } from '../storage/failed-requests.ts'
import { organizationOfTokens } from './access/organization-tokens.ts'
import { omittedClaims } from './access/template-claims.ts'
import { tokenExchangeFacts } from './access/token-exchange.ts'
import { DEVICE_GRANT, EXCHANGE_GRANT } from './applications/clients.ts'
import { getProviderRequest } from './request-context.ts'

/**
 * Records audit entries for the provider's own events (spec/management#audit-log). They are committed with the request.
 */
export function recordAuditEvents(provider: Provider): void {
  // The parameters are in the entry `Interaction.Create` of the same interaction.
  provider.on('interaction.ended', (ctx) => record(ctx, 'Interaction.End', interactionFacts(ctx)))

  provider.on('authorization.success', (ctx) => {
    const { entities, params = {} } = ctx.oidc
    if (entities.DeviceCode) record(ctx, 'Device.Allow', { ...interactionFacts(ctx), params })
  })
  provider.on('grant.success', (ctx) => record(ctx, exchangeKey(ctx), exchangeFacts(ctx)))
  provider.on('grant.revoked', (ctx, grantId) =>
    record(ctx, 'RevokeToken', { grantId, tokenTypes: ['AccessToken', 'RefreshToken', 'AuthorizationCode'] }),
  )
}

/**
 * Records that a user denied a device. The library emits no event for this. If nobody is signed in, the denial is only
 * counted, like a failed request.
 */
export function recordDenial(ctx: KoaContextWithOIDC): void {
  if (ctx.oidc.session?.accountId === undefined) {
    ctx.oidc.provider.emit('device_authorization.error', ctx, new errors.AccessDenied())
    return
  }
  const facts = interactionFacts(ctx)
  // If the sign-in was abandoned, the library has not loaded the client.
  const { client_id: clientId } = ctx.oidc.entities.Interaction?.params ?? {}
  record(ctx, 'Device.Deny', { ...facts, ...(typeof clientId === 'string' && { applicationId: clientId }) })
}

/** Records that a member was refused to act for an organisation from their network (spec/organisations#networks). */
export function recordRefusedNetwork(ctx: KoaContextWithOIDC, organizationId: string): void {
  const error = { code: 'organization.network_not_allowed' }
  record(ctx, 'Organization.Network.Refuse', {
    ...interactionFacts(ctx),
    organizationId,
    result: 'Error',
    error,
  })
}

function record(ctx: KoaContextWithOIDC, key: string, payload: Record<string, unknown>): void {
  const { work, request, ip, now } = getProviderRequest()
  work.audit({
    key,
    createdAt: now(),
    payload: {
      applicationId: ctx.oidc.client?.clientId ?? ctx.oidc.entities.DeviceCode?.clientId,
      result: 'Success',
      ...payload,
      key,
      ip,
      userAgent: request.headers.get('user-agent') ?? undefined,
    },
  })
}

/**
 * Counts the requests that the provider rejects (spec/storage#failed-requests). They have no audit rows, because anyone
 * can send any number of them. The response does not wait for this.
 */
export function countFailures(provider: Provider, db: Database): void {
  const count = (endpoint: string) => (ctx: KoaContextWithOIDC, error: unknown) => {
    const code = codeOf(error)
    if (expectedErrors.has(code)) return
    const { tenantId, background, now } = getProviderRequest()
    const failedRequest = { applicationId: ctx.oidc.client?.clientId, endpoint, error: code }
    background(() => countFailedRequest(db, { tenantId, now: now() }, failedRequest))
  }
  provider.on('authorization.error', count('authorization'))
  provider.on('pushed_authorization_request.error', count('pushed_authorization_request'))
  provider.on('grant.error', count('token'))
  provider.on('introspection.error', count('introspection'))
  provider.on('revocation.error', count('revocation'))
  provider.on('device_authorization.error', count('device_authorization'))
}

const codeOf = (error: unknown) => (error instanceof errors.OIDCProviderError ? error.error : 'unknown')

const expectedErrors = new Set([
  // This error tells a polling device that its user has not decided yet (RFC 8628 §3.5). It is not a failure.
  'authorization_pending',
  // The errors for a silent request (`prompt=none`) that would require user interaction (OIDC Core §3.1.2.6).
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])

const asRecord = (value: unknown) => (typeof value === 'object' && value !== null ? value : {})

function interactionFacts({ oidc }: KoaContextWithOIDC) {
  return {
    sessionId: oidc.session?.uid,
    interactionId: oidc.entities.Interaction?.uid,
    userId: oidc.session?.accountId,
  }
}

const exchangeKeys: Record<string, string> = {
  authorization_code: 'ExchangeTokenBy.AuthorizationCode',
  refresh_token: 'ExchangeTokenBy.RefreshToken',
  client_credentials: 'ExchangeTokenBy.ClientCredentials',
  [DEVICE_GRANT]: 'ExchangeTokenBy.DeviceCode',
  [EXCHANGE_GRANT]: 'ExchangeTokenBy.TokenExchange',
}

const exchangeKey = ({ oidc }: KoaContextWithOIDC) =>
  exchangeKeys[String(oidc.params?.grant_type)] ?? 'ExchangeTokenBy.Unknown'

function exchangeFacts(ctx: KoaContextWithOIDC) {
  const { oidc, body } = ctx
  const tokenResponse: Record<string, unknown> = { ...asRecord(body) }
  const tokenTypes = {
    access_token: 'AccessToken',
    refresh_token: 'RefreshToken',
    id_token: 'IdToken',
  }
  return {
    tokenTypes: Object.entries(tokenTypes).flatMap(([name, type]) => (tokenResponse[name] ? [type] : [])),
    scope: tokenResponse.scope,
    userId: oidc.account?.accountId,
    sessionId: oidc.entities.AuthorizationCode?.sessionUid,
    organizationId: organizationOfTokens(ctx),
    ...delegationFacts(oidc.entities.AccessToken),
    omittedClaims: omittedClaims.get(oidc),
    params: oidc.params ?? {},
  }
}

/**
 * Returns the audit details of a delegation: the application to which the user signed in, and the applications that act
 * for the user.
 */
function delegationFacts(token: object | undefined) {
  const exchange = token && tokenExchangeFacts.get(token)
  if (!exchange) return undefined
  const { organizationId } = exchange.subject
  return {
    ...(organizationId !== undefined && { organizationId }),
    subjectApplicationId: exchange.subject.clientId,
    actors: actorChain(exchange.act),
  }
}
