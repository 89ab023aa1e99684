import { sql } from 'drizzle-orm'
import { entries } from '../../migrations/meta/_journal.json'
import { type Database, findInnermostMessage } from './database.ts'

/**
 * The migrations that this Worker was built for. The Worker also works with the previous schema and with later ones
 * (spec/storage#migrations).
 */
export const expectedMigrations: readonly string[] = entries.map(({ tag }) => tag)

/**
 * Returns the applied migrations, or null if the database has no record of them. Wrangler records D1 migrations by file
 * name, and Drizzle records libSQL migrations by time.
 */
export async function readAppliedMigrations(
  db: Database,
  { libsql }: { libsql?: object | undefined },
): Promise<string[] | null> {
  try {
    if (!libsql) {
      const rows = await db.all<{ name: string }>(sql`select name from d1_migrations order by id`)
      return rows.map(({ name }) => name.replace(/\.sql$/, ''))
    }
    const rows = await db.all<{ created_at: number }>(
      sql`select created_at from __drizzle_migrations order by created_at`,
    )
    return rows.map(
      ({ created_at: when }) => entries.find((entry) => entry.when === Number(when))?.tag ?? String(when),
    )
  } catch (error) {
    if (/no such table/i.test(findInnermostMessage(error))) return null
    throw error
  }
}
