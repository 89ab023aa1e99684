import type { Dependencies } from '../../../application/dependencies.ts'
import { forgetTrustedBrowser, listTrustedBrowsers } from '../../../application/sessions/trusted-browsers.ts'
import { TrustedBrowserSchema } from '../../../contract/account/account.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { beginManagementAudit } from '../change.ts'
import { managementSubrouter } from '../router.ts'
import { declareListCall, declareRemovalCall } from './user-collections.ts'

const listCall = declareListCall({
  operationId: 'listUserTrustedBrowsers',
  things: 'trusted browsers',
  description:
    'Returns the browsers in which a user has signed in, most recent first and at most 100. No second ' +
    'factor is requested in a browser until its `rememberedUntil`.',
  item: TrustedBrowserSchema.meta({ id: 'TrustedBrowser' }),
})
const deleteCall = declareRemovalCall({
  path: '/{browserId}',
  operationId: 'forgetUserTrustedBrowser',
  summary: 'Forget a trusted browser of a user',
  description:
    'Stops trusting a browser: a second factor is requested in it again, and it no longer has its own ' +
    'counters of failed attempts. Its sessions continue. Responds with 404 `entity.not_found` if the ' +
    'user has no such browser.',
  params: { browserId: storableText(128) },
  response: 'Forgotten',
})

/** Creates the routes for a user's trusted browsers. The parent router authorizes the calls. */
export function userTrustedBrowserRoutes(dependencies: Dependencies) {
  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      return c.json(await listTrustedBrowsers(dependencies, { tenantId: c.var.tenantId, userId }), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id: userId, browserId } = c.req.valid('param')
      const target = { userId, trustedBrowserId: browserId }
      await forgetTrustedBrowser(dependencies, {
        tenantId: c.var.tenantId,
        userId,
        id: browserId,
        audit: beginManagementAudit(c, 'Management.User.Update', target, { trustedBrowsers: browserId }),
      })
      return c.body(null, 204)
    })
}
