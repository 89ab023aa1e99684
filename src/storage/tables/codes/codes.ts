import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { isBooleanColumn, isOneOf, lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

const passcodeTypes = ['SignIn', 'Register', 'ForgotPassword', 'Continue', 'Generic', 'Test'] as const

export const passcodes = sqliteTable(
  'passcodes',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** The id of the code's interaction, or null for a generic code (spec/accounts#generic-code). */
    interactionJti: optionalText('interaction_jti'),
    phone: optionalText('phone'),
    email: optionalText('email'),
    type: text('type', { enum: passcodeTypes }).notNull(),
    /**
     * The plain code, which only an earlier version of the Worker stores. Set to null when the code is used or has no
     * attempts left (spec/storage#passcodes).
     */
    code: optionalText('code'),
    consumed: integer('consumed', { mode: 'boolean' }).notNull().default(false),
    tryCount: integer('try_count').notNull().default(0),
    createdAt: timeColumn('created_at').notNull(),
    /**
     * The digest by which the database recognises the code without revealing it. Set to null when the code is used or
     * has no attempts left.
     */
    codeDigest: text('code_digest'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // A code of an interaction is found by the interaction, and a generic one by its address. An entry in the other
    // indexes would be billed as a row written.
    index('passcodes_interaction')
      .on(table.tenantId, table.interactionJti, table.type)
      .where(sql`interaction_jti is not null`),
    index('passcodes_email')
      .on(table.tenantId, sql`lower(${table.email})`, table.type)
      .where(sql`interaction_jti is null and lower(email) is not null`),
    index('passcodes_phone')
      .on(table.tenantId, table.phone, table.type)
      .where(sql`interaction_jti is null and phone is not null`),
    index('passcodes_created_at').on(table.createdAt),
    ...lengthLimits(
      [table.id, ID_LENGTH],
      [table.interactionJti, 128],
      [table.phone, 32],
      [table.email, 128],
      [table.code, 6],
    ),
    isOneOf(table.type, passcodeTypes),
    isBooleanColumn(table.consumed),
  ],
)

/**
 * Records that users were recently verified, so that they may change their credentials
 * (spec/accounts#recent-verification).
 */
export const verificationStatuses = sqliteTable(
  'verification_statuses',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    /**
     * The grant of the access token with which the user was verified. Tokens issued under other grants cannot use the
     * verification.
     */
    grantId: optionalText('grant_id'),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('verification_statuses_user').on(table.tenantId, table.userId),
    foreignKey({
      name: 'verification_statuses_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.id, ID_LENGTH]),
  ],
)
