import { and, desc, eq, getTableColumns, gte, lte, type SQL, sql } from 'drizzle-orm'
import { readTogether } from './batches.ts'
import type { Database } from './database.ts'
import { logs } from './tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset, totalQuery } from './totals.ts'

// Three columns are not selected, because they only repeat payload values for the indexes.
const {
  userId: _userId,
  applicationId: _applicationId,
  interactionId: _interactionId,
  ...columns
} = getTableColumns(logs)

type LogRow = Pick<typeof logs.$inferSelect, keyof typeof columns>

/** The fields for exact filters, most selective first. */
const exactFields = ['interactionId', 'userId', 'applicationId', 'key'] as const

/** The filters of the list. Unset fields match everything; `from` and `to` are times, both inclusive. */
type LogFilter = { [field in (typeof exactFields)[number]]?: string | undefined } & {
  from?: number | undefined
  to?: number | undefined
}

/** Lists log rows, newest first (spec/management#logs). */
export async function listLogs(
  db: Database,
  tenantId: string,
  { from, to, page, pageSize, ...exact }: PageRange & LogFilter,
): Promise<{ logs: LogRow[]; total: number; isCapped: boolean }> {
  const conditions = [
    ...equalities(exact),
    from === undefined ? undefined : gte(logs.createdAt, from),
    to === undefined ? undefined : lte(logs.createdAt, to),
  ]
  const isListed = and(eq(logs.tenantId, tenantId), ...conditions)
  const isWhole = conditions.every((condition) => condition === undefined)
  const { rows, totals } = await readTogether(db, {
    rows: db
      .select(columns)
      .from(logs)
      .where(isListed)
      .orderBy(desc(logs.createdAt), desc(logs.id))
      .limit(pageSize)
      .offset(pageOffset({ page, pageSize })),
    totals: isWhole
      ? totalQuery(db, tenantId, 'logs')
      : cappedCountQuery(db, db.select({ id: logs.id }).from(logs).where(isListed)),
  })
  const total = totals[0]?.count ?? 0
  return { logs: rows, ...(isWhole ? { total, isCapped: false } : cappedTotal(total)) }
}

/**
 * Searches the index of the first field that is set, and filters the resulting rows by the other fields. `+` keeps
 * SQLite from using the other indexes; it would choose the one that was created last.
 */
function equalities(exact: LogFilter): SQL[] {
  const fields = exactFields.filter((field) => exact[field] !== undefined)
  return fields.map((field, place) => sql`${sql.raw(place === 0 ? '' : '+')}${logs[field]} = ${exact[field]}`)
}

export async function getLog(db: Database, tenantId: string, id: string): Promise<LogRow | null> {
  const [row] = await db
    .select(columns)
    .from(logs)
    .where(and(eq(logs.tenantId, tenantId), eq(logs.id, id)))
  return row ?? null
}
