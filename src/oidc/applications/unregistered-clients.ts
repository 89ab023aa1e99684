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
import { isClaimOf } from '../../domain/applications/claims.ts'
import { isTemplateClaimId } from '../../domain/applications/template-claims.ts'
import { REGISTRATION_PATH } from '../mount.ts'
import { getProviderRequest } from '../request-context.ts'
import { clientLimits } from './client-ceiling.ts'

/**
 * Supports clients that publish their own metadata document (ADR-0101, spec/provider#client-documents). This is an
 * experimental feature of the library, but our own code fetches and reads the document.
 */

export type UnregisteredClientDependencies = {
  /** Returns the tenant's settings. */
  settings(options?: { fresh?: boolean }): Promise<TenantSettings>
  documents: UnregisteredDocuments
}

export const isUnregistered = (client: Client) => isClientUrl(client.clientId)

type Feature = NonNullable<NonNullable<Configuration['features']>['clientIdMetadataDocument']>

export function createUnregisteredClientSupport({ settings, documents }: UnregisteredClientDependencies): {
  feature: Feature
  fetch: NonNullable<Configuration['fetch']>
} {
  const isEnabled = async () => (await settings()).unregisteredClients.enabled
  return {
    feature: {
      enabled: true,
      // If an update of the library implements another draft, the library does not start and tests fail.
      ack: 'draft-02',
      allowClient: isEnabled,
      async allowFetch(ctx, id) {
        const { oidc } = ctx as KoaContextWithOIDC
        if (!(await isEnabled()) || refusedRequests.has(oidc)) return false
        const { tenantId, ip, now } = getProviderRequest()
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
    // This fetch is made only by the library, for the document that our code has just read.
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
 * The metadata documents, keyed by request. Our code fetches the document for each request, before the library needs
 * it. The library would share one fetch between requests, and all of them would fail if the fetch were cancelled.
 */
const documentResponses = new WeakMap<KoaContextWithOIDC['oidc'], Response>()
/**
 * The requests whose metadata document was rejected. After a failed request, the library looks up the client again, and
 * the document must not be fetched a second time.
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
 * The routes on which an unregistered client may be named. On all other routes, such as end session, users should not
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
 * Applies the tenant's current limits to every request of an unregistered client, even if more was granted earlier. For
 * clients that have registered themselves, `clients.ts` does this.
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
      const allowed = limit.split(' ')
      const scopes = allowed.filter((scope) => granted.has(scope))
      const claims = grant
        .getOIDCClaims()
        .filter((claim) => isClaimOf(allowed, claim) || isTemplateClaimId(claim))
      Object.assign(grant, { openid: { ...grant.openid, scope: scopes.join(' '), claims } })
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

/** Reports whether the client may request a scope. Used for requests without a scope. */
export const mayRequestScope = (client: Client | undefined, scope: string): boolean =>
  !client || !isUnregistered(client) || (client.scope ?? '').split(' ').includes(scope)

/**
 * Adapts the discovery document to the tenant. The library has one configuration for all tenants, so the document would
 * otherwise always mention unregistered clients and the registration endpoint, which tenants have to enable.
 */
export async function adaptDiscovery(
  { settings }: UnregisteredClientDependencies,
  { body }: { body: unknown },
): Promise<void> {
  if (typeof body !== 'object' || body === null) return
  const { unregisteredClients, clientRegistration } = await settings()
  if (!unregisteredClients.enabled) Reflect.deleteProperty(body, 'client_id_metadata_document_supported')
  if (!clientRegistration.enabled) return
  const { origin } = new URL(getProviderRequest().request.url)
  Object.assign(body, { registration_endpoint: origin + REGISTRATION_PATH })
}

/**
 * The library checks for undici under this name, because undici can check the IP addresses of connections. Workers do
 * not have it, so the library would log a warning. The platform makes this check instead
 * (`global_fetch_strictly_public`), and the library makes no connections.
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
