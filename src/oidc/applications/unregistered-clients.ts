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
 * Supports clients that publish their own metadata document (ADR-0101, spec/provider#client-documents). It uses the
 * library's experimental feature, but our code fetches and reads the document.
 */

export type UnregisteredClientDependencies = {
  /** Returns the tenant's settings. */
  settings(): Promise<TenantSettings>
  documents: UnregisteredDocuments
}

export const isUnregistered = (client: Client) => isClientUrl(client.clientId)

type Feature = NonNullable<NonNullable<Configuration['features']>['clientIdMetadataDocument']>

export function unregisteredClientSupport({ settings, documents }: UnregisteredClientDependencies): {
  feature: Feature
  fetch: NonNullable<Configuration['fetch']>
} {
  const isEnabled = async () => (await settings()).unregisteredClients.enabled
  return {
    feature: {
      enabled: true,
      // If an updated library implements another draft, the library does not start and the tests fail.
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
    // The library fetches only the document that our code has just read.
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
 * The metadata documents, by request. The library would share one fetch among several requests. Our code fetches the
 * document for each request beforehand, so that no request depends on another one's fetch, which may be cancelled.
 */
const documentResponses = new WeakMap<KoaContextWithOIDC['oidc'], Response>()
/**
 * The requests whose metadata document was rejected. The library looks up the client again after a failed request,
 * which must not fetch the document a second time.
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
 * The routes on which a request may name an unregistered client. On other routes, such as end session, users should not
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
 * Applies the tenant's current limits to every request of an unregistered client, whatever was granted earlier. For
 * clients that registered themselves, the limits are already part of the client (`clients.ts`).
 */
export function limitUnregisteredClients(
  provider: Provider,
  { settings }: UnregisteredClientDependencies,
): void {
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

/** Returns whether the client may request a scope. Used for requests that name no scopes. */
export const mayRequestScope = (client: Client | undefined, scope: string): boolean =>
  !client || !isUnregistered(client) || (client.scope ?? '').split(' ').includes(scope)

/**
 * Adapts the discovery document to the tenant. It mentions unregistered clients and the registration endpoint only if
 * the tenant has enabled them; the library has one configuration for all tenants.
 */
export async function adaptDiscovery(
  { settings }: UnregisteredClientDependencies,
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
 * The library looks for undici under this name, to check the IP addresses it connects to. Workers do not have undici,
 * so the library would warn that nothing checks them. The platform does (`global_fetch_strictly_public`), and the
 * library makes no connections.
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
