import type { BatchItem } from 'drizzle-orm/batch'
import type { Database } from './database.ts'

/** A query or write that has not been sent yet. */
export type Statement = BatchItem<'sqlite'>

/** Statements by name. A list is sent in order and its rows are concatenated; `undefined` sends nothing. */
export type Statements = { readonly [name: string]: Statement | readonly Statement[] | undefined }

/**
 * The rows of each statement, keyed by the statement's name. Do not rely on the result of a statement without
 * RETURNING.
 */
export type RowsByName<S extends Statements> = { [Name in keyof S]: RowsOf<S[Name]> }

type RowsOf<S> = S extends Statement
  ? S['_']['result']
  : S extends readonly (infer One extends Statement)[]
    ? One['_']['result'] extends readonly (infer Row)[]
      ? Row[]
      : unknown[]
    : never[]

/** The function `readTogether`, bound to a database. */
export type ReadTogether = <const S extends Statements>(queries: S) => Promise<RowsByName<S>>

/** Sends several queries in one round trip. All of them read the same snapshot. */
export const readTogether = <const S extends Statements>(db: Database, queries: S): Promise<RowsByName<S>> =>
  runInOneBatch(db, queries)

/**
 * Sends statements in one transaction. Use it for reads, and in this folder for writes that are neither audited nor
 * part of a tenant; other changes go through `commitChange`.
 */
export async function runInOneBatch<const S extends Statements>(
  db: Database,
  statements: S,
): Promise<RowsByName<S>> {
  return nameRows(statements, await sendBatch(db, listStatements(statements)))
}

/** Sends statements as one transaction, or nothing if there are none. */
export async function sendBatch(db: Database, statements: readonly Statement[]): Promise<readonly unknown[]> {
  const [first, ...rest] = statements
  return first ? db.batch([first, ...rest]) : []
}

export const listStatements = (statements: Statements): Statement[] =>
  Object.values(statements).flatMap((entry) => entry ?? [])

/** Assigns results, in the order of `listStatements`, to the names of their statements. */
export function nameRows<S extends Statements>(statements: S, results: readonly unknown[]): RowsByName<S> {
  const remaining = [...results]
  const rows = Object.entries(statements).map(([name, entry]) => {
    const own = remaining.splice(0, countOf(entry))
    return [name, isSingle(entry) ? own[0] : own.flat()]
  })
  // The cast is safe: Drizzle has mapped each result with the statement that produced it.
  return Object.fromEntries(rows) as RowsByName<S>
}

const isSingle = (entry: Statements[string]): entry is Statement =>
  entry !== undefined && !Array.isArray(entry)

function countOf(entry: Statements[string]): number {
  if (entry === undefined) return 0
  return isSingle(entry) ? 1 : entry.length
}
