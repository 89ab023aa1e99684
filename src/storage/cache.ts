import { BoundedMap } from '../domain/bounded-map.ts'
import { withTimeout } from './deadline.ts'

/**
 * A read-through cache for values that rarely change (spec/storage#settings-cache). No isolate returns a value older
 * than `maxAge`, concurrent readers share one read, and failed reads are not cached.
 */
export type ReadThroughCache<T> = {
  get(key: string, options?: { fresh?: boolean }): Promise<T>
  /** Returns the cached value, or undefined if `get` would have to read it. */
  peek(key: string): T | undefined
  /** Removes an entry, so that the next read sees what was just written. */
  forget(key: string): void
}

/**
 * The maximum age is a property of an object so that tests that count reads can disable expiry; otherwise, a slow
 * machine would cause additional reads.
 */
export const settingsCache = { maxAgeMs: 5_000 } // ms, spec/storage#settings-cache

const MAX_ENTRIES = 1_000

type CacheOptions = {
  now: () => number
  maxAge?: number
  /**
   * If true, the previous object, and with it everything derived from that object, is kept if a repeated read returns
   * an equal value. Only for JSON values.
   */
  keepsEqual?: boolean
}

type Entry<T> = { readAt: number; value: Promise<T>; loaded?: { value: T } }

export function createCache<T>(
  load: (key: string) => Promise<T>,
  { now, maxAge = settingsCache.maxAgeMs, keepsEqual = false }: CacheOptions,
): ReadThroughCache<T> {
  const entries = new BoundedMap<string, Entry<T>>(MAX_ENTRIES)

  return {
    get(key, { fresh = false } = {}) {
      const cached = entries.get(key)
      if (cached && !fresh && now() - cached.readAt < maxAge)
        return cached.loaded ? cached.value : withTimeout('A read shared with another request', cached.value)

      const value = keepsEqual ? load(key).then((read) => equalOf(cached?.loaded, read)) : load(key)
      const entry: Entry<T> = { readAt: now(), value }
      entries.set(key, entry)
      entry.value.then(
        (value) => {
          entry.loaded = { value }
        },
        () => {
          if (entries.get(key) === entry) entries.delete(key)
        },
      )
      return entry.value
    },
    peek(key) {
      const cached = entries.get(key)
      return cached?.loaded && now() - cached.readAt < maxAge ? cached.loaded.value : undefined
    },
    forget: (key) => entries.delete(key),
  }
}

function equalOf<T>(previous: { value: T } | undefined, read: T): T {
  return previous && JSON.stringify(previous.value) === JSON.stringify(read) ? previous.value : read
}
