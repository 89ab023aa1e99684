import { handleAsNodeRequest } from 'cloudflare:node'
import type { OidcPages } from '../application/applications/oidc-pages.ts'
import { createUnitOfWork } from './persistence/unit-of-work.ts'
import { createProviderPorts, type ProviderDependencies } from './provider-ports.ts'
import { type ProviderRequest, runWithProviderRequest } from './request-context.ts'
import { carryOverSession, deleteOldSessionCookies } from './sessions/carried-session.ts'
import { readBrowser, updateBrowserCookie } from './sessions/remembered-browser.ts'

export type ProviderServer = ReturnType<typeof createProviderServer>

type RequestSource = Pick<ProviderRequest, 'tenantId' | 'requestId' | 'ip' | 'background'>

/**
 * Runs the library as a Node server inside the Worker, which can be reached only through these functions: the route
 * `/oidc/*`, and a submission that finishes the authorization of its interaction.
 */
export function createProviderServer(dependencies: ProviderDependencies, pages: OidcPages) {
  const { db, now } = dependencies
  const ports = createProviderPorts(dependencies, pages)

  return {
    db,
    clients: ports.clients,
    interactions: dependencies.interactions,
    cookieKeys: ports.cookieKeys,

    /** Prepares a request. Nothing is read or run until `answer` is called. */
    async receive(incoming: Request, { tenantId, requestId, ip, background }: RequestSource) {
      const { headers, isCarried: isCarriedSession } = carryOverSession(incoming, await ports.cookieKeys())
      const request = asForwarded(incoming, headers)
      const providerRequest: ProviderRequest = {
        tenantId,
        requestId,
        ip,
        request,
        work: createUnitOfWork(db, tenantId, now),
        remembered: readBrowser(dependencies, tenantId, request),
        isCarriedSession,
        now,
        background,
      }
      return providerRequest
    },

    /** Runs the library for a request, and commits the request's writes unless it belongs to a submission. */
    async answer(providerRequest: ProviderRequest): Promise<Response> {
      const { tenantId, request, isCarriedSession } = providerRequest
      const port = await ports.portOf(tenantId, new URL(request.url).origin)
      const nodeResponse = await runWithProviderRequest(providerRequest, () =>
        handleAsNodeRequest(port, request),
      )
      const response = new Response(nodeResponse.body, nodeResponse)
      if (isCarriedSession) deleteOldSessionCookies(response)
      await updateBrowserCookie(dependencies, providerRequest, response)
      return response
    },
  }
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
