import { isClientAddress } from '../contract/applications/unregistered-clients.ts'
import type { Dependencies } from './dependencies.ts'
import { isAbove, refuseAboveLimit } from './network-limit.ts'

/** Something that an account does and that leaves rows. */
type AccountAction = {
  tenantId: string
  userId: string
  /** Where one application must not use up what the account may do through another one. */
  applicationId?: string | undefined
  ip: string | undefined
}

/**
 * Counts what an account does, from whatever network (spec/limits#account-floods). What was proven costs the limits
 * of guessing nothing, so a script with an account of its own would fill the database. The caller asks before it writes;
 * only what a proof uses up, such as a code, is used up by then.
 */
export const isAboveAccountLimit = (
  { floodLimits }: Pick<Dependencies, 'floodLimits'>,
  counter: string,
  { tenantId, userId, applicationId = '', ip }: AccountAction,
): Promise<boolean> =>
  isAbove(floodLimits.account, ip, () =>
    // Anybody can make up addresses of unregistered clients, so these share one counter.
    JSON.stringify([counter, tenantId, userId, isClientAddress(applicationId) ? '' : applicationId]),
  )

export async function refuseAboveAccountLimit(
  dependencies: Pick<Dependencies, 'floodLimits'>,
  counter: string,
  action: AccountAction,
): Promise<void> {
  if (await isAboveAccountLimit(dependencies, counter, action)) refuseAboveLimit()
}
