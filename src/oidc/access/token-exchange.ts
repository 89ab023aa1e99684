import { type Client, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import {
  buildTokenResponse,
  checkDpopReplay,
  checkDpopRequired,
  findAccount,
  validateDpop,
} from 'oidc-provider/lib/helpers/grants.js'
import type { CustomClientMetadata } from '../../contract/applications/applications.ts'
import {
  type Actor,
  allowsExchangeForResource,
  allowsExchangeFromClient,
  allowsTokenExchange,
  computeExchangedScopes,
  MAX_EXCHANGED_TOKEN_SECONDS,
  prependActor,
} from '../../domain/access/token-exchange.ts'
import { isBuiltInResource, mayRequestResource } from '../../domain/applications/resource-access.ts'
import { findResourceWithUserScopes } from '../../storage/access/roles.ts'
import type { Database } from '../../storage/database.ts'
import type { SigningKeys } from '../../storage/tenants/signing-keys.ts'
import { EXCHANGE_GRANT } from '../applications/clients.ts'
import { getProviderRequest } from '../request-context.ts'
import type { OrganizationSettings } from './organization-tokens.ts'
import { toResourceServer } from './resource-servers.ts'
import { readSubjectToken, type SubjectToken } from './subject-token.ts'

/** The token type identifier of RFC 8693 §3. */
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

const parameters = [
  ...['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'requested_token_type'],
  ...['resource', 'audience', 'scope'],
]

type ExchangeParts = { db: Database; keys: SigningKeys; settings: OrganizationSettings }

/**
 * Lets a confidential application act on behalf of a user of another application (spec/provider#token-exchange,
 * ADR-0111).
 */
export function registerTokenExchange(provider: Provider, parts: ExchangeParts): void {
  provider.registerGrantType(
    EXCHANGE_GRANT,
    (ctx: KoaContextWithOIDC) => exchange(provider, parts, ctx),
    parameters,
    // These parameters may be repeated, because a request with several resources gets a more specific error (RFC 8693
    // §2.2.2).
    ['resource', 'audience'],
  )
}

type ExchangeFacts = { subject: SubjectToken; act: Actor }

/** The subject and the actors of each exchanged token, for its claims and audit details. */
export const tokenExchangeFacts = new WeakMap<object, ExchangeFacts>()

async function exchange(provider: Provider, { db, keys, settings }: ExchangeParts, ctx: KoaContextWithOIDC) {
  const { client, params } = ctx.oidc
  if (!client || !params) throw new errors.InvalidClient('client is missing')
  // The cast is safe: the management API has validated the lists, and the library passes them through unchanged.
  const policy = client as CustomClientMetadata
  if (client.clientAuthMethod === 'none' || policy.isThirdParty || !allowsTokenExchange(policy))
    throw new errors.UnauthorizedClient('the application may not exchange tokens')

  const subject = await subjectOf(ctx, keys, policy)
  const dPoP = await validateDpop(provider, ctx as never)
  checkDpopRequired(provider, ctx as never, dPoP, errors.InvalidRequest)
  if (subject.jkt !== undefined && subject.jkt !== dPoP?.thumbprint)
    throw invalidRequest('the subject token is bound to a key for which there is no proof')
  const account = await findAccount(provider, ctx as never, subject.userId, subject)
  if (!account) throw invalidRequest(INVALID_SUBJECT)
  const act = prependActor(client.clientId, subject.act)
  if (!act) throw invalidRequest('the chain of actors is too long')

  const { resource, scopes } = await targetOf(db, ctx, client, subject)
  await checkDpopReplay(provider, ctx as never, dPoP, client.clientId, errors.InvalidDpopProof as never)
  const { organizations } = await settings()
  const remainingSeconds = subject.expiresAt - Math.floor(getProviderRequest().now() / 1000)
  const token = new provider.AccessToken({
    accountId: subject.userId,
    client,
    expiresIn: Math.min(
      MAX_EXCHANGED_TOKEN_SECONDS,
      resource.accessTokenTTL ?? MAX_EXCHANGED_TOKEN_SECONDS,
      remainingSeconds,
      subject.organizationId === undefined ? MAX_EXCHANGED_TOKEN_SECONDS : organizations.accessTokenTtl,
    ),
    grantId: subject.grantId,
    gty: 'token_exchange',
  } as ConstructorParameters<Provider['AccessToken']>[0])
  Object.assign(token, {
    resourceServer: new provider.ResourceServer(resource.audience ?? '', resource),
    scope: scopes.join(' ') || undefined,
  })
  if (dPoP) token.setThumbprint('jkt', dPoP.thumbprint)
  tokenExchangeFacts.set(token, { subject, act })
  ctx.oidc.entity('Account', account)
  ctx.oidc.entity('AccessToken', token)
  ctx.body = buildTokenResponse(provider, {
    accessToken: await token.save(),
    expiresIn: token.expiration,
    issuedTokenType: ACCESS_TOKEN,
    scope: token.scope,
    tokenType: token.tokenType,
  })
}

const INVALID_SUBJECT = 'the subject token is invalid'
/** RFC 8693 §2.2.2 requires this error for tokens that are invalid or not allowed by the policy. */
const invalidRequest = (description: string) => new errors.InvalidRequest(description)

async function subjectOf(
  ctx: KoaContextWithOIDC,
  keys: SigningKeys,
  policy: CustomClientMetadata,
): Promise<SubjectToken> {
  const { params = {} } = ctx.oidc
  const { subject_token: token, requested_token_type: requestedType = ACCESS_TOKEN } = params
  if (typeof token !== 'string') throw invalidRequest("missing required parameter 'subject_token'")
  if (params.subject_token_type !== ACCESS_TOKEN) throw invalidRequest('unsupported subject_token_type')
  if (requestedType !== ACCESS_TOKEN) throw invalidRequest('unsupported requested_token_type')
  // The actor is always the requesting application, which has already been authenticated.
  if (params.actor_token !== undefined || params.actor_token_type !== undefined)
    throw invalidRequest('actor_token is not supported')
  const subject = await readSubjectToken(ctx, keys, token)
  // Both cases return the same error, so that callers cannot probe tokens of other parties.
  if (!subject || !allowsExchangeFromClient(policy, subject.clientId)) throw invalidRequest(INVALID_SUBJECT)
  return subject
}

async function targetOf(
  db: Database,
  { oidc: { params = {} } }: KoaContextWithOIDC,
  client: Client,
  subject: SubjectToken,
) {
  const policy = client as CustomClientMetadata
  const targets = [params.resource ?? [], params.audience ?? []].flat()
  const [indicator] = targets
  if (targets.length !== 1 || typeof indicator !== 'string')
    throw new errors.InvalidTarget('exactly one resource or audience must be named')
  const { tenantId, work } = getProviderRequest()
  const { userId, organizationId } = subject
  const { resource, scopes: userScopes } = await findResourceWithUserScopes(db, work, {
    tenantId,
    userId,
    organizationId,
    indicator,
  })
  if (!resource || !isAllowedTarget(policy, resource.indicator))
    throw new errors.InvalidTarget('the application may not exchange tokens for this resource')
  const requested = typeof params.scope === 'string' ? params.scope.split(' ').filter(Boolean) : undefined
  const { tooWide, scopes } = computeExchangedScopes({
    requested,
    subject: subject.scopesFor(resource.indicator),
    allowed: policy.tokenExchangeScopes,
    own: userScopes,
  })
  if (tooWide !== undefined)
    throw new errors.InvalidScope('the scope exceeds the subject token or the policy', tooWide)
  return { resource: toResourceServer(resource, scopes, client), scopes }
}

const isAllowedTarget = (policy: CustomClientMetadata, indicator: string) =>
  !isBuiltInResource(indicator) &&
  allowsExchangeForResource(policy, indicator) &&
  mayRequestResource(policy, indicator, 'user')

/** Returns the claims of an exchanged token (RFC 8693 §4.1, RFC 9068 §2.2.1). */
export const exchangedTokenClaims = (token: object): Record<string, unknown> | undefined => {
  const facts = tokenExchangeFacts.get(token)
  return facts && { ...facts.subject.signIn, act: facts.act, grant_id: facts.subject.grantId }
}
