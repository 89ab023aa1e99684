import { refuseWith } from '../../contract/refused.ts'
import { type ManagementContext, requireRecentOperator } from './router.ts'

/** For what proves who an operator is: the own is changed under `/me`, with a recent proof (spec/management#user-factors). */
export async function requireOtherOperator(
  dependencies: Parameters<typeof requireRecentOperator>[0],
  c: ManagementContext,
  userId: string,
): Promise<void> {
  const { principal } = c.var
  if (principal.type === 'user' && principal.id === userId) refuseWith('user.cannot_reset_own_factors')
  await requireRecentOperator(dependencies, c)
}
