import type { MiddlewareHandler } from 'hono'
import { refuseWith } from '../contract/refused.ts'
import { isSameOrigin } from '../domain/same-origin.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Requires that a request that changes state and names its origin comes from our own pages
 * (spec/interaction#same-origin).
 */
export const sameOrigin: MiddlewareHandler = async (c, next) => {
  if (!safe.has(c.req.method) && !isSameOrigin(c.req.raw)) refuseWith('auth.forbidden')
  await next()
}
