import { prepareCustomData } from '../../../application/account/custom-data.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { changeUser, setUserPassword } from '../../../application/users/change.ts'
import type { Guarded } from '../../../storage/preconditions.ts'
import { type UserChanges, withProfileDate } from '../../../storage/users/user-changes.ts'
import { backgroundOf } from '../../request-context.ts'
import { beginManagementAudit } from '../change.ts'
import type { ManagementContext } from '../router.ts'
import { userWithDeletionAnswer } from './user-answer.ts'

/** Who sets one of them can sign in by it, or reset the password (spec/management#operator-proof). */
const identifiers = ['username', 'primaryEmail', 'primaryPhone', 'emailVerified', 'phoneVerified'] as const

type UserChange = Guarded & {
  changes: UserChanges
  /** The fields that the caller named, for the audit entry. */
  audited?: object
}

/** Changes a user and answers it. */
export async function changeAndAnswerUser(
  dependencies: Dependencies,
  c: ManagementContext,
  userId: string,
  { changes, audited = changes, preconditions }: UserChange,
) {
  if (identifiers.some((name) => changes[name] !== undefined))
    await requireOperatorStepUp(dependencies, c.var)
  const { customData: data } = changes
  const fit = data && {
    customData: await prepareCustomData(dependencies, c.var.tenantId, { data, writer: 'operator' }),
  }
  const dated = withProfileDate({ ...changes, ...fit }, dependencies.now())
  return userWithDeletionAnswer(
    await changeUser(dependencies, { ...requestOf(c, userId, audited), changes: dated, preconditions }),
  )
}

/** Sets the password of a user, ends the user's sessions and answers the user. */
export async function setPasswordAndAnswerUser(
  dependencies: Dependencies,
  c: ManagementContext,
  userId: string,
  password: string,
) {
  const request = { ...requestOf(c, userId, { password }), password }
  return userWithDeletionAnswer(await setUserPassword(dependencies, request))
}

const requestOf = (c: ManagementContext, userId: string, audited: object) => ({
  tenantId: c.var.tenantId,
  userId,
  audit: beginManagementAudit(c, 'Management.User.Update', { userId }, audited),
  url: c.req.url,
  background: backgroundOf(c),
})
