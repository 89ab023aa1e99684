import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { equivalentResourceNames, isSameResource } from '../../contract/access/resource-names.ts'
import { readTogether } from '../batches.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { resources } from '../tables.ts'
import { type PageRange, pageOffset, totalQuery } from '../totals.ts'

export type ResourceRow = typeof resources.$inferSelect
export type NewResource = Omit<ResourceRow, 'tenantId' | 'claims'> & Partial<Pick<ResourceRow, 'claims'>>
export type ResourceChanges = Partial<Omit<ResourceRow, 'tenantId' | 'id'>>

/**
 * Lists resources in the order of their indicators, because no other order has an index. Without a page, returns all
 * resources.
 */
export async function listResources(
  db: Database,
  tenantId: string,
  page: PageRange | null,
): Promise<{ resources: ResourceRow[]; total: number }> {
  const all = db
    .select()
    .from(resources)
    .where(eq(resources.tenantId, tenantId))
    .orderBy(asc(resources.indicator))
  if (!page) {
    const rows = await all
    return { resources: rows, total: rows.length }
  }
  const { rows, totals } = await readTogether(db, {
    rows: all.limit(page.pageSize).offset(pageOffset(page)),
    totals: totalQuery(db, tenantId, 'resources'),
  })
  return { resources: rows, total: totals[0]?.count ?? 0 }
}

export async function getResource(db: Database, tenantId: string, id: string): Promise<ResourceRow | null> {
  const [row] = await resourceByIdQuery(db, tenantId, id)
  return row ?? null
}

export const resourceByIdQuery = (db: Database, tenantId: string, id: string) =>
  db.select().from(resources).where(hasKey(tenantId, id))

/** Inserts a resource if the condition holds. */
export const insertResource = (
  db: Database,
  tenantId: string,
  { id, name, indicator, accessTokenTtl, claims }: NewResource,
  condition: Condition,
) =>
  db
    .insert(resources)
    .select(
      sql`select ${tenantId}, ${id}, ${name}, ${indicator}, ${accessTokenTtl}, ${claims ? JSON.stringify(claims) : null}
        where ${condition}`,
    )
    .returning()

/** Updates a resource if the condition holds. At least one change is required. */
export const updateResource = (
  db: Database,
  tenantId: string,
  { id, changes }: { id: string; changes: ResourceChanges },
  condition: Condition,
) =>
  db
    .update(resources)
    .set(changes)
    .where(and(hasKey(tenantId, id), condition))
    .returning()

/** Checks that no other resource has this indicator, in any spelling (spec/provider#resource-names). */
export const isIndicatorFree = (tenantId: string, id: string, indicator: string): Condition =>
  sql`not exists (select 1 from ${resources} as ${sql.identifier('other')} where other.tenant_id = ${tenantId}
    and other.indicator in (select value from json_each(${JSON.stringify(equivalentResourceNames(indicator))}))
    and other.id <> ${id})`

/** Deletes a resource together with its scopes. */
export const removeResource = (db: Database, tenantId: string, id: string) =>
  db.delete(resources).where(hasKey(tenantId, id)).returning({ id: resources.id })

export const resourceExists = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${resources} where ${hasKey(tenantId, id)})`

/** Selects a resource by its indicator, in any spelling. */
export const resourceQuery = (db: Database, tenantId: string, indicator: string) =>
  resourcesByNameQuery(db, tenantId, indicatorSpellingsJson([indicator]))

/** Finds the resource with this indicator. An exact match takes precedence over an equivalent spelling. */
export const findResourceByName = <R extends { indicator: string }>(
  candidates: Iterable<R>,
  indicator: string,
) => {
  const matches = [...candidates].filter((each) => isSameResource(each.indicator, indicator))
  return matches.find((each) => each.indicator === indicator) ?? matches[0] ?? null
}

/** Returns all equivalent spellings of these indicators as a JSON list. */
export const indicatorSpellingsJson = (indicators: readonly string[]): SQL =>
  sql`${JSON.stringify(indicators.flatMap(equivalentResourceNames))}`

/**
 * Selects the resources with these indicators. `indicators` is a JSON list or string, and may be a column of another
 * row.
 */
export const resourcesByNameQuery = (db: Database, tenantId: string, indicators: SQL) =>
  db
    .select()
    .from(resources)
    .where(
      and(
        eq(resources.tenantId, tenantId),
        sql`${resources.indicator} in (select value from json_each(${indicators}))`,
      ),
    )

const hasKey = (tenantId: string, id: string) => and(eq(resources.tenantId, tenantId), eq(resources.id, id))
