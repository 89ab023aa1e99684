import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type LikeToken, toGlobPattern, toLikePattern } from '../../domain/like-pattern.ts'
import { users } from '../tables.ts'
import { MAX_LIST_COUNT } from '../totals.ts'

/**
 * Searches for users (spec/management#search, spec/storage#search-indexes). A search finds rows through an index or the
 * trigram table and never scans the table of users.
 */

export const userSearchFields = ['id', 'primaryEmail', 'primaryPhone', 'username', 'name'] as const
export type UserSearchField = (typeof userSearchFields)[number]

/** A search term, which matches a user if any of its fields does. */
export type UserSearchTerm = { fields: readonly UserSearchField[] } & (
  | { mode: 'exact'; values: readonly string[] }
  | ({ mode: 'prefix'; text: string } & Filter)
  /** The text needs at least three characters, because the index contains trigrams. */
  | ({ mode: 'contains'; text: string } & Filter)
)

/** A pattern to test on each row that the index finds. */
type Filter = { pattern?: readonly LikeToken[] | undefined }

export type UserSearch = {
  joint: 'or' | 'and'
  terms: readonly UserSearchTerm[]
  isCaseSensitive: boolean
}

/** The users to search: all users of a tenant, or only suspended or active ones. */
export type UserSubset = { tenantId: string; isSuspended?: boolean | undefined }

/** Matches the users of a subset through an index that has the order of lists. */
export const isInUserSubset = ({ tenantId, isSuspended }: UserSubset) =>
  and(
    eq(users.tenantId, tenantId),
    isSuspended === undefined ? undefined : eq(users.isSuspended, isSuspended),
  )

/**
 * Matches suspended or active users among the rows that another condition has found: `+` keeps SQLite from using the
 * index.
 */
export const matchesSuspension = ({ isSuspended }: UserSubset): SQL | undefined =>
  isSuspended === undefined ? undefined : sql`+${users.isSuspended} = ${Number(isSuspended)}`

/**
 * Matches the users of a search. Every branch of the OR has its own index and includes the tenant, because SQLite would
 * otherwise use an index of all the tenant's users. The rows are selected in a subquery without an order, because
 * SQLite would otherwise evaluate a single branch by testing all users, newest first.
 */
export function matchesSearch(subset: UserSubset, search: UserSearch): SQL {
  return sql`${users.searchId} in (select ${users.searchId} from ${users} where ${matchesBranches(subset, search)})`
}

/** Matches the users of a search directly, for a query without an order. */
export function matchesBranches(
  subset: UserSubset,
  { joint, terms, isCaseSensitive }: UserSearch,
): SQL | undefined {
  const alternatives = joint === 'or' ? terms.map((term) => [term]) : [mostSelectiveFirst(terms)]
  const all = alternatives.flatMap(([first, ...others]) => {
    const rest = [...others.map((other) => holds(other, isCaseSensitive)), matchesSuspension(subset)]
    return first ? branches(subset, first, rest, isCaseSensitive) : []
  })
  return or(...all)
}

/** Tests a search on rows that another condition has found, without an index. */
export function testSearch({ joint, terms, isCaseSensitive }: UserSearch): SQL {
  const tests = terms.map(
    (term) =>
      sql`(${sql.join(
        term.fields.map((field) => testTerm(field, term, isCaseSensitive)),
        sql` or `,
      )})`,
  )
  return sql`(${sql.join(tests, joint === 'or' ? sql` or ` : sql` and `)})`
}

function testTerm(field: UserSearchField, term: UserSearchTerm, isCaseSensitive: boolean): SQL {
  const column = sql`${users[field]}`
  const folded = isCaseSensitive ? (value: SQL) => value : foldOf(field)
  if (term.mode === 'exact')
    return sql`+${folded(column)} in (select ${folded(sql`value`)} from json_each(${JSON.stringify(term.values)}))`
  if (term.pattern) return fits(users[field], term.pattern, isCaseSensitive)
  const position = sql`coalesce(instr(${folded(column)}, ${folded(sql`${term.text}`)}), 0)`
  return term.mode === 'prefix' ? sql`${position} = 1` : sql`${position} > 0`
}

const selectivity = { exact: 0, prefix: 1, contains: 2 } satisfies Record<UserSearchTerm['mode'], number>

const mostSelectiveFirst = (terms: readonly UserSearchTerm[]) =>
  terms.toSorted((one, other) => selectivity[one.mode] - selectivity[other.mode])

/** Returns conditions that find rows by `term` and test `rest` on each row. */
function branches(
  subset: UserSubset,
  term: UserSearchTerm,
  rest: readonly (SQL | undefined)[],
  isCaseSensitive: boolean,
): (SQL | undefined)[] {
  const isTenants = eq(users.tenantId, subset.tenantId)
  if (term.mode !== 'contains') {
    return term.fields.map((field) => and(isTenants, holdsFor(field, term, isCaseSensitive), ...rest))
  }
  return [sql`${users.searchId} in (${matches(rowid, subset, term, { rest, isCaseSensitive })})`]
}

type TextTerm = Extract<UserSearchTerm, { mode: 'contains' }>
type Tested = { rest: readonly (SQL | undefined)[]; isCaseSensitive: boolean }

const rowid = sql`users_search.rowid`

/**
 * Selects the newest users whose fields contain the text, up to one more than lists count. CROSS JOIN makes SQLite
 * start with the matches.
 */
