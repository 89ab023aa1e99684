import { isClientUrl } from '../contract/applications/unregistered-clients.ts'
import type { Dependencies } from './dependencies.ts'
import { exceedsBindingLimit, refuseTooManyRequests } from './network-limit.ts'

/** An action that writes rows on behalf of an account. */
type AccountAction = {
  tenantId: string
  userId: string
  /** The application, if the limit is counted per application so that one application cannot use up another's. */
  applicationId?: string | undefined
  ip: string | undefined
}

/**
 * Counts an action of an account, regardless of the network, and checks whether the account is over its limit
 * (spec/limits#account-floods). Successful attempts do not use up the limits on guessing, so without this limit a
 * script could fill the database from its own account. Callers check the limit before they write. By then, only
 * single-use input such as a code has been consumed.
 */
export const exceedsAccountLimit = (
  { floodLimits }: Pick<Dependencies, 'floodLimits'>,
  counter: string,
  { tenantId, userId, applicationId = '', ip }: AccountAction,
): Promise<boolean> =>
  exceedsBindingLimit(floodLimits.account, ip, () =>
    // Anyone can make up client URLs, so all unregistered clients share one counter.
    JSON.stringify([counter, tenantId, userId, isClientUrl(applicationId) ? '' : applicationId]),
  )

export async function enforceAccountLimit(
  dependencies: Pick<Dependencies, 'floodLimits'>,
  counter: string,
  action: AccountAction,
): Promise<void> {
  if (await exceedsAccountLimit(dependencies, counter, action)) refuseTooManyRequests()
}
