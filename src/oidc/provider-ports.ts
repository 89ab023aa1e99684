import { createServer } from 'node:http'
import { createClientKeys } from '../application/applications/client-keys.ts'
import type { OidcPages } from '../application/applications/oidc-pages.ts'
import type { UnregisteredDocuments } from '../application/applications/unregistered-clients.ts'
import type { Dependencies } from '../application/dependencies.ts'
import { BoundedMap } from '../domain/bounded-map.ts'
import { dedicatedConsoleOrigin } from '../domain/tenants/hosts.ts'
import { deriveText } from '../storage/seal.ts'
import { createClientMetadataSource } from './applications/clients.ts'
import { startProvider } from './load-library.ts'
import { OIDC_PATH } from './mount.ts'

/**
 * The maximum number of providers in one isolate. There is one for each combination of tenant and origin
 * (spec/provider#issuer).
 */
const MAX_PROVIDERS = 50

export type ProviderDependencies = Pick<
  Dependencies,
  | 'db'
  | 'seals'
  | 'now'
  | 'settings'
  | 'applications'
  | 'signingKeys'
  | 'interactions'
  | 'experience'
  | 'deliveries'
  | 'tenantSettings'
  | 'network'
  | 'floodLimits'
>

/**
 * Returns a function that starts a provider on a separate port for each combination of tenant, origin and key version.
 */
export function createProviderPorts(dependencies: ProviderDependencies, pages: OidcPages) {
  const { db, settings } = dependencies
  const clients = createClientMetadataSource({
    application: (tenantId, id) => dependencies.applications.get(JSON.stringify([tenantId, id])),
    seals: dependencies.seals,
    managementSecret: settings.managementClientSecret,
    registration: async (tenantId) => (await dependencies.tenantSettings.get(tenantId)).clientRegistration,
    consoleOrigin: (tenantId, url) => dedicatedConsoleOrigin(tenantId, url, settings.hosting) ?? url.origin,
  })
  const clientKeys = createClientKeys(dependencies)
  const documents: UnregisteredDocuments = async (...args) => {
    // This module is loaded when the first unregistered client sends a request.
    const { readUnregisteredClient } = await import('../application/applications/read-unregistered-client.ts')
    return readUnregisteredClient(dependencies, ...args)
  }
  const secrets = deriveSecrets(settings)
  const providers = new BoundedMap<string, { port: number; close(): void }>(MAX_PROVIDERS, (oldest) =>
    oldest.close(),
  )

  return {
    clients,
    cookieKeys: async () => (await secrets).cookieKeys,

    async portOf(tenantId: string, origin: string): Promise<number> {
      const keys = await dependencies.signingKeys.get(tenantId)
      const { cookieKeys, refreshKey } = await secrets
      const name = JSON.stringify([tenantId, origin, keys.version])
      const running = providers.get(name)
      if (running) return running.port

      const provider = await startProvider(origin + OIDC_PATH, {
        cookieKeys,
        refreshKey,
        db,
        keys,
        clients,
        pages,
        interactions: dependencies.interactions,
        experience: () => dependencies.experience.get(tenantId),
        deliveries: dependencies.deliveries,
        floodLimits: dependencies.floodLimits,
        environment: settings.environment,
        clientKeys,
        documents,
        settings: (options) => dependencies.tenantSettings.get(tenantId, options),
        limits: async () => (await dependencies.tenantSettings.get(tenantId)).limits,
      })
      const concurrent = providers.get(name)
      if (concurrent) return concurrent.port
      const callback = provider.callback()
      const port = nextPort()
      const server = createServer((req, res) => {
        // The library determines its mount path by comparing the two URLs.
        Object.assign(req, { originalUrl: req.url })
        const path = req.url?.slice(OIDC_PATH.length) ?? ''
        req.url = path.startsWith('/') ? path : `/${path}`
        void callback(req, res)
      }).listen(port)
      providers.set(name, { port, close: () => server.close() })
      return port
    },
  }
}

async function deriveSecrets({ rootSecret, rootSecretPrevious }: Dependencies['settings']) {
  const roots = [rootSecret, ...(rootSecretPrevious ? [rootSecretPrevious] : [])]
  return {
    cookieKeys: await Promise.all(roots.map((root) => deriveText(root, 'cookies'))),
    refreshKey: await deriveText(rootSecret, 'refresh-tokens'),
  }
}

/** Ports exist only inside the isolate, where all code shares them. */
let lastPort = 0
const nextPort = () => {
  lastPort = (lastPort % 65_535) + 1
  return lastPort
}
