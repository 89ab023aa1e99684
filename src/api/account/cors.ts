import type { MiddlewareHandler } from 'hono'
import type { RequestFacts } from '../../application/request.ts'

/** Set by the authentication when the token's application has no pages at this origin. */
export type CorsVariables = RequestFacts & { isForeignOrigin?: boolean }

const PREFLIGHT_SECONDS = 3600 // spec/provider#cors

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, PATCH, POST, PUT, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, DPoP, Accept-Language',
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
}

/**
 * The pages of applications call these routes from their own origins (spec/provider#cors). A preflight carries no token,
 * so it is always allowed; the call itself is checked by the application of its token. No cookie is read, so a page learns
 * only what its token opens, and the refusal of a token may be read as well.
 */
export const accountCors: MiddlewareHandler<{ Variables: CorsVariables }> = async (c, next) => {
  await next()
  c.header('Vary', 'Origin', { append: true })
  const origin = c.req.header('origin')
  if (origin === undefined || c.var.isForeignOrigin) return

  c.header('Access-Control-Allow-Origin', origin)
  c.header('Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After, X-Request-Id')
  if (c.req.method !== 'OPTIONS' || !c.req.header('access-control-request-method')) return
  for (const [name, value] of Object.entries(preflightHeaders)) c.header(name, value)
}
