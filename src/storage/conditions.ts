import { type SQL, sql } from 'drizzle-orm'

/**
 * A condition that must hold when a change runs. The database evaluates it inside the batch. Callers combine conditions
 * and pass them on, but only this folder defines them.
 */
export type Condition = SQL

/** A condition that always holds, for changes without a condition. */
export const ALWAYS_TRUE: Condition = sql`true`

export const allOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  sql`(${sql.join([...conditions], sql` and `)})`

export const anyOf = (...conditions: readonly [Condition, ...Condition[]]): Condition =>
  sql`(${sql.join([...conditions], sql` or `)})`

export const not = (condition: Condition): Condition => sql`not (${condition})`
