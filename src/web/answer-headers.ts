import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import { strictTransportHeader } from '../domain/tenants/hosts.ts'
import { commonHeaders, STRICT_TRANSPORT } from './security-headers.ts'

/** An answer that is no page renders nothing, wherever it is shown (ASVS 5.0.0, 3.2.1, 3.4.3 and 3.4.6). */
const NOTHING_TO_RENDER = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Alike for all clients, and asked for often: caches may keep them. */
const PUBLIC = /^\/(?:oidc\/(?:jwks|\.well-known\/.*)|api\/openapi\.json)$/

/**
 * `Strict-Transport-Security`, and the other headers of every answer that does not bring its own: calls, redirects, refusals,
 * failures, and the answers of the provider's library. Outside of all routes, so that none can be forgotten.
 */
export const answerHeaders =
  ({ settings }: Pick<Dependencies, 'settings'>): MiddlewareHandler =>
  async (c, next) => {
    await next()
    const { headers, status } = c.res
    const url = new URL(c.req.url)
    const transport = strictTransportHeader(url, settings.hosting.hosts)
    if (transport) c.header(STRICT_TRANSPORT, transport)
    // A page brings the others.
    if (headers.has('permissions-policy')) return
    // The page that posts a code to an application: some check its origin, which `same-origin` would hide.
    const posts = url.pathname.startsWith('/oidc/') && headers.get('content-type')?.includes('html')
    const added = {
      'content-security-policy': NOTHING_TO_RENDER,
      ...commonHeaders,
      ...(posts && { 'referrer-policy': 'strict-origin' }),
      ...(!(status === 200 && PUBLIC.test(url.pathname)) && { 'cache-control': 'no-store' }),
    }
    for (const [name, value] of Object.entries(added)) {
      if (!headers.has(name)) c.header(name, value)
    }
  }
