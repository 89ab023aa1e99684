import {
  type Client,
  type Configuration,
  errors,
  type Grant,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import type { UnregisteredDocuments } from '../../application/applications/unregistered-clients.ts'
import { isClientUrl } from '../../contract/applications/unregistered-clients.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import { REGISTRATION_PATH } from '../mount.ts'
import { providerRequest } from '../request-context.ts'
import { clientLimits } from './client-ceiling.ts'

/**
 * Supports clients that publish their own metadata (ADR-0101, spec/provider#client-documents) with the library's
 * experimental feature, in which our code fetches and reads the document.
 */

export type UnregisteredClientParts = {
  /** Returns the settings of the tenant. */
  settings(): Promise<TenantSettings>
  documents: UnregisteredDocuments
}

export const isUnregistered = (client: Client) => isClientUrl(client.clientId)

type Feature = NonNullable<NonNullable<Configuration['features']>['clientIdMetadataDocument']>

export function unregisteredClients({ settings, documents }: UnregisteredClientParts): {
  feature: Feature
  fetch: NonNullable<Configuration['fetch']>
} {
  const isEnabled = async () => (await settings()).unregisteredClients.enabled
  return {
    feature: {
      enabled: true,
      // If an updated library implements another draft, it refuses to start, so the tests fail.
      ack: 'draft-02',
      allowClient: isEnabled,
      async allowFetch(ctx, id) {
        const { oidc } = ctx as KoaContextWithOIDC
        if (!(await isEnabled()) || refusedRequests.has(oidc)) return false
        const { tenantId, ip, now } = providerRequest()
        const { limits } = await settings()
        const document = await documents(id, { tenantId, ip, limits, now: now() })
        if ('problem' in document) {
          refusedRequests.add(oidc)
          throw document.retryAfter === undefined
            ? new errors.InvalidClientMetadata(document.problem)
            : new TooManyDocuments(document.retryAfter)
        }
        documentResponses.set(
          oidc,
          new Response(JSON.stringify(document.metadata), { headers: cacheHeaders(document.freshSeconds) }),
        )
        return true
      },
    },
    // The library fetches only the document that was just read.
    async fetch() {
      const { oidc } = Provider.ctx ?? {}
      const response = oidc && documentResponses.get(oidc)
      if (!response) throw new Error('The library must not fetch anything itself')
      return response
    },
  }
}

const cacheHeaders = (seconds: number) => ({
  'content-type': 'application/json',
  'cache-control': `max-age=${seconds}`,
})

/**
 * The document of each request. The library would share one fetch among several requests. Instead, each request reads
 * its document beforehand, so that none depends on the network call of another request, which may be cancelled.
 */
const documentResponses = new WeakMap<KoaContextWithOIDC['oidc'], Response>()
/**
 * The requests whose document was refused. They are remembered because the library asks for the client again when a
 * request has failed.
 */
const refusedRequests = new WeakSet<KoaContextWithOIDC['oidc']>()

export class TooManyDocuments extends errors.OIDCProviderError {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super(429, 'temporarily_unavailable')
    this.error_description = 'too many unregistered clients from this network'
    this.retryAfter = retryAfter
  }
}

/**
 * The routes on which a request may name such a client. On other routes, such as the end of a session, users should not
 * have to wait for the client's server.
 */
const routes = new Set<string | undefined>([
  'authorization',
  'resume',
  'pushed_authorization_request',
  'token',
  'revocation',
  'introspection',
  'userinfo',
])

/**
 * Applies the tenant's limits to every request, whatever was requested and granted earlier. For clients that registered
 * themselves, the limits are already part of the client (`clients.ts`).
 */
export function limitUnregisteredClients(provider: Provider, { settings }: UnregisteredClientParts): void {
  const { Client: clients, Grant: grants } = provider
  const find = clients.find.bind(clients)
  const findGrant = grants.find.bind(grants)
  const allowed = async () => clientLimits((await settings()).unregisteredClients.scopes)

  const limitOf = async ({ clientId }: Grant) => {
    if (isClientUrl(clientId ?? '')) return (await allowed()).scope
    const { client } = Provider.ctx?.oidc ?? {}
    return client?.clientId === clientId && client?.isDynamicallyRegistered ? client.scope : undefined
  }

  grants.find = async (...args) => {
    const grant: unknown = await findGrant(...args)
    const limit = grant instanceof grants ? await limitOf(grant) : undefined
    if (grant instanceof grants && limit !== undefined) {
      const granted = new Set(grant.getOIDCScope().split(' '))
      const scopes = limit.split(' ').filter((scope) => granted.has(scope))
      Object.assign(grant, { openid: { ...grant.openid, scope: scopes.join(' ') } })
    }
    return grant as never
  }

  clients.find = async (id: string) => {
    if (typeof id !== 'string' || !isClientUrl(id)) return find(id)
    if (!routes.has(Provider.ctx?.oidc?.route)) return undefined
    const client = await find(id)
    const { resources } = (await settings()).unregisteredClients
    return client && Object.assign(client, { ...(await allowed()), allowedResources: resources ?? undefined })
  }
}

/** Returns whether the client may use a scope, for requests that name no scopes. */
export const mayRequestScope = (client: Client | undefined, scope: string): boolean =>
  !client || !isUnregistered(client) || (client.scope ?? '').split(' ').includes(scope)

/**
 * Adapts the discovery document: these clients and the registration endpoint are included only if the tenant has
 * enabled them, but the library knows only one configuration.
 */
export async function adaptDiscovery(
  { settings }: UnregisteredClientParts,
  { body }: { body: unknown },
): Promise<void> {
  if (typeof body !== 'object' || body === null) return
  const { unregisteredClients, clientRegistration } = await settings()
  if (!unregisteredClients.enabled) Reflect.deleteProperty(body, 'client_id_metadata_document_supported')
  if (!clientRegistration.enabled) return
  const { origin } = new URL(providerRequest().request.url)
  Object.assign(body, { registration_endpoint: origin + REGISTRATION_PATH })
}

/**
 * The library uses this name to find undici, with which it would check the addresses it connects to. Workers do not
 * have undici, and the library would warn that nothing checks them. The platform does (`global_fetch_strictly_public`),
 * and the library makes no connections.
 */
const UNDICI = Symbol.for('undici.globalDispatcher.1')
if (!Reflect.has(globalThis, UNDICI)) {
  class NoDispatcher {
    on(): this {
      return this
    }
  }
  Reflect.set(globalThis, UNDICI, new NoDispatcher())
}
