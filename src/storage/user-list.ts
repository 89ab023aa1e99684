import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { readTogether } from './batches.ts'
import type { Database } from './database.ts'
import { users, usersRoles } from './tables.ts'
import {
  COUNTED_AT_MOST,
  cappedCountQuery,
  cappedTotal,
  offsetOf,
  type PageRange,
  totalQuery,
} from './totals.ts'
import { asPrefixSearch, countedByPrefix, listedByPrefix } from './user-prefixes.ts'
import { type Among, isAmong, isFound, type UserSearch } from './user-search.ts'
import { type UserRow, userColumns } from './users.ts'

type UserList = {
  users: UserRow[]
  total: number
  /** There are more than `total`. */
  isCapped: boolean
}

type UserFilter = {
  search?: UserSearch | undefined
  isSuspended?: boolean | undefined
  withoutRoleId?: string | undefined
}

/** A search that needs more parameters than a statement of D1 may have. */
export class SearchTooLarge extends Error {
  override readonly name = 'SearchTooLarge'
}

const MOST_PARAMETERS = 100 // D1

/** Newest first (spec/management#users). */
export async function listUsers(
  db: Database,
  tenantId: string,
  { search, isSuspended, withoutRoleId, ...page }: PageRange & UserFilter,
): Promise<UserList> {
  const among = { tenantId, isSuspended }
  const isSearch = search !== undefined && search.terms.length > 0
  const { listed, counted, tested } = conditionsOf(among, {
    search: isSearch ? search : undefined,
    withoutRoleId,
    last: offsetOf(page) + page.pageSize,
  })
  const rows = db
    .select(userColumns)
    .from(users)
    .where(listed)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(page.pageSize)
    .offset(offsetOf(page))
  if (rows.toSQL().params.length > MOST_PARAMETERS) throw new SearchTooLarge()
  if (!isSearch && isSuspended === undefined && withoutRoleId === undefined) {
    const { found, totals } = await readTogether(db, {
      found: rows,
      totals: totalQuery(db, tenantId, 'users'),
    })
    return { users: found, total: totals[0]?.count ?? 0, isCapped: false }
  }
  const count = (condition: SQL | undefined) =>
    cappedCountQuery(db, db.select({ id: users.id }).from(users).where(condition))
  const { found, counts, all } = await readTogether(db, {
    found: rows,
    counts: count(counted),
    all: tested && count(tested),
  })
  const { total, isCapped } = cappedTotal(counts[0]?.count ?? 0)
  return { users: found, total, isCapped: isCapped || cappedTotal(all[0]?.count ?? 0).isCapped }
}

type Conditions = {
  listed: SQL | undefined
  counted: SQL | undefined
  /** Of these users only the latest are looked at. */
  tested?: SQL | undefined
}

function conditionsOf(
  among: Among,
  { search, withoutRoleId, last }: Pick<UserFilter, 'search' | 'withoutRoleId'> & { last: number },
): Conditions {
  const all = search ? isFound(among, search) : isAmong(among)
  if (withoutRoleId !== undefined) {
    const listed = and(
      search ? all : isAmongLatest(among),
      sql`not ${hasRole(among.tenantId, withoutRoleId)}`,
    )
    const isCut = !search || search.terms.some(({ mode }) => mode === 'contains')
    return { listed, counted: listed, tested: isCut ? all : undefined }
  }
  const prefix = search && asPrefixSearch(search)
  if (!prefix) return { listed: all, counted: all }
  return { listed: listedByPrefix(among, prefix, last), counted: countedByPrefix(among, prefix) }
}

/**
 * Users without a role are found by testing one user after the other, and all of a million may have it. So only the
 * latest users, as many as are counted, are tested (ADR-0051); older ones are found by a search.
 */
const isAmongLatest = (among: Among): SQL =>
  sql`${users.searchId} in (select ${users.searchId} from ${users} where ${isAmong(among)}
    order by ${users.createdAt} desc, ${users.id} desc limit ${COUNTED_AT_MOST})`

const hasRole = (tenantId: string, roleId: string): SQL =>
  sql`exists (select 1 from ${usersRoles} where ${and(
    eq(usersRoles.tenantId, tenantId),
    eq(usersRoles.userId, users.id),
    eq(usersRoles.roleId, roleId),
  )})`
