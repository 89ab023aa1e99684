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

/** What the console reads of an answer (`console/api/client.ts`). */
const EXPOSED =
  'ETag, Total-Number, Total-Capped, Link, WWW-Authenticate, Retry-After, X-Request-Id, Content-Language'

/**
 * The console of a tenant calls from the host that `HOSTS` gives it (spec/console#own-host); no other page does. No cookie is
 * read here, so it learns only what its token opens.
 */
export function consoleCors({
  settings,
}: Pick<Dependencies, 'settings'>): MiddlewareHandler<{ Variables: RequestFacts }> {
  const circumstances = settings.hosting
  return async (c, next) => {
    await next()
    const { tenantId, url } = c.var
    const origin = tenantId === undefined ? null : dedicatedConsoleOrigin(tenantId, url, circumstances)
    if (origin === null) return
    c.header('Vary', 'Origin', { append: true })
    if (c.req.header('origin') !== origin) return
    c.header('Access-Control-Allow-Origin', origin)
    // The cookie that a test of a connector sets is for the callback, at this host (ADR-0140).
    c.header('Access-Control-Allow-Credentials', 'true')
    c.header('Access-Control-Expose-Headers', EXPOSED)
    if (c.req.method !== 'OPTIONS' || !c.req.header('access-control-request-method')) return
    for (const [name, value] of Object.entries(preflightHeaders)) c.header(name, value)
  }
}
