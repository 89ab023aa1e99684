import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import { managementScopeNames } from '../../contract/access/management-scopes.ts'
import { isSameResource } from '../../contract/access/resource-names.ts'
import { type CustomClientMetadata, MAX_TOKEN_SECONDS } from '../../contract/applications/applications.ts'
import {
  MANAGEMENT_CLIENT_ID,
  MANAGEMENT_RESOURCE,
  SERVICE_SCOPES,
  SERVICES_RESOURCE,
} from '../../contract/product.ts'
import { DAY_SECONDS } from '../../contract/time.ts'
import { FAPI_ALGORITHM } from '../../domain/applications/fapi.ts'
import {
  isBuiltInResource,
  MAX_SIGN_IN_AGE_SECONDS,
  mayRequestResource,
  scopesForClient,
} from '../../domain/applications/resource-access.ts'
import { type ResourceRow, resourceNamed, resourceQuery } from '../../storage/access/resources.ts'
import { applicationScopesQuery } from '../../storage/access/roles.ts'
import { storedApplicationQuery } from '../../storage/applications/applications.ts'
import type { Database } from '../../storage/database.ts'
import type { ClientMetadataSource } from '../applications/clients.ts'
import { isFapi } from '../applications/fapi.ts'
import { providerRequest } from '../request-context.ts'
import { isAccountApi, withoutAlias } from './own-apis.ts'

/**
 * An API that access tokens are issued for (spec/provider#resources, RFC 8707). Its scopes are those that the signed-in
 * user, or the application itself, has through roles. Other requested scopes are left out without an error.
 */
export const resourceServerInfo =
  (db: Database, clients: Pick<ClientMetadataSource, 'isCurrent'>) =>
  async (ctx: KoaContextWithOIDC, named: string, client: Client): Promise<ResourceServer> => {
    const indicator = withoutAlias(named)
    const isOfMachine = ctx.oidc.params?.grant_type === 'client_credentials'
    // Until `nameAsRegistered` takes it away.
    if (isAccountApi(indicator) && !isOfMachine) return { audience: indicator, scope: '' }
    const { resource, scopes } = await resourceAndScopes({ db, clients }, ctx, indicator, client)
    if (!resource) throw new errors.InvalidTarget('unknown resource')
    const problem = resourceProblem(ctx, resource.indicator, client)
    if (problem) throw new errors.InvalidTarget(problem)

    return resourceServerOf(resource, scopes, client)
  }

export const resourceServerOf = (
  { indicator, accessTokenTtl }: ResourceRow,
  scopes: readonly string[],
  client: Client,
): ResourceServer => ({
  audience: indicator,
  scope: scopes.join(' '),
  accessTokenFormat: 'jwt',
  accessTokenTTL: Math.min(accessTokenTtl, MAX_TOKEN_SECONDS), // stored before the limit existed
  // RFC 9068 §2.1 requires RS256 of every resource server, and FAPI 2.0 §5.4.1 forbids it.
  jwt: { sign: { alg: isFapi(client) ? FAPI_ALGORITHM : 'RS256' } },
})

/** Why a request is refused a token of this resource; null where it may have one (spec/provider#allowed-resources). */
function resourceProblem({ oidc }: KoaContextWithOIDC, indicator: string, client: Client): string | null {
  const owner = oidc.params?.grant_type === 'client_credentials' ? 'application' : 'user'
  // The management API has validated the lists, and the library passes them through.
  if (!mayRequestResource(client as CustomClientMetadata, indicator, owner)) {
    return 'the application may not request this resource'
  }
  const isRefresh = oidc.params?.grant_type === 'refresh_token'
  return isRefresh && isBuiltInResource(indicator) && isOldSignIn(oidc)
    ? 'the sign-in is too old for this resource'
    : null
}

/** A refresh token remembers the sign-in it came with, however often it was rotated. */
function isOldSignIn({ entities: { RefreshToken } }: KoaContextWithOIDC['oidc']): boolean {
  const signedInAt = RefreshToken?.authTime ?? 0
  return providerRequest().now() / 1000 - signedInAt > MAX_SIGN_IN_AGE_SECONDS
}

/** Whether a session has to sign in again for what is requested, as with `max_age` (OIDC Core §3.1.2.1). */
export const needsRecentSignIn = ({ oidc }: KoaContextWithOIDC): boolean =>
  Object.keys(oidc.resourceServers ?? {}).some(isBuiltInResource) &&
  oidc.session?.accountId !== undefined &&
  oidc.session.past(MAX_SIGN_IN_AGE_SECONDS)

/**
 * The library's own policy, but a refresh that is refused consumes nothing: the application still has its token for
 * everything else.
 */
export function rotateRefreshToken(ctx: KoaContextWithOIDC): boolean {
  const { RefreshToken: token, Client: client } = ctx.oidc.entities
  if (!token || !client || isFapi(client) || isRefused(ctx, client)) return false
  if (token.totalLifetime() >= MAX_ROTATION) return false
  if (client.clientAuthMethod === 'none' && !token.isSenderConstrained()) return true
  return token.ttlPercentagePassed() >= ROTATED_AT
}

