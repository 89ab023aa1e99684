import type { Dependencies } from '../../../application/dependencies.ts'
import { unlinkIdentity } from '../../../application/users/change.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { User } from '../../../contract/users/users.schema.ts'
import { jsonAnswer } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { requireOtherOperator } from '../own-account.ts'
import { idParam, managementCalls, mountedRouter, needsRecentSignIn } from '../router.ts'
import { userAnswer } from './user-answer.ts'

const declareCall = managementCalls('Users')

const deleteCall = declareCall({
  method: 'delete',
  path: '/{target}',
  summary: 'Unlink a social identity from a user',
  description:
    'Removes the social identity of one target, such as `google`, and answers the user. The user can no longer sign in with it but stays signed in. This may be the last way to sign in; ' +
    'it is removed all the same. A user cannot unlink an own identity here (400 `user.cannot_reset_own_factors`). 404 `user.identity_not_exist` when no such identity is linked. ' +
    needsRecentSignIn(),
  request: { params: idParam.extend({ target: storableText(128) }) },
  answers: { 200: jsonAnswer('The changed user', User) },
  refusals: [404],
})

/** Mounted below a user, behind the guard of its router. */
export function userIdentityRoutes(dependencies: Dependencies) {
  return mountedRouter().openapi(deleteCall, async (c) => {
    const { id: userId, target } = c.req.valid('param')
    const { tenantId } = c.var
    await requireOtherOperator(dependencies, c, userId)
    const audit = beginManagementAudit(
      c,
      'Management.User.Update',
      { userId, target },
      { identities: target },
    )
    return c.json(userAnswer(await unlinkIdentity(dependencies, { tenantId, userId, target, audit })), 200)
  })
}
