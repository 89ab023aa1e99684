import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request.ts'
import { dedicatedConsoleOrigin } from '../domain/tenants/hosts.ts'

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, PATCH, POST, PUT, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, DPoP, If-Match, If-None-Match, Accept-Language',
  'Access-Control-Max-Age': '3600', // seconds (spec/provider#cors)
}

/** The response headers that the console reads (`console/api/client.ts`). */
const EXPOSED_HEADERS =
  'ETag, Total-Number, Total-Capped, Link, WWW-Authenticate, Retry-After, X-Request-Id, Content-Language'

/**
 * Allows a tenant's console to call the API from the host that `HOSTS` assigns to the console (spec/console#own-host).
 * No other cross-origin page may call the API. The API reads no cookies, so the console can read only the data that its
 * token gives access to.
 */
export function consoleCors({
  settings,
}: Pick<Dependencies, 'settings'>): MiddlewareHandler<{ Variables: RequestFacts }> {
  const hosting = settings.hosting
  return async (c, next) => {
    await next()
    const { tenantId, url } = c.var
    const origin = tenantId === undefined ? null : dedicatedConsoleOrigin(tenantId, url, hosting)
    if (origin === null) return
    c.header('Vary', 'Origin', { append: true })
    if (c.req.header('origin') !== origin) return
    c.header('Access-Control-Allow-Origin', origin)
    // A connector test sets a cookie on this host, which the provider's callback reads (ADR-0140).
    c.header('Access-Control-Allow-Credentials', 'true')
    c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    if (c.req.method !== 'OPTIONS' || !c.req.header('access-control-request-method')) return
    for (const [name, value] of Object.entries(preflightHeaders)) c.header(name, value)
  }
}
