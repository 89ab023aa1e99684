import { and, eq, getTableColumns, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Account, AccountLookup } from '../domain/accounts.ts'
import type { WayIn } from '../domain/ways-to-sign-in.ts'
import { type Database, isUniqueViolation } from './database.ts'
import { type Identities, userIdentities, users } from './tables.ts'

/**
 * Users. What ends in `Query`, and the statements guarded by a condition, are made to ride in a caller's batch;
 * the rest run by themselves. A name that somebody else took meanwhile throws: `takenField` says which.
 */

// The number of the row and its tenant are storage's own business.
const { searchId, tenantId: tenantColumn, ...columns } = getTableColumns(users)

export { columns as userColumns }

export type UserRow = Omit<typeof users.$inferSelect, 'searchId' | 'tenantId'>
export type AccountRow = UserRow

export type NewUser = Pick<UserRow, 'id' | 'createdAt'> & Partial<UserRow>

export type UserChanges = Partial<Omit<UserRow, 'id' | 'createdAt' | 'identities'>> & {
  /** Added to those that are there, each in place of one with the same target. */
  addIdentities?: Identities | undefined
  removeIdentity?: string | undefined
}

/**
 * The accounts that any of these names, each once, by index alone whatever the mixture. An OR and no UNION:
 * D1 refuses a compound SELECT of more than five.
 */
export function accountsQuery(db: Database, tenantId: string, lookups: readonly AccountLookup[]) {
  const named = lookups.map((lookup) => and(eq(users.tenantId, tenantId), isNamed(tenantId, lookup)))
  return db
    .select(columns)
    .from(users)
    .where(named.length > 0 ? or(...named) : isNobody)
}

/** Row numbers start at one. */
const isNobody = eq(users.searchId, 0)

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    username: row.username,
    email: row.primaryEmail,
    phone: row.primaryPhone,
    name: row.name,
    avatar: row.avatar,
    hasPassword: row.passwordEncrypted !== null,
    identities: row.identities,
    isSuspended: row.isSuspended,
    revokedAt: row.revokedAt,
    applicationId: row.applicationId,
  }
}

export async function getUser(db: Database, tenantId: string, id: string): Promise<UserRow | null> {
  return one(await db.select(columns).from(users).where(is(tenantId, id)))
}

export async function createUser(db: Database, tenantId: string, user: NewUser): Promise<UserRow> {
  return only(await insertUserIf(db, tenantId, sql`true`, user))
}

export async function updateUser(
  db: Database,
  tenantId: string,
  id: string,
  changes: UserChanges,
): Promise<UserRow | null> {
  const isEmpty = Object.values(changes).every((change) => change === undefined)
  return isEmpty ? getUser(db, tenantId, id) : one(await updateUserIf(db, tenantId, sql`true`, id, changes))
}

/** Suspending signs the user out everywhere in the same statement (decision 15). */
export function setSuspended(
  db: Database,
  tenantId: string,
  id: string,
  { isSuspended, now }: { isSuspended: boolean; now: number },
): Promise<UserRow | null> {
  return updateUser(db, tenantId, id, { isSuspended, ...(isSuspended && { revokedAt: now }) })
}

export async function deleteUser(db: Database, tenantId: string, id: string): Promise<UserRow | null> {
  return one(await removeUser(db, tenantId, id))
}

/** For the batch of a change and its audit row (decision 19). */
export const removeUser = (db: Database, tenantId: string, id: string) =>
  db.delete(users).where(is(tenantId, id)).returning(columns)

/** As a condition: the account of this name is one of these. */
export const isAmong = (tenantId: string, lookup: AccountLookup, ids: readonly string[]): SQL =>
  sql`exists (select 1 from ${users}
    where ${and(eq(users.tenantId, tenantId), isNamed(tenantId, lookup), inArray(users.id, [...ids]))})`

/** As a condition for other statements of a batch. */
export const isUser = (tenantId: string, id: string): SQL =>
  sql`exists (select 1 from ${users} where ${is(tenantId, id)})`

/** As a condition: nobody suspended them or signed them out since they were read. */
export const isUnrevoked = (tenantId: string, { id, revokedAt }: Pick<UserRow, 'id' | 'revokedAt'>): SQL =>
  sql`exists (select 1 from ${users} where ${and(is(tenantId, id), eq(users.isSuspended, false))}
    and ${users.revokedAt} is ${revokedAt})`

/** True as long as nobody else has changed these data: for merging into what was read. */
export const hasCustomData = (tenantId: string, id: string, customData: Record<string, unknown>): SQL =>
  sql`exists (select 1 from ${users} where ${and(is(tenantId, id), sql`${users.customData} = ${JSON.stringify(customData)}`)})`

/** As a condition: somebody of this target is linked to them. */
export const hasIdentity = (tenantId: string, id: string, target: string): SQL =>
  sql`exists (select 1 from ${userIdentities} where ${and(
    eq(userIdentities.tenantId, tenantId),
    eq(userIdentities.userId, id),
    eq(userIdentities.target, target),
  )})`

