import type { Dependencies } from '../../../application/dependencies.ts'
import { listUserPasskeys, removeUserPasskey } from '../../../application/passkeys/manage.ts'
import { CredentialId, PasskeySchema } from '../../../contract/passkeys/passkeys.schema.ts'
import { backgroundOf, messageRequestOf } from '../../request-context.ts'
import { beginManagementAudit } from '../change.ts'
import { requireOtherOperator } from '../own-account.ts'
import { mountedRouter, needsRecentSignIn } from '../router.ts'
import { listCallOf, removalCallOf } from './user-collections.ts'

const listCall = listCallOf(
  'passkeys',
  'Answers the passkeys of a user, the oldest first.',
  PasskeySchema.meta({ id: 'Passkey' }),
)
const deleteCall = removalCallOf({
  path: '/{passkeyId}',
  summary: 'Remove a passkey of a user',
  description:
    'Removes a passkey, with which the user can no longer sign in; sessions go on. It may be the last way to sign in. The user is told by a message. A user cannot remove an own passkey here (400 `user.cannot_reset_own_factors`). 404 `entity.not_found` when the user has no such passkey. ' +
    needsRecentSignIn(),
  params: { passkeyId: CredentialId },
  answer: 'Removed',
})

/** Mounted below a user, behind the guard of its router. */
export function userPasskeyRoutes(dependencies: Dependencies) {
  return mountedRouter()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await listUserPasskeys(dependencies, c.var.tenantId, id), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id: userId, passkeyId } = c.req.valid('param')
      const { tenantId } = c.var
      await requireOtherOperator(dependencies, c, userId)
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
        message: messageRequestOf(c),
        background: backgroundOf(c),
      })
      return c.body(null, 204)
    })
}
