import type { BatchItem, BatchResponse } from 'drizzle-orm/batch'
import type { PreparedQuery } from 'drizzle-orm/session'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/**
 * D1 or a libSQL server (ADR-0002); only `d1.ts` and `libsql.ts` know which. What `.run()` answers differs between them and is
 * therefore `unknown`: a statement whose effect must be known says RETURNING, and the caller counts rows.
 */
export type Database = BaseSQLiteDatabase<'async', unknown> & {
  /** One transaction in one round trip (spec/storage#batches). Called by `sendBatch` alone. Takes `db.run(sql…)` and `db.all(sql…)` too. */
  batch<U extends BatchItem<'sqlite'>, T extends Readonly<[U, ...U[]]>>(
    statements: T,
  ): Promise<BatchResponse<T>>
}

/**
 * `UNIQUE constraint failed: …` on either driver: the columns (`users.tenant_id, users.username`) or the index over an
 * expression (`users_email_unique`) that was violated; null for every other error.
 */
export function isUniqueViolation(error: unknown): string | null {
  const [, index, columns] =
    /UNIQUE constraint failed: (?:index '([^']+)'|([\w., ]+))/.exec(innermostMessage(error)) ?? []
  return index ?? columns?.trim() ?? null
}

/** Not the caller's fault, and perhaps over in a moment (spec/storage#retries). The statement may have run all the same. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.test(innermostMessage(error))
}

/**
 * Whether a call that does nothing twice may be sent once more at once (ADR-0049). Not after a timeout, and not to a
 * database that is overloaded. Reads are not repeated here: D1 repeats them itself.
 */
export function mayRepeat(error: unknown): boolean {
  return isTransient(error) && !/timed out|due to timeout|overloaded/i.test(innermostMessage(error))
}

/** Sends once more what `mayRepeat` allows. Only for a call that does nothing twice. */
export const repeatOnce = <T>(send: () => PromiseLike<T>): Promise<T> =>
  Promise.resolve(send()).catch((error: unknown) => (mayRepeat(error) ? send() : Promise.reject(error)))

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
 * The innermost message of an error, for the log. Drizzle's own message around a database error quotes every parameter,
 * a password hash or a code among them, and must not be logged (spec/storage#log-lines).
 */
export function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? innermostMessage(error.cause) : error.message
}

type Query = { sql: string; params: unknown[]; columns: readonly unknown[] | undefined }

/**
 * Drizzle's batch on D1 fails on raw SQL that has parameters, and on libSQL it cannot ask for the write lock (ADR-0002).
 * This one has the same signature and lets the driver send.
 */
export function withBatch<D extends BaseSQLiteDatabase<'async', unknown>>(
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
