import type { MiddlewareHandler } from 'hono'
import { DEFAULT_TENANT } from '../contract/product.ts'
import type { AppVariables } from '../env.ts'

/** What every request is known by, in logs, errors and rows. */
export const requestFacts: MiddlewareHandler<{ Variables: AppVariables }> = async (c, next) => {
  if (!c.var.requestId) {
    c.set('requestId', crypto.randomUUID())
    c.set('tenantId', DEFAULT_TENANT)
    c.set('ip', c.req.header('cf-connecting-ip'))
  }
  await next()
  c.header('X-Request-Id', c.var.requestId)
}
