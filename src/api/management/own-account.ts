import type { Dependencies } from '../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../application/sessions/step-up.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { ManagementContext } from './router.ts'

/**
 * Rejects operators who try to change their own credentials through the management API. They have to use `/me`, which
 * requires step-up verification (spec/management#user-factors).
 */
export async function refuseOwnCredentialChange(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  c: ManagementContext,
  userId: string,
): Promise<void> {
  const { principal } = c.var
  if (principal.type === 'user' && principal.id === userId) refuseWith('user.cannot_reset_own_factors')
  await requireOperatorStepUp(dependencies, c.var)
}
