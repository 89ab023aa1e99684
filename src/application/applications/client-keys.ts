import type { ClientKey } from '../../contract/applications/applications.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Returns the keys that a client publishes at an address, or the reason why there are none. `kid` is the id of the
 * required key. `beforeFetch` throws if nothing may be fetched now.
 */
export type ClientKeys = (
  address: string,
  kid: string | undefined,
  beforeFetch?: () => Promise<void>,
) => Promise<readonly ClientKey[] | string>

type CachedKeys = {
  keys: readonly ClientKey[] | string
  /** The time at which the keys were read, in epoch milliseconds. */
  readAt: number
  /** The time until which the keys are fresh, in epoch milliseconds. */
  freshUntil: number
}

/** The number of key sets that an isolate caches. */
const MAX_CACHED = 500

/**
 * The milliseconds between two reads of a set, after a failure or for a kid that the set does not contain. This is an
 * object so that tests can shorten it.
 */
export const keySetRefresh = { pause: 30_000 }

/**
 * Creates a cache of key sets by their address (spec/provider#client-keys). Each set is read within the request that
 * needs it. The Workers runtime stops the work of a request whose client has disconnected, so a shared read would also
 * fail for others.
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
    if (cached && ((isFresh && hasKey(cached, kid)) || at < cached.readAt + keySetRefresh.pause))
      return cached.keys
    await beforeFetch?.()
    // Requests that arrive during this read continue with the cached keys.
    if (cached && isFresh) cache.set(address, { ...cached, readAt: at })

    const { readKeySet } = await import('./read-key-set.ts')
    const { keys, freshSeconds } = await readKeySet(address, { network, settings, now })
    // A key that was removed from the set must not stay valid because the set cannot be read. A guessed kid must not
    // remove keys.
    if (typeof keys !== 'string' || !isFresh) {
      cache.set(address, { keys, readAt: at, freshUntil: at + freshSeconds * 1000 })
    }
    return keys
  }
}

const hasKey = ({ keys }: CachedKeys, kid: string | undefined) =>
  typeof keys !== 'string' && (kid === undefined || keys.some((key) => key.kid === kid))
