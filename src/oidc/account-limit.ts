import { errors } from 'oidc-provider'
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
 * Refuses the request before it writes anything: whatever an account makes the provider keep has an audit entry, and each
 * kind is counted for itself. A refused refresh uses up no token, so the application can repeat it.
 */
export async function limitAccount(dependencies: Pick<Dependencies, 'floodLimits'>): Promise<void> {
  const { work, tenantId, ip } = providerRequest()
  for (const { key, payload } of work.audited()) {
    const { userId, applicationId } = payload
    if (userId === undefined) continue
    const action = { tenantId, userId, applicationId, ip }
    if (await isAboveAccountLimit(dependencies, key, action)) throw new TooManyOfAccount()
  }
}
