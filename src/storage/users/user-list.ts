import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { readTogether } from '../batches.ts'
import type { Database } from '../database.ts'
import { users, usersRoles } from '../tables.ts'
import {
  cappedCount,
  cappedTotal,
  MAX_LIST_COUNT,
  type PageRange,
  pageOffset,
  totalQuery,
} from '../totals.ts'
import { findByPrefix } from './user-prefixes.ts'
import { findByText, isInUserSubset, matchesSearch, type UserSearch, type UserSubset } from './user-search.ts'
import { type UserRow, userColumns } from './users.ts'

type UserList = {
  users: UserRow[]
  total: number
  /** Whether the list has more users than `total`. */
  isCapped: boolean
}

type UserFilter = {
  search?: UserSearch | undefined
  isSuspended?: boolean | undefined
  withoutRoleId?: string | undefined
}

/** The error for a search that needs more parameters than a D1 statement may have. */
export class SearchTooLargeError extends Error {
  override readonly name = 'SearchTooLargeError'
}

const MAX_PARAMETERS = 100 // D1

/** Lists users, newest first (spec/management#users). */
export async function listUsers(
  db: Database,
  tenantId: string,
  { search, isSuspended, withoutRoleId, ...page }: PageRange & UserFilter,
): Promise<UserList> {
  const subset = { tenantId, isSuspended }
  const isSearch = search !== undefined && search.terms.length > 0
  const { listed, count, tested } = conditionsOf(subset, {
    search: isSearch ? search : undefined,
    withoutRoleId,
    last: pageOffset(page) + page.pageSize,
  })
  const query = db
    .select(userColumns)
    .from(users)
    .where(listed)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(page.pageSize)
    .offset(pageOffset(page))
  if (query.toSQL().params.length > MAX_PARAMETERS) throw new SearchTooLargeError()
  if (!isSearch && isSuspended === undefined && withoutRoleId === undefined) {
    const { rows, totals } = await readTogether(db, {
      rows: query,
      totals: totalQuery(db, tenantId, 'users'),
    })
    return { users: rows, total: totals[0]?.count ?? 0, isCapped: false }
  }
  const { rows, counts, all } = await readTogether(db, {
    rows: query,
    counts: countQuery(db, count),
    all: tested && countQuery(db, countOf(tested)),
  })
  const { total, isCapped } = cappedTotal(counts[0]?.count ?? 0)
  return { users: rows, total, isCapped: isCapped || cappedTotal(all[0]?.count ?? 0).isCapped }
}

/** Wraps a numeric expression in a query that returns one row `{ count }`. */
const countQuery = (db: Database, count: SQL) =>
  db.select({ count: sql<number>`${count}`.as('count') }).from(sql`(select 1) as one`)

const countOf = (condition: SQL | undefined): SQL =>
  cappedCount(sql`select 1 from ${users} where ${condition}`)

type Conditions = {
  listed: SQL | undefined
  /** The number of matching users, capped as in other lists. */
  count: SQL
  /**
   * Matches all candidates. Set if only the newest candidates are tested, so that the total is reported as capped if
   * there are more.
   */
  tested?: SQL | undefined
}

function conditionsOf(
  subset: UserSubset,
  { search, withoutRoleId, last }: Pick<UserFilter, 'search' | 'withoutRoleId'> & { last: number },
): Conditions {
  const all = search ? matchesSearch(subset, search) : isInUserSubset(subset)
  if (withoutRoleId !== undefined) {
    const listed = and(
      search ? all : isAmongLatest(subset),
      sql`not ${hasRole(subset.tenantId, withoutRoleId)}`,
    )
    const isCut = !search || search.terms.some(({ mode }) => mode === 'contains')
    return { listed, count: countOf(listed), tested: isCut ? all : undefined }
  }
  const [term, ...others] = search?.terms ?? []
  if (search && term && others.length === 0) {
    const { isCaseSensitive } = search
    if (term.mode === 'contains') return findByText(subset, term, { isCaseSensitive, last })
    if (term.mode === 'prefix' && !term.pattern && !isCaseSensitive) return findByPrefix(subset, term, last)
  }
  return { listed: all, count: countOf(all) }
}

/**
 * Finding users without a role requires testing each user, and all of a million users may have the role. So only the
 * newest users are tested, up to the number at which lists stop counting (ADR-0051). A search finds older ones.
 */
const isAmongLatest = (subset: UserSubset): SQL =>
  sql`${users.searchId} in (select ${users.searchId} from ${users} where ${isInUserSubset(subset)}
    order by ${users.createdAt} desc, ${users.id} desc limit ${MAX_LIST_COUNT})`

const hasRole = (tenantId: string, roleId: string): SQL =>
  sql`exists (select 1 from ${usersRoles} where ${and(
    eq(usersRoles.tenantId, tenantId),
    eq(usersRoles.userId, users.id),
    eq(usersRoles.roleId, roleId),
  )})`
