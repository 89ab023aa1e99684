import { and, eq } from 'drizzle-orm'
import type { Database } from './database.ts'
import { type CountedTable, totals } from './tables.ts'

/** How long a list is, kept by triggers: no row is counted (decision 36). Answers one row `{ count }`. */
export const totalQuery = (db: Database, tenantId: string, table: CountedTable) =>
  db
    .select({ count: totals.count })
    .from(totals)
    .where(and(eq(totals.tenantId, tenantId), eq(totals.tableName, table)))

/** A filtered list is counted no further (decision 36). */
export const COUNTED_AT_MOST = 10_000

/** Of a count that went one row further: how long the list is, or that nobody counted to its end. */
export const cappedTotal = (count: number): { total: number; isCapped: boolean } => ({
  total: Math.min(count, COUNTED_AT_MOST),
  isCapped: count > COUNTED_AT_MOST,
})

export type Page = { page: number; pageSize: number }
export const offsetOf = ({ page, pageSize }: Page) => (page - 1) * pageSize
