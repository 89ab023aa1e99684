import { decodeProtectedHeader } from 'jose'
import { type Client, errors, Provider } from 'oidc-provider'
import type { ClientKeys } from '../../application/applications/client-keys.ts'
import { countClientDocument } from '../../application/applications/unregistered-clients.ts'
import type { ClientKey } from '../../contract/applications/applications.ts'
import { providerRequest } from '../request-context.ts'
import type { ClientLimitParts } from './client-authentication.ts'
import { isUnregistered, TooManyDocuments } from './unregistered-clients.ts'

export type ClientKeyParts = ClientLimitParts & { clientKeys: ClientKeys }

/** Gives the library the keys of clients by address when an assertion comes, in place of its own fetch (ADR-0100). */
export function keepClientKeys(provider: Provider, { clientKeys, ...parts }: ClientKeyParts): void {
  const { Client: clients } = provider
  const find = clients.find.bind(clients)

  clients.find = async (id: string) => {
    const client = await find(id)
    const assertion = Provider.ctx?.oidc?.params?.client_assertion
    if (client?.jwksUri === undefined || typeof assertion !== 'string') return client
    // Whoever registered the others chose their addresses.
    const count = isUnregistered(client) ? () => countFetch(parts) : undefined
    const keys = await clientKeys(client.jwksUri, kidOf(assertion), count)
    if (typeof keys === 'string') {
      throw new errors.InvalidClientAuth(`the keys of the client cannot be read: ${keys}`)
    }
    give(client, keys)
    return client
  }
}

async function countFetch({ db, environment, limits }: ClientLimitParts): Promise<void> {
  const { tenantId, ip, now } = providerRequest()
  const circumstances = { tenantId, ip, limits: await limits(), now: now() }
  const retryAfter = await countClientDocument({ db, environment }, circumstances)
  if (retryAfter !== null) throw new TooManyDocuments(retryAfter)
}

function kidOf(assertion: string): string | undefined {
  try {
    return decodeProtectedHeader(assertion).kid
  } catch {
    // The library refuses it.
    return undefined
  }
}

type KeyStore = { clear(): void; add(key: ClientKey): void; freshUntil?: number }

/** A store of the library that never reads the address by itself; a test verifies assertions by what is put there. */
function give(client: Client, keys: readonly ClientKey[]): void {
  const store = Reflect.get(client, 'asymmetricKeyStore') as KeyStore
  store.clear()
  for (const key of keys) store.add(key)
  store.freshUntil = Number.POSITIVE_INFINITY
}
