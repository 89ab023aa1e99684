import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import { strictTransportSecurity } from '../domain/tenants/hosts.ts'
import { commonHeaders, STRICT_TRANSPORT_HEADER } from './security-headers.ts'

/**
 * The policy for responses that are not pages. Browsers render nothing from such a response, even if it is embedded
 * (ASVS 5.0.0, 3.2.1, 3.4.3 and 3.4.6).
 */
const NOTHING_TO_RENDER = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The paths of documents that caches may store, because they are the same for all clients and frequently requested. */
const PUBLIC = /^\/(?:oidc\/(?:jwks|\.well-known\/.*)|api\/openapi\.json)$/

/**
 * Adds `Strict-Transport-Security` to every response. Adds the other security headers to responses that do not set
 * them: API calls, redirects, errors, and responses from the provider's library. This middleware wraps all routes, so
 * that no route can be forgotten.
 */
export const addResponseHeaders =
  ({ settings }: Pick<Dependencies, 'settings'>): MiddlewareHandler =>
  async (c, next) => {
    await next()
    const { headers, status } = c.res
    const url = new URL(c.req.url)
    const transport = strictTransportSecurity(url, settings.hosting.hosts)
    if (transport) c.header(STRICT_TRANSPORT_HEADER, transport)
    // Pages set these headers themselves.
    if (headers.has('permissions-policy')) return
    // This page posts a code to an application. Some applications check the request's origin, which the policy
    // `same-origin` would hide from them.
    const isFormPostPage = url.pathname.startsWith('/oidc/') && headers.get('content-type')?.includes('html')
    const missingHeaders = {
      'content-security-policy': NOTHING_TO_RENDER,
      ...commonHeaders,
      ...(isFormPostPage && { 'referrer-policy': 'strict-origin' }),
      ...(!(status === 200 && PUBLIC.test(url.pathname)) && { 'cache-control': 'no-store' }),
    }
    for (const [name, value] of Object.entries(missingHeaders)) {
      if (!headers.has(name)) c.header(name, value)
    }
  }
