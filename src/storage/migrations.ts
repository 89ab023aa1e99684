import { and, eq, sql } from 'drizzle-orm'
import { entries } from '../../migrations/meta/_journal.json'
import { DEFAULT_TENANT } from '../contract/product.ts'
import { type Database, findInnermostMessage } from './database.ts'
import { configs } from './tables.ts'

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

/** The newest migration of the database, and when it was applied, both in epoch milliseconds. */
type AlterationState = { timestamp: number; updatedAt?: number | undefined }

/**
 * Selects the entry that `npm start` and `npm run deploy` write after the migrations, for the whole deployment. It is
 * selected as text, because a value that is not JSON would make the whole batch fail.
 */
export const alterationStateQuery = (db: Database) =>
  db
    .select({ value: sql<string>`${configs.value}`.as('value') })
    .from(configs)
    .where(and(eq(configs.tenantId, DEFAULT_TENANT), eq(configs.key, 'alterationState')))

/** Returns the state in a stored entry, or null if there is no entry. */
export function parseAlterationState(text: string | undefined): AlterationState | 'unreadable' | null {
  if (text === undefined) return null
  try {
    const { timestamp, updatedAt } = JSON.parse(text)
    if (typeof timestamp !== 'number') return 'unreadable'
    return typeof updatedAt === 'number' ? { timestamp, updatedAt } : { timestamp }
  } catch {
    return 'unreadable'
  }
}
