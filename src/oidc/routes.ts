import { handleAsNodeRequest } from 'cloudflare:node'
import { Hono } from 'hono'
import type { OidcPages } from '../application/applications/oidc-pages.ts'
import type { RequestFacts } from '../application/request.ts'
import { runInBackground } from '../storage/background.ts'
import { OIDC_PATH, REGISTRATION_PATH } from './mount.ts'
import { createUnitOfWork } from './persistence/unit-of-work.ts'
import { AUTHORIZATION_MAX_BYTES, LOGOUT_MAX_BYTES, limitRequestSizes } from './posted-requests.ts'
import { createProviderPorts, type ProviderDependencies } from './provider-ports.ts'
import { type ProviderRequest, runWithProviderRequest } from './request-context.ts'
import { carryOverSession, deleteOldSessionCookies } from './sessions/carried-session.ts'
import { readBrowser, updateBrowserCookie } from './sessions/remembered-browser.ts'

/**
 * Serves the OpenID Provider under /oidc. The library runs as a Node server inside the Worker, which can be reached
 * only through this route.
 */
export function oidcRoutes(
  dependencies: ProviderDependencies,
  pages: OidcPages,
): Hono<{ Variables: RequestFacts }> {
  const { db, now } = dependencies
  const ports = createProviderPorts(dependencies, pages)

  const bounded = limitRequestSizes({
    [`${OIDC_PATH}/auth`]: AUTHORIZATION_MAX_BYTES,
    [`${OIDC_PATH}/session/end`]: LOGOUT_MAX_BYTES,
  })
  const routes = new Hono<{ Variables: RequestFacts }>().route('/', bounded)
  // The pattern also matches the path itself.
  routes.use(`${REGISTRATION_PATH}/*`, async (c, next) => {
    const { enabled } = (await dependencies.tenantSettings.get(c.var.tenantId)).clientRegistration
    if (!enabled) return next()
    const { registrationRoutes } = await import('./applications/registration-routes.ts')
    return registrationRoutes(dependencies, REGISTRATION_PATH).fetch(c.req.raw, c.var, c.executionCtx)
  })
  return routes.all(`${OIDC_PATH}/*`, async (c) => {
    const { tenantId, requestId, ip } = c.var
    const { origin } = new URL(c.req.url)
    const port = await ports.portOf(tenantId, origin)
    const work = createUnitOfWork(db, tenantId, now)
    const { headers, isCarried: isCarriedSession } = carryOverSession(c.req.raw, await ports.cookieKeys())
    const request = asForwarded(c.req.raw, headers)
    const background = (task: () => Promise<unknown>) => runInBackground(c.executionCtx, c.var, task)

    const remembered = readBrowser(dependencies, tenantId, request)

    const providerRequest: ProviderRequest = {
      tenantId,
      requestId,
      ip,
      request,
      work,
      remembered,
      isCarriedSession,
      now,
      background,
    }
    const nodeResponse = await runWithProviderRequest(providerRequest, () =>
      handleAsNodeRequest(port, request),
    )
    const response = new Response(nodeResponse.body, nodeResponse)
    if (isCarriedSession) deleteOldSessionCookies(response)
    await updateBrowserCookie(dependencies, providerRequest, response)
    return response
  })
}

/**
 * Adds the scheme and host of the request URL as headers, because the library only sees plain HTTP requests to a local
 * port.
 */
function asForwarded(request: Request, incoming: Headers): Request {
  const { protocol, host } = new URL(request.url)
  const headers = new Headers(incoming)
  headers.set('x-forwarded-proto', protocol.slice(0, -1))
  headers.set('x-forwarded-host', host)
  headers.delete('x-forwarded-for')
  // The library recognises a body by headers that a stream of unknown length does not have.
  if (request.body && !headers.has('content-length')) headers.set('transfer-encoding', 'chunked')
  return new Request(request, { headers })
}