const MAX_ROTATION = 365.25 * DAY_SECONDS // seconds, the library's default
const ROTATED_AT = 70 // per cent of the lifetime (spec/provider#refresh-token-rotation)

function isRefused(ctx: KoaContextWithOIDC, client: Client): boolean {
  const { resource } = ctx.oidc.params ?? {}
  return typeof resource === 'string' && resourceProblem(ctx, resource, client) !== null
}

async function resourceAndScopes(
  { db, clients }: { db: Database; clients: Pick<ClientMetadataSource, 'isCurrent'> },
  { oidc }: KoaContextWithOIDC,
  indicator: string,
  client: Client,
): Promise<{ resource: ResourceRow | null; scopes: readonly string[] }> {
  const { tenantId, work } = providerRequest()
  if (oidc.params?.grant_type === 'client_credentials') {
    // The built-in client has no row and therefore no roles (spec/provider#built-in-clients).
    const isBuiltIn = client.clientId === MANAGEMENT_CLIENT_ID
    const { resources, scopes, application } = await work.readTogether({
      resources: resourceQuery(db, tenantId, indicator),
      scopes: isBuiltIn ? undefined : applicationScopesQuery(db, tenantId, client.clientId, indicator),
      application: isBuiltIn ? undefined : storedApplicationQuery(db, tenantId, client.clientId),
    })
    const resource = resourceNamed(resources, indicator)
    if (resource && isBuiltInResource(resource.indicator) && application[0])
      if (!(await clients.isCurrent(client, application[0]))) return { resource, scopes: [] }
    const own = scopes.filter((scope) => scope.indicator === resource?.indicator).map(({ name }) => name)
    return { resource, scopes: isBuiltIn ? (builtInScopes[indicator] ?? []) : own }
  }
  const resource = await work.resource(indicator)
  // The token endpoint does not compute scopes again: those of the grant hold.
  const name = resource?.indicator ?? indicator
  if (oidc.grant) return { resource, scopes: oidc.grant.getResourceScope(name).split(' ').filter(Boolean) }
  const userId = oidc.session?.accountId
  const scopes = resource && userId ? await work.userScopes(userId, name) : []
  return { resource, scopes: scopesForClient(client.clientId, { indicator: name, scopes }) }
}

/**
 * An authorization request names its resources as they are registered from here on (spec/provider#resource-names), so do
 * its grant, its consents and its code. The library keeps the names of the request.
 */
export function nameAsRegistered({ oidc }: KoaContextWithOIDC): void {
  const { resourceServers: servers = {}, params, provider } = oidc
  const other = Object.entries(servers).filter(
    ([name, { audience = name }]) => audience !== name || isAccountApi(name),
  )
  if (!params || other.length === 0) return
  for (const [name, server] of other) {
    const { audience = name } = server
    delete servers[name]
    if (!isAccountApi(name)) servers[audience] = new provider.ResourceServer(audience, server)
  }
  const [first, ...more] = Object.keys(servers)
  params.resource = more.length > 0 ? [first, ...more] : first
  // As the library does where no resource is named.
  if (first === undefined) params.scope = [...oidc.requestParamOIDCScopes].join(' ')
}

/** The same for a token request: the resource is one of the code or token (spec/provider#resource-names). */
export function nameAsGranted({ oidc: { params } }: KoaContextWithOIDC, source: object): void {
  const granted: unknown = Reflect.get(source, 'resource')
  const requested = params?.resource
  if (!params || typeof requested !== 'string') return
  if (isAccountApi(requested) && hasIdentity(params.scope ?? Reflect.get(source, 'scope'))) {
    delete params.resource
    return
  }
  const names = (Array.isArray(granted) ? granted : [granted]).filter((name) => typeof name === 'string')
  if (names.includes(requested)) return
  const indicator = withoutAlias(requested)
  params.resource = names.find((name) => isSameResource(name, indicator)) ?? requested
}

/** Without `openid` the library would answer a token of the resource that was granted. */
const hasIdentity = (scope: unknown): boolean =>
  typeof scope === 'string' && scope.split(' ').includes('openid')

/** The scopes of the built-in client: all that a role can have. */
const builtInScopes: Record<string, readonly string[]> = {
  [MANAGEMENT_RESOURCE.indicator]: managementScopeNames,
  [SERVICES_RESOURCE.indicator]: SERVICE_SCOPES.map(({ name }) => name),
}

/**
 * Introspection (RFC 7662) is for confidential clients and their own tokens (spec/provider#introspection). Tokens with an
 * audience are JWTs, which the library does not introspect: their resource server verifies them itself.
 */
export const mayIntrospect = (
  _ctx: KoaContextWithOIDC,
  client: Client,
  token: { clientId?: string | undefined },
): boolean => client.clientAuthMethod !== 'none' && token.clientId === client.clientId
