import type { Dependencies } from '../../../application/dependencies.ts'
import { dispatchHooks, type HookDispatch } from '../../../application/hooks/user-events.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { RefusalError } from '../../../contract/refused.ts'
import {
  MAX_USERS_PER_BULK_CALL,
  UserBulkChange,
  UserBulkResponse,
  type UserBulkResult,
} from '../../../contract/users/user-bulk.schema.ts'
import { describeRefusal } from '../../describe-refusal.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import { requireHolderScopes } from '../authority.ts'
import { toHookDispatch } from '../change.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'
import { suspendOrReinstateUser } from './user-access.ts'
import { deleteUserAsOperator } from './user-change.ts'
import { addRolesToUser } from './user-roles.ts'

const declareCall = createManagementCallDeclarer('Users')

const bulkCall = declareCall({
  method: 'post',
  path: '/',
  operationId: 'changeUsers',
  summary: 'Change several users',
  description:
    `Suspends, reinstates or deletes up to ${MAX_USERS_PER_BULK_CALL} users, or assigns a role to them. Each user is ` +
    'changed as by the call for one user, with the same rules, audit entry and events, and has a result ' +
    'of its own, in order. A change that is rejected for one user does not affect the others. ' +
    describeRecentSignIn('reinstates users or assigns a role'),
  request: { body: jsonBody(UserBulkChange) },
  responses: { 200: jsonResponse('One result for each user', UserBulkResponse) },
})

export function userBulkRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(bulkCall, async (c) => {
    const change = c.req.valid('json')
    if (change.operation === 'assignRole')
      await requireHolderScopes(dependencies, c, { kind: 'role', ids: [change.roleId] })
    // Rejecting the whole call lets the operator sign in again and repeat it.
    if (change.operation === 'assignRole' || change.operation === 'reinstate')
      await requireOperatorStepUp(dependencies, c.var)
    const outboxIds: string[] = []
    const { actor, background } = toHookDispatch(c)
    const dispatch = {
      actor,
      background,
      collect: (ids: readonly string[]) => void outboxIds.push(...ids),
    }
    const results: UserBulkResult[] = []
    // One user after another, because each change is a batch of its own and D1 runs them one by one anyway.
    try {
      for (const id of ownAccountLast(change.userIds, c.var.principal.id))
        results.push(await resultOf(dependencies, c, { change, id, dispatch }))
    } finally {
      // All messages are sent together, because a limit applies to the messages that one call sends.
      dispatchHooks(dependencies, { tenantId: c.var.tenantId, outboxIds }, { background })
    }
    return c.json({ results }, 200)
  })
}

/** Returns each id once. A caller who is suspended cannot change the others any more, so that comes last. */
const ownAccountLast = (userIds: readonly string[], ownId: string): string[] => {
  const others = new Set(userIds)
  return others.delete(ownId) ? [...others, ownId] : [...others]
}

type OneChange = { change: UserBulkChange; id: string; dispatch: HookDispatch }

async function resultOf(
  dependencies: Dependencies,
  c: ManagementContext,
  one: OneChange,
): Promise<UserBulkResult> {
  const { id } = one
  try {
    await requireHolderScopes(dependencies, c, { kind: 'user', ids: [id] })
    await changeOne(dependencies, c, one)
    return { id, status: 'changed' }
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    c.var.audit.settleOpen(error)
    c.res.headers.delete('WWW-Authenticate')
    return { id, status: 'rejected', error: await describeRefusal(c, error.refusal) }
  }
}

async function changeOne(
  dependencies: Dependencies,
  c: ManagementContext,
  { change, id, dispatch }: OneChange,
): Promise<unknown> {
  switch (change.operation) {
    case 'suspend':
      return suspendOrReinstateUser(dependencies, c, id, { isSuspended: true, dispatch })
    case 'reinstate':
      return suspendOrReinstateUser(dependencies, c, id, { isSuspended: false, dispatch })
    case 'delete':
      return deleteUserAsOperator(dependencies, c, id, { dispatch })
    case 'assignRole':
      return addRolesToUser(dependencies, c, id, { roleIds: [change.roleId], dispatch })
  }
}
