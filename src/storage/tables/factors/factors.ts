import { foreignKey, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { lengthLimits, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

/** The users' authenticator apps (spec/accounts#totp). */
export const totpFactors = sqliteTable(
  'totp_factors',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    /** Sealed (spec/storage#sealing). */
    secret: text('secret').notNull(),
    /** The newest time step whose code was accepted. Codes of this step and of earlier steps are rejected. */
    lastStep: integer('last_step'),
    createdAt: timeColumn('created_at').notNull(),
    lastUsedAt: timeColumn('last_used_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId] }),
    foreignKey({
      name: 'totp_factors_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.secret, 256]),
  ],
)

/** Backup codes that have not been used yet (spec/accounts#backup-codes). */
export const backupCodes = sqliteTable(
  'backup_codes',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    /** The keyed digest by which the database recognises the code without revealing it. */
    digest: text('digest').notNull(),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.digest] }),
    foreignKey({
      name: 'backup_codes_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.digest, 64]),
  ],
)

/**
 * The sign-ins and registrations in which users deferred setting up a second factor, by interaction
 * (spec/accounts#put-off).
 */
export const secondFactorDeferrals = sqliteTable(
  'second_factor_put_offs',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    interactionId: text('interaction_id').notNull(),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.interactionId] }),
    foreignKey({
      name: 'second_factor_put_offs_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.interactionId, 128]),
  ],
)

/** Each user's last sign-in from each country, recorded under the `adaptive` policy (spec/accounts#sign-in-places). */
export const signInPlaces = sqliteTable(
  'sign_in_places',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    /** The ISO 3166-1 country code, or `XX` for an unknown country. */
    country: text('country').notNull(),
    /** The coordinates are rounded to a tenth of a degree. */
    latitude: real('latitude'),
    longitude: real('longitude'),
    signedInAt: timeColumn('signed_in_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.country] }),
    foreignKey({
      name: 'sign_in_places_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    // The index does not begin with the tenant, because the sweep covers all tenants (spec/storage#sweeps).
    index('sign_in_places_signed_in').on(table.signedInAt),
    ...lengthLimits([table.country, 2]),
  ],
)
