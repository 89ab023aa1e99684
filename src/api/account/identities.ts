import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { refuseWith } from '../../contract/refused.ts'
import { text } from '../../contract/text.schema.ts'
import { Identities } from '../../contract/users.schema.ts'
import { wayInWithout } from '../../domain/ways-to-sign-in.ts'
import { commit } from '../../storage/commit.ts'
import { allOf } from '../../storage/conditions.ts'
import { hasIdentity, hasWayIn, toAccount, updateUserIf } from '../../storage/users.ts'
import { answer, refusals } from '../guard.ts'
import { accountRouter, always, note, signedIn } from './router.ts'

const getCall = createRoute({
  method: 'get',
  path: '/',
  ...signedIn,
  summary: 'List the social identities linked to my account; needs the scope `identities`',
  responses: { 200: answer('By connector target', Identities), ...always },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{target}',
  ...signedIn,
  summary: 'Unlink one, unless it is the last way to sign in',
  request: { params: z.object({ target: text(128) }) },
  responses: { 204: { description: 'Unlinked' }, ...always, ...refusals(404, 422) },
})

export function accountIdentityRoutes(dependencies: Dependencies) {
  const { db, experience } = dependencies

  return accountRouter(dependencies, 'identities')
    .openapi(getCall, (c) => c.json(c.var.signedIn.user.identities, 200))
    .openapi(deleteCall, async (c) => {
      const { target } = c.req.valid('param')
      const { user } = c.var.signedIn
      const { tenantId } = c.var
      if (!Object.hasOwn(user.identities, target)) refuseWith('user.identity_not_exist', undefined, 404)
      const way = wayInWithout(target, toAccount(user), await experience.get(tenantId))
      if (!way) return refuseWith('user.last_sign_in_method')

      const audit = note(c, 'Account.Identity.Delete', { target })
      // Two calls at the same time must not remove both of the last two ways to sign in.
      const condition = allOf(hasIdentity(tenantId, user.id, target), hasWayIn(tenantId, user.id, way))
      const {
        user: [changed],
      } = await commit(db, {
        tenantId,
        condition,
        statements: { user: updateUserIf(db, tenantId, condition, user.id, { removeIdentity: target }) },
        audit: audit.success(),
      })
      return changed ? c.body(null, 204) : refuseWith('user.last_sign_in_method')
    })
}
