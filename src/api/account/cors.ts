import type { MiddlewareHandler } from 'hono'
import type { RequestFacts } from '../../application/request-facts.ts'

/** Set by the gate once it knows whose token it is, and that this application has no pages there. */
export type CorsVariables = RequestFacts & { isForeignOrigin?: boolean }

const PREFLIGHT_SECONDS = 3600 // contract 4.7

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, PATCH, POST, PUT, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, DPoP, Accept-Language',
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
}

/**
 * The pages of applications call these routes from their own origins. A preflight brings no token, so it is always allowed
 * (contract 4.7); who answers the call itself knows the application. There are no cookies here: a page learns nothing it has
 * no token for, so that even a refused token may be read about.
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
