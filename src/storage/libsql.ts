import { createClient, type InValue } from '@libsql/client/http'
import { drizzle } from 'drizzle-orm/libsql/http'
import { type Database, withBatch } from './database.ts'
import { timelyFetch } from './deadline.ts'

/** Loaded only where `LIBSQL_URL` is set: the client of libSQL is larger than the rest of storage at a start. */
export function openLibsql({ url, authToken }: { url: string; authToken?: string | undefined }): Database {
  const client = createClient({ url, fetch: timelyFetch, ...(authToken && { authToken }) })
  return withBatch(drizzle(client), (queries) =>
    client.batch(
      // Drizzle has encoded the parameters for this driver by now: `InValue` is all that its encoders produce.
      queries.map(({ sql, params }) => ({ sql, args: params as InValue[] })),
      // "write" takes the lock at the start. Drizzle's own batch starts as a reader, which a second writer turns into an error.
      queries.every(({ sql }) => /^\s*select\b/i.test(sql)) ? 'read' : 'write',
    ),
  )
}
