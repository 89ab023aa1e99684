import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import { isSameResource } from '../../contract/access/resource-names.ts'
import {
  type CustomClientMetadata,
  MAX_TOKEN_LIFETIME_SECONDS,
} from '../../contract/applications/applications.ts'
import { FAPI_ALGORITHM } from '../../domain/applications/fapi.ts'
import {
  isBuiltInResource,
  MAX_SIGN_IN_AGE_SECONDS,
  mayRequestResource,
} from '../../domain/applications/resource-access.ts'
import { isOrganizationUrn } from '../../domain/organisations/chosen-organization.ts'
import type { ResourceRow } from '../../storage/access/resources.ts'
import type { Database } from '../../storage/database.ts'
import type { ClientMetadataSource } from '../applications/clients.ts'
import { isFapi } from '../applications/fapi.ts'
import { getProviderRequest } from '../request-context.ts'
import { type FactorSettings, lacksAdministratorFactor } from './administrator-factor.ts'
import { isDueForRotation } from './offline-access.ts'
import { organizationOfUser } from './organization.ts'
import { type OrganizationSettings, organizationOfMachine } from './organization-tokens.ts'
import { isAccountApi, resolveResourceAlias } from './own-apis.ts'
import { resourceOfApplication, resourceOfUser } from './resource-scopes.ts'
import { rememberTemplate } from './template-claims.ts'

/**
 * Returns the configuration of an API for which access tokens are issued (spec/provider#resources, RFC 8707). Its
 * scopes are those that the roles of the signed-in user, or of the application itself, include. Other requested scopes
 * are ignored.
 */
export const resourceServerInfo =
  (
    db: Database,
    clients: Pick<ClientMetadataSource, 'isCurrent'>,
    settings: FactorSettings & OrganizationSettings,
  ) =>
  async (ctx: KoaContextWithOIDC, name: string, client: Client): Promise<ResourceServer> => {
    const indicator = resolveResourceAlias(name)
    const isClientCredentials = ctx.oidc.params?.grant_type === 'client_credentials'
    // The account API is removed from the request later, by `applyRegisteredResourceNames`.
    if (isAccountApi(indicator) && !isClientCredentials) return { audience: indicator, scope: '' }
    const chosen = isClientCredentials
      ? await organizationOfMachine(ctx, settings)
      : await organizationOfUser(ctx)
    if (chosen.kind === 'organization' && isBuiltInResource(indicator))
      throw new errors.InvalidTarget('the resource is not available for organizations')
    const { resource, scopes } = isClientCredentials
      ? await resourceOfApplication({ db, clients }, { indicator, client, chosen })
      : await resourceOfUser(ctx, { indicator, client, chosen })
    if (!resource) throw new errors.InvalidTarget('unknown resource')
    const problem = await findResourceProblem(ctx, { indicator: resource.indicator, client, settings })
    if (problem) throw new errors.InvalidTarget(problem)

    return toResourceServer(resource, scopes, client)
  }

export const toResourceServer = (
  { indicator, accessTokenTtl, claims }: ResourceRow,
  scopes: readonly string[],
  client: Client,
): ResourceServer => ({
  audience: indicator,
  scope: scopes.join(' '),
  accessTokenFormat: 'jwt',
  // Resources that were created before the current limit may exceed it.
  accessTokenTTL: Math.min(accessTokenTtl, MAX_TOKEN_LIFETIME_SECONDS),
  // RFC 9068 §2.1 requires RS256 of every resource server, and FAPI 2.0 §5.4.1 forbids it.
  jwt: rememberTemplate({ sign: { alg: isFapi(client) ? FAPI_ALGORITHM : 'RS256' } }, claims),
})

/**
 * Returns the reason why a token for this resource must not be issued, or null if it may be
 * (spec/provider#allowed-resources).
 */
async function findResourceProblem(
  ctx: KoaContextWithOIDC,
  request: { indicator: string; client: Client; settings: FactorSettings },
): Promise<string | null> {
  const { oidc } = ctx
  const { indicator, client } = request
  const owner = oidc.params?.grant_type === 'client_credentials' ? 'application' : 'user'
  if (isOrganizationUrn(indicator)) return null
  // The cast is safe: the management API has validated the lists, and the library passes them through unchanged.
  if (!mayRequestResource(client as CustomClientMetadata, indicator, owner)) {
    return 'the application may not request this resource'
  }
  const isRefresh = oidc.params?.grant_type === 'refresh_token'
  if (!isBuiltInResource(indicator)) return null
  if (isRefresh && isOldSignIn(oidc)) return 'the sign-in is too old for this resource'
  return (await lacksAdministratorFactor(ctx, request))
    ? 'the sign-in has no second factor, which administrators need'
    : null
}

