import { and, between, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { ACTIVITY_DAYS, DAY } from '../domain/activity.ts'
import type { Database } from './database.ts'
import { dailyActivity, users } from './tables.ts'

/** How many registered on this day and the days before it, counted along an index. Days in UTC. */
export const newUsersQuery = (db: Database, tenantId: string, day: number) => {
  const today = day * DAY
  const countOf = (from: number, to: number): SQL<number> =>
    sql<number>`count(*) filter (where ${users.createdAt} >= ${from} and ${users.createdAt} < ${to})`
  return db
    .select({
      today: countOf(today, today + DAY).as('today'),
      yesterday: countOf(today - DAY, today).as('yesterday'),
      last7Days: countOf(today - 6 * DAY, today + DAY).as('last_7_days'),
      previous7Days: countOf(today - 13 * DAY, today - 6 * DAY).as('previous_7_days'),
    })
    .from(users)
    .where(
      and(
        eq(users.tenantId, tenantId),
        gte(users.createdAt, today - 13 * DAY),
        lt(users.createdAt, today + DAY),
      ),
    )
}

/** A few rows a day, however many users there are. */
export const activityQuery = (db: Database, tenantId: string, day: number) =>
  db
    .select({ day: dailyActivity.day, gap: dailyActivity.gap, count: dailyActivity.count })
    .from(dailyActivity)
    .where(
      and(eq(dailyActivity.tenantId, tenantId), between(dailyActivity.day, day - ACTIVITY_DAYS + 1, day)),
    )
