import type { BatchItem, BatchResponse } from 'drizzle-orm/batch'
import type { PreparedQuery } from 'drizzle-orm/session'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/**
 * A database on D1 or a libSQL server (ADR-0002); only `d1.ts` and `libsql.ts` know which. The result of `.run()`
 * differs between the two and is therefore `unknown`. To find out whether a statement had an effect, add RETURNING and
 * count the rows.
 */
export type Database = BaseSQLiteDatabase<'async', unknown> & {
  /**
   * Sends statements as one transaction in one round trip (spec/storage#batches). Only `sendBatch` calls it. It also
   * accepts `db.run(sql…)` and `db.all(sql…)`.
   */
  batch<U extends BatchItem<'sqlite'>, T extends Readonly<[U, ...U[]]>>(
    statements: T,
  ): Promise<BatchResponse<T>>
}

/**
 * Returns the constraint that a `UNIQUE constraint failed: …` error of either driver names: the violated columns
 * (`users.tenant_id, users.username`) or the expression index (`users_email_unique`). Returns null for all other
 * errors.
 */
export function isUniqueViolation(error: unknown): string | null {
  const [, index, columns] =
    /UNIQUE constraint failed: (?:index '([^']+)'|([\w., ]+))/.exec(findInnermostMessage(error)) ?? []
  return index ?? columns?.trim() ?? null
}

/**
 * Reports whether an error is probably temporary and not the caller's fault (spec/storage#retries). The statement may
 * have been executed nevertheless.
 */
export function isTransientError(error: unknown): boolean {
  return TRANSIENT.test(findInnermostMessage(error))
}

/**
 * Reports whether a failed call that is safe to repeat may be retried immediately (ADR-0049). A retry is not allowed
 * after a timeout or when the database is overloaded. Reads are not retried here, because D1 retries them itself.
 */
export function isRetryableError(error: unknown): boolean {
  return isTransientError(error) && !/timed out|due to timeout|overloaded/i.test(findInnermostMessage(error))
}

/** Retries a call once if `isRetryableError` allows it. Use it only for calls that are safe to repeat. */
export const retryOnce = <T>(send: () => PromiseLike<T>): Promise<T> =>
  Promise.resolve(send()).catch((error: unknown) =>
    isRetryableError(error) ? send() : Promise.reject(error),
  )

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
 * Returns the innermost message of an error, for the log. Drizzle's own message for a database error includes all
 * parameters, such as password hashes or codes, and must not be logged (spec/storage#log-lines).
 */
export function findInnermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? findInnermostMessage(error.cause) : error.message
}

type Query = { sql: string; params: unknown[]; columns: readonly unknown[] | undefined }

/**
 * Replaces Drizzle's batch, which on D1 fails on raw SQL with parameters and on libSQL cannot request the write lock
 * (ADR-0002). The replacement has the same signature but lets the driver send the statements.
 */
export function withBatch<D extends BaseSQLiteDatabase<'async', unknown>>(
  db: D,
  send: (queries: Query[]) => Promise<unknown[]>,
): Database {
  return Object.assign(db, {
    async batch<U extends BatchItem<'sqlite'>, T extends Readonly<[U, ...U[]]>>(statements: T) {
      // Drizzle's types hide `_prepare`, but every statement has it, because Drizzle's own batch calls it.
      const prepared = statements.map((statement) =>
        (statement as unknown as { _prepare(): PreparedQuery & { fields?: readonly unknown[] } })._prepare(),
      )
      const results = await send(prepared.map((query) => ({ ...query.getQuery(), columns: query.fields })))
      // The cast is safe: each result is mapped by its own statement, in the order of the statements.
      return prepared.map((query, index) => query.mapResult(results[index], true)) as BatchResponse<T>
    },
  })
}
