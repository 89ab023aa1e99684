import type { ClientKey } from '../../contract/applications/applications.ts'
import { DocumentFailure } from '../../outbound/applications/client-documents.ts'
import { fetchKeySet } from '../../outbound/applications/client-key-sets.ts'
import type { Dependencies } from '../dependencies.ts'

/** Fetches the key set at a URL. Returns the keys, or the reason why the set cannot be used. */
export async function readKeySet(
  address: string,
  { network, settings, now }: Pick<Dependencies, 'network' | 'settings' | 'now'>,
): Promise<{ keys: readonly ClientKey[] | string; freshSeconds: number }> {
  try {
    const call = { fetch: network.fetch, environment: settings.environment, now }
    const { keys, freshSeconds } = await fetchKeySet(address, call)
    return { keys, freshSeconds }
  } catch (error) {
    if (error instanceof DocumentFailure) return { keys: error.message, freshSeconds: 0 }
    throw error
  }
}
