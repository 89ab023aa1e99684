import { decodeProtectedHeader } from 'jose'
import { type Client, errors, Provider } from 'oidc-provider'
import type { ClientKeys } from '../../application/applications/client-keys.ts'
import { countClientDocument } from '../../application/applications/unregistered-clients.ts'
import type { ClientKey } from '../../contract/applications/applications.ts'
import { getProviderRequest } from '../request-context.ts'
import type { ClientLimitDependencies } from './client-authentication.ts'
import { isUnregistered, TooManyDocuments } from './unregistered-clients.ts'

export type ClientKeyDependencies = ClientLimitDependencies & { clientKeys: ClientKeys }

/**
 * Fetches the keys that a client publishes at a URL, and gives them to the library when an assertion arrives. This
 * replaces the library's own fetch (ADR-0100).
 */
export function supplyClientKeys(provider: Provider, { clientKeys, ...parts }: ClientKeyDependencies): void {
  const { Client: clients } = provider
  const find = clients.find.bind(clients)

  clients.find = async (id: string) => {
    const client = await find(id)
    const assertion = Provider.ctx?.oidc?.params?.client_assertion
    if (client?.jwksUri === undefined || typeof assertion !== 'string') return client
    // Only fetches for unregistered clients are limited. For other clients, the key URL was set during registration.
    const count = isUnregistered(client) ? () => countFetch(parts) : undefined
    const keys = await clientKeys(client.jwksUri, kidOf(assertion), count)
    if (typeof keys === 'string') {
      throw new errors.InvalidClientAuth(`the keys of the client cannot be read: ${keys}`)
    }
    replaceKeys(client, keys)
    return client
  }
}

async function countFetch({ db, environment, limits }: ClientLimitDependencies): Promise<void> {
  const { tenantId, ip, now } = getProviderRequest()
  const request = { tenantId, ip, limits: await limits(), now: now() }
  const retryAfter = await countClientDocument({ db, environment }, request)
  if (retryAfter !== null) throw new TooManyDocuments(retryAfter)
}

function kidOf(assertion: string): string | undefined {
  try {
    return decodeProtectedHeader(assertion).kid
  } catch {
    // If an assertion cannot be decoded, the library rejects it.
    return undefined
  }
}

type KeyStore = { clear(): void; add(key: ClientKey): void; freshUntil?: number }

/**
 * Adds keys to the library's key store and prevents the library from fetching them. A test verifies assertions with
 * these keys.
 */
function replaceKeys(client: Client, keys: readonly ClientKey[]): void {
  const store = Reflect.get(client, 'asymmetricKeyStore') as KeyStore
  store.clear()
  for (const key of keys) store.add(key)
  store.freshUntil = Number.POSITIVE_INFINITY
}
