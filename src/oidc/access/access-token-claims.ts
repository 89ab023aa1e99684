import type { AccessToken, ClientCredentials, KoaContextWithOIDC } from 'oidc-provider'
import { authenticationClaims } from '../interactions/authentication-level.ts'
import { getProviderRequest } from '../request-context.ts'
import { organizationOfTokens } from './organization-tokens.ts'
import { type ResourceToken, resourceClaims } from './template-claims.ts'
import { tokenExchangeFacts } from './token-exchange.ts'

/**
 * Returns the claims that we add to an access token. Those of the resource's template come first, so that they replace
 * none of the others. Opaque tokens contain nothing about the user, who may have changed when they are used.
 */
export async function accessTokenClaims(ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials) {
  const org_id = tokenExchangeFacts.get(token)?.subject.organizationId ?? organizationOfTokens(ctx)
  const own = { ...authenticationClaims(ctx, token), ...(org_id !== undefined && { org_id }) }
  if (!token.resourceServer) return own
  const { accountId }: ResourceToken = token
  const roles =
    accountId !== undefined && includesRoles(ctx, token)
      ? { roles: await getProviderRequest().work.roleNames(accountId) }
      : {}
  return { ...(await resourceClaims(ctx, token)), ...roles, ...own }
}

/** Reports whether the request was granted the scope `roles`. An exchanged token has roles if its subject token has. */
function includesRoles({ oidc }: KoaContextWithOIDC, token: object): boolean {
  const exchange = tokenExchangeFacts.get(token)
  if (exchange) return exchange.subject.hasRoles
  const { AuthorizationCode, DeviceCode, RefreshToken, Grant } = oidc.entities
  const source = AuthorizationCode ?? DeviceCode ?? RefreshToken
  const isNarrowed = source === RefreshToken && oidc.params?.scope !== undefined
  const scopes = isNarrowed ? oidc.requestParamScopes : source?.scopes
  return scopes?.has('roles') === true && Grant?.getOIDCScope().split(' ').includes('roles') === true
}
