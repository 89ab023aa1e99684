import { and, desc, eq, sql } from 'drizzle-orm'
import type { ActivityCursor } from '../domain/account/account-activity.ts'
import type { Database } from './database.ts'
import { logs } from './tables.ts'

/**
 * The number of rows per round trip. A row has at most 2 kB, so this is a few megabytes at most (spec/limits#log-rows).
 */
export const USER_LOG_PAGE_SIZE = 1_000

/** Selects the audit rows about a user, newest first. If `before` is set, selects only older rows. */
export const userLogsQuery = (
  db: Database,
  { tenantId, userId }: { tenantId: string; userId: string },
  before: ActivityCursor | null,
) =>
  db
    .select({ id: logs.id, key: logs.key, createdAt: logs.createdAt, payload: logs.payload })
    .from(logs)
    .where(
      and(
        eq(logs.tenantId, tenantId),
        eq(logs.userId, userId),
        before ? sql`(${logs.createdAt}, ${logs.id}) < (${before.createdAt}, ${before.id})` : undefined,
      ),
    )
    .orderBy(desc(logs.createdAt), desc(logs.id))
    .limit(USER_LOG_PAGE_SIZE)

export type UserLog = Awaited<ReturnType<typeof userLogsQuery>>[number]
