import { foreignKey, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

/**
 * The time of the last change of each user's password, recorded by a trigger on `users`. A user has no row if the
 * password is the one with which the account was created.
 */
export const passwordChanges = sqliteTable(
  'password_changes',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    changedAt: timeColumn('changed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId] }),
    foreignKey({
      name: 'password_changes_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
  ],
)
