import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type LikeToken, toGlobPattern, toLikePattern } from '../../domain/like-pattern.ts'
import { users } from '../tables.ts'
import { COUNTED_AT_MOST } from '../totals.ts'

/**
 * Searches for users (spec/management#search, spec/storage#search-indexes). A search first finds the rows, by index or
 * through the trigram table; it never scans the table.
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

/** The users among whom is searched. */
export type Among = { tenantId: string; isSuspended?: boolean | undefined }

/** Read in the order of lists, from an index. */
export const isAmong = ({ tenantId, isSuspended }: Among) =>
  and(
    eq(users.tenantId, tenantId),
    isSuspended === undefined ? undefined : eq(users.isSuspended, isSuspended),
  )

/** Tested on rows that are found otherwise: `+` keeps SQLite from the index. */
export const hasState = ({ isSuspended }: Among): SQL | undefined =>
  isSuspended === undefined ? undefined : sql`+${users.isSuspended} = ${Number(isSuspended)}`

/**
 * Every branch of this OR finds its rows by an index of its own and names the tenant, so that SQLite does not choose an
 * index of all its users. The order of the list must not choose one either: a single branch would then be tested along
 * all users, the newest first. So the rows are found in a subquery without an order.
 */
export function isFound(among: Among, { joint, terms, isCaseSensitive }: UserSearch): SQL {
  const alternatives = joint === 'or' ? terms.map((term) => [term]) : [mostSelectiveFirst(terms)]
  const all = alternatives.flatMap(([first, ...others]) => {
    const rest = [...others.map((other) => holds(other, isCaseSensitive)), hasState(among)]
    return first ? branches(among, first, rest, isCaseSensitive) : []
  })
  return sql`${users.searchId} in (select ${users.searchId} from ${users} where ${or(...all)})`
}

const selectivity = { exact: 0, prefix: 1, contains: 2 } satisfies Record<UserSearchTerm['mode'], number>

const mostSelectiveFirst = (terms: readonly UserSearchTerm[]) =>
  terms.toSorted((one, other) => selectivity[one.mode] - selectivity[other.mode])

/** Rows are found by this term; the rest is tested on each. */
function branches(
  among: Among,
  term: UserSearchTerm,
  rest: readonly (SQL | undefined)[],
  isCaseSensitive: boolean,
): (SQL | undefined)[] {
  const isTenants = eq(users.tenantId, among.tenantId)
  if (term.mode !== 'contains') {
    return term.fields.map((field) => and(isTenants, holdsFor(field, term, isCaseSensitive), ...rest))
  }
  return [sql`${users.searchId} in (${matches(rowid, among, term, { rest, isCaseSensitive })})`]
}

type TextTerm = Extract<UserSearchTerm, { mode: 'contains' }>
type Tested = { rest: readonly (SQL | undefined)[]; isCaseSensitive: boolean }

const rowid = sql`users_search.rowid`

/** The latest users with the text, and no more than lists are counted. CROSS JOIN: from the matches to the users. */
function matches(columns: SQL, among: Among, term: TextTerm, { rest, isCaseSensitive }: Tested): SQL {
  const tested = and(eq(users.tenantId, among.tenantId), furtherConditions(term, isCaseSensitive), ...rest)
  // Suspended users are few beside the matches, which are compared with them before they are read.
  const isOne = among.isSuspended
    ? sql` and +${rowid} in (select ${users.searchId} from ${users} where ${isAmong(among)})`
    : sql``
  return sql`select ${columns} from users_search cross join ${users} on ${users.searchId} = ${rowid}
    where users_search match ${matchOf(term.fields, term.text)}${isOne} and ${tested}
    order by ${rowid} desc limit ${COUNTED_AT_MOST + 1}`
}

/**
 * A search for one text, up to the last user that is listed: they are sorted by their age and id alone, for to read the
 * thousands that are found once more takes longer than to find them.
 */
export function foundByText(
  among: Among,
  term: TextTerm,
  options: { isCaseSensitive: boolean; last: number },
) {
  const tested = { rest: [hasState(among)], isCaseSensitive: options.isCaseSensitive }
  const columns = sql`${rowid} as search_id, ${users.createdAt} as created_at, ${users.id} as id`
  return {
    listed: sql`${users.searchId} in (select search_id from (${matches(columns, among, term, tested)}) as found
      order by created_at desc, id desc limit ${options.last})`,
    // It has its limit.
    count: sql`(select count(*) from (${matches(sql`1`, among, term, tested)}) as found)`,
  }
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
    // One parameter, because a statement may have a hundred.
    const values = sql`(select ${folded(sql`value`)} from json_each(${JSON.stringify(term.values)}))`
    const same = sql`${column} in (select value from json_each(${JSON.stringify(term.values)}))`
    return isStrict ? sql`(${indexed} in ${values} and ${same})` : sql`${indexed} in ${values}`
  }
  const range = beginsWith(field, term.text)
  // The pattern includes the prefix, and the case.
  if (term.pattern) return sql`(${range} and ${fits(column, term.pattern, isCaseSensitive)})`
  return isStrict ? sql`(${range} and substr(${column}, 1, length(${term.text})) = ${term.text})` : range
}

/** `unindexed`: tested on rows that are found otherwise. */
export function beginsWith(field: UserSearchField, text: string, how?: 'unindexed'): SQL {
  const folded = foldOf(field)
  const [value, start] = [folded(sql`${users[field]}`), folded(sql`${text}`)]
  const compared = how ? sql`+${value}` : value
  // The last code point sorts behind every text with this prefix and before all others.
  return sql`(${compared} >= ${start} and ${compared} < ${start} || char(1114111))`
}

/** Ids and phone numbers are compared as they are: an id in another case is another id. */
const isFolded = (field: UserSearchField) => field !== 'id' && field !== 'primaryPhone'
const foldOf = (field: UserSearchField) => (value: SQL) => (isFolded(field) ? sql`lower(${value})` : value)

function furtherConditions({ fields, text, pattern }: TextTerm, isCaseSensitive: boolean): SQL | undefined {
  if (!pattern) return isCaseSensitive ? hasText(fields, text) : undefined
  const conditions = fields.map((field) => fits(users[field], pattern, isCaseSensitive))
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** LIKE ignores the case of ASCII letters, GLOB does not. */
const fits = (column: SQLiteColumn, pattern: readonly LikeToken[], isCaseSensitive: boolean): SQL =>
  isCaseSensitive
    ? sql`coalesce(${column} glob ${toGlobPattern(pattern)}, 0)`
    : sql`coalesce(${column} like ${toLikePattern(pattern)} escape '\\', 0)`

const hasText = (fields: readonly UserSearchField[], text: string): SQL =>
  sql`(${sql.join(
    fields.map((field) => sql`coalesce(instr(${users[field]}, ${text}), 0) > 0`),
    sql` or `,
  )})`

/** FTS5's query language: these columns, this phrase. */
const matchOf = (fields: readonly UserSearchField[], text: string): string =>
  `{${fields.map((field) => users[field].name).join(' ')}} : "${text.replaceAll('"', '""')}"`
