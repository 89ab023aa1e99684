import { isClientAddress } from '../contract/applications/unregistered-clients.ts'
import type { Dependencies } from './dependencies.ts'
import { isAboveBindingLimit, refuseAboveLimit } from './network-limit.ts'

/** An action of an account that writes rows. */
type AccountAction = {
  tenantId: string
  userId: string
  /** Set when each application has a limit of its own, so that one cannot use up the limit of another. */
  applicationId?: string | undefined
  ip: string | undefined
}

/**
 * Counts an action of an account, from any network, and checks whether it exceeds the limit
 * (spec/limits#account-floods). Successful proofs do not use up the limits on guessing, so a script with its own
 * account could otherwise fill the database. Callers check the limit before they write; only what a proof consumes,
 * such as a code, is used up by then.
 */
export const isAboveAccountLimit = (
  { floodLimits }: Pick<Dependencies, 'floodLimits'>,
  counter: string,
  { tenantId, userId, applicationId = '', ip }: AccountAction,
): Promise<boolean> =>
  isAboveBindingLimit(floodLimits.account, ip, () =>
    // Anyone can make up the addresses of unregistered clients, so all of these share one counter.
    JSON.stringify([counter, tenantId, userId, isClientAddress(applicationId) ? '' : applicationId]),
  )

export async function refuseAboveAccountLimit(
  dependencies: Pick<Dependencies, 'floodLimits'>,
  counter: string,
  action: AccountAction,
): Promise<void> {
  if (await isAboveAccountLimit(dependencies, counter, action)) refuseAboveLimit()
}
