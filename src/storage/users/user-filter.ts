import { and, eq, type SQL, sql } from 'drizzle-orm'
import { passkeys, totpFactors, userIdentities, users, usersRoles } from '../tables.ts'
import { cappedCount, MAX_LIST_COUNT } from '../totals.ts'
import { isInUserSubset, matchesSuspension, type UserSubset } from './user-search.ts'

/**
 * Filters that no index supports in the order of a list (spec/management#user-filters, ADR-0183). They are tested on a
 * bounded number of users.
 */
export type UserFilter = {
  roleId?: string | undefined
  withoutRoleId?: string | undefined
  /** The connector target of a linked social identity. */
  provider?: string | undefined
  hasFactor?: 'any' | 'none' | 'passkey' | 'totp' | undefined
  emailVerified?: boolean | undefined
  phoneVerified?: boolean | undefined
  /** Times in milliseconds. A user who has never signed in matches only `lastSignInBefore`. */
  lastSignInAfter?: number | undefined
  lastSignInBefore?: number | undefined
}

/** Returns a condition for each filter that is set. They are tested on rows that another condition has found. */
export function filterTests(tenantId: string, filter: UserFilter): SQL[] {
  const { roleId, withoutRoleId, provider, hasFactor, lastSignInAfter, lastSignInBefore } = filter
  const tests = [
    roleId === undefined ? undefined : hasRole(tenantId, roleId),
    withoutRoleId === undefined ? undefined : sql`not ${hasRole(tenantId, withoutRoleId)}`,
    provider === undefined
      ? undefined
      : sql`exists (select 1 from ${userIdentities} where ${and(
          eq(userIdentities.tenantId, tenantId),
          eq(userIdentities.userId, users.id),
          eq(userIdentities.target, provider),
        )})`,
    hasFactor && testFactor(tenantId, hasFactor),
    filter.emailVerified === undefined
      ? undefined
      : sql`(${users.primaryEmail} is not null and ${users.emailVerified} = ${Number(filter.emailVerified)})`,
    filter.phoneVerified === undefined
      ? undefined
      : sql`(${users.primaryPhone} is not null and ${users.phoneVerified} = ${Number(filter.phoneVerified)})`,
    lastSignInAfter === undefined ? undefined : sql`${users.lastSignInAt} >= ${lastSignInAfter}`,
    lastSignInBefore === undefined
      ? undefined
      : sql`coalesce(${users.lastSignInAt}, 0) < ${lastSignInBefore}`,
  ]
  return tests.filter((test) => test !== undefined)
}

const hasRole = (tenantId: string, roleId: string): SQL =>
  sql`exists (select 1 from ${usersRoles} where ${and(
    eq(usersRoles.tenantId, tenantId),
    eq(usersRoles.userId, users.id),
    eq(usersRoles.roleId, roleId),
  )})`

function testFactor(tenantId: string, factor: NonNullable<UserFilter['hasFactor']>): SQL {
  const [totp, passkey] = [totpFactors, passkeys].map(
    (table) =>
      sql`exists (select 1 from ${table} where ${and(eq(table.tenantId, tenantId), eq(table.userId, users.id))})`,
  )
  switch (factor) {
    case 'totp':
      return sql`${totp}`
    case 'passkey':
      return sql`${passkey}`
    case 'any':
      return sql`(${totp} or ${passkey})`
    case 'none':
      return sql`not (${totp} or ${passkey})`
  }
}

/**
 * Selects the ids of a set of users that an index lists and that all users of the filter belong to. Returns undefined
 * if there is no such set.
 */
function indexedSet(subset: UserSubset, { roleId, provider, hasFactor }: UserFilter): SQL | undefined {
  const { tenantId } = subset
  if (roleId !== undefined)
    // Otherwise, SQLite would read the roles of all users in the index by user.
    return sql`select ${usersRoles.userId} from ${usersRoles} indexed by users_roles_role where ${and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.roleId, roleId))}`
  if (provider !== undefined)
    // The comparison with '' is always true. It makes SQLite use the primary key. Otherwise, it would read the
    // identities of all users in the index by user.
    return sql`select ${userIdentities.userId} from ${userIdentities} where ${and(eq(userIdentities.tenantId, tenantId), eq(userIdentities.target, provider))} and ${userIdentities.identityId} >= ''`
  if (hasFactor === 'totp')
    return sql`select ${totpFactors.userId} from ${totpFactors} where ${eq(totpFactors.tenantId, tenantId)}`
  if (hasFactor === 'passkey')
    return sql`select ${passkeys.userId} from ${passkeys} where ${eq(passkeys.tenantId, tenantId)}`
  if (subset.isSuspended) return sql`select ${users.id} from ${users} where ${isInUserSubset(subset)}`
  return undefined
}

/**
 * Finds users by filters without reading all users. If an index lists a set of at most 10,000 users that all matches
 * belong to, each of them is tested. Otherwise, the first 10,000 users of the list's order are tested, and `tested`
 * counts all candidates, so that the total is reported as capped if some of them were not tested.
 */
export function findByFilter(
  subset: UserSubset,
  filter: UserFilter,
  { order, isByAge }: { order: readonly SQL[]; isByAge: boolean },
): { listed: SQL; tested: SQL } {
  const tests = filterTests(subset.tenantId, filter)
  const within = isByAge ? isInUserSubset(subset) : eq(users.tenantId, subset.tenantId)
  const firstOnes = (limit: SQL) => sql`${users.searchId} in (select ${users.searchId} from ${users}
    where ${within} order by ${sql.join([...order], sql`, `)} limit ${limit})`
  const limit = sql.raw(String(MAX_LIST_COUNT))
  const rest = sql.join(
    [sql`true`, ...[...tests, matchesSuspension(subset)].filter((test) => test !== undefined)],
    sql` and `,
  )
  const all = cappedCount(sql`select 1 from ${users} where ${within}`)
  const ids = indexedSet(subset, filter)
  if (!ids) return { listed: sql`(${firstOnes(limit)} and ${rest})`, tested: all }
  const isCommon = sql`${cappedCount(ids)} > ${limit}`
  return {
    listed: sql`((${users.searchId} in (select ${users.searchId} from ${users}
        where ${eq(users.tenantId, subset.tenantId)} and ${users.id} in
          (${ids} limit case when ${isCommon} then 0 else -1 end))
      or ${firstOnes(sql`case when ${isCommon} then ${limit} else 0 end`)}) and ${rest})`,
    tested: sql`case when ${isCommon} then ${all} else 0 end`,
  }
}
