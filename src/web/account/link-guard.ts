import type { MiddlewareHandler } from 'hono'
import { readAccountLink } from '../../application/account-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountEnv } from './account-request.ts'

/** How a page was opened, before anything of it is shown or done. */
export const linkGuard =
  (dependencies: Dependencies): MiddlewareHandler<AccountEnv> =>
  async (c, next) => {
    c.set('link', await readAccountLink(dependencies, c.env.tenantId, c.env.url))
    await next()
  }
