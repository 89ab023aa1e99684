import { inTime } from './deadline.ts'

/**
 * Read-through memory for what changes rarely (decision 32): an answer is at most `maxAge` old in any isolate,
 * concurrent readers share one read, and a failed read is not remembered.
 */
export type Cache<T> = {
  get(key: string, options?: { fresh?: boolean }): Promise<T>
  /** The next read sees what was just written. */
  forget(key: string): void
}

export const SETTINGS_MAX_AGE = 5_000 // ms, contract 5.1

const MAX_ENTRIES = 1_000

export function createCache<T>(
  load: (key: string) => Promise<T>,
  { now, maxAge = SETTINGS_MAX_AGE }: { now: () => number; maxAge?: number },
): Cache<T> {
  const entries = new Map<string, { readAt: number; value: Promise<T>; isRead: boolean }>()

  return {
    get(key, { fresh = false } = {}) {
      const known = entries.get(key)
      if (known && !fresh && now() - known.readAt < maxAge)
        return known.isRead ? known.value : inTime('A read shared with another request', known.value)

      const entry = { readAt: now(), value: load(key), isRead: false }
      entries.delete(key)
      entries.set(key, entry)
      entry.value.then(
        () => {
          entry.isRead = true
        },
        () => entries.get(key) === entry && entries.delete(key),
      )
      const [oldest] = entries.keys()
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
      return entry.value
    },
    forget: (key) => entries.delete(key),
  }
}
