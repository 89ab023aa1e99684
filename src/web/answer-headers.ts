import type { MiddlewareHandler } from 'hono'
import { commonHeaders } from './security-headers.ts'

/** What is no page has nothing to draw, wherever somebody shows it (ASVS 3.2.1, 3.4.3 and 3.4.6). */
const NOTHING_TO_DRAW = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The same for everybody, and asked for often: caches may keep them. */
const PUBLIC = /^\/(?:oidc\/(?:jwks|\.well-known\/.*)|api\/openapi\.json)$/

/**
 * The headers of every answer that did not bring its own: calls, redirects, refusals, failures, and what the provider's
 * library says. Outside of everything else, so that no route can be forgotten.
 */
export const answerHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers, status } = c.res
  const url = new URL(c.req.url)
  // The page that posts a code to an application: some ask whose page that was, which `same-origin` would hide.
  const posts = url.pathname.startsWith('/oidc/') && headers.get('content-type')?.includes('html')
  const wanted = {
    'content-security-policy': NOTHING_TO_DRAW,
    ...commonHeaders(url),
    ...(posts && { 'referrer-policy': 'strict-origin' }),
    ...(!(status === 200 && PUBLIC.test(url.pathname)) && { 'cache-control': 'no-store' }),
  }
  for (const [name, value] of Object.entries(wanted)) {
    if (!headers.has(name)) c.header(name, value)
  }
}