function matches(columns: SQL, subset: UserSubset, term: TextTerm, { rest, isCaseSensitive }: Tested): SQL {
  const tested = and(eq(users.tenantId, subset.tenantId), furtherConditions(term, isCaseSensitive), ...rest)
  // Few users are suspended, so the matches are compared with all of them before any user is read.
  const isOne = subset.isSuspended
    ? sql` and +${rowid} in (select ${users.searchId} from ${users} where ${isInUserSubset(subset)})`
    : sql``
  return sql`select ${columns} from users_search cross join ${users} on ${users.searchId} = ${rowid}
    where users_search match ${matchOf(term.fields, term.text)}${isOne} and ${tested}
    order by ${rowid} desc limit ${MAX_LIST_COUNT + 1}`
}

/**
 * Finds users by a text, up to the last user on the page. Only times and ids are sorted, because reading the rows of
 * thousands of matches again takes longer than finding them.
 */
export function findByText(
  subset: UserSubset,
  term: TextTerm,
  { isCaseSensitive, last, rank = sql`0` }: { isCaseSensitive: boolean; last: number; rank?: SQL },
) {
  const tested = { rest: [matchesSuspension(subset)], isCaseSensitive }
  const columns = sql`${rowid} as search_id, ${users.createdAt} as created_at, ${users.id} as id, ${rank} as rank`
  return {
    listed: sql`${users.searchId} in (select search_id from (${matches(columns, subset, term, tested)}) as found
      order by rank, created_at desc, id desc limit ${last})`,
    // No cap is needed, because the query already has a limit.
    count: sql`(select count(*) from (${matches(sql`1`, subset, term, tested)}) as found)`,
  }
}

/**
 * Matches the users with a field that equals a text. They are found by an index, because a search for a common text
 * tests only the newest users.
 */
export function equalsExactly(subset: UserSubset, fields: readonly UserSearchField[], text: string): SQL {
  const conditions = fields.map((field) =>
    and(eq(users.tenantId, subset.tenantId), equals(field, text), matchesSuspension(subset)),
  )
  return sql`${users.searchId} in (select ${users.searchId} from ${users} where ${or(...conditions)}
    limit ${sql.raw(String(MAX_LIST_COUNT))})`
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
  const folded = foldOf(field)
  const indexed = folded(sql`${column}`)
  const isStrict = isCaseSensitive && isFolded(field)
  if (term.mode === 'exact') {
    // All values are in a single parameter, because a statement may have only a hundred.
    const values = sql`(select ${folded(sql`value`)} from json_each(${JSON.stringify(term.values)}))`
    const same = sql`${column} in (select value from json_each(${JSON.stringify(term.values)}))`
    return isStrict ? sql`(${indexed} in ${values} and ${same})` : sql`${indexed} in ${values}`
  }
  const range = beginsWith(field, term.text)
  // The pattern also tests the prefix and, if required, the case.
  if (term.pattern) return sql`(${range} and ${fits(column, term.pattern, isCaseSensitive)})`
  return isStrict ? sql`(${range} and substr(${column}, 1, length(${term.text})) = ${term.text})` : range
}

/** Matches a prefix. With `unindexed`, the prefix is only tested on rows that another condition has found. */
export function beginsWith(field: UserSearchField, text: string, how?: 'unindexed'): SQL {
  const folded = foldOf(field)
  const [value, start] = [folded(sql`${users[field]}`), folded(sql`${text}`)]
  const compared = how ? sql`+${value}` : value
  // Every text with this prefix sorts before the prefix followed by the last code point.
  return sql`(${compared} >= ${start} and ${compared} < ${start} || char(1114111))`
}

/** Matches a field that equals a text. With `unindexed`, only rows that another condition has found are tested. */
export function equals(field: UserSearchField, text: string, how?: 'unindexed'): SQL {
  const folded = foldOf(field)
  const value = folded(sql`${users[field]}`)
  return sql`${how ? sql`+${value}` : value} = ${folded(sql`${text}`)}`
}

/**
 * Reports whether to ignore case in a field. Ids and phone numbers are compared exactly, because ids that differ in
 * case are different ids.
 */
const isFolded = (field: UserSearchField) => field !== 'id' && field !== 'primaryPhone'
const foldOf = (field: UserSearchField) => (value: SQL) => (isFolded(field) ? sql`lower(${value})` : value)

function furtherConditions({ fields, text, pattern }: TextTerm, isCaseSensitive: boolean): SQL | undefined {
  if (!pattern) return isCaseSensitive ? hasText(fields, text) : undefined
  const conditions = fields.map((field) => fits(users[field], pattern, isCaseSensitive))
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** Matches a pattern. LIKE ignores the case of ASCII letters; GLOB does not. */
const fits = (column: SQLiteColumn, pattern: readonly LikeToken[], isCaseSensitive: boolean): SQL =>
  isCaseSensitive
    ? sql`coalesce(${column} glob ${toGlobPattern(pattern)}, 0)`
    : sql`coalesce(${column} like ${toLikePattern(pattern)} escape '\\', 0)`

const hasText = (fields: readonly UserSearchField[], text: string): SQL =>
  sql`(${sql.join(
    fields.map((field) => sql`coalesce(instr(${users[field]}, ${text}), 0) > 0`),
    sql` or `,
  )})`

/** Builds an FTS5 query for a phrase in these columns. */
const matchOf = (fields: readonly UserSearchField[], text: string): string =>
  `{${fields.map((field) => users[field].name).join(' ')}} : "${text.replaceAll('"', '""')}"`
