import { BoundedMap } from '../domain/bounded-map.ts'
import { inTime } from './deadline.ts'

/**
 * A read-through cache for what changes rarely (spec/storage#settings-cache): an answer is at most `maxAge` old in any
 * isolate, concurrent readers share one read, and a failed read is not kept.
 */
export type ReadThroughCache<T> = {
  get(key: string, options?: { fresh?: boolean }): Promise<T>
  /** The next read sees what was just written. */
  forget(key: string): void
}

export const SETTINGS_MAX_AGE = 5_000 // ms, spec/storage#settings-cache

const MAX_ENTRIES = 1_000

export function createCache<T>(
  load: (key: string) => Promise<T>,
  { now, maxAge = SETTINGS_MAX_AGE }: { now: () => number; maxAge?: number },
): ReadThroughCache<T> {
  const entries = new BoundedMap<string, { readAt: number; value: Promise<T>; isRead: boolean }>(MAX_ENTRIES)

  return {
    get(key, { fresh = false } = {}) {
      const known = entries.get(key)
      if (known && !fresh && now() - known.readAt < maxAge)
        return known.isRead ? known.value : inTime('A read shared with another request', known.value)

      const entry = { readAt: now(), value: load(key), isRead: false }
      entries.set(key, entry)
      entry.value.then(
        () => {
          entry.isRead = true
        },
        () => {
          if (entries.get(key) === entry) entries.delete(key)
        },
      )
      return entry.value
    },
    forget: (key) => entries.delete(key),
  }
}
