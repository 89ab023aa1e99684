import { and, desc, eq, gte, type SQL, sql } from 'drizzle-orm'
import { type ActivityCursor, activityKeys } from '../../domain/account/account-activity.ts'
import type { Database } from '../database.ts'
import { applications, logs } from '../tables.ts'

/**
 * The activity of an account: what its user has done and what others have done to it, read from the audit log
 * (spec/account-centre#activity).
 */

export const ACTIVITY_PAGE_SIZE = 20
/**
 * The maximum number of audit rows that are read for a page. Most of them may be about issued tokens, which the page
 * omits.
 */
const MAX_ROWS_READ = 1_000

type PeriodRange = { since: number; before: ActivityCursor | null }
type ActivityRange = PeriodRange & { userId: string }

/** Selects the newest events of a user, one more than a page shows. */
export function activityQueries(db: Database, tenantId: string, { userId, since, before }: ActivityRange) {
  const { isListed, end } = auditPage(db, tenantId, eq(logs.userId, userId), { since, before })
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
      .where(and(isListed, isShown))
      .orderBy(desc(logs.createdAt), desc(logs.id))
      .limit(ACTIVITY_PAGE_SIZE + 1),
    end,
  }
}

/**
 * Returns the condition for the audit rows of a page, of which a query selects the newest. `end` selects the last row
 * that the query may read; if the page is not full by then, the next page continues after `end`.
 */
export function auditPage(db: Database, tenantId: string, isOwn: SQL, { since, before }: PeriodRange) {
  const isInRange = (from: number | SQL) =>
    and(
      eq(logs.tenantId, tenantId),
      isOwn,
      gte(logs.createdAt, from),
      before ? sql`(${logs.createdAt}, ${logs.id}) < (${before.createdAt}, ${before.id})` : undefined,
    )
  const end = sql`from ${logs} where ${isInRange(since)} order by ${logs.createdAt} desc, ${logs.id} desc
    limit 1 offset ${MAX_ROWS_READ - 1}`
  // There must be a single lower bound: with two, SQLite would use only the first one to search the index and read all
  // rows beyond the second.
  const from = sql`max(${since}, coalesce((select ${logs.createdAt} ${end}), 0))`
  return {
    isListed: isInRange(from),
    end: db.all<ActivityCursor>(sql`select ${logs.createdAt} as createdAt, ${logs.id} as id ${end}`),
  }
}

/**
 * Selects the time of the user's last password reset since a time, in epoch milliseconds. The plus sign makes SQLite
 * search the rows of the user instead of all resets.
 */
export const lastResetQuery = (
  db: Database,
  tenantId: string,
  { userId, since }: Omit<ActivityRange, 'before'>,
) =>
  db
    .select({ at: sql<number | null>`max(${logs.createdAt})`.as('reset_at') })
    .from(logs)
    .where(
      and(
        eq(logs.tenantId, tenantId),
        eq(logs.userId, userId),
        gte(logs.createdAt, since),
        sql`+${logs.key} = 'Interaction.ForgotPassword.Submit' and ${result} = 'Success'`,
      ),
    )

const listOf = (values: readonly string[]) => sql`(select value from json_each(${JSON.stringify(values)}))`
/** Matches keys with this prefix by a range that an index can serve, such as from `Account.` to `Account.~`. */
const beginsWith = (prefix: string) => sql`(${logs.key} >= ${prefix} and ${logs.key} < ${`${prefix}~`})`

const result = sql`json_extract(${logs.payload}, '$.result')`
const isShown = sql`((${result} = 'Success' and (${logs.key} in ${listOf(activityKeys.completed)}
    or (${sql.join(activityKeys.prefixes.map(beginsWith), sql` or `)}) and ${logs.key} not in ${listOf(activityKeys.steps)}))
  or (${result} = 'Error' and ${logs.key} in ${listOf(activityKeys.refused)}))`
