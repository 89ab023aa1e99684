import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import { strictTransportSecurity } from '../domain/tenants/hosts.ts'

const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb']
  .map((name) => `${name}=()`)
  .join(', ')

/** The headers of every response, whether it is a page or not (spec/pages#headers). */
export const commonHeaders: Readonly<Record<string, string>> = {
  // The value `no-referrer` would make browsers send `Origin: null` with our own forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  // An application may open the sign-in in a popup and wait for a message from its callback page. With a stricter value
  // on any page or redirect, the popup would permanently lose its opener. Other headers prevent framing.
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': PERMISSIONS,
}

/**
 * The header that is not part of `commonHeaders`, because its value depends on the host (`strictTransportSecurity`).
 */
export const STRICT_TRANSPORT_HEADER = 'strict-transport-security'

/**
 * The policy for responses that are not pages. Browsers render nothing from such a response, even if it is embedded
 * (ASVS 5.0.0, 3.2.1, 3.4.3 and 3.4.6).
 */
const NOTHING_TO_RENDER = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The paths of documents that caches may store, because they are the same for all clients and frequently requested. */
const PUBLIC = /^\/(?:oidc\/(?:jwks|\.well-known\/.*)|api\/openapi\.json)$/

/**
 * Adds `Date` and `Strict-Transport-Security` to every response. Adds the other security headers to responses that do
 * not set them: API calls, redirects, errors, and responses from the provider's library. This middleware wraps all
 * routes, so that no route can be forgotten.
 */
export const addResponseHeaders =
  ({ settings }: Pick<Dependencies, 'settings'>): MiddlewareHandler =>
  async (c, next) => {
    await next()
    const { headers, status } = c.res
    const url = new URL(c.req.url)
    const transport = strictTransportSecurity(url, settings.hosting.hosts)
    if (transport) c.header(STRICT_TRANSPORT_HEADER, transport)
    // Cloudflare adds this header to responses, but the local runtime does not (RFC 9110 §6.6.1).
    c.header('date', new Date().toUTCString())
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
