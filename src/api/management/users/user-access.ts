import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import type { HookDispatch } from '../../../application/hooks/user-events.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { PasswordChange } from '../../../contract/account/account.schema.ts'
import { ManagedUser } from '../../../contract/users/users.schema.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  idParam,
  lastOwnerGuard,
  type ManagementContext,
  managementSubrouter,
} from '../router.ts'
import { changeAndReturnUser, setPasswordAndReturnUser } from './user-change.ts'
import { userDeletionRoutes } from './user-deletion.ts'
import { userTrustedBrowserRoutes } from './user-trusted-browsers.ts'

const declareCall = createManagementCallDeclarer('Users')

const userResponse = { 200: jsonResponse('The changed user', ManagedUser) }

const passwordCall = declareCall({
  method: 'patch',
  path: '/password',
  operationId: 'setUserPassword',
  summary: 'Set the password of a user',
  description:
    'Replaces the password of a user, or sets the first one, without asking for the current one. All ' +
    'sessions, grants and tokens of the user are revoked, because others may know the old password. A ' +
    'password that breaks the password policy is rejected with 400 `guard.invalid_input`, and a password ' +
    'known to attackers with 422 `password.compromised`. ' +
    describeRecentSignIn(),
  request: { params: idParam, body: jsonBody(PasswordChange) },
  responses: userResponse,
  refusals: [404, 422],
})
const suspendCall = declareCall({
  method: 'patch',
  path: '/is-suspended',
  operationId: 'setUserSuspension',
  summary: 'Suspend or reinstate a user',
  description:
    'Suspends or reinstates a user. A suspended user cannot sign in (401 `user.suspended`), and all ' +
    'sessions, grants and tokens of the user are revoked at once. With `false`, the user may sign in ' +
    'again; what was revoked stays revoked. ' +
    describeRecentSignIn('reinstates one'),
  request: {
    params: idParam,
    body: jsonBody(z.strictObject({ isSuspended: z.boolean() }).meta({ id: 'UserSuspension' })),
  },
  responses: userResponse,
  refusals: [404],
})

/** Creates the routes for a user's access and credentials. The parent router authorizes the calls. */
export function userAccessRoutes(dependencies: Dependencies) {
  return managementSubrouter()
    .route('/deletion', userDeletionRoutes(dependencies))
    .route('/trusted-browsers', userTrustedBrowserRoutes(dependencies))
    .openapi(passwordCall, async (c) => {
      const { id } = c.req.valid('param')
      const { password } = c.req.valid('json')
      await requireOperatorStepUp(dependencies, c.var)
      return c.json(await setPasswordAndReturnUser(dependencies, c, id, password), 200)
    })
    .openapi(suspendCall, async (c) => {
      const { id } = c.req.valid('param')
      const { isSuspended } = c.req.valid('json')
      if (!isSuspended) await requireOperatorStepUp(dependencies, c.var)
      return c.json(await suspendOrReinstateUser(dependencies, c, id, { isSuspended }), 200)
    })
}

/** Suspends or reinstates a user. The caller has to require a recent sign-in before reinstating one. */
export const suspendOrReinstateUser = (
  dependencies: Dependencies,
  c: ManagementContext,
  userId: string,
  { isSuspended, dispatch }: { isSuspended: boolean; dispatch?: HookDispatch | undefined },
) =>
  changeAndReturnUser(dependencies, c, userId, {
    changes: { isSuspended, ...(isSuspended ? { revokedAt: dependencies.now() } : {}) },
    auditedFields: { isSuspended },
    preconditions: isSuspended ? lastOwnerGuard(c, { userId }) : [],
    dispatch,
  })
