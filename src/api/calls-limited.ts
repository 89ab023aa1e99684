import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import { type Counter, exceedsLimit, refuseTooManyRequests } from '../application/network-limit.ts'
import type { RequestFacts } from '../application/request.ts'

/**
 * Limits how often one network may call an API that requires authentication (spec/limits#flood-limits). Runs before the
 * first database query. APIs with the same counter share one limit. Preflight requests are not counted, because they
 * make no database query.
 */
export const limitCalls =
  (
    { floodLimits }: Pick<Dependencies, 'floodLimits'>,
    counter: Counter,
  ): MiddlewareHandler<{ Variables: RequestFacts }> =>
  async (c, next) => {
    const isCounted = c.req.method !== 'OPTIONS'
    if (isCounted && (await exceedsLimit(floodLimits.token, c.var.ip, counter))) refuseTooManyRequests()
    await next()
  }
