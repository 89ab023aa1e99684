import { and, desc, eq, gte, type SQL, sql } from 'drizzle-orm'
import { type ActivityCursor, activityKeys } from '../../domain/account/account-activity.ts'
import type { Database } from '../database.ts'
import { applications, logs } from '../tables.ts'

/** What a user has done, and what was done to the account, from the audit log (spec/account-centre#activity). */

export const ACTIVITY_PAGE = 20
/** Tokens are given far more often than a user signs in: a page ends behind so many rows, whatever they are about. */
const MAX_ROWS_READ = 1_000

type ActivityRange = { userId: string; since: number; before: ActivityCursor | null }

/** Newest first, one more than a page has; and where a page ends that found fewer in the rows it may read. */
export function activityQueries(db: Database, tenantId: string, { userId, since, before }: ActivityRange) {
  const isWantedFrom = (from: number | SQL) =>
    and(
      eq(logs.tenantId, tenantId),
      eq(logs.userId, userId),
      gte(logs.createdAt, from),
      before ? sql`(${logs.createdAt}, ${logs.id}) < (${before.createdAt}, ${before.id})` : undefined,
    )
  const end = sql`from ${logs} where ${isWantedFrom(since)} order by ${logs.createdAt} desc, ${logs.id} desc
    limit 1 offset ${MAX_ROWS_READ - 1}`
  // One bound: of two, SQLite takes the first for its way through the index, and reads all rows behind the second.
  const from = sql`max(${since}, coalesce((select ${logs.createdAt} ${end}), 0))`
  return {
    activity: db
      .select({
        id: sql<string>`${logs.id}`.as('log_id'),
        key: logs.key,
        payload: logs.payload,
        createdAt: sql<number>`${logs.createdAt}`.as('log_created_at'),
        application: sql<string | null>`${applications.name}`.as('application_name'),
      })
      .from(logs)
      .leftJoin(
        applications,
        and(eq(applications.tenantId, logs.tenantId), eq(applications.id, logs.applicationId)),
      )
      .where(and(isWantedFrom(from), isShown))
      .orderBy(desc(logs.createdAt), desc(logs.id))
      .limit(ACTIVITY_PAGE + 1),
    end: db.all<ActivityCursor>(sql`select ${logs.createdAt} as createdAt, ${logs.id} as id ${end}`),
  }
}

const listOf = (values: readonly string[]) => sql`(select value from json_each(${JSON.stringify(values)}))`
/** From `Account.` to what would follow it. */
const beginsWith = (prefix: string) => sql`(${logs.key} >= ${prefix} and ${logs.key} < ${`${prefix}~`})`

const result = sql`json_extract(${logs.payload}, '$.result')`
const isShown = sql`((${result} = 'Success' and (${logs.key} in ${listOf(activityKeys.completed)}
    or (${sql.join(activityKeys.prefixes.map(beginsWith), sql` or `)}) and ${logs.key} not in ${listOf(activityKeys.steps)}))
  or (${result} = 'Error' and ${logs.key} in ${listOf(activityKeys.refused)}))`
