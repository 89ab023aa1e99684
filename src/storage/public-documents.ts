import type { KVNamespace } from '@cloudflare/workers-types'
import { DAY, DAY_SECONDS } from '../contract/time.ts'
import { BoundedMap } from '../domain/bounded-map.ts'
import { withDeadline } from './deadline.ts'
import { removeSomeKeys } from './removed-keys.ts'

/**
 * The last good copies of documents without secrets (spec/storage#last-good-copies). They are in KV because they are
 * asked for when the database fails, also by an isolate that has just started.
 */
export type PublicDocuments = {
  /** `null` when there is no copy. */
  read(place: Place): Promise<PublicDocument | null>
  /** Writes a copy that this isolate has not written yet. */
  keep(place: Place, document: PublicDocument): Promise<void>
  /** Of a tenant that ends: its id may be given again, with other keys. True: none is left, as far as KV knows by now. */
  removeSome(tenantId: string): Promise<boolean>
}

type Place = { tenantId: string; origin: string; path: string }
export type PublicDocument = { body: string; contentType: string }

/** After this time without a request a tenant has no copy any more. */
const KEPT_SECONDS = 30 * DAY_SECONDS
/** Written again after this time, so that a copy in use does not expire. */
const REWRITTEN_AFTER = DAY // ms
const MAX_REMEMBERED = 200
/** A call to KV for each. */
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
      // Not read before it is written: KV would go on answering for a minute that it is not there.
      await kv.put(key, JSON.stringify(document), { expirationTtl: KEPT_SECONDS })
    },

    removeSome: (tenantId) => removeSomeKeys(kv, { prefix: `public:${tenantId}:`, limit: MAX_REMOVED }),
  }
}
