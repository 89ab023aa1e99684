import { decodeJwt } from 'jose'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { OFFLINE_ACCESS_DROPPED } from '../../contract/failed-requests.ts'
import type { Database } from '../../storage/database.ts'
import { countFailedRequest } from '../../storage/failed-requests.ts'
import { isThirdParty } from '../applications/third-party.ts'
import { isUnregistered } from '../applications/unregistered-clients.ts'
import { getProviderRequest } from '../request-context.ts'

const OFFLINE_ACCESS = 'offline_access'

/**
 * Grants `offline_access` to first-party applications without `prompt=consent`, because their users have no consent to
 * give (OpenID Connect Core §11, ADR-0176). The library has removed it from the request. For all other applications it
 * stays removed, and the request is counted, so that the operator learns why they get no refresh token.
 */
export function keepOfflineAccess(db: Database, ctx: KoaContextWithOIDC): void {
  const { client, params, requestParamScopes: scopes, route } = ctx.oidc
  if (!client?.grantTypeAllowed('refresh_token') || !params || !asksForCode(params)) return
  if (scopes.has(OFFLINE_ACCESS) || !scopesAsSent(ctx).includes(OFFLINE_ACCESS)) return
  if (!isThirdParty(client) && !isUnregistered(client)) {
    params.scope = [...scopes, OFFLINE_ACCESS].join(' ')
    return
  }
  const { tenantId, background, now } = getProviderRequest()
  const request = { applicationId: client.clientId, endpoint: route, error: OFFLINE_ACCESS_DROPPED }
  background(() => countFailedRequest(db, { tenantId, now: now() }, request))
}

const asksForCode = ({ response_type: type }: { response_type?: unknown }) =>
  typeof type === 'string' && type.split(' ').includes('code')

/** Returns the scopes of the request as the client sent it, or as it was accepted when the client pushed it. */
function scopesAsSent({ oidc, query }: KoaContextWithOIDC): string[] {
  const { PushedAuthorizationRequest: pushed } = oidc.entities
  const { scope } = pushed ? decodeJwt(pushed.request) : { ...query, ...oidc.body }
  return typeof scope === 'string' ? scope.split(' ') : []
}
