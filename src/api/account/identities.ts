import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { unlinkOwnIdentity } from '../../application/social/identities.ts'
import { storableText } from '../../contract/text.schema.ts'
import { IdentitiesSchema } from '../../contract/users/users.schema.ts'
import { jsonResponse } from '../guard.ts'
import {
  accountCallContext,
  accountRouter,
  beginAccountAudit,
  declareAccountCall,
  describeStepUp,
} from './router.ts'

const getCall = declareAccountCall({
  method: 'get',
  path: '/',
  operationId: 'getMyIdentities',
  summary: 'List my social identities',
  description:
    'Returns the social identities that are linked to the account of the signed-in user, by the target ' +
    'of their connector, such as `google`. Requires the `identities` scope.',
  responses: { 200: jsonResponse('The identities by connector target', IdentitiesSchema) },
})
const deleteCall = declareAccountCall({
  method: 'delete',
  path: '/{target}',
  operationId: 'unlinkMyIdentity',
  summary: 'Unlink one of my social identities',
  description:
    'Removes a social identity, so that the user can no longer sign in with it. A message notifies every ' +
    `address of the user. ${describeStepUp('identities')} The last way to sign in cannot be removed (422 ` +
    '`user.last_sign_in_method`). Responds with 404 `user.identity_not_exist` if no such identity is ' +
    'linked.',
  request: { params: z.object({ target: storableText(128) }) },
  responses: { 204: { description: 'Unlinked' } },
  refusals: [404, 422],
})

export function accountIdentityRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'identities', 'identities')
    .openapi(getCall, (c) => c.json(c.var.signedIn.user.identities, 200))
    .openapi(deleteCall, async (c) => {
      const { target } = c.req.valid('param')
      await unlinkOwnIdentity(dependencies, {
        ...accountCallContext(c),
        target,
        beginAudit: () => beginAccountAudit(c, 'Account.Identity.Delete', { target }),
      })
      return c.body(null, 204)
    })
}
