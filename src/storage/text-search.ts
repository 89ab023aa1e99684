import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type LikeToken, toGlobPattern, toLikePattern } from '../domain/like-pattern.ts'

/**
 * A search that tests every row. Use it for lists with few rows, such as the roles of a tenant or the scopes of a
 * resource. There may be many users, so `users/user-search.ts` searches them through indexes.
 */
export type TextSearch<Field extends string> = {
  joint: 'or' | 'and'
  isCaseSensitive: boolean
  terms: readonly TextSearchTerm<Field>[]
}

/** A search term, which matches a row if any of its fields does. */
export type TextSearchTerm<Field extends string> = { fields: readonly Field[] } & (
  | { mode: 'exact'; values: readonly string[] }
  | { mode: 'like'; pattern: readonly LikeToken[] }
)

/** Returns the condition for a search, or undefined if the search has no terms. */
export function textSearchCondition<Field extends string>(
  { joint, terms, isCaseSensitive }: TextSearch<Field>,
  columns: Record<Field, SQLiteColumn>,
): SQL | undefined {
  if (terms.length === 0) return undefined
  const conditions = terms.map((term) =>
    any(term.fields.map((field) => matchesTerm(columns[field], term, isCaseSensitive))),
  )
  return joint === 'or' ? any(conditions) : sql`(${sql.join(conditions, sql` and `)})`
}

/** Matches one column. LIKE ignores the case of ASCII letters; GLOB does not. */
function matchesTerm(column: SQLiteColumn, term: TextSearchTerm<string>, isCaseSensitive: boolean): SQL {
  switch (term.mode) {
    case 'exact': {
      const values = sql`json_each(${JSON.stringify(term.values)})`
      return isCaseSensitive
        ? sql`${column} in (select value from ${values})`
        : sql`lower(${column}) in (select lower(value) from ${values})`
    }
    case 'like':
      return isCaseSensitive
        ? sql`${column} glob ${toGlobPattern(term.pattern)}`
        : sql`${column} like ${toLikePattern(term.pattern)} escape '\\'`
  }
}

const any = (conditions: readonly SQL[]): SQL => sql`(${sql.join([...conditions], sql` or `)})`
