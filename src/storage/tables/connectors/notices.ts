import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { noticeTypes } from '../../../contract/connectors/connectors.ts'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

/** Messages that tell a user what happened to the account, until they are sent (spec/storage#notices). */
export const notices = sqliteTable(
  'notices',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    id: text('id').notNull(),
    /** The e-mail address or phone number as it was then: who takes the account over and changes it does not get the notice. */
    recipient: text('recipient').notNull(),
    type: text('type', { enum: noticeTypes }).notNull(),
    /** Of the request that it follows, as `requestId` and `host`. */
    acceptLanguage: optionalText('accept_language'),
    host: text('host').notNull(),
    requestId: text('request_id').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timeColumn('next_attempt_at').notNull(),
    createdAt: timeColumn('created_at').notNull(),
    /** The date that the message tells. */
    aboutAt: timeColumn('about_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.id] }),
    // The scheduled maintenance serves all tenants (spec/storage#sweeps).
    index('notices_due').on(table.nextAttemptAt),
    foreignKey({
      name: 'notices_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits(
      [table.id, ID_LENGTH],
      [table.recipient, 128],
      // No list of values: a further type needs no new table.
      [table.type, 32],
      [table.acceptLanguage, 256],
      [table.host, 256],
      [table.requestId, 128],
    ),
  ],
)
