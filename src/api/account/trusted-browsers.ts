import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { forgetTrustedBrowser, listTrustedBrowsers } from '../../application/sessions/trusted-browsers.ts'
import { TrustedBrowserSchema } from '../../contract/account/account.schema.ts'
import { storableText } from '../../contract/text.schema.ts'
import { jsonResponse } from '../guard.ts'
import { accountCallContext, accountRouter, beginAccountAudit, declareAccountCall } from './router.ts'

const listCall = declareAccountCall({
  method: 'get',
  path: '/',
  operationId: 'listMyTrustedBrowsers',
  summary: 'List my trusted browsers',
  description:
    'Returns the browsers in which the signed-in user has signed in, most recent first and at most 100. ' +
    'Wrong passwords and codes entered elsewhere do not lock the user out in these browsers. No second ' +
    'factor is requested in a browser until its `rememberedUntil`. A password reset removes them all. ' +
    'Requires the `profile` scope.',
  responses: {
    200: jsonResponse('All trusted browsers', z.array(TrustedBrowserSchema.meta({ id: 'TrustedBrowser' }))),
  },
})
const deleteCall = declareAccountCall({
  method: 'delete',
  path: '/{id}',
  operationId: 'forgetMyTrustedBrowser',
  summary: 'Forget one of my trusted browsers',
  description:
    'Stops trusting a browser: it no longer has its own counters of failed attempts, and a second factor ' +
    'is requested in it again. Its sessions continue. When the user signs in there, it is trusted again, ' +
    'but not remembered. The user is notified by a message, at most once in ten minutes. Requires the ' +
    '`profile` scope. Responds with 404 `entity.not_found` if the browser belongs to another user.',
  request: { params: z.object({ id: storableText(128) }) },
  responses: { 204: { description: 'Forgotten' } },
  refusals: [404],
})

export function accountTrustedBrowserRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile', 'factors')
    .openapi(listCall, async (c) => {
      const { tenantId, signedIn } = c.var
      return c.json(await listTrustedBrowsers(dependencies, { tenantId, userId: signedIn.user.id }), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      await forgetTrustedBrowser(dependencies, {
        tenantId: c.var.tenantId,
        userId: c.var.signedIn.user.id,
        id,
        audit: beginAccountAudit(c, 'Account.TrustedBrowser.Delete', { trustedBrowserId: id }),
        own: accountCallContext(c),
      })
      return c.body(null, 204)
    })
}
