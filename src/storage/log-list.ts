import { and, desc, eq, getTableColumns, gte, lte } from 'drizzle-orm'
import { readTogether } from './batches.ts'
import type { Database } from './database.ts'
import { logs } from './tables.ts'
import { cappedCountQuery, cappedTotal, offsetOf, type PageRange, totalQuery } from './totals.ts'

// Two of the columns repeat values of the payload for the indexes alone.
const { userId: _userId, applicationId: _applicationId, ...columns } = getTableColumns(logs)

export type LogRow = Pick<typeof logs.$inferSelect, keyof typeof columns>

/** Given fields must be equal; `from` and `to` are times, both included. */
export type LogFilter = {
  key?: string | undefined
  userId?: string | undefined
  applicationId?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** Newest first (spec/management#logs). */
export async function listLogs(
  db: Database,
  tenantId: string,
  { key, userId, applicationId, from, to, ...page }: PageRange & LogFilter,
): Promise<{ logs: LogRow[]; total: number; isCapped: boolean }> {
  const conditions = [
    key === undefined ? undefined : eq(logs.key, key),
    userId === undefined ? undefined : eq(logs.userId, userId),
    applicationId === undefined ? undefined : eq(logs.applicationId, applicationId),
    from === undefined ? undefined : gte(logs.createdAt, from),
    to === undefined ? undefined : lte(logs.createdAt, to),
  ]
  const wanted = and(eq(logs.tenantId, tenantId), ...conditions)
  const isWhole = conditions.every((condition) => condition === undefined)
  const { listed, totals } = await readTogether(db, {
    listed: db
      .select(columns)
      .from(logs)
      .where(wanted)
      .orderBy(desc(logs.createdAt), desc(logs.id))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    totals: isWhole
      ? totalQuery(db, tenantId, 'logs')
      : cappedCountQuery(db, db.select({ id: logs.id }).from(logs).where(wanted)),
  })
  const total = totals[0]?.count ?? 0
  return { logs: listed, ...(isWhole ? { total, isCapped: false } : cappedTotal(total)) }
}

export async function getLog(db: Database, tenantId: string, id: string): Promise<LogRow | null> {
  const [found] = await db
    .select(columns)
    .from(logs)
    .where(and(eq(logs.tenantId, tenantId), eq(logs.id, id)))
  return found ?? null
}
