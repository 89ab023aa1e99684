import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { exceedsAccountLimit } from '../application/account-limit.ts'
import type { Dependencies } from '../application/dependencies.ts'
import { PERIOD_SECONDS } from '../application/network-limit.ts'
import { getProviderRequest } from './request-context.ts'

/** The error for an account that exceeds a per-minute limit (spec/limits#account-floods). */
export class TooManyAccountRequests extends errors.OIDCProviderError {
  readonly retryAfter = PERIOD_SECONDS

  constructor() {
    super(429, 'temporarily_unavailable')
    this.error_description = 'too many requests from this account'
  }
}

/**
 * Rejects a request that is over its account's limits, before anything is written. Each kind of audit entry has a
 * separate counter. Authorizations have no audit entry but are counted, too. Otherwise a signed-in browser could obtain
 * any number of codes. A rejected refresh does not use up its token, so the application can retry.
 */
export async function limitAccountRequests(
  dependencies: Pick<Dependencies, 'floodLimits'>,
  oidc: KoaContextWithOIDC['oidc'],
): Promise<void> {
  const { work, tenantId, ip } = getProviderRequest()
  const entries = work.audited().map(({ key, payload }) => ({ ...payload, key }))
  for (const { key, userId, applicationId } of [...entries, ...issuedCodes(oidc)]) {
    if (userId === undefined) continue
    const action = { tenantId, userId, applicationId, ip }
    if (await exceedsAccountLimit(dependencies, key, action)) throw new TooManyAccountRequests()
  }
}

/** Returns the code that this request issues, if any. The codes in token requests were issued earlier. */
function issuedCodes({ route, entities, client }: KoaContextWithOIDC['oidc']) {
  const code = route === 'authorization' || route === 'resume' ? entities.AuthorizationCode : undefined
  return code ? [{ key: 'authorization', userId: code.accountId, applicationId: client?.clientId }] : []
}
