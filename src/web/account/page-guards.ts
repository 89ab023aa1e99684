import type { MiddlewareHandler } from 'hono'
import { INVITATION_PATH } from '../../application/access/invite.ts'
import { readAccountLink } from '../../application/account/account-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { type AccountEnv, refusedPage } from './account-request.ts'
import { CALLBACK } from './redirect.ts'

/** What a tenant without account centre has, too: its administrators begin here (spec/account-centre#invitations). */
const always: readonly string[] = [INVITATION_PATH, CALLBACK]

export const centreGuard =
  (dependencies: Dependencies): MiddlewareHandler<AccountEnv> =>
  async (c, next) => {
    const { accountCentre } = await dependencies.tenantSettings.get(c.env.tenantId)
    const isThere = accountCentre.enabled || always.includes(c.env.url.pathname)
    return isThere ? next() : refusedPage(dependencies, c, 404)
  }

/** How a page was opened, before anything of it is shown or done. */
export const linkGuard =
  (dependencies: Dependencies): MiddlewareHandler<AccountEnv> =>
  async (c, next) => {
    c.set('link', await readAccountLink(dependencies, c.env.tenantId, c.env.url))
    await next()
  }
