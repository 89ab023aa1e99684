import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { type CountedTable, totals } from './tables.ts'

/**
 * Selects the length of a list as one row `{ count }`. Triggers maintain this number, so that no rows have to be
 * counted (spec/storage#list-totals).
 */
export const totalQuery = (db: Database, tenantId: string, table: CountedTable) =>
  db
    .select({ count: totals.count })
    .from(totals)
    .where(and(eq(totals.tenantId, tenantId), eq(totals.tableName, table)))

/** The maximum number of rows that are counted in a filtered list (spec/management#totals, ADR-0051). */
export const MAX_LIST_COUNT = 10_000

/**
 * Counts the rows of a query, but at most one more than `MAX_LIST_COUNT`. Returns one row `{ count }`, from which
 * `cappedTotal` computes the total.
 */
export const cappedCountQuery = (db: Database, rows: Limitable) =>
  db.select({ count: sql<number>`count(*)`.as('count') }).from(rows.limit(MAX_LIST_COUNT + 1).as('some'))

/**
 * Returns an SQL expression for the same capped count. The limit is inlined, because a statement may have only a
 * hundred parameters.
 */
export const cappedCount = (rows: SQL): SQL =>
  sql`(select count(*) from (${rows} limit ${sql.raw(`${MAX_LIST_COUNT + 1}`)}) as some)`

type Limitable = {
  limit(rows: number): { as(name: 'some'): Parameters<ReturnType<Database['select']>['from']>[0] }
}

/** Returns the total of a list. `isCapped` is true if the list is longer than `MAX_LIST_COUNT`. */
export const cappedTotal = (count: number): { total: number; isCapped: boolean } => ({
  total: Math.min(count, MAX_LIST_COUNT),
  isCapped: count > MAX_LIST_COUNT,
})

export type PageRange = { page: number; pageSize: number }
export const pageOffset = ({ page, pageSize }: PageRange) => (page - 1) * pageSize
