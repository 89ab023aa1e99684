import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import { LONGEST_TOKEN } from '../contract/applications.ts'
import {
  MANAGEMENT_CLIENT_ID,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
  SERVICE_SCOPES,
  SERVICES_RESOURCE,
} from '../contract/product.ts'
import type { Database } from '../storage/database.ts'
import { findResource } from '../storage/resources.ts'
import { applicationScopes, userScopes } from '../storage/roles.ts'
import { providerRequest } from './request-context.ts'

/**
 * An API that access tokens are issued for (spec/provider#resources, RFC 8707). Its scopes are those that the signed-in
 * user, or the application itself, has through roles. Other requested scopes are left out without an error.
 */
export const resourceServerInfo =
  (db: Database) =>
  async (ctx: KoaContextWithOIDC, indicator: string, client: Client): Promise<ResourceServer> => {
    const { tenantId } = providerRequest()
    const resource = await findResource(db, tenantId, indicator)
    if (!resource) throw new errors.InvalidTarget('unknown resource')

    return {
      audience: indicator,
      scope: (await availableScopes(db, ctx, indicator, client)).join(' '),
      accessTokenFormat: 'jwt',
      accessTokenTTL: Math.min(resource.accessTokenTtl, LONGEST_TOKEN), // stored before the limit existed
      jwt: { sign: { alg: 'RS256' } }, // RFC 9068 §2.1 requires it of every resource server
    }
  }

async function availableScopes(
  db: Database,
  { oidc }: KoaContextWithOIDC,
  indicator: string,
  client: Client,
): Promise<string[]> {
  const { tenantId } = providerRequest()
  if (oidc.params?.grant_type === 'client_credentials') {
    // The built-in client has no row and therefore no roles (spec/provider#built-in-clients).
    return client.clientId === MANAGEMENT_CLIENT_ID
      ? (builtInScopes[indicator] ?? [])
      : applicationScopes(db, tenantId, client.clientId, indicator)
  }
  // The token endpoint does not compute scopes again: those of the grant hold.
  if (oidc.grant) return oidc.grant.getResourceScope(indicator).split(' ').filter(Boolean)
  return oidc.session?.accountId ? userScopes(db, tenantId, oidc.session.accountId, indicator) : []
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
