import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { readFactors, resetFactors } from '../../../application/factors/reset.ts'
import { FactorsSchema } from '../../../contract/factors/factors.schema.ts'
import { jsonAnswer } from '../../guard.ts'
import { backgroundOf, messageRequestOf } from '../../request-context.ts'
import { beginManagementAudit } from '../change.ts'
import { requireOtherOperator } from '../own-account.ts'
import { idParam, managementCalls, mountedRouter, needsRecentSignIn } from '../router.ts'

const declareCall = managementCalls('Users')

const listCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'List the second factors of a user',
  description:
    'Answers whether a user has an authenticator app, since when and when it was used, how many backup codes are left and whether these are few, and how many passkeys and security keys there are; never secrets or codes. An unknown user is refused with 404 `entity.not_found`.',
  request: { params: idParam },
  answers: { 200: jsonAnswer('The second factors', FactorsSchema.meta({ id: 'Factors' })) },
  refusals: [404],
})
const resetCall = declareCall({
  method: 'delete',
  path: '/',
  summary: 'Reset the second factors of a user',
  description:
    'Deletes the authenticator app and the backup codes of a user who has lost them, with `passkeys=true` also all passkeys, and signs the user out everywhere. The user is told by a message. A user cannot reset the own factors here (400 `user.cannot_reset_own_factors`). ' +
    needsRecentSignIn(),
  request: { params: idParam, query: z.object({ passkeys: z.enum(['true', 'false']).default('false') }) },
  answers: { 204: { description: 'Reset' } },
  refusals: [404],
})

/** Mounted below a user, behind the guard of its router. */
export function userFactorRoutes(dependencies: Dependencies) {
  return mountedRouter()
    .openapi(listCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      const factors = await readFactors(dependencies, { tenantId: c.var.tenantId, userId })
      return c.json(factors, 200)
    })
    .openapi(resetCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      const { tenantId } = c.var
      const withPasskeys = c.req.valid('query').passkeys === 'true'
      await requireOtherOperator(dependencies, c, userId)
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
        message: messageRequestOf(c),
        background: backgroundOf(c),
      })
      return c.body(null, 204)
    })
}
