import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { NewPassword } from '../../../contract/interactions/identifiers.schema.ts'
import { User } from '../../../contract/users/users.schema.ts'
import { jsonAnswer, jsonBody } from '../../guard.ts'
import { idParam, lastOwnerGuard, managementCalls, mountedRouter, needsRecentSignIn } from '../router.ts'
import { changeAndAnswerUser, setPasswordAndAnswerUser } from './user-change.ts'
import { userDeletionRoutes } from './user-deletion.ts'
import { userTrustedBrowserRoutes } from './user-trusted-browsers.ts'

const declareCall = managementCalls('Users')

const changed = { 200: jsonAnswer('The changed user', User) }

const passwordCall = declareCall({
  method: 'patch',
  path: '/password',
  summary: 'Set the password of a user',
  description:
    'Replaces the password of a user, or gives the first one, without asking for the old one. All sessions, grants and tokens of the user are revoked: the old password may be known to others. ' +
    'A password that breaks the password policy is refused with 400 `guard.invalid_input`, one that attackers know with 422 `password.compromised`. ' +
    needsRecentSignIn(),
  request: { params: idParam, body: jsonBody(z.strictObject({ password: NewPassword })) },
  answers: changed,
  refusals: [404, 422],
})
const suspendCall = declareCall({
  method: 'patch',
  path: '/is-suspended',
  summary: 'Suspend or reinstate a user',
  description:
    'A suspended user cannot sign in (401 `user.suspended`), and all sessions, grants and tokens are revoked at once. With `false` the user may sign in again; what was revoked stays revoked. ' +
    needsRecentSignIn('reinstates one'),
  request: { params: idParam, body: jsonBody(z.strictObject({ isSuspended: z.boolean() })) },
  answers: changed,
  refusals: [404],
})

/** Mounted below a user, behind the guard of its router. */
export function userAccessRoutes(dependencies: Dependencies) {
  const { now } = dependencies

  return mountedRouter()
    .route('/deletion', userDeletionRoutes(dependencies))
    .route('/trusted-browsers', userTrustedBrowserRoutes(dependencies))
    .openapi(passwordCall, async (c) => {
      const { id } = c.req.valid('param')
      const { password } = c.req.valid('json')
      await requireOperatorStepUp(dependencies, c.var)
      return c.json(await setPasswordAndAnswerUser(dependencies, c, id, password), 200)
    })
    .openapi(suspendCall, async (c) => {
      const { id } = c.req.valid('param')
      const { isSuspended } = c.req.valid('json')
      if (!isSuspended) await requireOperatorStepUp(dependencies, c.var)
      const changes = { isSuspended, ...(isSuspended ? { revokedAt: now() } : {}) }
      const changed = await changeAndAnswerUser(dependencies, c, id, {
        changes,
        audited: { isSuspended },
        preconditions: isSuspended ? lastOwnerGuard(c, { userId: id }) : [],
      })
      return c.json(changed, 200)
    })
}
