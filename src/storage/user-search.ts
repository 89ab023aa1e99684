import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { globOf, type LikeToken, likeOf } from '../domain/like-pattern.ts'
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
import { type UserRow, userColumns } from './users.ts'

/**
 * Lists of users, newest first, with or without a search (spec/management#search, spec/storage#search-indexes). A search
 * first finds the rows, by index or through the trigram table, and then sorts them; it never scans the table.
 */

export const userSearchFields = ['id', 'primaryEmail', 'primaryPhone', 'username', 'name'] as const
export type UserSearchField = (typeof userSearchFields)[number]

/** Holds when any of its fields matches. */
export type UserSearchTerm = { fields: readonly UserSearchField[] } & (
  | { mode: 'exact'; values: readonly string[] }
  | ({ mode: 'prefix'; text: string } & Filter)
  /** Three characters or more: the index holds trigrams. */
  | ({ mode: 'contains'; text: string } & Filter)
)

/** Tested on each row that the index finds. */
type Filter = { pattern?: readonly LikeToken[] | undefined }

export type UserSearch = {
  joint: 'or' | 'and'
  terms: readonly UserSearchTerm[]
  isCaseSensitive: boolean
}

type UserList = {
  users: UserRow[]
  total: number
  /** There are more than `total`. */
  isCapped: boolean
}

/** A search that needs more parameters than a statement of D1 may have. */
export class SearchTooLarge extends Error {
  override readonly name = 'SearchTooLarge'
}

const MOST_PARAMETERS = 100 // D1

export async function listUsers(
  db: Database,
  tenantId: string,
  {
    search,
    withoutRoleId,
    ...page
  }: PageRange & { search?: UserSearch | undefined; withoutRoleId?: string | undefined },
): Promise<UserList> {
  const isSearch = search !== undefined && search.terms.length > 0
  const isWhole = !isSearch && withoutRoleId === undefined
  const condition = and(
    isSearch ? isFound(tenantId, search) : isWhole ? eq(users.tenantId, tenantId) : isAmongLatest(tenantId),
    withoutRoleId === undefined ? undefined : sql`not ${hasRole(tenantId, withoutRoleId)}`,
  )
  const rows = db
    .select(userColumns)
    .from(users)
    .where(condition)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(page.pageSize)
    .offset(offsetOf(page))
  if (rows.toSQL().params.length > MOST_PARAMETERS) throw new SearchTooLarge()
  const all = totalQuery(db, tenantId, 'users')
  if (isWhole) {
    const { listed, totals } = await readTogether(db, { listed: rows, totals: all })
    return { users: listed, total: totals[0]?.count ?? 0, isCapped: false }
  }
  const counts = cappedCountQuery(db, db.select({ id: users.id }).from(users).where(condition))
  const found = await readTogether(db, { listed: rows, counts, totals: all })
  const { total, isCapped } = cappedTotal(found.counts[0]?.count ?? 0)
  const hasOlder = !isSearch && (found.totals[0]?.count ?? 0) > COUNTED_AT_MOST
  return { users: found.listed, total, isCapped: isCapped || hasOlder }
}

/**
 * Users without a role are found by testing one user after the other, and all of a million may have it. So only the
 * latest users, as many as are counted, are tested (ADR-0051); older ones are found by a search.
 */
const isAmongLatest = (tenantId: string): SQL =>
  sql`${users.searchId} in (select ${users.searchId} from ${users} where ${users.tenantId} = ${tenantId}
    order by ${users.createdAt} desc, ${users.id} desc limit ${COUNTED_AT_MOST})`

const hasRole = (tenantId: string, roleId: string): SQL =>
  sql`exists (select 1 from ${usersRoles} where ${and(
    eq(usersRoles.tenantId, tenantId),
    eq(usersRoles.userId, users.id),
    eq(usersRoles.roleId, roleId),
  )})`

/**
 * Every branch of this OR finds its rows by an index of its own and names the tenant, so that SQLite does not choose an
 * index of all its users. The order of the list must not choose one either: a single branch would then be tested along
 * all users, the newest first. So the rows are found in a subquery without an order.
 */
function isFound(tenantId: string, { joint, terms, isCaseSensitive }: UserSearch): SQL | undefined {
  const alternatives = joint === 'or' ? terms.map((term) => [term]) : [mostSelectiveFirst(terms)]
  const all = alternatives.flatMap(([first, ...others]) => {
    const rest = others.map((other) => holds(other, isCaseSensitive))
    return first ? branches(tenantId, first, rest, isCaseSensitive) : []
  })
  return sql`${users.searchId} in (select ${users.searchId} from ${users} where ${or(...all)})`
}

