import { foreignKey, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from '../columns.ts'
import { users } from '../users/users.ts'

/**
 * Daily activity. Days are counted since 1970-01-01 in UTC. Only triggers on `logs` and on `users` write to these
 * tables (ADR-0016).
 */

/** The day of a user's last token exchange. */
export const userActivity = sqliteTable(
  'user_activity',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    lastDay: integer('last_day').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId] }),
    foreignKey({
      name: 'user_activity_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
  ],
)

/**
 * The value of `gap` in rows that contain the number of registrations on a day. Users who have since been deleted are
 * not counted (spec/storage#activity).
 */
export const REGISTRATION_GAP = -1

/**
 * The number of users active on a day, grouped by the days since their previous activity. A gap of 30 means 30 or more
 * days, or no previous activity (spec/storage#activity).
 */
export const dailyActivity = sqliteTable(
  'daily_activity',
  {
    tenantId: tenantId(),
    day: integer('day').notNull(),
    gap: integer('gap').notNull(),
    count: integer('count').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.day, table.gap] })],
)
