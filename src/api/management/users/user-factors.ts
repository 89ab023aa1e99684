import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { readFactors, resetFactors } from '../../../application/factors/reset.ts'
import { FactorsSchema } from '../../../contract/factors/factors.schema.ts'
import { jsonResponse } from '../../guard.ts'
import { toMessageRequest } from '../../request-context.ts'
import { beginManagementAudit, toHookDispatch } from '../change.ts'
import { refuseOwnCredentialChange } from '../own-account.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  idParam,
  managementSubrouter,
} from '../router.ts'

const declareCall = createManagementCallDeclarer('Users')

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'getUserFactors',
  summary: 'List the second factors of a user',
  description:
    'Returns whether a user has an authenticator app, when it was added and last used, how many backup ' +
    'codes are left and whether that is few, and how many passkeys and security keys there are. Secrets ' +
    'and codes are never returned. Responds with 404 `entity.not_found` if the user is unknown.',
  request: { params: idParam },
  responses: { 200: jsonResponse('The second factors', FactorsSchema.meta({ id: 'Factors' })) },
  refusals: [404],
})
const resetCall = declareCall({
  method: 'delete',
  path: '/',
  operationId: 'resetUserFactors',
  summary: 'Reset the second factors of a user',
  description:
    'Deletes the authenticator app and backup codes of a user who has lost them and, with ' +
    '`passkeys=true`, all passkeys as well, and signs the user out everywhere. The user is notified by a ' +
    'message. Users cannot reset their own factors here (400 `user.cannot_reset_own_factors`). ' +
    describeRecentSignIn(),
  request: { params: idParam, query: z.object({ passkeys: z.enum(['true', 'false']).default('false') }) },
  responses: { 204: { description: 'Reset' } },
  refusals: [404],
})

/** Creates the routes for a user's second factors. The parent router authorizes the calls. */
export function userFactorRoutes(dependencies: Dependencies) {
  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      const factors = await readFactors(dependencies, { tenantId: c.var.tenantId, userId })
      return c.json(factors, 200)
    })
    .openapi(resetCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      const { tenantId } = c.var
      const withPasskeys = c.req.valid('query').passkeys === 'true'
      await refuseOwnCredentialChange(dependencies, c, userId)
      await resetFactors(dependencies, {
        tenantId,
        userId,
        withPasskeys,
        url: c.req.url,
        audit: beginManagementAudit(
          c,
          'Management.User.Update',
          { userId },
          { factors: null, ...(withPasskeys && { passkeys: null }) },
        ),
        message: toMessageRequest(c),
        ...toHookDispatch(c),
      })
      return c.body(null, 204)
    })
}
