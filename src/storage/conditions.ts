import { type SQL, sql } from 'drizzle-orm'

/**
 * What must hold when a change runs, evaluated by the database inside the batch. Callers pass it on and combine it;
 * what it says is written in this folder alone.
 */
export type Condition = SQL

/** For a change that depends on nothing. */
export const isAlwaysTrue: Condition = sql`true`

export const allOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  sql`(${sql.join([...conditions], sql` and `)})`

export const anyOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  sql`(${sql.join([...conditions], sql` or `)})`

export const not = (condition: Condition): Condition => sql`not (${condition})`
