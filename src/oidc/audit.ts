import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { maskSecrets } from '../domain/masking.ts'
import { providerRequest } from './request-context.ts'

/** The audit entries of the provider's own events (spec/management#audit-log), committed with their request. */
export function auditEvents(provider: Provider): void {
  const record = (
    ctx: KoaContextWithOIDC,
    key: string,
    payload: Record<string, unknown>,
    error?: unknown,
  ) => {
    const { work, request, ip, now } = providerRequest()
    work.audit({
      key,
      createdAt: now(),
      payload: {
        ...asRecord(maskSecrets(payload)),
        key,
        result: error === undefined ? 'Success' : 'Error',
        ...(error instanceof Error ? { error: { message: error.message } } : {}),
        ip,
        userAgent: request.headers.get('user-agent') ?? undefined,
        applicationId: ctx.oidc.client?.clientId,
      },
    })
  }

  provider.on('interaction.started', (ctx, prompt) =>
    record(ctx, 'Interaction.Create', { ...interactionFacts(ctx), prompt }),
  )
  provider.on('interaction.ended', (ctx) => record(ctx, 'Interaction.End', interactionFacts(ctx)))

  provider.on('grant.success', (ctx) => record(ctx, exchangeKey(ctx), exchangeFacts(ctx)))
  provider.on('grant.error', (ctx, error) => record(ctx, exchangeKey(ctx), exchangeFacts(ctx), error))
  provider.on('grant.revoked', (ctx, grantId) =>
    record(ctx, 'RevokeToken', { grantId, tokenTypes: ['AccessToken', 'RefreshToken', 'AuthorizationCode'] }),
  )
}

const asRecord = (value: unknown) => (typeof value === 'object' && value !== null ? value : {})

function interactionFacts({ oidc }: KoaContextWithOIDC) {
  return {
    sessionId: oidc.session?.uid,
    interactionId: oidc.entities.Interaction?.uid,
    userId: oidc.session?.accountId,
    params: oidc.params ?? {},
  }
}

const exchangeKeys: Record<string, string> = {
  authorization_code: 'ExchangeTokenBy.AuthorizationCode',
  refresh_token: 'ExchangeTokenBy.RefreshToken',
  client_credentials: 'ExchangeTokenBy.ClientCredentials',
}

const exchangeKey = ({ oidc }: KoaContextWithOIDC) =>
  exchangeKeys[String(oidc.params?.grant_type)] ?? 'ExchangeTokenBy.Unknown'

function exchangeFacts({ oidc, body }: KoaContextWithOIDC) {
  const answer: Record<string, unknown> = { ...asRecord(body) }
  const tokenTypes = {
    access_token: 'AccessToken',
    refresh_token: 'RefreshToken',
    id_token: 'IdToken',
  }
  return {
    tokenTypes: Object.entries(tokenTypes).flatMap(([name, type]) => (answer[name] ? [type] : [])),
    scope: answer.scope,
    userId: oidc.account?.accountId,
    // Without an authenticated client the parameters are of no use.
    ...(oidc.client ? { params: oidc.params ?? {} } : {}),
  }
}
