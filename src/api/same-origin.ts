import type { MiddlewareHandler } from 'hono'
import { refuseWith } from '../contract/refused.ts'
import { isSameOrigin } from '../domain/same-origin.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Rejects requests that change state if their `Origin` is not our own (spec/interaction#same-origin). */
export const requireSameOrigin: MiddlewareHandler = async (c, next) => {
  if (!safe.has(c.req.method) && !isSameOrigin(c.req.raw)) refuseWith('auth.forbidden')
  await next()
}
