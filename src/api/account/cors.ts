import type { MiddlewareHandler } from 'hono'
import type { RequestFacts } from '../../application/request.ts'

/** Authentication sets `isForeignOrigin` if the token's application does not allow the request's origin. */
export type CorsVariables = RequestFacts & { isForeignOrigin?: boolean }

const PREFLIGHT_SECONDS = 3600 // spec/provider#cors

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, PATCH, POST, PUT, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, DPoP, Accept-Language',
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
}

/**
 * Lets applications call these routes from their own origins (spec/provider#cors). A preflight contains no token, so it
 * is always allowed; the call itself is checked against the application that the token was issued to. The routes read
 * no cookies. A page can therefore read only the data that its token gives access to, or why its token was rejected.
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
