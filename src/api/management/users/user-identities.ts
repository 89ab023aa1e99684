import type { Dependencies } from '../../../application/dependencies.ts'
import { unlinkIdentity } from '../../../application/users/change.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { ManagedUser } from '../../../contract/users/users.schema.ts'
import { jsonResponse } from '../../guard.ts'
import { beginManagementAudit, toHookDispatch } from '../change.ts'
import { refuseOwnCredentialChange } from '../own-account.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  idParam,
  managementSubrouter,
} from '../router.ts'
import { toUserResponse } from './user-answer.ts'

const declareCall = createManagementCallDeclarer('Users')

const deleteCall = declareCall({
  method: 'delete',
  path: '/{target}',
  operationId: 'unlinkUserIdentity',
  summary: 'Unlink a social identity from a user',
  description:
    'Removes the social identity of one target, such as `google`, and returns the user. The user can no ' +
    'longer sign in with it but stays signed in. Even the last way to sign in can be removed. Users ' +
    'cannot unlink their own identities here (400 `user.cannot_reset_own_factors`). Responds with 404 ' +
    '`user.identity_not_exist` if no such identity is linked. ' +
    describeRecentSignIn(),
  request: { params: idParam.extend({ target: storableText(128) }) },
  responses: { 200: jsonResponse('The changed user', ManagedUser) },
  refusals: [404],
})

/** Creates the routes for a user's social identities. The parent router authorizes the calls. */
export function userIdentityRoutes(dependencies: Dependencies) {
  return managementSubrouter().openapi(deleteCall, async (c) => {
    const { id: userId, target } = c.req.valid('param')
    const { tenantId } = c.var
    await refuseOwnCredentialChange(dependencies, c, userId)
    const audit = beginManagementAudit(
      c,
      'Management.User.Update',
      { userId, target },
      { identities: target },
    )
    const removal = { tenantId, userId, target, audit, ...toHookDispatch(c) }
    return c.json(toUserResponse(await unlinkIdentity(dependencies, removal)), 200)
  })
}
