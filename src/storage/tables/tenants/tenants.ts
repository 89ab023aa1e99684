import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type {
  Branding,
  ColorSettings,
  LanguageInfo,
  PageLayout,
  SignInMethod,
  SignUp,
} from '../../../contract/experience/experience.ts'
import { agreeToTermsPolicies, signInModes } from '../../../contract/experience/experience.ts'
import { ID_LENGTH } from '../../../contract/ids.ts'
import type { Phrases } from '../../../contract/interactions/boot.ts'
import { isOneOf, jsonColumn, lengthLimits, optionalText, tenantId, tenants, timeColumn } from '../columns.ts'

export { tenants }

export const tenantOwnerTypes = ['app', 'user'] as const

/**
 * The user or application of the tenant `default` that created a tenant. It is not a foreign key, because built-in
 * clients have no row and tenants outlive their owners.
 */
export const tenantOwners = sqliteTable(
  'tenant_owners',
  {
    tenantId: tenantId().primaryKey(),
    ownerType: text('owner_type', { enum: tenantOwnerTypes }).notNull(),
    ownerId: text('owner_id').notNull(),
    /**
     * The number of this tenant among its owner's tenants, starting at 0. Owners who may have only one tenant always
     * use 0, so the unique index rejects a second one.
     */
    place: integer('place').notNull(),
  },
  (table) => [
    uniqueIndex('tenant_owners_place').on(table.ownerType, table.ownerId, table.place),
    ...lengthLimits([table.ownerId, ID_LENGTH]),
    isOneOf(table.ownerType, tenantOwnerTypes),
  ],
)

/** One JSON value per key (spec/storage#system-configuration). */
export const configs = sqliteTable(
  'configs',
  {
    tenantId: tenantId(),
    key: text('key').notNull(),
    value: jsonColumn<Record<string, unknown>>('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.key] }), ...lengthLimits([table.key, 256])],
)

export const signInExperiences = sqliteTable(
  'sign_in_experiences',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    color: jsonColumn<ColorSettings>('color').notNull(),
    branding: jsonColumn<Branding>('branding').notNull(),
    languageInfo: jsonColumn<LanguageInfo>('language_info').notNull(),
    termsOfUseUrl: optionalText('terms_of_use_url'),
    privacyPolicyUrl: optionalText('privacy_policy_url'),
    supportContact: optionalText('support_contact'),
    signIn: jsonColumn<{ methods: SignInMethod[] }>('sign_in').notNull(),
    signUp: jsonColumn<SignUp>('sign_up').notNull(),
    socialSignInConnectorTargets: jsonColumn<string[]>('social_sign_in_connector_targets')
      .notNull()
      .default([]),
    signInMode: text('sign_in_mode', { enum: signInModes }).notNull().default('SignInAndRegister'),
    /** A trigger restricts the values, because SQLite cannot add a CHECK constraint to an existing table. */
    agreeToTermsPolicy: text('agree_to_terms_policy', { enum: agreeToTermsPolicies })
      .notNull()
      .default('ManualRegistrationOnly'),
    customCss: optionalText('custom_css'),
    customContent: jsonColumn<Record<string, string>>('custom_content').notNull().default({}),
    /** A trigger restricts the types, because SQLite cannot add a CHECK constraint to an existing table. */
    layout: jsonColumn<PageLayout>('layout').notNull().default({ type: 'Card' }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    ...lengthLimits([table.id, ID_LENGTH], [table.termsOfUseUrl, 2048], [table.privacyPolicyUrl, 2048]),
    isOneOf(table.signInMode, signInModes),
  ],
)

export const customPhrases = sqliteTable(
  'custom_phrases',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    languageTag: text('language_tag').notNull(),
    translation: jsonColumn<Phrases>('translation').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('custom_phrases_language_tag_unique').on(table.tenantId, table.languageTag),
    ...lengthLimits([table.id, ID_LENGTH], [table.languageTag, 16]),
  ],
)

/**
 * The tables whose rows are counted by triggers, so that a list's length is known even with a million rows
 * (spec/storage#list-totals). The rows for `logs` are no longer updated; only the previous release reads them (ADR-0189).
 */
const countedTables = ['applications', 'logs', 'resources', 'roles', 'users'] as const
export type CountedTable = Exclude<(typeof countedTables)[number], 'logs'>

export const totals = sqliteTable(
  'totals',
  {
    tenantId: tenantId(),
    tableName: text('table_name', { enum: countedTables }).notNull(),
    count: integer('count').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.tableName] }),
    isOneOf(table.tableName, countedTables),
  ],
)

/**
 * Counters for rate limits (spec/storage#counters). Each change is a single conditional statement, never a read
 * followed by a write. A row counts attempts towards one limit or towards two, a sustained one and a burst limit of the
 * same subject (ADR-0191).
 */
export const counters = sqliteTable(
  'counters',
  {
    tenantId: tenantId(),
    key: text('key').notNull(),
    count: integer('count').notNull().default(0),
    windowStart: timeColumn('window_start').notNull(),
    lockedUntil: timeColumn('locked_until'),
    /** The time at which the row loses its effect and may be deleted. */
    expiresAt: timeColumn('expires_at').notNull(),
    /** The state of the burst limit of the same subject, if there is one. A count of zero has no window. */
    burstCount: integer('burst_count').notNull().default(0),
    burstWindowStart: timeColumn('burst_window_start'),
    burstLockedUntil: timeColumn('burst_locked_until'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.key] }), ...lengthLimits([table.key, 256])],
)
