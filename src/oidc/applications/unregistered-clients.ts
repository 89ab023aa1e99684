import {
  type Client,
  type Configuration,
  errors,
  type Grant,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import type { UnregisteredDocuments } from '../../application/applications/unregistered-clients.ts'
import { isClientAddress } from '../../contract/applications/unregistered-clients.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import { REGISTRATION } from '../mount.ts'
import { providerRequest } from '../request-context.ts'
import { allowedScopesOf } from './client-ceiling.ts'

/**
 * Clients that publish what they are (ADR-0101, spec/provider#client-documents): the experimental feature of the library,
 * with our fetch and our reading of the document in place of its own.
 */

export type UnregisteredClientParts = {
  /** The tenant's. */
  settings(): Promise<TenantSettings>
  documents: UnregisteredDocuments
}

export const isUnregistered = (client: Client) => isClientAddress(client.clientId)

type Feature = NonNullable<NonNullable<Configuration['features']>['clientIdMetadataDocument']>

export function unregisteredClients({ settings, documents }: UnregisteredClientParts): {
  feature: Feature
  fetch: NonNullable<Configuration['fetch']>
} {
  const isEnabled = async () => (await settings()).unregisteredClients.enabled
  return {
    feature: {
      enabled: true,
      // Another draft stops the provider from starting, and its tests.
      ack: 'draft-02',
      allowClient: isEnabled,
      async allowFetch(ctx, id) {
        const { oidc } = ctx as KoaContextWithOIDC
        if (!(await isEnabled()) || refused.has(oidc)) return false
        const { tenantId, ip, now } = providerRequest()
        const { limits } = await settings()
        const document = await documents(id, { tenantId, ip, limits, now: now() })
        if ('problem' in document) {
          refused.add(oidc)
          throw document.retryAfter === undefined
            ? new errors.InvalidClientMetadata(document.problem)
            : new TooManyDocuments(document.retryAfter)
        }
        read.set(
          oidc,
          new Response(JSON.stringify(document.metadata), { headers: keptFor(document.freshSeconds) }),
        )
        return true
      },
    },
    // The library calls it for the document that was just read, and for nothing else.
    async fetch() {
      const { oidc } = Provider.ctx ?? {}
      const response = oidc && read.get(oidc)
      if (!response) throw new Error('The library must not fetch by itself')
      return response
    },
  }
}

const keptFor = (seconds: number) => ({
  'content-type': 'application/json',
  'cache-control': `max-age=${seconds}`,
})

/**
 * By the request: its document. The library shares one fetch among requests; it is read before, by each for itself, so that none
 * waits for the network of another one, which may end.
 */
const read = new WeakMap<KoaContextWithOIDC['oidc'], Response>()
/** The library asks again for what a failed request wanted. */
const refused = new WeakSet<KoaContextWithOIDC['oidc']>()

export class TooManyDocuments extends errors.OIDCProviderError {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super(429, 'temporarily_unavailable')
    this.error_description = 'too many unregistered clients from this network'
    this.retryAfter = retryAfter
  }
}

/** Where such a client may be named. Elsewhere, as at the end of a session, nobody waits for its server. */
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
 * The ceiling of the tenant applies at each request, whatever was asked and granted before; for clients that registered
 * themselves it is in the client already (`clients.ts`).
 */
export function limitUnregisteredClients(provider: Provider, { settings }: UnregisteredClientParts): void {
  const { Client: clients, Grant: grants } = provider
  const find = clients.find.bind(clients)
  const findGrant = grants.find.bind(grants)
  const allowed = async () => allowedScopesOf((await settings()).unregisteredClients.scopes)

  const limitOf = async ({ clientId }: Grant) => {
    if (isClientAddress(clientId ?? '')) return (await allowed()).scope
    const { client } = Provider.ctx?.oidc ?? {}
    return client?.clientId === clientId && client?.isDynamicallyRegistered ? client.scope : undefined
  }

  grants.find = async (...args) => {
    const grant: unknown = await findGrant(...args)
    const limit = grant instanceof grants ? await limitOf(grant) : undefined
    if (grant instanceof grants && limit !== undefined) {
      const granted = new Set(grant.getOIDCScope().split(' '))
      const scopes = limit.split(' ').filter((each) => granted.has(each))
      Object.assign(grant, { openid: { ...grant.openid, scope: scopes.join(' ') } })
    }
    return grant as never
  }

  clients.find = async (id: string) => {
    if (typeof id !== 'string' || !isClientAddress(id)) return find(id)
    if (!routes.has(Provider.ctx?.oidc?.route)) return undefined
    const client = await find(id)
    const { resources } = (await settings()).unregisteredClients
    return client && Object.assign(client, { ...(await allowed()), allowedResources: resources ?? undefined })
  }
}

/** For a request without scopes: whether the ceiling has this one. */
export const mayAsk = (client: Client | undefined, scope: string): boolean =>
  !client || !isUnregistered(client) || (client.scope ?? '').split(' ').includes(scope)

/**
 * Discovery names these clients, and where others register, where the tenant has it on; the library knows one configuration
 * for all times.
 */
export async function tellClients(
  { settings }: UnregisteredClientParts,
  { body }: { body: unknown },
): Promise<void> {
  if (typeof body !== 'object' || body === null) return
  const { unregisteredClients, clientRegistration } = await settings()
  if (!unregisteredClients.enabled) Reflect.deleteProperty(body, 'client_id_metadata_document_supported')
  if (!clientRegistration.enabled) return
  const { origin } = new URL(providerRequest().request.url)
  Object.assign(body, { registration_endpoint: origin + REGISTRATION })
}

/**
 * Under this name the library looks for undici, by which it would look at the addresses it connects to; Workers have none, and
 * it would warn that nobody does. The platform does (`global_fetch_strictly_public`), and the library connects to nothing.
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