const selectivity = { exact: 0, prefix: 1, contains: 2 } satisfies Record<UserSearchTerm['mode'], number>

const mostSelectiveFirst = (terms: readonly UserSearchTerm[]) =>
  terms.toSorted((one, other) => selectivity[one.mode] - selectivity[other.mode])

/** Rows are found by this term; the rest is tested on each. */
function branches(
  tenantId: string,
  term: UserSearchTerm,
  rest: readonly SQL[],
  isCaseSensitive: boolean,
): (SQL | undefined)[] {
  const isTenants = eq(users.tenantId, tenantId)
  if (term.mode !== 'contains') {
    return term.fields.map((field) => and(isTenants, holdsFor(field, term, isCaseSensitive), ...rest))
  }
  const own = furtherConditions(term, isCaseSensitive)
  // CROSS JOIN: from the matches to the users, the latest first, and no further than lists are counted.
  return [
    sql`${users.searchId} in (select users_search.rowid from users_search cross join ${users}
      on ${users.searchId} = users_search.rowid
      where users_search match ${matchOf(term.fields, term.text)} and ${and(isTenants, own, ...rest)}
      order by users_search.rowid desc limit ${COUNTED_AT_MOST + 1})`,
  ]
}

function holds(term: UserSearchTerm, isCaseSensitive: boolean): SQL {
  if (term.mode !== 'contains') {
    const conditions = term.fields.map((field) => holdsFor(field, term, isCaseSensitive))
    return sql`(${sql.join(conditions, sql` or `)})`
  }
  const isIndexed = sql`exists (select 1 from users_search
    where users_search.rowid = ${users.searchId} and users_search match ${matchOf(term.fields, term.text)})`
  const further = furtherConditions(term, isCaseSensitive)
  return further ? sql`(${isIndexed} and ${further})` : isIndexed
}

type IndexedTerm = Extract<UserSearchTerm, { mode: 'exact' | 'prefix' }>

function holdsFor(field: UserSearchField, term: IndexedTerm, isCaseSensitive: boolean): SQL {
  const column = users[field]
  // Ids and phone numbers are compared as they are: an id in another case is another id.
  const isFolded = field !== 'id' && field !== 'primaryPhone'
  const folded = (value: SQL) => (isFolded ? sql`lower(${value})` : value)
  const indexed = folded(sql`${column}`)
  const isStrict = isFolded && isCaseSensitive
  if (term.mode === 'exact') {
    // One parameter, because a statement may have a hundred.
    const values = sql`(select ${folded(sql`value`)} from json_each(${JSON.stringify(term.values)}))`
    const same = sql`${column} in (select value from json_each(${JSON.stringify(term.values)}))`
    return isStrict ? sql`(${indexed} in ${values} and ${same})` : sql`${indexed} in ${values}`
  }
  const start = folded(sql`${term.text}`)
  // The last code point sorts behind every text with this prefix and before all others.
  const range = sql`(${indexed} >= ${start} and ${indexed} < ${start} || char(1114111))`
  // The pattern includes the prefix, and the case.
  if (term.pattern) return sql`(${range} and ${fits(column, term.pattern, isCaseSensitive)})`
  return isStrict ? sql`(${range} and substr(${column}, 1, length(${term.text})) = ${term.text})` : range
}

function furtherConditions(
  { fields, text, pattern }: Extract<UserSearchTerm, { mode: 'contains' }>,
  isCaseSensitive: boolean,
): SQL | undefined {
  if (!pattern) return isCaseSensitive ? hasText(fields, text) : undefined
  const conditions = fields.map((field) => fits(users[field], pattern, isCaseSensitive))
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** LIKE ignores the case of ASCII letters, GLOB does not. */
const fits = (column: SQLiteColumn, pattern: readonly LikeToken[], isCaseSensitive: boolean): SQL =>
  isCaseSensitive
    ? sql`coalesce(${column} glob ${globOf(pattern)}, 0)`
    : sql`coalesce(${column} like ${likeOf(pattern)} escape '\\', 0)`

const hasText = (fields: readonly UserSearchField[], text: string): SQL =>
  sql`(${sql.join(
    fields.map((field) => sql`coalesce(instr(${users[field]}, ${text}), 0) > 0`),
    sql` or `,
  )})`

/** FTS5's query language: these columns, this phrase. */
const matchOf = (fields: readonly UserSearchField[], text: string): string =>
  `{${fields.map((field) => users[field].name).join(' ')}} : "${text.replaceAll('"', '""')}"`
