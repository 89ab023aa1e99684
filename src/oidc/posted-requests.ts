import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { RequestFacts } from '../application/request.ts'
import { isFormRequest, readForm } from '../contract/form-body.ts'
import { refuseWith } from '../contract/refused.ts'

/**
 * Rejects requests with a query or form that is longer than their path allows, before anything is read or stored
 * (spec/limits#bodies). Authorization and logout requests may also be posted (OIDC Core §3.1.2.1, RP-Initiated Logout
 * 1.0 §2), but a cross-site POST does not include our `SameSite=Lax` cookies. Such requests are therefore redirected to
 * GET, which does include them.
 */
export function limitRequestSizes(maxBytes: Readonly<Record<string, number>>) {
  const routes = new Hono<{ Variables: RequestFacts }>()
  for (const [path, maxSize] of Object.entries(maxBytes)) {
    routes.use(path, async (c, next) => {
      refuseLonger(c.var.url.search.slice(1), maxSize)
      await next()
    })
    routes.post(path, bodyLimit({ maxSize, onError: refuseTooLarge }), async (c) => {
      if (!isFormRequest(c.req.raw)) refuseWith('guard.invalid_input', undefined, 415)
      const form = (await readForm(c.req)).toString()
      refuseLonger(form, maxSize)
      return c.redirect(`${path}?${form}`, 303)
    })
  }
  return routes
}

/** A query consists of ASCII characters, so its length is also its size in bytes. */
function refuseLonger(query: string, maxSize: number): void {
  if (query.length > maxSize) refuseTooLarge()
}

const refuseTooLarge = () => refuseWith('guard.invalid_input', undefined, 413)

/**
 * The limit is low, because an interaction stores the whole request for an hour. Pushed requests have the same limit
 * (spec/limits#bodies).
 */
export const AUTHORIZATION_MAX_BYTES = 4 * 1024
/**
 * The limit leaves room for an ID token in `id_token_hint`. Such a URL works everywhere, because the edge allows 16 kB
 * for the URL, headers and cookies.
 */
export const LOGOUT_MAX_BYTES = 8 * 1024

/**
 * Limits the size of pushed requests, because clients can send them unauthenticated. The error has the status 413 (RFC
 * 9126 §2.3).
 */
export const limitPushedRequestSize = bodyLimit({
  maxSize: AUTHORIZATION_MAX_BYTES,
  onError: (c) =>
    c.json({ error: 'invalid_request', error_description: 'the request is too large' }, 413, {
      'Cache-Control': 'no-store',
    }),
})