/** Reports whether the sign-in behind a refresh token is too old. Rotation does not change the time of the sign-in. */
function isOldSignIn({ entities: { RefreshToken } }: KoaContextWithOIDC['oidc']): boolean {
  const signedInAt = RefreshToken?.authTime ?? 0
  return getProviderRequest().now() / 1000 - signedInAt > MAX_SIGN_IN_AGE_SECONDS
}

/**
 * Reports whether the user has to sign in again for the requested resources, as with `max_age` (OIDC Core §3.1.2.1).
 */
export const needsRecentSignIn = ({ oidc }: KoaContextWithOIDC): boolean =>
  Object.keys(oidc.resourceServers ?? {}).some(isBuiltInResource) &&
  oidc.session?.accountId !== undefined &&
  oidc.session.past(MAX_SIGN_IN_AGE_SECONDS)

/**
 * Decides whether to rotate a refresh token, following the library's default policy with one exception: a rejected
 * refresh does not use up the token, because the token may still be valid for other resources.
 */
export const rotateRefreshToken =
  (settings: FactorSettings) =>
  async (ctx: KoaContextWithOIDC): Promise<boolean> => {
    const { RefreshToken: token, Client: client } = ctx.oidc.entities
    if (!token || !client || isFapi(client) || (await isRefused(ctx, { client, settings }))) return false
    if (client.clientAuthMethod === 'none' && !token.isSenderConstrained()) return true
    return isDueForRotation(token, client)
  }

async function isRefused(
  ctx: KoaContextWithOIDC,
  request: { client: Client; settings: FactorSettings },
): Promise<boolean> {
  const { resource: indicator } = ctx.oidc.params ?? {}
  return typeof indicator === 'string' && (await findResourceProblem(ctx, { ...request, indicator })) !== null
}

/**
 * Replaces the resource names in an authorization request with the registered names (spec/provider#resource-names), so
 * that the grant, consents and code contain these. The library would keep the requested names.
 */
export function applyRegisteredResourceNames({ oidc }: KoaContextWithOIDC): void {
  const { resourceServers: servers = {}, params, provider } = oidc
  const renamed = Object.entries(servers).filter(
    ([name, { audience = name }]) => audience !== name || isAccountApi(name),
  )
  if (!params || renamed.length === 0) return
  for (const [name, server] of renamed) {
    const { audience = name } = server
    delete servers[name]
    if (!isAccountApi(name)) servers[audience] = new provider.ResourceServer(audience, server)
  }
  const [first, ...others] = Object.keys(servers)
  params.resource = others.length > 0 ? [first, ...others] : first
  // If no resource remains, the resource scopes are removed, too, as the library does.
  if (first === undefined) params.scope = [...oidc.requestParamOIDCScopes].join(' ')
}

/**
 * Replaces the resource name in a token request with the name that its code or token contains
 * (spec/provider#resource-names).
 */
export function applyGrantedResourceName({ oidc: { params } }: KoaContextWithOIDC, source: object): void {
  const granted: unknown = Reflect.get(source, 'resource')
  const requested = params?.resource
  if (!params || typeof requested !== 'string') return
  if (isAccountApi(requested) && hasIdentity(params.scope ?? Reflect.get(source, 'scope'))) {
    delete params.resource
    return
  }
  const names = (Array.isArray(granted) ? granted : [granted]).filter((name) => typeof name === 'string')
  if (names.includes(requested)) return
  const indicator = resolveResourceAlias(requested)
  params.resource = names.find((name) => isSameResource(name, indicator)) ?? requested
}

/**
 * Reports whether a scope includes `openid`. Without `openid`, the library would issue a token for the granted
 * resource.
 */
const hasIdentity = (scope: unknown): boolean =>
  typeof scope === 'string' && scope.split(' ').includes('openid')

/**
 * Reports whether a client may introspect a token (RFC 7662). Only confidential clients may, and only their own tokens
 * (spec/provider#introspection). The library does not introspect tokens with an audience: they are JWTs, which resource
 * servers verify themselves.
 */
export const mayIntrospect = (
  _ctx: KoaContextWithOIDC,
  client: Client,
  token: { clientId?: string | undefined },
): boolean => client.clientAuthMethod !== 'none' && token.clientId === client.clientId
