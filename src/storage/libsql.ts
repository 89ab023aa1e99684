import { createClient, type InValue } from '@libsql/client/http'
import { drizzle } from 'drizzle-orm/libsql/http'
import { type Database, withBatch } from './database.ts'
import { fetchWithDeadline } from './deadline.ts'

/**
 * Connects to a libSQL database. This module is loaded only if `LIBSQL_URL` is set, because the libSQL client takes
 * longer to load than the rest of storage.
 */
export function openLibsql({ url, authToken }: { url: string; authToken?: string | undefined }): Database {
  const client = createClient({ url, fetch: fetchWithDeadline, ...(authToken && { authToken }) })
  return withBatch(drizzle(client), (queries) =>
    client.batch(
      // The cast is safe: Drizzle has already encoded the parameters for this driver, and its encoders only produce
      // `InValue`.
      queries.map(({ sql, params }) => ({ sql, args: params as InValue[] })),
      // "write" takes the write lock at the start. Drizzle's own batch starts as a reader and fails if there is another
      // writer.
      queries.every(({ sql }) => /^\s*select\b/i.test(sql)) ? 'read' : 'write',
    ),
  )
}
