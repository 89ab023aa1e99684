import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { forgetTrustedBrowser, trustedBrowsersOf } from '../../application/sessions/trusted-browsers.ts'
import { TrustedBrowserSchema } from '../../contract/account/account.schema.ts'
import { storableText } from '../../contract/text.schema.ts'
import { declaredRefusals, jsonAnswer } from '../guard.ts'
import { accountCall, accountRefusals, accountRouter, beginAccountAudit, callerOf } from './router.ts'

const listCall = createRoute({
  method: 'get',
  path: '/',
  ...accountCall,
  summary: 'List my trusted browsers',
  description:
    'Answers the browsers in which the signed-in user has signed in, the last one first and 100 at most. Wrong passwords and codes from elsewhere do not lock the user out of them. Until `rememberedUntil` no second factor is asked for in a browser. A password reset ends them. Needs the scope `profile`.',
  responses: {
    200: jsonAnswer('All trusted browsers', z.array(TrustedBrowserSchema.meta({ id: 'TrustedBrowser' }))),
    ...accountRefusals,
  },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{id}',
  ...accountCall,
  summary: 'Forget one of my trusted browsers',
  description:
    'Takes its counters of its own from a browser, and asks for a second factor in it again; sessions in it go on. It is trusted again when the user signs in there, but not remembered. The user is told by a message, once in ten minutes. Needs the scope `profile`. A browser of another user is 404 `entity.not_found`.',
  request: { params: z.object({ id: storableText(128) }) },
  responses: { 204: { description: 'Forgotten' }, ...accountRefusals, ...declaredRefusals(404) },
})

export function accountTrustedBrowserRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile', 'factors')
    .openapi(listCall, async (c) => {
      const { tenantId, signedIn } = c.var
      return c.json(await trustedBrowsersOf(dependencies, { tenantId, userId: signedIn.user.id }), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      await forgetTrustedBrowser(dependencies, {
        tenantId: c.var.tenantId,
        userId: c.var.signedIn.user.id,
        id,
        audit: beginAccountAudit(c, 'Account.TrustedBrowser.Delete', { trustedBrowserId: id }),
        own: callerOf(c),
      })
      return c.body(null, 204)
    })
}
