import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { lengthLimits, tenantId, timeColumn } from '../columns.ts'
import { applications } from './applications.ts'

/** Initial access tokens (RFC 7591 §3, spec/storage#registration). */
export const registrationTokens = sqliteTable(
  'registration_tokens',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** The SHA-256 digest of the token. */
    digest: text('digest').notNull(),
    usesLeft: integer('uses_left').notNull(),
    expiresAt: timeColumn('expires_at').notNull(),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('registration_tokens_digest').on(table.tenantId, table.digest),
    index('registration_tokens_expires_at').on(table.expiresAt),
    ...lengthLimits([table.id, ID_LENGTH], [table.name, 256], [table.digest, 43]),
    check('uses_left_counted', sql.raw('"uses_left" >= 0')),
  ],
)

/** Applications that registered themselves (spec/storage#registration). */
export const registeredClients = sqliteTable(
  'registered_clients',
  {
    tenantId: tenantId(),
    applicationId: text('application_id').notNull(),
    /** The SHA-256 digest of the registration access token (RFC 7592). */
    tokenDigest: text('token_digest').notNull(),
    /**
     * The time at which the client is deleted if it remains unused. Once a user has granted it access, the trigger
     * `registered_client_used` sets this to null.
     */
    unusedUntil: timeColumn('unused_until'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.applicationId] }),
    index('registered_clients_unused').on(table.unusedUntil).where(sql`unused_until is not null`),
    foreignKey({
      name: 'registered_clients_application_fk',
      columns: [table.tenantId, table.applicationId],
      foreignColumns: [applications.tenantId, applications.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.applicationId, ID_LENGTH], [table.tokenDigest, 43]),
  ],
)
