import { asc, desc, type SQL, sql } from 'drizzle-orm'
import { users } from '../tables.ts'
import { beginsWith, equals, type UserSearchTerm } from './user-search.ts'

/** The orders of the list of users that an index serves, and the relevance to a search (ADR-0183). */
export const userSorts = ['createdAt', 'relevance', 'username', 'primaryEmail', 'name'] as const
type UserSort = (typeof userSorts)[number]
export type UserOrder = { sort: UserSort; order: 'asc' | 'desc' }

/** Returns the expressions to sort by. Users without the field always come last. */
export function orderBy({ sort, order }: UserOrder, term?: UserSearchTerm): SQL[] {
  const direction = order === 'asc' ? asc : desc
  switch (sort) {
    case 'createdAt':
      return [direction(users.createdAt), direction(users.id)]
    case 'relevance':
      return [...(term ? [sql`${relevance(term)}`] : []), desc(users.createdAt), desc(users.id)]
    case 'username':
    case 'primaryEmail':
    case 'name':
      return order === 'asc'
        ? [sql`lower(${users[sort]}) asc nulls last`, asc(users.searchId)]
        : [sql`lower(${users[sort]}) desc`, desc(users.searchId)]
  }
}

/** Ranks a match: 0 if a field equals the text, 1 if a field begins with it, 2 otherwise. */
export function relevance(term: UserSearchTerm): SQL {
  if (term.mode === 'exact') return sql`0`
  const { fields, text } = term
  const any = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`
  return sql`case when ${any(fields.map((field) => equals(field, text, 'unindexed')))} then 0
    when ${any(fields.map((field) => beginsWith(field, text, 'unindexed')))} then 1 else 2 end`
}
