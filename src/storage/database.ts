import type { D1Database } from '@cloudflare/workers-types'
import { createClient, type InValue } from '@libsql/client/http'
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch'
import { drizzle as drizzleD1 } from 'drizzle-orm/d1'
import { drizzle as drizzleLibsql } from 'drizzle-orm/libsql/http'
import type { PreparedQuery } from 'drizzle-orm/session'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { timely, timelyFetch } from './deadline.ts'

/**
 * D1 or a libSQL server, told apart nowhere but here. What `.run()` answers differs between them and is therefore
 * `unknown`: whoever needs to know whether a row changed says RETURNING and counts rows.
 */
export type Database = BaseSQLiteDatabase<'async', unknown> & {
  /** One transaction, one round trip: the only atomic unit there is (design 1). Takes `db.run(sql…)` and `db.all(sql…)` too. */
  batch<U extends BatchItem<'sqlite'>, T extends Readonly<[U, ...U[]]>>(
    statements: T,
  ): Promise<BatchResponse<T>>
}

export function openD1(given: D1Database): Database {
  const binding = timely('D1', given)
  return withBatch(drizzleD1(binding), async (queries) => {
    const results = await binding.batch(queries.map(({ sql, params }) => given.prepare(sql).bind(...params)))
    results.forEach(({ results: rows }, index) => {
      refuseLostColumns(rows[0], queries[index]?.columns)
    })
    return results
  })
}

export function openLibsql({ url, authToken }: { url: string; authToken?: string | undefined }): Database {
  const client = createClient({ url, fetch: timelyFetch, ...(authToken && { authToken }) })
  return withBatch(drizzleLibsql(client), (queries) =>
    client.batch(
      // Drizzle has encoded the parameters for this driver by now: `InValue` is all that its encoders produce.
      queries.map(({ sql, params }) => ({ sql, args: params as InValue[] })),
      // "write" takes the lock at the start. Drizzle's own batch starts as a reader, which a second writer turns into an error.
      queries.every(({ sql }) => /^\s*select\b/i.test(sql)) ? 'read' : 'write',
    ),
  )
}

/**
 * `UNIQUE constraint failed: …` on either driver: the columns (`users.tenant_id, users.username`) or the index over an
 * expression (`users_email_unique`) that was violated; null for every other error.
 */
export function isUniqueViolation(error: unknown): string | null {
  const [, index, columns] =
    /UNIQUE constraint failed: (?:index '([^']+)'|([\w., ]+))/.exec(reason(error)) ?? []
  return index ?? columns?.trim() ?? null
}

/** Not the caller's fault, and perhaps gone in a moment (design 2). The statement may have happened all the same. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.test(reason(error))
}

/**
 * Whether the same may be asked once more at once, by whoever knows that it does nothing twice. Not when time has run out,
 * nor of a database that has too much to do. What only reads D1 has tried three times itself.
 */
export function mayRepeat(error: unknown): boolean {
  return isTransient(error) && !/timed out|due to timeout|overloaded/i.test(reason(error))
}

const TRANSIENT = new RegExp(
  [
    // D1
    'network connection lost',
    'overloaded',
    'caused object to be reset',
    'DB reset because',
    'was reset',
    'transient issue',
    'exceeded timeout',
    // libSQL
    'SQLITE_BUSY',
    'database is locked',
    'STREAM_EXPIRED',
    'HTTP status (?:429|50[0234])',
    // KV
    'KV (?:GET|PUT|DELETE) failed',
    // fetch
    'fetch failed',
    'connection refused',
    'timed out',
    'due to timeout',
    'internal error; reference',
  ].join('|'),
  'i',
)

/**
 * What the database said. Drizzle's own message around it quotes every parameter, a password hash or a code among
 * them: that one must not be logged (design 4).
 */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reason(error.cause) : error.message
}

type Query = { sql: string; params: unknown[]; columns: readonly unknown[] | undefined }

/**
 * Drizzle's batch on D1 fails on raw SQL that has parameters, and on libSQL it cannot ask for the write lock.
 * This is the same in the same words, with the sending left to the driver.
 */
function withBatch<D extends BaseSQLiteDatabase<'async', unknown>>(
  db: D,
  send: (queries: Query[]) => Promise<unknown[]>,
): Database {
  return Object.assign(db, {
    async batch<U extends BatchItem<'sqlite'>, T extends Readonly<[U, ...U[]]>>(statements: T) {
      // Drizzle hides `_prepare` in its types; its own batch calls it on every statement, so every statement has it.
      const prepared = statements.map((statement) =>
        (statement as unknown as { _prepare(): PreparedQuery & { fields?: readonly unknown[] } })._prepare(),
      )
      const results = await send(prepared.map((query) => ({ ...query.getQuery(), columns: query.fields })))
      // In the order of the statements, each mapped by its own: what BatchResponse says.
      return prepared.map((query, index) => query.mapResult(results[index], true)) as BatchResponse<T>
    },
  })
}

/** D1 answers a batch with objects: of two columns with one name the first is lost, and all behind it move up unnoticed. */
function refuseLostColumns(row: unknown, columns: readonly unknown[] | undefined): void {
  if (row && columns && Object.keys(row).length !== columns.length)
    throw new Error(
      'A statement in a batch selects two columns of one name: give one an alias with sql`…`.as(name)',
    )
}
