import { and, eq } from 'drizzle-orm'
import type { Database } from './database.ts'
import { resources } from './tables.ts'

export type Resource = typeof resources.$inferSelect

export const resourceQuery = (db: Database, tenantId: string, indicator: string) =>
  db
    .select()
    .from(resources)
    .where(and(eq(resources.tenantId, tenantId), eq(resources.indicator, indicator)))

export async function findResource(
  db: Database,
  tenantId: string,
  indicator: string,
): Promise<Resource | null> {
  const [resource] = await resourceQuery(db, tenantId, indicator)
  return resource ?? null
}
