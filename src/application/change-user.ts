import { sql } from 'drizzle-orm'
import { auditRow, note } from '../api/management/change.ts'
import type { ManagementContext } from '../api/management/router.ts'
import { toAnswer } from '../api/management/user-answer.ts'
import { refuseWith } from '../contract/refused.ts'
import { afterAnswer } from '../storage/background.ts'
import { getUser, isUser, type UserChanges, type UserRow, updateUserIf } from '../storage/users.ts'
import type { Dependencies } from './dependencies.ts'
import { afterRevocation, logoutsOf } from './revocation.ts'
import { asTaken } from './uniqueness-refusal.ts'

/**
 * One batch: the change, its audit row, and what a revocation tells the user's applications. `given` is what the caller
 * named.
 */
export async function changeUser(
  dependencies: Dependencies,
  c: ManagementContext,
  id: string,
  changes: UserChanges,
  given: object = changes,
) {
  const { db } = dependencies
  const { tenantId } = c.var
  note(c, 'Management.User.Update', { userId: id }, given)
  const { revokedAt } = changes
  const revocation = typeof revokedAt === 'number' ? { tenantId, userId: id, revokedAt } : null
  const condition = isUser(tenantId, id)
  const [, [changed], waiting = []] = await db
    .batch([
      auditRow(dependencies, c, condition),
      updateUserIf(db, tenantId, sql`true`, id, changes),
      ...(revocation ? [logoutsOf(dependencies, revocation, { condition, url: c.req.url })] : []),
    ])
    .catch(asTaken)
  if (changed && revocation)
    afterAnswer(c.executionCtx, c.var, () => afterRevocation(dependencies, revocation, waiting))
  return changed ? toAnswer(changed) : refuseWith('entity.not_found')
}

export const userOf = async ({ db }: Dependencies, tenantId: string, id: string): Promise<UserRow> =>
  (await getUser(db, tenantId, id)) ?? refuseWith('entity.not_found')
