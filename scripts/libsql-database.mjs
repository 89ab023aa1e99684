/** Migrates the schema of a libSQL server, for deployments that set LIBSQL_URL instead of using D1. */
import { createClient } from '@libsql/client/web'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { drizzle } from 'drizzle-orm/libsql/web'
import { alterationStateStatement } from './alteration-state.mjs'

/**
 * Applies the files in `migrations/` that the database has not recorded as applied.
 *
 * @param {{ url: string, authToken?: string | undefined }} server
 * @returns {Promise<string | undefined>} the problem, if there is one
 */
export async function migrateLibsqlDatabase({ url, authToken }) {
  const client = createClient({ url, ...(authToken ? { authToken } : {}) })
  try {
    await migrate(drizzle(client), { migrationsFolder: 'migrations' })
    await client.execute(alterationStateStatement(Date.now()))
    return undefined
  } catch (error) {
    return `The migrations failed at ${new URL(url).host}: ${error instanceof Error ? error.message : error}`
  } finally {
    client.close()
  }
}
