import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { logs } from './tables.ts'
import { offsetOf, type Page, totalQuery } from './totals.ts'

// Two of the columns only repeat what the payload says, for the indexes.
const { userId: _userId, applicationId: _applicationId, ...columns } = getTableColumns(logs)

export type Log = Pick<typeof logs.$inferSelect, keyof typeof columns>

/** What is given must be equal. */
export type LogFilter = {
  key?: string | undefined
  userId?: string | undefined
  applicationId?: string | undefined
}

const COUNTED_AT_MOST = 10_000 // decision 36

/** Newest first (contract 8.2). */
export async function listLogs(
  db: Database,
  tenantId: string,
  { key, userId, applicationId, ...page }: Page & LogFilter,
): Promise<{ logs: Log[]; total: number; isCapped: boolean }> {
  const conditions = [
    key === undefined ? undefined : eq(logs.key, key),
    userId === undefined ? undefined : eq(logs.userId, userId),
    applicationId === undefined ? undefined : eq(logs.applicationId, applicationId),
  ]
  const wanted = and(eq(logs.tenantId, tenantId), ...conditions)
  const isWhole = conditions.every((condition) => condition === undefined)
  const some = db
    .select({ id: logs.id })
    .from(logs)
    .where(wanted)
    .limit(COUNTED_AT_MOST + 1)
    .as('some')

  const [listed, [counted]] = await db.batch([
    db
      .select(columns)
      .from(logs)
      .where(wanted)
      .orderBy(desc(logs.createdAt), desc(logs.id))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    isWhole
      ? totalQuery(db, tenantId, 'logs')
      : db.select({ count: sql<number>`count(*)`.as('count') }).from(some),
  ])
  const total = counted?.count ?? 0
  const isCapped = !isWhole && total > COUNTED_AT_MOST
  return { logs: listed, total: isCapped ? COUNTED_AT_MOST : total, isCapped }
}

export async function getLog(db: Database, tenantId: string, id: string): Promise<Log | null> {
  const [found] = await db
    .select(columns)
    .from(logs)
    .where(and(eq(logs.tenantId, tenantId), eq(logs.id, id)))
  return found ?? null
}
