import type { KVNamespace } from '@cloudflare/workers-types'
import { DAY, DAY_SECONDS } from '../contract/time.ts'
import { BoundedMap } from '../domain/bounded-map.ts'
import { withDeadline } from './deadline.ts'
import { removeSomeKeys } from './removed-keys.ts'

/**
 * The last good copies of documents without secrets (spec/storage#last-good-copies). They are in KV so that every
 * isolate, even a new one, can serve them when the database fails.
 */
export type PublicDocuments = {
  /** Reads a copy. Returns null if there is none. */
  read(place: Place): Promise<PublicDocument | null>
  /** Writes a copy, unless this isolate has recently written the same one. */
  keep(place: Place, document: PublicDocument): Promise<void>
  /**
   * Deletes the copies of a deleted tenant, because its id may be assigned again with different keys. Returns true if
   * none are left, as far as KV currently knows.
   */
  removeSome(tenantId: string): Promise<boolean>
}

type Place = { tenantId: string; origin: string; path: string }
export type PublicDocument = { body: string; contentType: string }

/** The time after which a copy expires if it is not requested. */
const RETENTION_SECONDS = 30 * DAY_SECONDS
/** The time after which a copy is rewritten, so that it does not expire while it is in use. */
const REWRITTEN_AFTER = DAY // ms
const MAX_REMEMBERED = 200
/** The number of copies that are deleted at a time. Each deletion is a call to KV. */
const MAX_REMOVED = 100

export function createPublicDocuments(
  namespace: KVNamespace,
  { now }: { now: () => number },
): PublicDocuments {
  const kv = withDeadline('KV', namespace)
  const written = new BoundedMap<string, { body: string; at: number }>(MAX_REMEMBERED)
  const keyOf = ({ tenantId, origin, path }: Place) => `public:${tenantId}:${origin}:${path}`

  return {
    read: (place) => kv.get<PublicDocument>(keyOf(place), 'json'),

    async keep(place, document) {
      const key = keyOf(place)
      const last = written.get(key)
      if (last?.body === document.body && now() - last.at < REWRITTEN_AFTER) return
      written.set(key, { body: document.body, at: now() })
      // The copy is written without reading first, because KV may cache the absence of a key for a minute.
      await kv.put(key, JSON.stringify(document), { expirationTtl: RETENTION_SECONDS })
    },

    removeSome: (tenantId) => removeSomeKeys(kv, { prefix: `public:${tenantId}:`, limit: MAX_REMOVED }),
  }
}
