import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import type { FieldValue } from '../../contract/account/custom-fields.ts'
import type { UserProfilePatch } from '../../contract/users/user-profile.schema.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import { patchedCustomData } from '../account/custom-data.ts'
import type { Condition } from '../conditions.ts'
import { type Database, isUniqueViolation } from '../database.ts'
import { type Identities, users } from '../tables.ts'
import { matchesUserKey, type UserRow, userColumns } from './users.ts'

/**
 * Changes to users, as statements for the caller's batch. They throw if another user has taken an identifier in the
 * meantime; `findTakenField` returns its field.
 */

export type NewUserRow = Pick<UserRow, 'id' | 'createdAt'> & Partial<UserRow>

export type UserChanges = Partial<Omit<UserRow, 'id' | 'createdAt' | 'identities' | 'profile'>> & {
  /** Changes to merge into the profile; null removes a key. */
  profile?: UserProfilePatch | undefined
  /** Changes to merge into the custom data; null removes a key. */
  customFields?: Readonly<Record<string, FieldValue>> | undefined
  /** Identities to add; they replace existing identities of the same target. */
  addIdentities?: Identities | undefined
  removeIdentity?: string | undefined
}

/** The default values of a new user's fields. */
const defaults: Omit<UserRow, 'id' | 'createdAt'> = {
  username: null,
  primaryEmail: null,
  primaryPhone: null,
  passwordEncrypted: null,
  passwordEncryptionMethod: null,
  name: null,
  avatar: null,
  applicationId: null,
  identities: {},
  customData: {},
  emailVerified: true,
  phoneVerified: true,
  termsAgreement: null,
  isSuspended: false,
  revokedAt: null,
  factorsChangedAt: null,
  lastSignInAt: null,
  profile: {},
  profileUpdatedAt: null,
}

export const createUserRow = (user: NewUserRow): UserRow => ({
  ...defaults,
  id: user.id,
  createdAt: user.createdAt,
  ...Object.fromEntries(Object.entries(user).filter(([, value]) => value !== undefined)),
})

/** Inserts a user if the condition holds. Returns the row, or no row otherwise. */
export function insertUserIf(db: Database, tenantId: string, condition: Condition, user: NewUserRow) {
  // The row number is left to the database.
  const row = { searchId: null, tenantId, ...createUserRow(user) }
  // The values are in table order, because drizzle lists the columns of INSERT … SELECT in that order.
  const values = Object.entries(getTableColumns(users)).map(
    ([name, column]) => sql`${sql.param(row[name as keyof typeof row], column)}`,
  )
  return db
    .insert(users)
    .select(sql`select ${sql.join(values, sql`, `)} where ${condition}`)
    .returning(userColumns)
}

/** Updates a user if the condition holds. Returns the row, or no row otherwise. */
export function updateUserIf(
  db: Database,
  tenantId: string,
  condition: Condition,
  id: string,
  { addIdentities, removeIdentity, profile, customFields, ...changes }: UserChanges,
) {
  const removedTargets = [
    ...Object.keys(addIdentities ?? {}),
    ...(removeIdentity === undefined ? [] : [removeIdentity]),
  ]
  return db
    .update(users)
    .set({
      ...changes,
      ...verifiedFlags(changes),
      // If two revocations run concurrently, the second one must have the later time, so this repeats
      // `nextRevocationTime` in SQL.
      ...(typeof changes.revokedAt === 'number' && {
        revokedAt: sql`max(${changes.revokedAt}, coalesce((${users.revokedAt} / 1000 + 1) * 1000, 0))`,
      }),
      ...(removedTargets.length > 0 && {
        // Identities are merged in the database, so that no concurrent change is lost. A JSON patch also merges nested
        // values, so the old identity is removed first.
        identities: patched(
          patched(sql`${users.identities}`, nothingAt(removedTargets)),
          addIdentities ?? {},
        ),
      }),
      // Custom data is merged in the database, so that no concurrent change is lost.
      ...(customFields && { customData: patchedCustomData(customFields) }),
      // The profile is merged in the database, so that no concurrent change is lost. An address without any remaining
      // parts is removed.
      ...(profile && { profile: withoutEmptyAddress(patched(sql`${users.profile}`, profile)) }),
    })
    .where(and(matchesUserKey(tenantId, id), condition))
    .returning(userColumns)
}

