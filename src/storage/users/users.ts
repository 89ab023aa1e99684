import { and, eq, getTableColumns, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { Account, AccountLookup } from '../../domain/interactions/accounts.ts'
import type { SignInOption } from '../../domain/interactions/ways-to-sign-in.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { hasPasskey } from '../passkeys/passkeys.ts'
import { IS_COSTLY_PASSWORD_SQL, PASSWORD_WORK_SQL } from '../tables/passwords/password-work.ts'
import { addressChanges, identityAdditions, passkeys, totpFactors, userIdentities, users } from '../tables.ts'

/**
 * Lookups of users and conditions on them. Functions whose name ends in `Query` or that accept a condition return a
 * statement for the caller's batch; the others execute it.
 */

// The row number and the tenant id never leave storage.
const { searchId, tenantId: tenantColumn, ...columns } = getTableColumns(users)

export { columns as userColumns }

export type UserRow = Omit<typeof users.$inferSelect, 'searchId' | 'tenantId'>
export type AccountRow = UserRow

/** An id, or an SQL expression for an id from another row of the batch. */
export type IdExpression = string | SQL
export type UserLookup = AccountLookup | { by: 'id'; value: IdExpression }

/**
 * Selects the accounts that match any of the lookups, without duplicates and using an index. It uses OR instead of
 * UNION, because D1 rejects a compound SELECT with more than five parts.
 */
export function accountsQuery(db: Database, tenantId: string, lookups: readonly AccountLookup[]) {
  return db.select(columns).from(users).where(matchesAnyLookup(tenantId, lookups))
}

/**
 * The times at which the credentials of an account were added, in epoch milliseconds. The id of an identity is its
 * target.
 */
export type CredentialAdditions = {
  userId: string
  passkeys: readonly Addition[]
  identities: readonly Addition[]
  totp: readonly Addition[]
  /** Changes of address; the id of a change is the type of the address. */
  addresses: readonly Addition[]
}
type Addition = { id: string; at: number }

/** Selects the times at which credentials were added to each account that a lookup matches. */
export function credentialAdditionsQuery(db: Database, tenantId: string, lookups: readonly UserLookup[]) {
  const listOf = (
    from: typeof passkeys | typeof identityAdditions | typeof totpFactors | typeof addressChanges,
    id: SQL,
  ) =>
    sql<string>`(select json_group_array(json_object('id', ${id}, 'at', item.created_at)) from ${from} as item
      where item.tenant_id = users.tenant_id and item.user_id = users.id)`.mapWith(
      (json: string): readonly Addition[] => JSON.parse(json),
    )
  return db
    .select({
      userId: users.id,
      passkeys: listOf(passkeys, sql`item.credential_id`).as('passkeys'),
      identities: listOf(identityAdditions, sql`item.target`).as('linked'),
      totp: listOf(totpFactors, sql`'totp'`).as('totp'),
      addresses: listOf(addressChanges, sql`item.type`).as('addresses'),
    })
    .from(users)
    .where(matchesAnyLookup(tenantId, lookups))
}

/**
 * The expression must be identical to that of the index; otherwise, SQLite does not use the index. Its columns also
 * exist in the previous schema.
 */
const passwordWork = sql<number>`(${sql.raw(PASSWORD_WORK_SQL)})`

/**
 * Selects an account for a password attempt, with the cost of verifying its stored password (spec/accounts#equal-work).
 */
export const accountWithHashCostQuery = (db: Database, tenantId: string, lookup: AccountLookup) =>
  db
    .select({ ...columns, passwordWork: passwordWork.as('password_work') })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), matchesLookup(tenantId, lookup)))

/** The prefix of a stored password, and the cost of verifying the password. */
export type CostliestHash = { form: string; work: number }

/**
 * Selects the stored hash that costs the most to verify, if it costs more than our own hashes. The index contains only
 * such passwords, so the query reads one entry.
 */
export const costliestHashQuery = (db: Database, tenantId: string) =>
  db
    .select({
      // The parameters of the hash, without the hash itself.
      form: sql<string>`substr(${users.passwordEncrypted}, 1, 14)`.as('form'),
      work: passwordWork.as('work'),
    })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), sql.raw(IS_COSTLY_PASSWORD_SQL)))
    .orderBy(sql`${passwordWork} desc`)
    .limit(1)

/** Matches no row, because row numbers start at one. */
const hasNoRow = eq(users.searchId, 0)

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    username: row.username,
    email: row.primaryEmail,
    phone: row.primaryPhone,
    emailVerified: row.emailVerified,
    phoneVerified: row.phoneVerified,
    name: row.name,
    avatar: row.avatar,
    hasPassword: row.passwordEncrypted !== null,
    identities: row.identities,
    isSuspended: row.isSuspended,
    revokedAt: row.revokedAt,
    applicationId: row.applicationId,
  }
}

