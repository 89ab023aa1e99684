import type { MiddlewareHandler } from 'hono'
import { refuseWith } from '../contract/refused.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Decision 9: what changes state and says where it comes from must come from our own pages. What says nothing is no
 * browser. `Origin: null` is what a browser sends for our own form under some referrer policies; then
 * `Sec-Fetch-Site`, which no page can forge, has the last word.
 */
export const sameOrigin: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  const comesFromUs =
    safe.has(c.req.method) ||
    (origin === 'null'
      ? site === 'same-origin'
      : (origin === undefined || origin === new URL(c.req.url).origin) &&
        (site === undefined || site === 'same-origin'))
  if (!comesFromUs) refuseWith('auth.forbidden')
  await next()
}