/** As a condition: they still have this way to sign in. */
export function hasWayIn(tenantId: string, id: string, way: WayIn): SQL {
  if (way.by === 'identity') return hasIdentity(tenantId, id, way.target)
  const named = { username: users.username, email: users.primaryEmail, phone: users.primaryPhone }[way.type]
  const password = way.needsPassword ? isNotNull(users.passwordEncrypted) : undefined
  return sql`exists (select 1 from ${users} where ${and(is(tenantId, id), isNotNull(named), password)})`
}

/** Registers if the condition holds when the batch runs; answers the row, or nothing. */
export function insertUserIf(db: Database, tenantId: string, condition: SQL, user: NewUser) {
  const row: Record<keyof typeof users.$inferSelect, unknown> = {
    searchId: null, // the database counts
    tenantId,
    id: user.id,
    username: user.username ?? null,
    primaryEmail: user.primaryEmail ?? null,
    primaryPhone: user.primaryPhone ?? null,
    passwordEncrypted: user.passwordEncrypted ?? null,
    passwordEncryptionMethod: user.passwordEncryptionMethod ?? null,
    name: user.name ?? null,
    avatar: user.avatar ?? null,
    applicationId: user.applicationId ?? null,
    identities: user.identities ?? {},
    customData: user.customData ?? {},
    isSuspended: user.isSuspended ?? false,
    revokedAt: user.revokedAt ?? null,
    lastSignInAt: user.lastSignInAt ?? null,
    createdAt: user.createdAt,
  }
  // In the order of the table, which is the one in which drizzle names the columns of INSERT … SELECT.
  const values = Object.entries(getTableColumns(users)).map(
    ([name, column]) => sql`${sql.param(row[name as keyof typeof row], column)}`,
  )
  return db
    .insert(users)
    .select(sql`select ${sql.join(values, sql`, `)} where ${condition}`)
    .returning(columns)
}

/** Changes the user if the condition holds when the batch runs; answers the row, or nothing. */
export function updateUserIf(
  db: Database,
  tenantId: string,
  condition: SQL,
  id: string,
  { addIdentities, removeIdentity, ...changes }: UserChanges,
) {
  const removed = [
    ...Object.keys(addIdentities ?? {}),
    ...(removeIdentity === undefined ? [] : [removeIdentity]),
  ]
  return db
    .update(users)
    .set({
      ...changes,
      // `revocationAfter`, in the database: two at the same time are dated one behind the other.
      ...(typeof changes.revokedAt === 'number' && {
        revokedAt: sql`max(${changes.revokedAt}, coalesce((${users.revokedAt} / 1000 + 1) * 1000, 0))`,
      }),
      ...(removed.length > 0 && {
        // In the database, so that two links at the same time both stay. A patch merges; removing first replaces.
        identities: patched(patched(sql`${users.identities}`, nothingAt(removed)), addIdentities ?? {}),
      }),
    })
    .where(and(is(tenantId, id), condition))
    .returning(columns)
}

/** The first application a user consents to stays theirs (decision 21, contract 12). */
export const setFirstApplication = (db: Database, tenantId: string, id: string, applicationId: string) =>
  db
    .update(users)
    .set({ applicationId })
    .where(and(is(tenantId, id), isNull(users.applicationId)))

/** Stores a hash anew, unless the password was changed meanwhile (decision 13). */
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

/** Which name of a user, just inserted or changed, belongs to somebody else; null when the error is another. */
export const takenField = (error: unknown): TakenField | null =>
  takenFields[isUniqueViolation(error) ?? ''] ?? null

const is = (tenantId: string, id: string) => and(eq(users.tenantId, tenantId), eq(users.id, id))

function isNamed(tenantId: string, lookup: AccountLookup): SQL {
  switch (lookup.by) {
    case 'id':
      return eq(users.id, lookup.value)
    case 'username':
      return eq(users.username, lookup.value)
    case 'email':
      return sql`lower(${users.primaryEmail}) = lower(${lookup.value})`
    case 'phone':
      return eq(users.primaryPhone, lookup.value)
    case 'identity':
      return sql`${users.id} = (select ${userIdentities.userId} from ${userIdentities} where ${and(
        eq(userIdentities.tenantId, tenantId),
        eq(userIdentities.target, lookup.target),
        eq(userIdentities.identityId, lookup.value),
      )})`
  }
}

const patched = (json: SQL, patch: object): SQL => sql`json_patch(${json}, ${JSON.stringify(patch)})`
const nothingAt = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]))

const one = <T>(rows: readonly T[]): T | null => rows[0] ?? null

function only<T>(rows: readonly T[]): T {
  const [row] = rows
  if (!row) throw new Error('A row that was written was not answered')
  return row
}
