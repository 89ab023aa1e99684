import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { isBoolean, lengthLimits, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

/**
 * Names and addresses that an account had, so that its erasure finds them (spec/storage#former-identifiers): a trigger on `users`
 * keeps them. And addresses that its user wanted and has not proved.
 */
export const formerIdentifiers = sqliteTable(
  'former_identifiers',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    value: text('value').notNull(),
    /** It was the account's; else it waited for a code. */
    wasHeld: integer('was_held', { mode: 'boolean' }).notNull(),
    /** Until when it was the account's, or when the code was asked for. */
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.value] }),
    // The sweep serves all tenants (spec/storage#sweeps).
    index('former_identifiers_asked').on(table.createdAt).where(sql`was_held = 0`),
    foreignKey({
      name: 'former_identifiers_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.value, 256]),
    isBoolean(table.wasHeld),
  ],
)

/** Since when an account has its social identities: a trigger on `users` keeps it (spec/account-centre#undo). */
export const identityAdditions = sqliteTable(
  'identity_additions',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    target: text('target').notNull(),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.target] }),
    foreignKey({
      name: 'identity_additions_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.target, 128]),
  ],
)
