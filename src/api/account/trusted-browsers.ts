import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { forgetOwnBrowser } from '../../application/own-trusted-browsers.ts'
import { OwnTrustedBrowser } from '../../contract/account.schema.ts'
import { storableText } from '../../contract/text.schema.ts'
import { trustedBrowsersQuery } from '../../storage/trusted-browsers.ts'
import { declaredRefusals, jsonAnswer } from '../guard.ts'
import { accountCall, accountRefusals, accountRouter, beginAccountAudit } from './router.ts'

const listCall = createRoute({
  method: 'get',
  path: '/',
  ...accountCall,
  summary: 'List my trusted browsers',
  description:
    'Answers the browsers in which the signed-in user has signed in, the last one first and 100 at most. Wrong passwords and codes from elsewhere do not lock the user out of them. A password reset ends them. Needs the scope `profile`.',
  responses: {
    200: jsonAnswer('All trusted browsers', z.array(OwnTrustedBrowser.openapi('OwnTrustedBrowser'))),
    ...accountRefusals,
  },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{id}',
  ...accountCall,
  summary: 'Forget one of my trusted browsers',
  description:
    'Takes its counters of its own from a browser; sessions in it go on. It is trusted again when the user signs in there. Needs the scope `profile`. A browser of another user is 404 `entity.not_found`.',
  request: { params: z.object({ id: storableText(128) }) },
  responses: { 204: { description: 'Forgotten' }, ...accountRefusals, ...declaredRefusals(404) },
})

export function accountTrustedBrowserRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile')
    .openapi(listCall, async (c) => {
      const { user } = c.var.signedIn
      return c.json(await trustedBrowsersQuery(dependencies.db, c.var.tenantId, user.id), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      await forgetOwnBrowser(dependencies, {
        tenantId: c.var.tenantId,
        userId: c.var.signedIn.user.id,
        id,
        audit: beginAccountAudit(c, 'Account.TrustedBrowser.Delete', { trustedBrowserId: id }),
      })
      return c.body(null, 204)
    })
}
