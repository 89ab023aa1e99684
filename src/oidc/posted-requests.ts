import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { RequestFacts } from '../application/request-facts.ts'
import { refuseWith } from '../contract/refused.ts'

/** Fits into an address everywhere: the edge allows 16 kB for address, headers and cookies. */
const BODY_MAX_BYTES = 8 * 1024
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/**
 * Browsers may send an authorization or logout request by POST, too (OIDC Core §3.1.2.1, RP-Initiated Logout 1.0 §2). Our
 * cookies are `SameSite=Lax`, so a POST from an application's page comes without them: the browser is redirected to
 * repeat the request by GET, which sends them.
 */
export function postedRequests(paths: readonly string[]): Hono<{ Variables: RequestFacts }> {
  const routes = new Hono<{ Variables: RequestFacts }>()
  const boundedBody = bodyLimit({
    maxSize: BODY_MAX_BYTES,
    onError: () => refuseWith('guard.invalid_input', undefined, 413),
  })
  for (const path of paths) {
    routes.post(path, boundedBody, async (c) => {
      if (!FORM.test(c.req.header('content-type') ?? '')) refuseWith('guard.invalid_input', undefined, 415)
      const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer())).toString()
      if (form.length > BODY_MAX_BYTES) refuseWith('guard.invalid_input', undefined, 413)
      return c.redirect(`${path}?${form}`, 303)
    })
  }
  return routes
}

/** What it brings is stored for a minute, and the client of an app need not authenticate. */
const PUSHED_MAX_BYTES = 4 * 1024

/** An unauthenticated client may push a request. RFC 9126 §2.3: above the limit of the server the answer is 413. */
export const boundedPushedRequest = bodyLimit({
  maxSize: PUSHED_MAX_BYTES,
  onError: (c) =>
    c.json({ error: 'invalid_request', error_description: 'the request is too large' }, 413, {
      'Cache-Control': 'no-store',
    }),
})
