import type { KVNamespace } from '@cloudflare/workers-types'
import { DAY, DAY_SECONDS } from '../contract/time.ts'
import { BoundedMap } from '../domain/bounded-map.ts'
import { withDeadline } from './deadline.ts'
import { removeSomeKeys } from './removed-keys.ts'

/**
 * The last good copies of documents without secrets (spec/storage#last-good-copies). They are in KV because they are
 * needed when the database fails, even in an isolate that has just started.
 */
export type PublicDocuments = {
  /** Returns null if there is no copy. */
  read(place: Place): Promise<PublicDocument | null>
  /** Writes a copy, unless this isolate has recently written it. */
  keep(place: Place, document: PublicDocument): Promise<void>
  /**
   * Deletes the copies of a deleted tenant, because its id may be assigned again with different keys. Returns true if
   * none are left, as far as KV currently knows.
   */
  removeSome(tenantId: string): Promise<boolean>
}

type Place = { tenantId: string; origin: string; path: string }
export type PublicDocument = { body: string; contentType: string }

/** A copy expires if it is not requested for this time. */
const RETENTION_SECONDS = 30 * DAY_SECONDS
/** A copy is rewritten after this time, so that one in use does not expire. */
const REWRITTEN_AFTER = DAY // ms
const MAX_REMEMBERED = 200
/** The number of copies that are deleted at a time. Each one takes a call to KV. */
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
      // The copy is written without reading first, because KV may cache for a minute that a key does not exist.
      await kv.put(key, JSON.stringify(document), { expirationTtl: RETENTION_SECONDS })
    },

    removeSome: (tenantId) => removeSomeKeys(kv, { prefix: `public:${tenantId}:`, limit: MAX_REMOVED }),
  }
}
