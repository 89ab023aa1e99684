import { type SQL, sql } from 'drizzle-orm'

/**
 * A condition that must hold when a change runs; the database evaluates it inside the batch. Callers pass conditions on
 * and combine them, but only this folder defines them.
 */
export type Condition = SQL

/** The condition of a change that depends on nothing. */
export const isAlwaysTrue: Condition = sql`true`

export const allOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  sql`(${sql.join([...conditions], sql` and `)})`

export const anyOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  sql`(${sql.join([...conditions], sql` or `)})`

export const not = (condition: Condition): Condition => sql`not (${condition})`
