import { sql } from 'drizzle-orm'
import { foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ID_LENGTH } from '../../../contract/ids.ts'
import type { ErasedNames } from '../../../domain/account/erasure.ts'
import { jsonColumn, lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

/**
 * Accounts whose users have requested deletion (spec/accounts#deletion). A sign-in cancels the request, and a trigger
 * on `users` records the cancellation here.
 */
export const accountDeletions = sqliteTable(
  'account_deletions',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    requestedAt: timeColumn('requested_at').notNull(),
    dueAt: timeColumn('due_at').notNull(),
    canceledAt: timeColumn('canceled_at'),
    /** The time at which the user was notified of the cancellation. */
    notifiedAt: timeColumn('told_at'),
    /** The host, language and id of the request with which the user requested deletion. Later messages use them. */
    origin: text('origin').notNull(),
    requestId: text('request_id').notNull(),
    acceptLanguage: optionalText('accept_language'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId] }),
    foreignKey({
      name: 'account_deletions_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    // The index does not begin with the tenant, because the maintenance covers all tenants (spec/storage#sweeps).
    index('account_deletions_due').on(table.dueAt).where(sql`canceled_at is null`),
    index('account_deletions_canceled').on(table.canceledAt).where(sql`canceled_at is not null`),
    ...lengthLimits([table.origin, 256], [table.requestId, 128], [table.acceptLanguage, 256]),
  ],
)

/** Deleted users whose personal data is still to be erased from other rows (spec/storage#erasure). */
export const erasures = sqliteTable(
  'erasures',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** The names that the erasure searches for, kept until it is complete. */
    names: jsonColumn<ErasedNames>('names').notNull(),
    createdAt: timeColumn('created_at').notNull(),
    nextAt: timeColumn('next_at').notNull(),
    /** The progress of the erasure: the current table and the last id that was read from it. */
    place: optionalText('place'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('erasures_next').on(table.nextAt),
    ...lengthLimits([table.id, ID_LENGTH], [table.place, 128]),
  ],
)

/** Digests of the ids of deleted users. These ids are never assigned again (spec/accounts#deletion). */
export const erasedIds = sqliteTable(
  'erased_ids',
  {
    tenantId: tenantId(),
    digest: text('digest').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.digest] }), ...lengthLimits([table.digest, 64])],
)
