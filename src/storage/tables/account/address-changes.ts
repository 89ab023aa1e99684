import { foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { isOneOf, lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

const addressTypes = ['email', 'phone'] as const

/**
 * Changes of address that users made. They record which changes can be undone, and since when an account has had its
 * current address (spec/account-centre#undo).
 */
export const addressChanges = sqliteTable(
  'address_changes',
  {
    tenantId: tenantId(),
    /**
     * The link that was sent to the old address contains this id in sealed form. No other part of the link is stored.
     */
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    type: text('type', { enum: addressTypes }).notNull(),
    /**
     * The previous address if it was verified, or an empty string if there was none or the change can no longer be
     * undone.
     */
    previous: text('previous').notNull(),
    createdAt: timeColumn('created_at').notNull(),
    /**
     * The request that closed this change by undoing it or an earlier change of the same address. Null as long as the
     * change can be undone.
     */
    closedBy: optionalText('closed_by'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('address_changes_user').on(table.tenantId, table.userId, table.type),
    // The index does not begin with the tenant, because the sweep covers all tenants (spec/storage#sweeps).
    index('address_changes_created').on(table.createdAt),
    foreignKey({
      name: 'address_changes_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.id, ID_LENGTH], [table.previous, 128], [table.closedBy, ID_LENGTH]),
    isOneOf(table.type, addressTypes),
  ],
)
