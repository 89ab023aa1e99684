import type { ClientKey } from '../../contract/applications/applications.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Returns the keys that a client publishes at a URL, or the reason why they cannot be used. `kid` is the id of the
 * required key. `beforeFetch` is called before a fetch, and throws if the fetch is not allowed.
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
 * The minimum time between two fetches of a key set, in milliseconds. It applies after a failed fetch, and if a token
 * names a key that the set does not contain. The value is in an object, so that tests can shorten the time.
 */
export const keySetRefresh = { pauseMs: 30_000 }

/**
 * Creates a cache of key sets by URL (spec/provider#client-keys). Requests never share a fetch: Workers cancel a
 * request's work when its client disconnects, so the other requests would fail, too.
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
    if (cached && ((isFresh && hasKey(cached, kid)) || at < cached.readAt + keySetRefresh.pauseMs))
      return cached.keys
    await beforeFetch?.()
    // Requests that arrive during this fetch continue to use the cached keys.
    if (cached && isFresh) cache.set(address, { ...cached, readAt: at })

    const { readKeySet } = await import('./read-key-set.ts')
    const { keys, freshSeconds } = await readKeySet(address, { network, settings, now })
    // After a failed fetch, stale keys must not remain valid, because they may have been removed from the set. Fresh
    // keys are kept, because anyone can trigger a fetch with a made-up key id.
    if (typeof keys !== 'string' || !isFresh) {
      cache.set(address, { keys, readAt: at, freshUntil: at + freshSeconds * 1000 })
    }
    return keys
  }
}

const hasKey = ({ keys }: CachedKeys, kid: string | undefined) =>
  typeof keys !== 'string' && (kid === undefined || keys.some((key) => key.kid === kid))
