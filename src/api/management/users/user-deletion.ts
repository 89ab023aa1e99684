import { cancelUserDeletion } from '../../../application/account/deletion.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { toMessageRequest } from '../../request-context.ts'
import { beginManagementAudit, toHookDispatch } from '../change.ts'
import { managementSubrouter } from '../router.ts'
import { declareRemovalCall } from './user-collections.ts'

const cancelCall = declareRemovalCall({
  path: '/',
  operationId: 'cancelUserDeletion',
  summary: 'Cancel the deletion of a user',
  description:
    'Cancels the deletion that a user has requested, and notifies the user. Sessions that ended with ' +
    'the request stay ended. Responds with 404 `entity.not_found` if no deletion is scheduled.',
  params: {},
  response: 'Canceled',
})

/** Creates the routes for the deletion that a user has requested. The parent router authorizes the calls. */
export const userDeletionRoutes = (dependencies: Dependencies) =>
  managementSubrouter().openapi(cancelCall, async (c) => {
    const { id: userId } = c.req.valid('param')
    const { tenantId } = c.var
    const audit = beginManagementAudit(c, 'Management.User.Update', { userId }, { deletion: null })
    const message = toMessageRequest(c)
    const { actor, background } = toHookDispatch(c)
    background(await cancelUserDeletion(dependencies, { tenantId, userId, message, audit, actor }))
    return c.body(null, 204)
  })
