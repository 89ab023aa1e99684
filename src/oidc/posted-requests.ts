import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { RequestFacts } from '../application/request-facts.ts'
import { refuseWith } from '../contract/refused.ts'

/** What fits into an address everywhere: at the edge it ends at 16 kB, headers and cookies besides. */
const BODY_MAX_BYTES = 8 * 1024
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/**
 * What a browser asks the provider by GET it may ask by POST, too (OIDC Core §3.1.2.1, RP-Initiated Logout 2).
 * A post from an application's page comes without our cookies, which are `SameSite=Lax`; so the browser is told to
 * ask again by GET, and brings them.
 */
export function postedRequests(paths: readonly string[]): Hono<{ Variables: RequestFacts }> {
  const routes = new Hono<{ Variables: RequestFacts }>()
  const limited = bodyLimit({
    maxSize: BODY_MAX_BYTES,
    onError: () => refuseWith('guard.invalid_input', undefined, 413),
  })
  for (const path of paths) {
    routes.post(path, limited, async (c) => {
      if (!FORM.test(c.req.header('content-type') ?? '')) refuseWith('guard.invalid_input', undefined, 415)
      const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer())).toString()
      if (form.length > BODY_MAX_BYTES) refuseWith('guard.invalid_input', undefined, 413)
      return c.redirect(`${path}?${form}`, 303)
    })
  }
  return routes
}
