import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { tenants } from '../tables.ts'

/** Checks that the tenant exists and is not being deleted. */
export async function tenantExists(db: Database, tenantId: string): Promise<boolean> {
  const rows = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), isNull(tenants.deletedAt)))
  return rows.length > 0
}
