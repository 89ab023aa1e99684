import type { MiddlewareHandler } from 'hono'
import { refuseWith } from '../contract/refused.ts'
import { isSameOrigin } from '../domain/same-origin.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Decision 9: what changes state and says where it comes from must come from our own pages. */
export const sameOrigin: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin') ?? null
  const site = c.req.header('sec-fetch-site') ?? null
  if (!safe.has(c.req.method) && !isSameOrigin(new URL(c.req.url).origin, { origin, site })) {
    refuseWith('auth.forbidden')
  }
  await next()
}
