import type { Dependencies } from '../../../application/dependencies.ts'
import { listUserPasskeys, removeUserPasskey } from '../../../application/passkeys/manage.ts'
import { CredentialId, PasskeySchema } from '../../../contract/passkeys/passkeys.schema.ts'
import { toMessageRequest } from '../../request-context.ts'
import { beginManagementAudit, toHookDispatch } from '../change.ts'
import { refuseOwnCredentialChange } from '../own-account.ts'
import { describeRecentSignIn, managementSubrouter } from '../router.ts'
import { declareListCall, declareRemovalCall } from './user-collections.ts'

const listCall = declareListCall({
  operationId: 'listUserPasskeys',
  things: 'passkeys',
  description: 'Returns the passkeys of a user, oldest first.',
  item: PasskeySchema.meta({ id: 'Passkey' }),
})
const deleteCall = declareRemovalCall({
  path: '/{passkeyId}',
  operationId: 'removeUserPasskey',
  summary: 'Remove a passkey of a user',
  description:
    'Removes a passkey, so that the user can no longer sign in with it; sessions continue. Even the last ' +
    'way to sign in can be removed. The user is notified by a message. Users cannot remove their own ' +
    'passkeys here (400 `user.cannot_reset_own_factors`). Responds with 404 `entity.not_found` if the ' +
    'user has no such passkey. ' +
    describeRecentSignIn(),
  params: { passkeyId: CredentialId },
  response: 'Removed',
})

/** Creates the routes for a user's passkeys. The parent router authorizes the calls. */
export function userPasskeyRoutes(dependencies: Dependencies) {
  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await listUserPasskeys(dependencies, c.var.tenantId, id), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id: userId, passkeyId } = c.req.valid('param')
      const { tenantId } = c.var
      await refuseOwnCredentialChange(dependencies, c, userId)
      await removeUserPasskey(dependencies, {
        tenantId,
        userId,
        id: passkeyId,
        audit: beginManagementAudit(
          c,
          'Management.User.Update',
          { userId, passkeyId },
          { passkeys: passkeyId },
        ),
        message: toMessageRequest(c),
        ...toHookDispatch(c),
      })
      return c.body(null, 204)
    })
}
