import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request.ts'
import { findTenantByHost } from '../domain/tenants/hosts.ts'
import { runInBackground } from '../storage/background.ts'
import type { PublicDocument } from '../storage/public-documents.ts'
import { OIDC_PATH } from './mount.ts'

/** The documents that applications need to verify tokens. They do not depend on the caller. */
const PATHS = new Set(
  ['/jwks', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'].map(
    (path) => OIDC_PATH + path,
  ),
)

/**
 * A copy is fresh for only a minute, because new keys are published just ten minutes before they are used. While the
 * server fails, a stale copy may be used for a day (RFC 5861 §4). Our assumption: no database outage lasts longer.
 */
const CACHE_CONTROL = 'public, max-age=60, stale-if-error=86400'

/**
 * Serves the last good copy of the discovery document and keys while the database is down
 * (spec/storage#last-good-copies). It wraps the middleware that looks up the tenant and its keys, because that
 * middleware needs the database.
 */
export function serveLastGoodCopies({
  settings,
  publicDocuments,
}: Pick<Dependencies, 'settings' | 'publicDocuments'>): MiddlewareHandler<{ Variables: RequestFacts }> {
  const deployment = settings.hosting

  return async (c, next) => {
    const { method } = c.req
    await next()
    const url = new URL(c.req.url)
    const tenantId = findTenantByHost(url, deployment)
    if (tenantId === null || !PATHS.has(url.pathname) || !['GET', 'HEAD'].includes(method)) return
    const place = { tenantId, origin: url.origin, path: url.pathname }

    if (c.res.status === 200) {
      c.header('Cache-Control', CACHE_CONTROL)
      if (method === 'HEAD') return
      const document = {
        body: await c.res.clone().text(),
        contentType: c.res.headers.get('content-type') ?? 'application/json',
      }
      runInBackground(c.executionCtx, c.var, () => publicDocuments.keep(place, document))
    } else if (c.res.status === 503) {
      const copy = await publicDocuments.read(place).catch(() => null)
      if (!copy) return
      const requestId = c.res.headers.get('x-request-id')
      // Hono would otherwise keep the headers of the error response.
      c.res = undefined
      c.res = responseFor(copy)
      if (requestId) c.header('X-Request-Id', requestId)
    }
  }
}

const responseFor = ({ body, contentType }: PublicDocument) =>
  new Response(body, {
    headers: {
      'content-type': contentType,
      'cache-control': CACHE_CONTROL,
      'access-control-allow-origin': '*',
    },
  })
