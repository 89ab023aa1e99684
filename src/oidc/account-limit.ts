import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { isAboveAccountLimit } from '../application/account-limit.ts'
import type { Dependencies } from '../application/dependencies.ts'
import { PERIOD_SECONDS } from '../application/network-limit.ts'
import { providerRequest } from './request-context.ts'

/** The account has done this too often within a minute (spec/limits#account-floods). */
export class TooManyOfAccount extends errors.OIDCProviderError {
  readonly retryAfter = PERIOD_SECONDS

  constructor() {
    super(429, 'temporarily_unavailable')
    this.error_description = 'too many requests of this account'
  }
}

/**
 * Refuses the request before it writes anything. Each kind of audit entry is counted for itself, and so are authorizations,
 * which have none: a signed-in browser gets any number of codes without a sign-in. A refused refresh uses up no token, so
 * the application can repeat it.
 */
export async function limitAccount(
  dependencies: Pick<Dependencies, 'floodLimits'>,
  oidc: KoaContextWithOIDC['oidc'],
): Promise<void> {
  const { work, tenantId, ip } = providerRequest()
  const entries = work.audited().map(({ key, payload }) => ({ ...payload, key }))
  for (const { key, userId, applicationId } of [...entries, ...issuedCodes(oidc)]) {
    if (userId === undefined) continue
    const action = { tenantId, userId, applicationId, ip }
    if (await isAboveAccountLimit(dependencies, key, action)) throw new TooManyOfAccount()
  }
}

/** The code that this request issues, if any. The token endpoint has one that was issued before. */
function issuedCodes({ route, entities, client }: KoaContextWithOIDC['oidc']) {
  const code = route === 'authorization' || route === 'resume' ? entities.AuthorizationCode : undefined
  return code ? [{ key: 'authorization', userId: code.accountId, applicationId: client?.clientId }] : []
}
