import type { ClientKey } from '../../contract/applications/applications.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * The keys that a client publishes at this address, or why there are none; `kid` is the one that is looked for. `beforeFetch` throws
 * where nothing may be fetched now.
 */
export type ClientKeys = (
  address: string,
  kid: string | undefined,
  beforeFetch?: () => Promise<void>,
) => Promise<readonly ClientKey[] | string>

type CachedKeys = {
  keys: readonly ClientKey[] | string
  /** Epoch milliseconds. */
  readAt: number
  freshUntil: number
}

/** Key sets that an isolate keeps. */
const MAX_CACHED = 500

/** Milliseconds between two reads of a set, for a kid that it does not have or after a failure. An object: tests do not wait. */
export const keyReading = { pause: 30_000 }

/**
 * Key sets by address (spec/provider#client-keys). Each is read within the request that needs it: the Workers runtime ends the
 * work of a request whose client has gone, and a read that others wait for would end for them, too.
 */
export function createClientKeys({
  network,
  settings,
  now,
}: Pick<Dependencies, 'network' | 'settings' | 'now'>): ClientKeys {
  const cache = new BoundedMap<string, CachedKeys>(MAX_CACHED)

  return async (address, kid, beforeFetch) => {
    const cached = cache.get(address)
    const at = now()
    const isFresh = cached !== undefined && at < cached.freshUntil
    if (cached && ((isFresh && hasKey(cached, kid)) || at < cached.readAt + keyReading.pause))
      return cached.keys
    await beforeFetch?.()
    // Requests that come while it is read go on with what is known.
    if (cached && isFresh) cache.set(address, { ...cached, readAt: at })

    const { readKeySet } = await import('./read-key-set.ts')
    const { keys, freshSeconds } = await readKeySet(address, { network, settings, now })
    // A key that was taken out of the set does not live on because the set cannot be read; a guessed kid ends none.
    if (typeof keys !== 'string' || !isFresh) {
      cache.set(address, { keys, readAt: at, freshUntil: at + freshSeconds * 1000 })
    }
    return keys
  }
}

const hasKey = ({ keys }: CachedKeys, kid: string | undefined) =>
  typeof keys !== 'string' && (kid === undefined || keys.some((key) => key.kid === kid))
