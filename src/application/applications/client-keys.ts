import type { ClientKey } from '../../contract/applications/applications.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Returns the keys that a client publishes at a URL, or the reason why they cannot be used. `kid` is the id of the
 * required key. `beforeFetch` throws if nothing may be fetched now.
 */
export type ClientKeys = (
  address: string,
  kid: string | undefined,
  beforeFetch?: () => Promise<void>,
) => Promise<readonly ClientKey[] | string>

type CachedKeys = {
  keys: readonly ClientKey[] | string
  /** The time at which the keys were fetched, in epoch milliseconds. */
  readAt: number
  /** The time until which the keys are fresh, in epoch milliseconds. */
  freshUntil: number
}

/** The number of key sets that an isolate caches. */
const MAX_CACHED = 500

/**
 * The minimum time between two fetches of a set, in milliseconds. It applies after a failure, and to a kid that the set
 * does not contain. This is an object so that tests can shorten the time.
 */
export const keySetRefresh = { pause: 30_000 }

/**
 * Creates a cache of key sets by URL (spec/provider#client-keys). Every request fetches the sets that it needs itself:
 * Workers cancel the work of a request whose client disconnects, and with a shared fetch, other requests would fail
 * too.
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
    // Requests that arrive during this fetch continue to use the cached keys.
    if (cached && isFresh) cache.set(address, { ...cached, readAt: at })

    const { readKeySet } = await import('./read-key-set.ts')
    const { keys, freshSeconds } = await readKeySet(address, { network, settings, now })
    // If the fetch fails, a key that may have been removed from the set must not stay valid, but a request with a
    // guessed kid must not discard the cached keys either.
    if (typeof keys !== 'string' || !isFresh) {
      cache.set(address, { keys, readAt: at, freshUntil: at + freshSeconds * 1000 })
    }
    return keys
  }
}

const hasKey = ({ keys }: CachedKeys, kid: string | undefined) =>
  typeof keys !== 'string' && (kid === undefined || keys.some((key) => key.kid === kid))
