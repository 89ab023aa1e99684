import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '../../src/storage/database.ts'

/** What the batches of a call are going to do. */
export async function plansOf(db: Database, call: (db: Database) => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  const batch: Database['batch'] = async (statements) => {
    // All statements of drizzle carry their SQL; the type of a batch leaves it out.
    for (const statement of statements as unknown as SQLWrapper[]) {
      seen.push(...(await plan(db, statement.getSQL())))
    }
    return db.batch(statements)
  }
  await call(Object.create(db, { batch: { value: batch } }))
  return seen
}

/** How the database goes about a statement. */
export async function plan(db: Database, statement: SQL): Promise<string[]> {
  const rows = await db.all<{ detail: string }>(sql`explain query plan ${statement}`)
  return rows.map(({ detail }) => detail)
}
