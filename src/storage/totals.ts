import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { type CountedTable, totals } from './tables.ts'

/**
 * Selects the length of a list as one row `{ count }`. Triggers maintain it, so that no row is counted
 * (spec/storage#list-totals).
 */
export const totalQuery = (db: Database, tenantId: string, table: CountedTable) =>
  db
    .select({ count: totals.count })
    .from(totals)
    .where(and(eq(totals.tenantId, tenantId), eq(totals.tableName, table)))

/** A filtered list is counted no further than this (spec/management#totals, ADR-0051). */
export const COUNTED_AT_MOST = 10_000

/** Counts the rows of a query up to one more than `COUNTED_AT_MOST`, for `cappedTotal`. Returns one row `{ count }`. */
export const cappedCountQuery = (db: Database, rows: Limitable) =>
  db.select({ count: sql<number>`count(*)`.as('count') }).from(rows.limit(COUNTED_AT_MOST + 1).as('some'))

/** Returns the same count as an expression. It adds no parameter, because a statement may have only a hundred. */
export const cappedCount = (rows: SQL): SQL =>
  sql`(select count(*) from (${rows} limit ${sql.raw(`${COUNTED_AT_MOST + 1}`)}) as some)`

type Limitable = {
  limit(rows: number): { as(name: 'some'): Parameters<ReturnType<Database['select']>['from']>[0] }
}

/** Returns the total of a list. `isCapped` is true if there are more rows than lists are counted. */
export const cappedTotal = (count: number): { total: number; isCapped: boolean } => ({
  total: Math.min(count, COUNTED_AT_MOST),
  isCapped: count > COUNTED_AT_MOST,
})

export type PageRange = { page: number; pageSize: number }
export const offsetOf = ({ page, pageSize }: PageRange) => (page - 1) * pageSize
