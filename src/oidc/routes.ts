import { handleAsNodeRequest } from 'cloudflare:node'
import { createServer } from 'node:http'
import { Hono } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { afterAnswer } from '../storage/background.ts'
import { deriveText } from '../storage/seal.ts'
import { createClientMetadataSource } from './clients.ts'
import { startProvider } from './load-library.ts'
import type { OidcPages } from './pages.ts'
import { postedRequests } from './posted-requests.ts'
import { withProviderRequest } from './request-context.ts'
import { createUnitOfWork } from './unit-of-work.ts'

export const MOUNT = '/oidc'

/** Providers kept in one isolate: one for each tenant and origin (decision 20). */
const MOST_PROVIDERS = 50

/** The OpenID Provider under /oidc: the library inside the Worker, as a Node server that only this route can reach. */
export function oidcRoutes(dependencies: Dependencies, pages: OidcPages): Hono<{ Variables: RequestFacts }> {
  const { db, now, settings } = dependencies
  const clients = createClientMetadataSource({
    application: (tenantId, id) => dependencies.applications.get(JSON.stringify([tenantId, id])),
    managementSecret: settings.managementClientSecret,
  })
  const secrets = derivedSecrets()
  const ports = createPorts()

  const byPost = postedRequests([`${MOUNT}/auth`, `${MOUNT}/session/end`])
  return new Hono<{ Variables: RequestFacts }>().route('/', byPost).all(`${MOUNT}/*`, async (c) => {
    const { tenantId, requestId, ip } = c.var
    const { origin } = new URL(c.req.url)
    const port = await ports.portOf(tenantId, origin)
    const work = createUnitOfWork(db, tenantId, now)
    const request = asForwarded(c.req.raw)
    const background = (task: () => Promise<unknown>) => afterAnswer(c.executionCtx, c.var, task)

    const answer = await withProviderRequest(
      { tenantId, requestId, ip, request, work, now, background },
      () => handleAsNodeRequest(port, request),
    )
    return new Response(answer.body, answer)
  })

  async function derivedSecrets() {
    const roots = [settings.rootSecret, ...(settings.rootSecretPrevious ? [settings.rootSecretPrevious] : [])]
    return {
      cookieKeys: await Promise.all(roots.map((root) => deriveText(root, 'cookies'))),
      refreshKey: await deriveText(settings.rootSecret, 'refresh-tokens'),
    }
  }

  /** A provider per tenant, origin and version of the keys, each behind a port of its own. */
  function createPorts() {
    const known = new Map<string, { port: number; close(): void }>()

    return {
      async portOf(tenantId: string, origin: string): Promise<number> {
        const keys = await dependencies.signingKeys.get(tenantId)
        const { cookieKeys, refreshKey } = await secrets
        const name = JSON.stringify([tenantId, origin, keys.version])
        const running = known.get(name)
        if (running) {
          // Behind the others: the one that was not asked for longest goes first.
          known.delete(name)
          known.set(name, running)
          return running.port
        }

        const provider = await startProvider(origin + MOUNT, {
          cookieKeys,
          refreshKey,
          db,
          keys,
          clients,
          pages,
          interactions: dependencies.interactions,
          experience: () => dependencies.experience.get(tenantId),
          deliveries: dependencies.deliveries,
        })
        const meanwhile = known.get(name)
        if (meanwhile) return meanwhile.port
        const callback = provider.callback()
        const port = nextPort()
        const server = createServer((req, res) => {
          // The library finds its mount path by comparing the two.
          Object.assign(req, { originalUrl: req.url })
          const below = req.url?.slice(MOUNT.length) ?? ''
          req.url = below.startsWith('/') ? below : `/${below}`
          void callback(req, res)
        }).listen(port)
        known.set(name, { port, close: () => server.close() })
        forgetOldest(known)
        return port
      },
    }
  }
}

/** Ports lead nowhere outside the isolate, and are shared by all that runs inside it. */
let lastPort = 0
const nextPort = () => {
  lastPort = (lastPort % 65_535) + 1
  return lastPort
}

function forgetOldest(known: Map<string, { close(): void }>): void {
  const [oldest] = known
  if (known.size <= MOST_PROVIDERS || !oldest) return
  known.delete(oldest[0])
  oldest[1].close()
}

/** Behind the edge the library sees plain http to a local port: what it was really asked comes from the address. */
function asForwarded(request: Request): Request {
  const { protocol, host } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.set('x-forwarded-proto', protocol.slice(0, -1))
  headers.set('x-forwarded-host', host)
  headers.delete('x-forwarded-for')
  // The library asks the headers whether there is a body; a stream of unknown length has none that says so.
  if (request.body && !headers.has('content-length')) headers.set('transfer-encoding', 'chunked')
  return new Request(request, { headers })
}
