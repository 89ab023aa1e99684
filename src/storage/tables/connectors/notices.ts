import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { NoticeFacts } from '../../../contract/connectors/connectors.ts'
import { noticeTypes } from '../../../contract/connectors/message-types.ts'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { jsonColumn, lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

/** Messages about changes to users' accounts, until they are sent (spec/storage#notices). */
export const notices = sqliteTable(
  'notices',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    id: text('id').notNull(),
    /**
     * The e-mail address or phone number before the change, so that the notice goes to the previous owner even if
     * someone has taken over the account and changed the address.
     */
    recipient: text('recipient').notNull(),
    type: text('type', { enum: noticeTypes }).notNull(),
    /** The language, `requestId` and `host` of the request that caused the notice. */
    acceptLanguage: optionalText('accept_language'),
    host: text('host').notNull(),
    requestId: text('request_id').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timeColumn('next_attempt_at').notNull(),
    createdAt: timeColumn('created_at').notNull(),
    /** The date that the message mentions. */
    aboutAt: timeColumn('about_at'),
    /** The facts that the message states about the request and the change, besides the type. */
    facts: jsonColumn<NoticeFacts>('facts'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.id] }),
    // The index does not begin with the tenant, because the maintenance covers all tenants (spec/storage#sweeps).
    index('notices_due').on(table.nextAttemptAt),
    foreignKey({
      name: 'notices_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits(
      [table.id, ID_LENGTH],
      [table.recipient, 128],
      // There is no CHECK for the type, so that a new type does not require rebuilding the table.
      [table.type, 32],
      [table.acceptLanguage, 256],
      [table.host, 256],
      [table.requestId, 128],
    ),
  ],
)
