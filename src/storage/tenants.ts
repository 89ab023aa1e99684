import { eq } from 'drizzle-orm'
import { DEFAULT_TENANT } from '../contract/product.ts'
import { refuseWith } from '../contract/refused.ts'
import { createCache } from './cache.ts'
import type { Database } from './database.ts'
import { tenants } from './tables.ts'

/** Which tenants there are, for every request: at most as old as settings are (decision 32). */
export type TenantDirectory = {
  has(tenantId: string): Promise<boolean>
  /** The next request sees what was just created. */
  forget(tenantId: string): void
}

/** So many names that were never met are looked up in a second; a flood of made-up hosts hears 503 beyond. Ours. */
const MOST_STRANGERS = 100
const SECOND = 1000 // ms

/** Tenants an isolate serves; whoever is forgotten is a stranger for one look. Ours. */
const MOST_MET = 10_000

export function createTenantDirectory(db: Database, { now }: { now: () => number }): TenantDirectory {
  /** Those that were there when they were last looked up: strangers do not use up what they need. */
  const met = new Set<string>()
  const strangers = { since: 0, count: 0 }
  const known = createCache(look, { now })

  return {
    has: async (tenantId) => tenantId === DEFAULT_TENANT || known.get(tenantId),
    forget: known.forget,
  }

  async function look(tenantId: string): Promise<boolean> {
    if (!met.has(tenantId)) countStranger()
    const found = await db.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId))
    met.delete(tenantId)
    if (found.length > 0) remember(tenantId)
    return found.length > 0
  }

  function countStranger(): void {
    if (now() - strangers.since >= SECOND) Object.assign(strangers, { since: now(), count: 0 })
    if (strangers.count >= MOST_STRANGERS) refuseWith('server.unavailable')
    strangers.count++
  }

  function remember(tenantId: string): void {
    met.add(tenantId)
    const [first] = met
    if (met.size > MOST_MET && first !== undefined) met.delete(first)
  }
}
