import type { MiddlewareHandler } from 'hono'
import { refuseAboveAccountLimit } from '../../application/account-limit.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { isAboveLimit, refuseAboveLimit } from '../../application/network-limit.ts'
import type { RequestFacts } from '../../application/request-facts.ts'
import type { AccountVariables } from './authentication.ts'

const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Limits how often one network calls (spec/limits#flood-limits), before a query. A preflight costs none. */
export const callsLimited =
  ({ floodLimits }: Pick<Dependencies, 'floodLimits'>): MiddlewareHandler<{ Variables: RequestFacts }> =>
  async (c, next) => {
    const isCounted = c.req.method !== 'OPTIONS'
    if (isCounted && (await isAboveLimit(floodLimits.token, c.var.ip, 'account '))) refuseAboveLimit()
    await next()
  }

/** Limits what one account changes through one application (spec/limits#account-floods). */
export const changesLimited =
  (dependencies: Pick<Dependencies, 'floodLimits'>): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    const { tenantId, ip, signedIn } = c.var
    const action = { tenantId, ip, userId: signedIn.user.id, applicationId: signedIn.token.clientId }
    if (CHANGES.includes(c.req.method)) await refuseAboveAccountLimit(dependencies, 'change', action)
    await next()
  }
