import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import { type CustomClientMetadata, LONGEST_TOKEN } from '../contract/applications.ts'
import {
  MANAGEMENT_CLIENT_ID,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
  SERVICE_SCOPES,
  SERVICES_RESOURCE,
} from '../contract/product.ts'
import { isBuiltInResource, mayRequestResource, RECENT_SIGN_IN } from '../domain/resource-access.ts'
import type { Database } from '../storage/database.ts'
import { type ResourceRow, resourceQuery } from '../storage/resources.ts'
import { applicationScopesQuery } from '../storage/roles.ts'
import { providerRequest } from './request-context.ts'

/**
 * An API that access tokens are issued for (spec/provider#resources, RFC 8707). Its scopes are those that the signed-in
 * user, or the application itself, has through roles. Other requested scopes are left out without an error.
 */
export const resourceServerInfo =
  (db: Database) =>
  async (ctx: KoaContextWithOIDC, indicator: string, client: Client): Promise<ResourceServer> => {
    const problem = resourceProblem(ctx, indicator, client)
    if (problem) throw new errors.InvalidTarget(problem)
    const { resource, scopes } = await resourceAndScopes(db, ctx, indicator, client)
    if (!resource) throw new errors.InvalidTarget('unknown resource')

    return {
      audience: indicator,
      scope: scopes.join(' '),
      accessTokenFormat: 'jwt',
      accessTokenTTL: Math.min(resource.accessTokenTtl, LONGEST_TOKEN), // stored before the limit existed
      jwt: { sign: { alg: 'RS256' } }, // RFC 9068 §2.1 requires it of every resource server
    }
  }

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
  return providerRequest().now() / 1000 - signedInAt > RECENT_SIGN_IN
}

/** Whether a session has to sign in again for what is requested, as with `max_age` (OIDC Core §3.1.2.1). */
export const needsRecentSignIn = ({ oidc }: KoaContextWithOIDC): boolean =>
  Object.keys(oidc.resourceServers ?? {}).some(isBuiltInResource) &&
  oidc.session?.accountId !== undefined &&
  oidc.session.past(RECENT_SIGN_IN)

/**
 * The library's own policy, but a refresh that is refused consumes nothing: the application still has its token for
 * everything else.
 */
export function rotateRefreshToken(ctx: KoaContextWithOIDC): boolean {
  const { RefreshToken: token, Client: client } = ctx.oidc.entities
  if (!token || !client || isRefused(ctx, client)) return false
  if (token.totalLifetime() >= LONGEST_ROTATION) return false
  if (client.clientAuthMethod === 'none' && !token.isSenderConstrained()) return true
  return token.ttlPercentagePassed() >= ROTATED_AT
}

const LONGEST_ROTATION = 365.25 * 24 * 60 * 60 // seconds, the library's default
const ROTATED_AT = 70 // per cent of the lifetime (spec/provider#refresh-token-rotation)

function isRefused(ctx: KoaContextWithOIDC, client: Client): boolean {
  const { resource } = ctx.oidc.params ?? {}
  return typeof resource === 'string' && resourceProblem(ctx, resource, client) !== null
}

async function resourceAndScopes(
  db: Database,
  { oidc }: KoaContextWithOIDC,
  indicator: string,
  client: Client,
): Promise<{ resource: ResourceRow | null; scopes: readonly string[] }> {
  const { tenantId, work } = providerRequest()
  if (oidc.params?.grant_type === 'client_credentials') {
    // The built-in client has no row and therefore no roles (spec/provider#built-in-clients).
    const isBuiltIn = client.clientId === MANAGEMENT_CLIENT_ID
    const { found, scopes } = await work.readTogether({
      found: resourceQuery(db, tenantId, indicator),
      scopes: isBuiltIn ? undefined : applicationScopesQuery(db, tenantId, client.clientId, indicator),
    })
    return {
      resource: found[0] ?? null,
      scopes: isBuiltIn ? (builtInScopes[indicator] ?? []) : scopes.map(({ name }) => name),
    }
  }
  const resource = await work.resource(indicator)
  // The token endpoint does not compute scopes again: those of the grant hold.
  if (oidc.grant)
    return { resource, scopes: oidc.grant.getResourceScope(indicator).split(' ').filter(Boolean) }
  const userId = oidc.session?.accountId
  return { resource, scopes: resource && userId ? await work.userScopes(userId, indicator) : [] }
}

/** The scopes of the built-in client: all that a role can have. */
const builtInScopes: Record<string, string[]> = {
  [MANAGEMENT_RESOURCE.indicator]: [MANAGEMENT_SCOPE.name],
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
