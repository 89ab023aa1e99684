import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { resources } from './tables.ts'
import { offsetOf, type Page, totalQuery } from './totals.ts'

export type Resource = typeof resources.$inferSelect
export type NewResource = Omit<Resource, 'tenantId'>
export type ResourceChanges = Partial<Omit<Resource, 'tenantId' | 'id'>>

/** By indicator: the one order they have an index for. Without a page, all. */
export async function listResources(
  db: Database,
  tenantId: string,
  page: Page | null,
): Promise<{ resources: Resource[]; total: number }> {
  const all = db
    .select()
    .from(resources)
    .where(eq(resources.tenantId, tenantId))
    .orderBy(asc(resources.indicator))
  if (!page) {
    const found = await all
    return { resources: found, total: found.length }
  }
  const [found, [counted]] = await db.batch([
    all.limit(page.pageSize).offset(offsetOf(page)),
    totalQuery(db, tenantId, 'resources'),
  ])
  return { resources: found, total: counted?.count ?? 0 }
}

export async function getResource(db: Database, tenantId: string, id: string): Promise<Resource | null> {
  const [found] = await db.select().from(resources).where(is(tenantId, id))
  return found ?? null
}

/** For the batch of a change and its audit row (decision 19); so are the statements below. */
export const insertResource = (
  db: Database,
  tenantId: string,
  { id, name, indicator, accessTokenTtl }: NewResource,
) => db.insert(resources).values({ tenantId, id, name, indicator, accessTokenTtl }).returning()

/** At least one change must be given. */
export const updateResource = (db: Database, tenantId: string, id: string, changes: ResourceChanges) =>
  db.update(resources).set(changes).where(is(tenantId, id)).returning()

/** Its scopes go with it. */
export const removeResource = (db: Database, tenantId: string, id: string) =>
  db.delete(resources).where(is(tenantId, id)).returning({ id: resources.id })

/** As a condition for other statements of a batch. */
export const isResource = (tenantId: string, id: string): SQL =>
  sql`exists (select 1 from ${resources} where ${is(tenantId, id)})`

export const INDICATOR_TAKEN = 'resources.tenant_id, resources.indicator'

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

const is = (tenantId: string, id: string) => and(eq(resources.tenantId, tenantId), eq(resources.id, id))
