import { prepareCustomData } from '../../../application/account/custom-data.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import type { HookDispatch } from '../../../application/hooks/user-events.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { changeUser, deleteUser, setUserPassword } from '../../../application/users/change.ts'
import { refuseWith } from '../../../contract/refused.ts'
import type { Guarded } from '../../../storage/preconditions.ts'
import { type UserChanges, withProfileUpdateTime } from '../../../storage/users/user-changes.ts'
import { beginManagementAudit, toHookDispatch } from '../change.ts'
import { lastOwnerGuard, type ManagementContext } from '../router.ts'
import { toUserResponseWithDeletion } from './user-answer.ts'

/**
 * The fields that identify the user. Whoever sets one of them could sign in as the user or reset the password
 * (spec/management#operator-proof).
 */
const identifiers = ['username', 'primaryEmail', 'primaryPhone', 'emailVerified', 'phoneVerified'] as const

type UserChange = Guarded & {
  changes: UserChanges
  /** The changes as the caller sent them. The audit entry lists their field names. */
  auditedFields?: object
  /** By default, the messages of the change are sent after the response. */
  dispatch?: HookDispatch | undefined
}

/** Changes a user and returns the updated user. */
export async function changeAndReturnUser(
  dependencies: Dependencies,
  c: ManagementContext,
  userId: string,
  { changes, auditedFields = changes, preconditions, dispatch = toHookDispatch(c) }: UserChange,
) {
  if (identifiers.some((name) => changes[name] !== undefined))
    await requireOperatorStepUp(dependencies, c.var)
  const { customData: data } = changes
  const validFields = data && {
    customData: await prepareCustomData(dependencies, c.var.tenantId, { data, writer: 'operator' }),
  }
  const datedChanges = withProfileUpdateTime({ ...changes, ...validFields }, dependencies.now())
  return toUserResponseWithDeletion(
    await changeUser(dependencies, {
      ...requestOf(c, userId, auditedFields),
      ...dispatch,
      changes: datedChanges,
      preconditions,
    }),
  )
}

/** Sets the user's password, ends the user's sessions and returns the updated user. */
export async function setPasswordAndReturnUser(
  dependencies: Dependencies,
  c: ManagementContext,
  userId: string,
  password: string,
) {
  const request = { ...requestOf(c, userId, { password }), ...toHookDispatch(c), password }
  return toUserResponseWithDeletion(await setUserPassword(dependencies, request))
}

/** Rejects callers who want to delete their own account, which only the account API does. */
export function refuseOwnDeletion(c: ManagementContext, userId: string): void {
  const { principal } = c.var
  if (principal.type === 'user' && principal.id === userId) refuseWith('user.cannot_delete_self')
}

/** Deletes a user on behalf of an operator, except the operator's own account and that of the last owner. */
export async function deleteUserAsOperator(
  dependencies: Dependencies,
  c: ManagementContext,
  userId: string,
  { preconditions = [], dispatch = toHookDispatch(c) }: Pick<UserChange, 'preconditions' | 'dispatch'> = {},
): Promise<void> {
  refuseOwnDeletion(c, userId)
  await deleteUser(dependencies, {
    tenantId: c.var.tenantId,
    userId,
    preconditions: [...preconditions, ...lastOwnerGuard(c, { userId })],
    audit: beginManagementAudit(c, 'Management.User.Delete', { userId }),
    url: c.req.url,
    ...dispatch,
    revokedAt: dependencies.now(),
  })
}

const requestOf = (c: ManagementContext, userId: string, auditedFields: object) => ({
  tenantId: c.var.tenantId,
  userId,
  audit: beginManagementAudit(c, auditKeyOf(auditedFields), { userId }, auditedFields),
  url: c.req.url,
})

/** Suspensions and renames have keys of their own (spec/management#audit-keys). */
function auditKeyOf(fields: { isSuspended?: boolean }) {
  const { isSuspended } = fields
  if (isSuspended !== undefined) return isSuspended ? 'Management.User.Suspend' : 'Management.User.Reinstate'
  const isRename = Object.keys(fields).every((name) => name === 'name' || name === 'username')
  return isRename ? 'Management.User.Rename' : 'Management.User.Update'
}
