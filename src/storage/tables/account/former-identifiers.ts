import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { isBooleanColumn, lengthLimits, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

/**
 * Names and addresses that an account used to have, and addresses that its user asked to add but never verified. A
 * trigger on `users` records former values, so that an erasure of the account finds them
 * (spec/storage#former-identifiers).
 */
export const formerIdentifiers = sqliteTable(
  'former_identifiers',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    value: text('value').notNull(),
    /** True if the account had this value, false if its user only asked to add it. */
    wasHeld: integer('was_held', { mode: 'boolean' }).notNull(),
    /** The time at which the account lost this value, or at which the code for it was requested. */
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.value] }),
    // The index does not begin with the tenant, because the sweep covers all tenants (spec/storage#sweeps).
    index('former_identifiers_asked').on(table.createdAt).where(sql`was_held = 0`),
    foreignKey({
      name: 'former_identifiers_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.value, 256]),
    isBooleanColumn(table.wasHeld),
  ],
)

/**
 * The times at which an account's social identities were linked, recorded by a trigger on `users`
 * (spec/account-centre#undo).
 */
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
