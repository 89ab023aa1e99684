import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { passwordColumns } from '../../application/password-columns.ts'
import { NewPassword } from '../../contract/identifiers.schema.ts'
import { User } from '../../contract/users.schema.ts'
import { answer, guardedRouter, json, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { alwaysWithBody, guarded, idParam } from './router.ts'
import { changeUserOf } from './user-change.ts'

const tags = ['Users']
const responses = { 200: answer('The user', User), ...alwaysWithBody, ...refusals(404) }

const passwordCall = createRoute({
  method: 'patch',
  path: '/password',
  tags,
  ...guarded,
  summary: 'Set a new password and sign the user out everywhere',
  request: { params: idParam, body: json(z.object({ password: NewPassword })) },
  responses,
})
const suspendCall = createRoute({
  method: 'patch',
  path: '/is-suspended',
  tags,
  ...guarded,
  summary: 'Suspend a user, who is signed out everywhere, or let them back in',
  request: { params: idParam, body: json(z.object({ isSuspended: z.boolean() })) },
  responses,
})

/** Whether and how a user gets in. Mounted in the routes of users, behind their gate. */
export function userStandingRoutes(dependencies: Dependencies) {
  const { now } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(passwordCall, async (c) => {
      const { id } = c.req.valid('param')
      const { password } = c.req.valid('json')
      // Decision 15: a password is reset because others may know the old one.
      const changes = { ...(await passwordColumns(password)), revokedAt: now() }
      return c.json(await changeUserOf(dependencies, c, id, changes, { password }), 200)
    })
    .openapi(suspendCall, async (c) => {
      const { id } = c.req.valid('param')
      const { isSuspended } = c.req.valid('json')
      const changes = { isSuspended, ...(isSuspended ? { revokedAt: now() } : {}) }
      return c.json(await changeUserOf(dependencies, c, id, changes, { isSuspended }), 200)
    })
}
