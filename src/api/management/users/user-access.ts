import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../../application/dependencies.ts'
import { NewPassword } from '../../../contract/interactions/identifiers.schema.ts'
import { User } from '../../../contract/users/users.schema.ts'
import { declaredRefusals, jsonAnswer, jsonBody } from '../../guard.ts'
import {
  idParam,
  lastOwnerGuard,
  managementRefusalsWithBody,
  managementSecurity,
  mountedRouter,
  needsRecentSignIn,
  requireRecentOperator,
} from '../router.ts'
import { changeAndAnswerUser, setPasswordAndAnswerUser } from './user-change.ts'
import { userDeletionRoutes } from './user-deletion.ts'
import { userTrustedBrowserRoutes } from './user-trusted-browsers.ts'

const tags = ['Users']
const responses = {
  200: jsonAnswer('The changed user', User),
  ...managementRefusalsWithBody,
  ...declaredRefusals(404),
}

const passwordCall = createRoute({
  method: 'patch',
  path: '/password',
  tags,
  ...managementSecurity,
  summary: 'Set the password of a user',
  description:
    'Replaces the password of a user, or gives the first one, without asking for the old one. All sessions, grants and tokens of the user are revoked: the old password may be known to others. ' +
    'A password that breaks the password policy is refused with 400 `guard.invalid_input`, one that attackers know with 422 `password.compromised`. ' +
    needsRecentSignIn(),
  request: { params: idParam, body: jsonBody(z.strictObject({ password: NewPassword })) },
  responses: { ...responses, ...declaredRefusals(422) },
})
const suspendCall = createRoute({
  method: 'patch',
  path: '/is-suspended',
  tags,
  ...managementSecurity,
  summary: 'Suspend or reinstate a user',
  description:
    'A suspended user cannot sign in (401 `user.suspended`), and all sessions, grants and tokens are revoked at once. With `false` the user may sign in again; what was revoked stays revoked. ' +
    needsRecentSignIn('reinstates one'),
  request: { params: idParam, body: jsonBody(z.strictObject({ isSuspended: z.boolean() })) },
  responses,
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
      await requireRecentOperator(dependencies, c)
      return c.json(await setPasswordAndAnswerUser(dependencies, c, id, password), 200)
    })
    .openapi(suspendCall, async (c) => {
      const { id } = c.req.valid('param')
      const { isSuspended } = c.req.valid('json')
      if (!isSuspended) await requireRecentOperator(dependencies, c)
      const changes = { isSuspended, ...(isSuspended ? { revokedAt: now() } : {}) }
      const changed = await changeAndAnswerUser(dependencies, c, id, {
        changes,
        audited: { isSuspended },
        preconditions: isSuspended ? lastOwnerGuard(c, { userId: id }) : [],
      })
      return c.json(changed, 200)
    })
}
