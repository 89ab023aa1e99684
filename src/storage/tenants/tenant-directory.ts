import { DEFAULT_TENANT } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { SECOND } from '../../contract/time.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { createCache } from '../cache.ts'
import type { Database } from '../database.ts'

/**
 * Looks up whether a tenant exists, which every request requires. Results are cached like settings
 * (spec/storage#settings-cache).
 */
export type TenantDirectory = {
  has(tenantId: string): Promise<boolean>
  /** Reports whether the cache contains the tenant, without reading the database. */
  isKnown(tenantId: string): boolean
  /** Removes a cached result, so that the next request sees a tenant that was just created. */
  forget(tenantId: string): void
}

/**
 * The number of unknown names that are looked up per second. Requests with further unknown names, for example in a
 * flood of made-up hosts, get a 503 response.
 */
const UNKNOWN_PER_SECOND = 100

/**
 * The number of tenants that an isolate remembers. A tenant that was evicted is treated as unknown until its next
 * lookup.
 */
const MAX_EXISTING = 10_000

export function createTenantDirectory(db: Database, { now }: { now: () => number }): TenantDirectory {
  /** The tenants that existed at their last lookup. The limit for unknown names does not apply to them. */
  const existing = new BoundedMap<string, true>(MAX_EXISTING)
  const unknown = { since: 0, count: 0 }
  const cache = createCache(lookUp, { now })

  return {
    has: async (tenantId) => tenantId === DEFAULT_TENANT || cache.get(tenantId),
    isKnown: (tenantId) => tenantId === DEFAULT_TENANT || cache.peek(tenantId) === true,
    forget: cache.forget,
  }

  async function lookUp(tenantId: string): Promise<boolean> {
    if (!existing.has(tenantId)) countUnknown()
    const { tenantExists } = await import('./tenants.ts')
    const exists = await tenantExists(db, tenantId)
    if (exists) existing.set(tenantId, true)
    else existing.delete(tenantId)
    return exists
  }

  function countUnknown(): void {
    if (now() - unknown.since >= SECOND) Object.assign(unknown, { since: now(), count: 0 })
    if (unknown.count >= UNKNOWN_PER_SECOND) refuseWith('server.unavailable')
    unknown.count++
  }
}
