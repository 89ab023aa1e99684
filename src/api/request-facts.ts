import { tracing } from 'cloudflare:workers'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request.ts'
import { refuseWith } from '../contract/refused.ts'
import { decideRouting, type RoutingDecision } from '../domain/tenants/hosts.ts'
import { logEvent, logRequest, type RequestLine } from '../storage/event-log.ts'
import { toRefusal } from './answer-errors.ts'

type RequestContext = Context<{ Variables: RequestFacts }>

/**
 * Determines the tenant (from the host), the id and the network address of a request. Responds with 404 if no tenant
 * has this host. In production, rejects requests over plain HTTP, and all requests until `HOSTS` is set
 * (spec/storage#tenant-hosts).
 */
export function collectRequestFacts({
  settings,
  tenants,
  now,
  floodLimits,
}: Pick<Dependencies, 'settings' | 'tenants' | 'now' | 'floodLimits'>): MiddlewareHandler<{
  Variables: RequestFacts
}> {
  const deployment = settings.hosting

  return async (c, next) => {
    // The API applies this middleware itself, because the API can also run without the surrounding app.
    if (c.get('requestId')) return next()
    const startedAt = now()
    const url = new URL(c.req.url)
    const requestId = crypto.randomUUID()
    c.set('url', url)
    c.set('requestId', requestId)
    c.set('ip', c.req.header('cf-connecting-ip'))
    const decision = decideRouting(url, deployment)
    if (['GET', 'HEAD'].includes(c.req.method)) {
      if (decision.kind === 'plainHttp') return c.redirect(decision.secureAddress, 308)
      if (decision.kind === 'elsewhere') return c.redirect(decision.address, 302)
    }
    c.set('tenantId', await tenantOf(decision, c.var).catch((error) => throwWithRequestId(c, error)))
    await next()
    c.header(REQUEST_ID, requestId)
    logCall(c, { url, duration: now() - startedAt })
  }

  async function tenantOf(
    decision: RoutingDecision,
    { requestId, ip }: Pick<RequestFacts, 'requestId' | 'ip'>,
  ): Promise<string> {
    switch (decision.kind) {
      case 'tenant':
        // One network that sends made-up host names must not exhaust the isolate's host lookups, which all networks
        // share (spec/limits#flood-limits).
        if (!tenants.isKnown(decision.tenantId)) {
          const { exceedsLimit, refuseTooManyRequests } = await import('../application/network-limit.ts')
          if (await exceedsLimit(floodLimits.pushedRequest, ip, 'host ')) refuseTooManyRequests()
        }
        return (await tenants.has(decision.tenantId)) ? decision.tenantId : refuseWith('entity.not_found')
      case 'unknownHost':
      case 'elsewhere':
        return refuseWith('entity.not_found')
      case 'plainHttp':
        return refuseWith('guard.https_required')
      case 'hostsMissing':
        logEvent('hosts-missing', { requestId, message: HOSTS_MISSING })
        return refuseWith('server.hosts_missing')
    }
  }
}

const HOSTS_MISSING =
  'Set HOSTS in [vars] of wrangler.local.toml, for example to id.example.com (docs/operations/configuration.md).'

const REQUEST_ID = 'X-Request-Id'

/** The request id is set here, because an error is turned into a response outside this middleware. */
function throwWithRequestId(c: RequestContext, error: unknown): never {
  c.header(REQUEST_ID, c.get('requestId'))
  throw error
}

/** Writes one line to the log and, if the request is traced, adds the same fields to its span (ADR-0050). */
function logCall(c: RequestContext, { url, duration }: { url: URL; duration: number }): void {
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

/** Page views are not logged: they are the most frequent requests and change nothing (spec/storage#log-lines). */
const hasLine = ({ req, res }: RequestContext, path: string) =>
  res.status >= 500 || !['GET', 'HEAD'].includes(req.method) || /^\/(?:api|oidc)\//.test(path)

/**
 * The patterns of the paths that the provider library serves behind a single Hono route. Interaction ids, as in
 * `/oidc/auth/{uid}` or `/oidc/device/{uid}`, are not logged.
 */
const PROVIDER_ROUTES =
  /^\/oidc\/(?:auth|device(?:\/auth)?|me|jwks|request|token(?:\/introspection|\/revocation)?|session\/end(?:\/confirm|\/success)?)$/

function routeOf(c: RequestContext, path: string): string {
  if (PROVIDER_ROUTES.test(path)) return path
  if (path.startsWith('/oidc/device/')) return '/oidc/device/:uid'
  return path.startsWith('/oidc/auth/') ? '/oidc/auth/:uid' : routePath(c)
}
