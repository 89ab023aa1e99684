import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  CREDENTIAL_ID_MAX_LENGTH,
  PASSKEY_NAME_MAX_LENGTH,
  PUBLIC_KEY_MAX_LENGTH,
} from '../../../contract/passkeys/passkeys.ts'
import { isBooleanColumn, jsonColumn, lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

/** The users' passkeys (spec/storage#passkeys). None of the columns is secret. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    tenantId: tenantId(),
    /** The credential id that the authenticator chose, as base64url. */
    credentialId: text('credential_id').notNull(),
    userId: text('user_id').notNull(),
    /** The public key in COSE format, as base64url. */
    publicKey: text('public_key').notNull(),
    /** The number of signatures so far, or 0 if the authenticator does not keep a counter. */
    counter: integer('counter').notNull(),
    /** The transports by which browsers can reach the authenticator. */
    transports: jsonColumn<string[]>('transports').notNull(),
    aaguid: text('aaguid').notNull(),
    name: optionalText('name'),
    /** The domain that the passkey belongs to (spec/accounts#passkey-domain). */
    rpId: text('rp_id').notNull(),
    isBackupEligible: integer('is_backup_eligible', { mode: 'boolean' }).notNull(),
    isBackedUp: integer('is_backed_up', { mode: 'boolean' }).notNull(),
    createdAt: timeColumn('created_at').notNull(),
    lastUsedAt: timeColumn('last_used_at'),
    /**
     * The origin of an imported passkey, with or without its flags. Null if it was created here
     * (spec/accounts#imported-factors).
     */
    provenance: text('provenance', { enum: ['imported', 'importedWithoutFlags'] }),
    /**
     * True if the passkey is a security key, which serves as a second factor but cannot sign in by itself
     * (spec/accounts#security-keys).
     */
    isSecondFactor: integer('is_second_factor', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.credentialId] }),
    index('passkeys_user').on(table.tenantId, table.userId, table.createdAt),
    foreignKey({
      name: 'passkeys_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits(
      [table.credentialId, CREDENTIAL_ID_MAX_LENGTH],
      [table.publicKey, PUBLIC_KEY_MAX_LENGTH],
      [table.transports, 512],
      [table.aaguid, 36],
      [table.name, PASSKEY_NAME_MAX_LENGTH],
      [table.rpId, 253],
    ),
    isBooleanColumn(table.isBackupEligible),
    isBooleanColumn(table.isBackedUp),
  ],
)

/**
 * The number of times that a user has declined to create a passkey, and the time of the last one
 * (spec/accounts#passkey-offer).
 */
export const passkeyOffers = sqliteTable(
  'passkey_offers',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    deferrals: integer('put_off_times').notNull(),
    deferredAt: timeColumn('put_off_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId] }),
    foreignKey({
      name: 'passkey_offers_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
  ],
)
