import { createRoute } from '@hono/zod-openapi'
import { userOf } from '../../application/change-user.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { refuseWith } from '../../contract/refused.ts'
import { text } from '../../contract/text.schema.ts'
import { User } from '../../contract/users.schema.ts'
import { hasIdentity, updateUserIf } from '../../storage/users.ts'
import { answer, guardedRouter, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { always, guarded, idParam } from './router.ts'
import { toAnswer } from './user-answer.ts'

const deleteCall = createRoute({
  method: 'delete',
  path: '/{target}',
  tags: ['Users'],
  ...guarded,
  summary: 'Unlink a social identity from a user',
  request: { params: idParam.extend({ target: text(128) }) },
  responses: { 200: answer('The user', User), ...always, ...refusals(404) },
})

/** Mounted in the routes of users, behind their gate. */
export function userIdentityRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>().openapi(deleteCall, async (c) => {
    const { id, target } = c.req.valid('param')
    const { tenantId } = c.var
    note(c, 'Management.User.Update', { userId: id, target }, { identities: target })
    const condition = hasIdentity(tenantId, id, target)
    const [, [changed]] = await db.batch([
      auditRow(dependencies, c, condition),
      updateUserIf(db, tenantId, condition, id, { removeIdentity: target }),
    ])
    if (changed) return c.json(toAnswer(changed), 200)
    await userOf(dependencies, tenantId, id)
    return refuseWith('user.identity_not_exist', undefined, 404)
  })
}
