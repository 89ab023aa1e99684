import { foreignKey, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from './columns.ts'
import { users } from './users.ts'

/** Days are counted from 1970-01-01, in UTC. Both tables are written by triggers alone, on `logs` and on `users` (decision record 0016). */

/** When a user last exchanged something for tokens. */
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

/** Far enough for a month: whoever was away for so many days or longer, or was never here, is counted under it. */
export const LONGEST_GAP = 30

/** In place of a gap: how many registered on that day, of those who are still there (decision record 0051). */
export const REGISTERED = -1

/** How many users were active on a day, by how many days before they had been here last. */
export const dailyActivity = sqliteTable(
  'daily_activity',
  {
    tenantId: tenantId(),
    day: integer('day').notNull(),
    placeholder: integer('gap').notNull(),
    count: integer('count').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.day, table.placeholder] })],
)