/** Returns the verification flags for responses. A missing address is not verified. */
export const verifiedAddresses = (row: UserRow) => ({
  email: row.primaryEmail !== null && row.emailVerified,
  phone: row.primaryPhone !== null && row.phoneVerified,
})

export async function getUser(db: Database, tenantId: string, id: string): Promise<UserRow | null> {
  const [row] = await db.select(columns).from(users).where(matchesUserKey(tenantId, id))
  return row ?? null
}

export const removeUser = (db: Database, tenantId: string, id: string, condition: Condition = ALWAYS_TRUE) =>
  db
    .delete(users)
    .where(and(matchesUserKey(tenantId, id), condition))
    .returning(columns)

/**
 * Requires a second factor again in all of the user's remembered browsers. The statement belongs in the batch of every
 * change to second factors, and also affects a sign-in in progress (spec/accounts#remembered-browser).
 */
export const forgetRememberedBrowsersIf = (
  db: Database,
  { tenantId, userId }: { tenantId: string; userId: string },
  condition: Condition,
  now: number,
) =>
  db
    .update(users)
    .set({ factorsChangedAt: now })
    .where(and(matchesUserKey(tenantId, userId), condition))

/** Returns a subquery for the id of an account. It is null if no account has this name. */
export const accountIdByName = (tenantId: string, lookup: AccountLookup): SQL =>
  sql`(select ${users.id} from ${users} where ${and(eq(users.tenantId, tenantId), matchesLookup(tenantId, lookup))} limit 1)`

/** Checks whether the account with this name has one of these ids. */
export const isAccountAmong = (
  tenantId: string,
  name: AccountLookup,
  lookups: readonly AccountLookup[],
): Condition =>
  sql`exists (select 1 from ${users} where ${and(
    eq(users.tenantId, tenantId),
    matchesLookup(tenantId, name),
    or(...lookups.map((lookup) => matchesLookup(tenantId, lookup))),
  )})`

export const userExists = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${users} where ${matchesUserKey(tenantId, id)})`

/** Checks that the user has not been suspended or signed out everywhere since the row was read. */
export const isUnrevoked = (
  tenantId: string,
  { id, revokedAt }: Pick<UserRow, 'id' | 'revokedAt'>,
): Condition =>
  sql`exists (select 1 from ${users} where ${and(matchesUserKey(tenantId, id), eq(users.isSuspended, false))}
    and ${users.revokedAt} is ${revokedAt})`

/** Checks whether the user has a linked identity of this target. */
export const hasIdentity = (tenantId: string, id: string, target: string): Condition =>
  sql`exists (select 1 from ${userIdentities} where ${and(
    eq(userIdentities.tenantId, tenantId),
    eq(userIdentities.userId, id),
    eq(userIdentities.target, target),
  )})`

/** Checks that the user has no linked identity of this target. */
export const lacksIdentity = (tenantId: string, id: string, target: string): Condition =>
  sql`not ${hasIdentity(tenantId, id, target)}`

/**
 * Checks that the user has this sign-in method (spec/accounts#last-sign-in-method). The check runs before a removal in
 * the same batch, so a passkey that is about to be removed has to be excluded.
 */
export function hasSignInOption(tenantId: string, id: string, option: SignInOption): Condition {
  if (option.by === 'identity') return hasIdentity(tenantId, id, option.target)
  if (option.by === 'passkey') return hasPasskey(tenantId, id, option.except)
  const column = { username: users.username, email: users.primaryEmail, phone: users.primaryPhone }[
    option.type
  ]
  const password = option.needsPassword ? isNotNull(users.passwordEncrypted) : undefined
  return sql`exists (select 1 from ${users} where ${and(matchesUserKey(tenantId, id), isNotNull(column), password)})`
}

export const matchesUserKey = (tenantId: string, id: string) =>
  and(eq(users.tenantId, tenantId), eq(users.id, id))

/** Matches users by an OR of indexed terms, one for each lookup, or no user if there are no lookups. */
export function matchesAnyLookup(tenantId: string, lookups: readonly UserLookup[]) {
  const terms = lookups.map((lookup) => and(eq(users.tenantId, tenantId), matchesLookup(tenantId, lookup)))
  return terms.length > 0 ? or(...terms) : hasNoRow
}

export function matchesLookup(tenantId: string, lookup: UserLookup): SQL {
  switch (lookup.by) {
    case 'id':
      return eq(users.id, lookup.value)
    case 'username':
      return isUsername(tenantId, lookup.value)
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

/**
 * Matches the user with exactly this name or, if there is none, the only user whose name differs only in case
 * (spec/accounts#username). There may be several such users, created before such names were rejected.
 */
const isUsername = (tenantId: string, name: string): SQL =>
  sql`lower(${users.username}) = lower(${name}) and (${users.username} = ${name} or 1 = (select count(*)
    from ${users} as same where same.tenant_id = ${tenantId} and lower(same.username) = lower(${name})))`
