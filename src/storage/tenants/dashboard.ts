import { and, between, eq, gte, type SQL, sql } from 'drizzle-orm'
import { ACTIVITY_DAYS } from '../../domain/tenants/activity.ts'
import type { Database } from '../database.ts'
import { dailyActivity, REGISTRATION_GAP } from '../tables.ts'

/**
 * Counts the registrations of the day `today` and of the preceding days, in UTC. It reads one row per day, however many
 * users there are.
 */
export const newUsersQuery = (db: Database, tenantId: string, today: number) => {
  const countOf = (first: number, last: number): SQL<number> =>
    sql<number>`coalesce(sum(${dailyActivity.count}) filter (where ${between(dailyActivity.day, first, last)}), 0)`
  return db
    .select({
      today: countOf(today, today).as('today'),
      yesterday: countOf(today - 1, today - 1).as('yesterday'),
      last7Days: countOf(today - 6, today).as('last_7_days'),
      previous7Days: countOf(today - 13, today - 7).as('previous_7_days'),
    })
    .from(dailyActivity)
    .where(
      and(
        eq(dailyActivity.tenantId, tenantId),
        between(dailyActivity.day, today - 13, today),
        eq(dailyActivity.gap, REGISTRATION_GAP),
      ),
    )
}

/**
 * Selects the activity of the most recent days. It reads only a few rows per day, however many users there are
 * (spec/storage#activity).
 */
export const activityQuery = (db: Database, tenantId: string, day: number) =>
  db
    .select({ day: dailyActivity.day, gap: dailyActivity.gap, count: dailyActivity.count })
    .from(dailyActivity)
    .where(
      and(
        eq(dailyActivity.tenantId, tenantId),
        between(dailyActivity.day, day - ACTIVITY_DAYS + 1, day),
        gte(dailyActivity.gap, 0),
      ),
    )
