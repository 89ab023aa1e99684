import type { MiddlewareHandler } from 'hono'
import { refuseWith } from '../contract/refused.ts'
import { isSameOrigin } from '../domain/same-origin.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A request that changes state and names its origin must come from our own pages (spec/interaction#same-origin). */
export const sameOrigin: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin') ?? null
  const site = c.req.header('sec-fetch-site') ?? null
  if (!safe.has(c.req.method) && !isSameOrigin(new URL(c.req.url).origin, { origin, site })) {
    refuseWith('auth.forbidden')
  }
  await next()
}
