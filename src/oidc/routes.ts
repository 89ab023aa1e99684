import { handleAsNodeRequest } from 'cloudflare:node'
import { createServer } from 'node:http'
import { Hono } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { OidcPages } from '../application/oidc-pages.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { afterAnswer } from '../storage/background.ts'
import { deriveText } from '../storage/seal.ts'
import { createClientMetadataSource } from './clients.ts'
import { startProvider } from './load-library.ts'
import { postedRequests } from './posted-requests.ts'
import { withProviderRequest } from './request-context.ts'
import { createUnitOfWork } from './unit-of-work.ts'

export const MOUNT = '/oidc'

/** Providers in one isolate: one for each tenant and origin (spec/provider#issuer). */
const MOST_PROVIDERS = 50

type ProviderDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'settings' | 'applications' | 'signingKeys' | 'interactions' | 'experience' | 'deliveries'
>

/** The OpenID Provider under /oidc: the library as a Node server inside the Worker, which only this route can reach. */
export function oidcRoutes(
  dependencies: ProviderDependencies,
  pages: OidcPages,
): Hono<{ Variables: RequestFacts }> {
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

  /** A provider per tenant, origin and version of the keys, each with its own port. */
  function createPorts() {
    const known = new Map<string, { port: number; close(): void }>()

    return {
      async portOf(tenantId: string, origin: string): Promise<number> {
        const keys = await dependencies.signingKeys.get(tenantId)
        const { cookieKeys, refreshKey } = await secrets
        const name = JSON.stringify([tenantId, origin, keys.version])
        const running = known.get(name)
        if (running) {
          // Moved to the end: the first is the one that was not used for longest.
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
          // The library derives its mount path from the difference of the two.
          Object.assign(req, { originalUrl: req.url })
          const path = req.url?.slice(MOUNT.length) ?? ''
          req.url = path.startsWith('/') ? path : `/${path}`
          void callback(req, res)
        }).listen(port)
        known.set(name, { port, close: () => server.close() })
        closeOldest(known)
        return port
      },
    }
  }
}

/** Ports exist inside the isolate alone and are shared by everything in it. */
let lastPort = 0
const nextPort = () => {
  lastPort = (lastPort % 65_535) + 1
  return lastPort
}

function closeOldest(known: Map<string, { close(): void }>): void {
  const [oldest] = known
  if (known.size <= MOST_PROVIDERS || !oldest) return
  known.delete(oldest[0])
  oldest[1].close()
}

/** The library sees plain http to a local port. Scheme and host come from the request's address. */
function asForwarded(request: Request): Request {
  const { protocol, host } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.set('x-forwarded-proto', protocol.slice(0, -1))
  headers.set('x-forwarded-host', host)
  headers.delete('x-forwarded-for')
  // The library finds out by the headers whether there is a body; a stream of unknown length has none of them.
  if (request.body && !headers.has('content-length')) headers.set('transfer-encoding', 'chunked')
  return new Request(request, { headers })
}
