import { tracing } from 'cloudflare:workers'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { refuseWith } from '../contract/refused.ts'
import { tenantNamedBy } from '../domain/hosts.ts'
import { logRequest, type RequestLine } from '../storage/event-log.ts'
import { toRefusal } from './answer-errors.ts'

type HouseContext = Context<{ Variables: RequestFacts }>

/**
 * What every request is known by, in logs, errors and rows; first of all by the tenant whose host it came to. A host that
 * is nobody's is no issuer (decision 20): there is nothing there.
 */
export function requestFacts({
  settings,
  tenants,
  now,
}: Pick<Dependencies, 'settings' | 'tenants' | 'now'>): MiddlewareHandler<{ Variables: RequestFacts }> {
  const circumstances = { hosts: settings.hosts, isDevelopment: settings.environment === 'development' }

  return async (c, next) => {
    // A room inside the house asks again for what was found out at its door.
    if (c.var.requestId) return next()
    const begun = now()
    const url = new URL(c.req.url)
    c.set('requestId', crypto.randomUUID())
    // At once for who is refused here, and again for an answer that came about by itself.
    c.header('X-Request-Id', c.var.requestId)
    c.set('ip', c.req.header('cf-connecting-ip'))
    const tenantId = tenantNamedBy(url, circumstances)
    if (tenantId === null || !(await tenants.has(tenantId))) refuseWith('entity.not_found')
    c.set('tenantId', tenantId)
    await next()
    c.header('X-Request-Id', c.var.requestId)
    tell(c, { url, duration: now() - begun })
  }
}

/** One line in the log, and the same facts on the span of the request, if it is traced (decision record 0050). */
function tell(c: HouseContext, { url, duration }: { url: URL; duration: number }): void {
  const span = tracing.getActiveSpan()
  const isLogged = hasLine(c, url.pathname)
  if (!isLogged && !span?.isTraced) return

  const { status } = c.res
  const ray = c.req.header('cf-ray')
  const { audited, requestId, tenantId } = c.var
  const line: RequestLine = {
    'http.request.method': c.req.method,
    'http.route': routeOf(c, url.pathname),
    'http.response.status_code': status,
    'http.server.request.duration': duration / 1000,
    ...(status >= 400 && { 'error.type': c.error ? toRefusal(c.error).code : String(status) }),
    'server.address': url.hostname,
    ...(ray && { 'cloudflare.ray_id': ray }),
    'vestibule.tenant.id': tenantId,
    ...(audited && { 'vestibule.audit': audited }),
  }
  if (isLogged) logRequest(requestId, line)
  span?.setAttributes({ ...line, 'vestibule.audit': audited?.join(' '), 'vestibule.request.id': requestId })
}

/** Looking at a page leaves none: pages are most of all requests, and change nothing. */
const hasLine = ({ req, res }: HouseContext, path: string) =>
  res.status >= 500 || !['GET', 'HEAD'].includes(req.method) || /^\/(?:api|oidc)\//.test(path)

/** The library's addresses are behind one route of ours. The last may be a secret of the visitor: `/oidc/auth/{uid}`. */
const PROVIDER_ROUTES =
  /^\/oidc\/(?:auth|me|jwks|request|token(?:\/introspection|\/revocation)?|session\/end(?:\/confirm|\/success)?)$/

function routeOf(c: HouseContext, path: string): string {
  if (PROVIDER_ROUTES.test(path)) return path
  return path.startsWith('/oidc/auth/') ? '/oidc/auth/:uid' : routePath(c)
}
