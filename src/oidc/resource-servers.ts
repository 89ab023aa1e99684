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
 * An API that access tokens are made for (contract 4.5, RFC 8707). Its scopes are those the signed-in user, or the
 * application itself, has through roles. What is asked for beyond them is left out in silence.
 */
export const resourceServerInfo =
  (db: Database) =>
  async (ctx: KoaContextWithOIDC, indicator: string, client: Client): Promise<ResourceServer> => {
    const { tenantId } = providerRequest()
    const resource = await findResource(db, tenantId, indicator)
    if (!resource) throw new errors.InvalidTarget('unknown resource')

    return {
      audience: indicator,
      scope: (await available(db, ctx, indicator, client)).join(' '),
      accessTokenFormat: 'jwt',
      accessTokenTTL: Math.min(resource.accessTokenTtl, LONGEST_TOKEN), // of before there was a limit
      jwt: { sign: { alg: 'RS256' } }, // the algorithm RFC 9068 demands of everyone
    }
  }

async function available(
  db: Database,
  { oidc }: KoaContextWithOIDC,
  indicator: string,
  client: Client,
): Promise<string[]> {
  const { tenantId } = providerRequest()
  if (oidc.params?.grant_type === 'client_credentials') {
    // Decision 44: the built-in client has no row, so it has no roles either.
    return client.clientId === MANAGEMENT_CLIENT_ID
      ? (builtInScopes[indicator] ?? [])
      : applicationScopes(db, tenantId, client.clientId, indicator)
  }
  // At the token endpoint nothing is computed anew: what was granted then holds now.
  if (oidc.grant) return oidc.grant.getResourceScope(indicator).split(' ').filter(Boolean)
  return oidc.session?.accountId ? userScopes(db, tenantId, oidc.session.accountId, indicator) : []
}

/** What the built-in client may do, which is whatever a role may be given. */
const builtInScopes: Record<string, string[]> = {
  [MANAGEMENT_RESOURCE.indicator]: [MANAGEMENT_SCOPE.name],
  [SERVICES_RESOURCE.indicator]: SERVICE_SCOPES.map(({ name }) => name),
}

/**
 * RFC 7662 answers confidential clients only, about tokens issued to them (decision 28). Tokens with an audience are JWTs,
 * which the library introspects for nobody: their resource verifies them itself.
 */
export const mayIntrospect = (
  _ctx: KoaContextWithOIDC,
  client: Client,
  token: { clientId?: string | undefined },
): boolean => client.clientAuthMethod !== 'none' && token.clientId === client.clientId
