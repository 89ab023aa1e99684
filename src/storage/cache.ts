import { BoundedMap } from '../domain/bounded-map.ts'
import { inTime } from './deadline.ts'

/**
 * A read-through cache for what changes rarely (spec/storage#settings-cache): an answer is at most `maxAge` old in any
 * isolate, concurrent readers share one read, and a failed read is not kept.
 */
export type ReadThroughCache<T> = {
  get(key: string, options?: { fresh?: boolean }): Promise<T>
  /** What `get` would answer without a read. Undefined where it would read, or wait for a read. */
  peek(key: string): T | undefined
  /** The next read sees what was just written. */
  forget(key: string): void
}

/** An object: tests that count reads let nothing expire, so that a busy machine adds none. */
export const settingsCache = { maxAge: 5_000 } // ms, spec/storage#settings-cache

const MAX_ENTRIES = 1_000

type CacheOptions = {
  now: () => number
  maxAge?: number
  /** A value that was read anew and is as before stays the same object, and with it what was made from it. Of JSON alone. */
  keepsEqual?: boolean
}

type Entry<T> = { readAt: number; value: Promise<T>; read?: { value: T } }

export function createCache<T>(
  load: (key: string) => Promise<T>,
  { now, maxAge = settingsCache.maxAge, keepsEqual = false }: CacheOptions,
): ReadThroughCache<T> {
  const entries = new BoundedMap<string, Entry<T>>(MAX_ENTRIES)

  return {
    get(key, { fresh = false } = {}) {
      const cached = entries.get(key)
      if (cached && !fresh && now() - cached.readAt < maxAge)
        return cached.read ? cached.value : inTime('A read shared with another request', cached.value)

      const value = keepsEqual ? load(key).then((read) => equalOf(cached?.read, read)) : load(key)
      const entry: Entry<T> = { readAt: now(), value }
      entries.set(key, entry)
      entry.value.then(
        (value) => {
          entry.read = { value }
        },
        () => {
          if (entries.get(key) === entry) entries.delete(key)
        },
      )
      return entry.value
    },
    peek(key) {
      const cached = entries.get(key)
      return cached?.read && now() - cached.readAt < maxAge ? cached.read.value : undefined
    },
    forget: (key) => entries.delete(key),
  }
}

function equalOf<T>(before: { value: T } | undefined, read: T): T {
  return before && JSON.stringify(before.value) === JSON.stringify(read) ? before.value : read
}
