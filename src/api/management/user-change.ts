import { changeUser } from '../../application/change-user.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { UserChanges } from '../../storage/user-changes.ts'
import { backgroundOf } from '../request-context.ts'
import { beginManagementAudit } from './change.ts'
import type { ManagementContext } from './router.ts'
import { userAnswer } from './user-answer.ts'

/** Changes a user and answers it. `given` has the fields that the caller named, for the audit entry. */
export async function changeAndAnswerUser(
  dependencies: Pick<Dependencies, 'db' | 'deliveries'>,
  c: ManagementContext,
  userId: string,
  changes: UserChanges,
  given: object = changes,
) {
  const changed = await changeUser(dependencies, {
    tenantId: c.var.tenantId,
    userId,
    changes,
    audit: beginManagementAudit(c, 'Management.User.Update', { userId }, given),
    url: c.req.url,
    background: backgroundOf(c),
  })
  return userAnswer(changed)
}
