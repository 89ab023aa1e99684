import type { Dependencies } from '../../../application/dependencies.ts'
import { forgetTrustedBrowser, listTrustedBrowsers } from '../../../application/sessions/trusted-browsers.ts'
import { TrustedBrowserSchema } from '../../../contract/account/account.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { beginManagementAudit } from '../change.ts'
import { mountedRouter } from '../router.ts'
import { listCallOf, removalCallOf } from './user-collections.ts'

const listCall = listCallOf(
  'trusted browsers',
  'Answers the browsers in which a user has signed in, the last one first and 100 at most. Until `rememberedUntil` no second factor is asked for in a browser.',
  TrustedBrowserSchema.meta({ id: 'TrustedBrowser' }),
)
const deleteCall = removalCallOf({
  path: '/{browserId}',
  summary: 'Forget a trusted browser of a user',
  description:
    'A second factor is asked for in it again, and it has no counters of its own; sessions in it go on. 404 `entity.not_found` when the user has no such browser.',
  params: { browserId: storableText(128) },
  answer: 'Forgotten',
})

/** Mounted below a user, behind the guard of its router. */
export function userTrustedBrowserRoutes(dependencies: Dependencies) {
  return mountedRouter()
    .openapi(listCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      return c.json(await listTrustedBrowsers(dependencies, { tenantId: c.var.tenantId, userId }), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id: userId, browserId } = c.req.valid('param')
      const about = { userId, trustedBrowserId: browserId }
      await forgetTrustedBrowser(dependencies, {
        tenantId: c.var.tenantId,
        userId,
        id: browserId,
        audit: beginManagementAudit(c, 'Management.User.Update', about, { trustedBrowsers: browserId }),
      })
      return c.body(null, 204)
    })
}
