import { sql } from 'drizzle-orm'
import { entries } from '../../migrations/meta/_journal.json'
import { type Database, reason } from './database.ts'

/** The schema this Worker was written for: it serves on the one before as well, and on any after it. */
export const expectedMigrations: readonly string[] = entries.map(({ tag }) => tag)

/**
 * Which of them the database says it has. D1's are kept by wrangler under their file names, libSQL's by Drizzle under
 * the time they were made. Null for a database that was set up by other means.
 */
export async function appliedMigrations(
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
    if (/no such table/i.test(reason(error))) return null
    throw error
  }
}
