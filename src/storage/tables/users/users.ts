import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { ID_LENGTH, USER_ID_LENGTH } from '../../../contract/ids.ts'
import type { SocialProfile, TermsAgreement } from '../../../contract/interactions/interaction.ts'
import type { UserProfile } from '../../../contract/users/user-profile.schema.ts'
import {
  isBooleanColumn,
  isOneOf,
  jsonColumn,
  lengthLimits,
  optionalText,
  tenantId,
  timeColumn,
} from '../columns.ts'

export const passwordMethods = [
  'Argon2id',
  'Argon2i',
  'Bcrypt',
  'Scrypt',
  'PBKDF2',
  'SHA256',
  'SHA512',
] as const
export type PasswordMethod = (typeof passwordMethods)[number]

/**
 * The user's social identities, keyed by connector target. `details` is the provider's profile at the time of linking.
 */
export type Identities = Record<string, { userId: string; details?: SocialProfile | undefined }>

export const users = sqliteTable(
  'users',
  {
    /**
     * The primary key is a row number, unlike that of other tables, which is (tenant, id). The full-text index refers
     * to rows by number, and VACUUM renumbers rows unless the number is declared. The number never leaves storage.
     */
    searchId: integer('search_id').primaryKey({ autoIncrement: true }),
    tenantId: tenantId(),
    id: text('id').notNull(),
    username: optionalText('username'),
    /** The address as typed. Uniqueness and lookups ignore case (spec/accounts#email). */
    primaryEmail: optionalText('primary_email'),
    primaryPhone: optionalText('primary_phone'),
    passwordEncrypted: optionalText('password_encrypted'),
    passwordEncryptionMethod: text('password_encryption_method', { enum: passwordMethods }),
    name: optionalText('name'),
    avatar: optionalText('avatar'),
    /**
     * The first application that the user consented to (spec/accounts#first-application). It is not a foreign key,
     * because built-in clients have no row.
     */
    applicationId: optionalText('application_id'),
    identities: jsonColumn<Identities>('identities').notNull().default({}),
    customData: jsonColumn<Record<string, unknown>>('custom_data').notNull().default({}),
    /**
     * True if the user's addresses are verified, and for users who were created before these columns existed
     * (spec/accounts#verified-addresses).
     */
    emailVerified: integer('email_verified', { mode: 'boolean' }).notNull().default(true),
    phoneVerified: integer('phone_verified', { mode: 'boolean' }).notNull().default(true),
    /**
     * The user's agreement to the terms, or null if none is known, as for imported users
     * (spec/accounts#terms-agreement).
     */
    termsAgreement: jsonColumn<TermsAgreement>('terms_agreement'),
    isSuspended: integer('is_suspended', { mode: 'boolean' }).notNull().default(false),
    /**
     * The time of the user's last revocation. Older sessions, grants and tokens are invalid (spec/provider#revocation).
     */
    revokedAt: timeColumn('revoked_at'),
    /**
     * The time of the last change to the user's second factors. Browsers that were remembered before are no longer
     * remembered (spec/accounts#remembered-browser).
     */
    factorsChangedAt: timeColumn('factors_changed_at'),
    lastSignInAt: timeColumn('last_sign_in_at'),
    createdAt: timeColumn('created_at').notNull(),
    /** The user's standard claims (spec/accounts#profile). */
    profile: jsonColumn<UserProfile>('profile').notNull().default({}),
    /** The time of the last change to a standard claim, or null if there was none. */
    profileUpdatedAt: timeColumn('profile_updated_at'),
  },
  (table) => [
    unique('users_id_unique').on(table.tenantId, table.id),
    // These two indexes are partial, because most users have only one identifier, and an entry for a missing value
    // would be billed as a row written. Lists in the order of e-mail addresses include users without one.
    uniqueIndex('users_by_username').on(table.tenantId, table.username).where(sql`username is not null`),
    uniqueIndex('users_by_phone')
      .on(table.tenantId, table.primaryPhone)
      .where(sql`primary_phone is not null`),
    uniqueIndex('users_email_unique').on(table.tenantId, sql`lower(${table.primaryEmail})`),
    index('users_newest').on(table.tenantId, table.createdAt, table.id),
    // The index covers both suspended and active users, because thousands of the newest users may be suspended
    // (spec/storage#search-indexes).
    index('users_suspension').on(table.tenantId, table.isSuspended, table.createdAt, table.id),
    // The index for the sweep of revoked users, which covers all tenants (spec/storage#sweeps).
    index('users_revoked').on(table.revokedAt).where(sql`revoked_at is not null`),
    // Few users have a picture of the brand. The sweep of unused pictures finds them by this index
    // (spec/storage#brand-pictures).
    index('users_brand_picture').on(table.tenantId).where(sql`instr(avatar, '/assets/brand/') > 0`),
    // The indexes for exact and prefix searches that ignore case (spec/storage#search-indexes). For e-mail addresses,
    // the unique index serves both kinds of search.
    index('users_username_lower').on(table.tenantId, sql`lower(${table.username})`),
    index('users_name_lower').on(table.tenantId, sql`lower(${table.name})`),
    ...lengthLimits(
      [table.id, USER_ID_LENGTH],
      [table.username, 128],
      [table.primaryEmail, 128],
      [table.primaryPhone, 128],
      [table.passwordEncrypted, 512],
      [table.name, 128],
      [table.avatar, 2048],
      [table.applicationId, ID_LENGTH],
    ),
    isOneOf(table.passwordEncryptionMethod, passwordMethods),
    isBooleanColumn(table.isSuspended),
  ],
)

/**
 * The entries of `users.identities` as rows, which allows a unique constraint and searches by index. Only triggers
 * write them (spec/storage#uniqueness).
 */
export const userIdentities = sqliteTable(
  'user_identities',
  {
    tenantId: tenantId(),
    target: text('target').notNull(),
    identityId: text('identity_id').notNull(),
    userId: text('user_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.target, table.identityId] }),
    uniqueIndex('user_identities_user').on(table.tenantId, table.userId, table.target),
    foreignKey({
      name: 'user_identities_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.target, 128], [table.identityId, 256]),
  ],
)

/** A browser in which a user signed in (spec/accounts#trusted-browser). Its cookie contains the `browserId`. */
export const trustedBrowsers = sqliteTable(
  'trusted_browsers',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    browserId: text('browser_id').notNull(),
    /** The id with which users refer to the browser in our APIs. */
    id: text('id').notNull(),
    userAgent: optionalText('user_agent'),
    createdAt: timeColumn('created_at').notNull(),
    lastSeenAt: timeColumn('last_seen_at').notNull(),
    /**
     * The time at which the user entered a second factor. It is not requested again until `rememberedUntil`
     * (spec/accounts#remembered-browser).
     */
    rememberedAt: timeColumn('remembered_at'),
    rememberedUntil: timeColumn('remembered_until'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.browserId] }),
    foreignKey({
      name: 'trusted_browsers_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.browserId, ID_LENGTH], [table.id, ID_LENGTH], [table.userAgent, 256]),
  ],
)