/** Selects the picture that a change replaces. The query runs before the change, in the same batch. */
export const replacedPictureQuery = (
  db: Database,
  tenantId: string,
  condition: Condition,
  { id, avatar }: { id: string; avatar: string | null },
) =>
  db
    .select({ avatar: users.avatar })
    .from(users)
    .where(and(matchesUserKey(tenantId, id), sql`${users.avatar} is not ${avatar}`, condition))

/**
 * Marks a new address as verified unless the caller specifies otherwise. An unchanged address keeps its flag
 * (spec/accounts#verified-addresses).
 */
const verifiedFlags = ({ primaryEmail, primaryPhone, emailVerified, phoneVerified }: UserChanges) => ({
  ...(primaryEmail !== undefined &&
    emailVerified === undefined && {
      emailVerified: sql`iif(lower(${users.primaryEmail}) = lower(${primaryEmail}), ${users.emailVerified}, 1)`,
    }),
  ...(primaryPhone !== undefined &&
    phoneVerified === undefined && {
      phoneVerified: sql`iif(${users.primaryPhone} = ${primaryPhone}, ${users.phoneVerified}, 1)`,
    }),
})

const claimedFields = ['username', 'primaryEmail', 'primaryPhone', 'name', 'avatar', 'profile'] as const

/** Adds the current time, for the claim `updated_at`, if standard claims change. */
export const withProfileUpdateTime = <T extends UserChanges>(changes: T, now: number): T & UserChanges =>
  claimedFields.some((name) => changes[name] !== undefined) ? { ...changes, profileUpdatedAt: now } : changes

/**
 * Marks an address as verified if the account still has it. Used when the user has received a message at the address.
 */
export function markVerified(
  db: Database,
  tenantId: string,
  id: string,
  { address: { type, value }, condition }: { address: VerifiedAddress; condition: Condition },
) {
  const [column, flag] =
    type === 'email'
      ? ([users.primaryEmail, { emailVerified: true }] as const)
      : ([users.primaryPhone, { phoneVerified: true }] as const)
  return db
    .update(users)
    .set(flag)
    .where(and(matchesUserKey(tenantId, id), eq(column, value), condition))
}

/**
 * Stores the application as the user's first one, unless the user already has one (spec/accounts#first-application).
 */
export const setFirstApplication = (db: Database, tenantId: string, id: string, applicationId: string) =>
  db
    .update(users)
    .set({ applicationId })
    .where(and(matchesUserKey(tenantId, id), isNull(users.applicationId)))

/** Replaces a weak hash, unless the password was changed in the meantime (spec/accounts#password-verification). */
export const replacePasswordHash = (
  db: Database,
  tenantId: string,
  { id, passwordEncrypted }: Pick<UserRow, 'id' | 'passwordEncrypted'>,
  changes: Pick<UserRow, 'passwordEncrypted' | 'passwordEncryptionMethod'>,
) => updateUserIf(db, tenantId, eq(users.passwordEncrypted, passwordEncrypted ?? ''), id, changes)

export type TakenField = 'id' | 'username' | 'email' | 'phone' | 'identity'

const takenFields: Record<string, TakenField> = {
  'users.tenant_id, users.id': 'id',
  'users.tenant_id, users.username': 'username',
  users_email_unique: 'email',
  'users.tenant_id, users.primary_phone': 'phone',
  'user_identities.tenant_id, user_identities.target, user_identities.identity_id': 'identity',
}

/** Returns the field whose value another user has already taken, or null for any other error. */
export const findTakenField = (error: unknown): TakenField | null =>
  takenFields[isUniqueViolation(error) ?? ''] ?? null

const patched = (json: SQL, patch: object): SQL => sql`json_patch(${json}, ${JSON.stringify(patch)})`
const withoutEmptyAddress = (json: SQL): SQL =>
  sql`iif(${json} -> '$.address' = '{}', json_remove(${json}, '$.address'), ${json})`
const nothingAt = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]))
