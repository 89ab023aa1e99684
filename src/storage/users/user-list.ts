import { type SQL, sql } from 'drizzle-orm'
import { readTogether } from '../batches.ts'
import type { Database } from '../database.ts'
import { users } from '../tables.ts'
import {
  cappedCount,
  cappedTotal,
  MAX_LIST_COUNT,
  type PageRange,
  pageOffset,
  totalQuery,
} from '../totals.ts'
import { filterTests, findByFilter, type UserFilter } from './user-filter.ts'
import { orderBy, relevance, type UserOrder } from './user-order.ts'
import { findByPrefix } from './user-prefixes.ts'
import {
  equalsExactly,
  findByText,
  isInUserSubset,
  matchesSearch,
  type UserSearch,
  type UserSubset,
} from './user-search.ts'
import { type UserRow, userColumns } from './users.ts'

type UserList = {
  users: UserRow[]
  total: number
  /** True if the list has more users than `total`. */
  isCapped: boolean
}

type ListRequest = PageRange &
  Partial<UserOrder> &
  UserFilter & { search?: UserSearch | undefined; isSuspended?: boolean | undefined }

/** The error for a search that needs more parameters than a D1 statement may have. */
export class SearchTooLargeError extends Error {
  override readonly name = 'SearchTooLargeError'
}

export const MAX_PARAMETERS = 100 // D1

/** Lists users, newest first unless another order is requested (spec/management#users). */
export async function listUsers(
  db: Database,
  tenantId: string,
  { search, isSuspended, sort = 'createdAt', order, page, pageSize, ...filter }: ListRequest,
): Promise<UserList> {
  const range = { page, pageSize }
  const subset = { tenantId, isSuspended }
  const activeSearch = search?.terms.length ? search : undefined
  const ordered = {
    sort,
    order: order ?? (sort === 'createdAt' || sort === 'relevance' ? 'desc' : 'asc'),
  } as const
  const { listed, count, tested } = conditionsOf(subset, {
    search: activeSearch,
    filter,
    ordered,
    last: pageOffset(range) + pageSize,
  })
  const query = db
    .select(userColumns)
    .from(users)
    .where(listed)
    .orderBy(...orderBy(ordered, rankedTerm(activeSearch)))
    .limit(pageSize)
    .offset(pageOffset(range))
  if (query.toSQL().params.length > MAX_PARAMETERS) throw new SearchTooLargeError()
  if (!count) {
    const { rows, totals } = await readTogether(db, {
      rows: query,
      totals: totalQuery(db, tenantId, 'users'),
    })
    return { users: rows, total: totals[0]?.count ?? 0, isCapped: false }
  }
  const { rows, counts, all } = await readTogether(db, {
    rows: query,
    counts: countQuery(db, count),
    all: tested && countQuery(db, tested),
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
  /** The number of matching users, capped as in other lists. It is absent if the list contains all users. */
  count?: SQL
  /**
   * The number of all candidates. Set if only the first candidates are tested, so that the total is reported as capped
   * if there are more.
   */
  tested?: SQL | undefined
}

type Selection = {
  search: UserSearch | undefined
  filter: UserFilter
  ordered: UserOrder
  last: number
}

function conditionsOf(subset: UserSubset, { search, filter, ordered, last }: Selection): Conditions {
  const tests = filterTests(subset.tenantId, filter)
  const isByAge = ordered.sort === 'createdAt' || ordered.sort === 'relevance'
  if (!search) {
    const listed = isInUserSubset(subset)
    if (tests.length === 0 && subset.isSuspended === undefined) return { listed }
    if (tests.length === 0 && isByAge) return { listed, count: countOf(listed) }
    const filtered = findByFilter(subset, filter, { order: orderBy(ordered), isByAge })
    return { listed: filtered.listed, count: countOf(filtered.listed), tested: filtered.tested }
  }
  if (tests.length === 0 && isByAge && ordered.order === 'desc') {
    return findBySearch(subset, search, { ordered, last })
  }
  // The filters are tested on the newest matches, and these are sorted (ADR-0183).
  const candidates = findBySearch(subset, search, { ordered, last: MAX_LIST_COUNT })
  const listed = sql.join([sql`${candidates.listed}`, ...tests], sql` and `)
  return { listed, count: countOf(listed), tested: candidates.count }
}

/** Finds users by a search alone, newest first or by relevance. */
function findBySearch(
  subset: UserSubset,
  search: UserSearch,
  { ordered, last }: Pick<Selection, 'ordered' | 'last'>,
): Conditions {
  const all = matchesSearch(subset, search)
  const [term, ...others] = search.terms
  const { isCaseSensitive } = search
  const plan =
    others.length > 0 || !term
      ? undefined
      : term.mode === 'contains'
        ? findByText(subset, term, {
            isCaseSensitive,
            last,
            ...(ordered.sort === 'relevance' && { rank: relevance(term) }),
          })
        : term.mode === 'prefix' && !term.pattern && !isCaseSensitive
          ? findByPrefix(subset, term, last)
          : undefined
  const { listed, count } = plan ?? { listed: all, count: countOf(all) }
  const ranked = ordered.sort === 'relevance' ? rankedTerm(search) : undefined
  return ranked
    ? { listed: sql`(${listed} or ${equalsExactly(subset, ranked.fields, ranked.text)})`, count }
    : { listed, count }
}

/** The term whose text exact matches are ranked by, if the search is for one text without a pattern. */
function rankedTerm(search: UserSearch | undefined) {
  const [term, ...others] = search?.terms ?? []
  if (!search || search.isCaseSensitive || others.length > 0) return undefined
  return term && term.mode !== 'exact' && !term.pattern ? term : undefined
}
