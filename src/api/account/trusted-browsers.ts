import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { forgetTrustedBrowser, listTrustedBrowsers } from '../../application/sessions/trusted-browsers.ts'
import { TrustedBrowserSchema } from '../../contract/account/account.schema.ts'
import { storableText } from '../../contract/text.schema.ts'
import { jsonAnswer } from '../guard.ts'
import { accountRouter, beginAccountAudit, callerOf, declareAccountCall } from './router.ts'

const listCall = declareAccountCall({
  method: 'get',
  path: '/',
  summary: 'List my trusted browsers',
  description:
    'Answers the browsers in which the signed-in user has signed in, the last one first and 100 at most. Wrong passwords and codes from elsewhere do not lock the user out of them. Until `rememberedUntil` no second factor is asked for in a browser. A password reset ends them. Needs the scope `profile`.',
  answers: {
    200: jsonAnswer('All trusted browsers', z.array(TrustedBrowserSchema.meta({ id: 'TrustedBrowser' }))),
  },
})
const deleteCall = declareAccountCall({
  method: 'delete',
  path: '/{id}',
  summary: 'Forget one of my trusted browsers',
  description:
    'Takes its counters of its own from a browser, and asks for a second factor in it again; sessions in it go on. It is trusted again when the user signs in there, but not remembered. The user is told by a message, once in ten minutes. Needs the scope `profile`. A browser of another user is 404 `entity.not_found`.',
  request: { params: z.object({ id: storableText(128) }) },
  answers: { 204: { description: 'Forgotten' } },
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
        own: callerOf(c),
      })
      return c.body(null, 204)
    })
}
