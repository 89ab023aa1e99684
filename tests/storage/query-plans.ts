import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '../../src/storage/database.ts'

/** Returns the query plans of all statements that a call sends in batches. */
export async function plansOf(db: Database, call: (db: Database) => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  const batch: Database['batch'] = async (statements) => {
    // Every Drizzle statement has `getSQL`, although the batch type does not declare it.
    for (const statement of statements as unknown as SQLWrapper[]) {
      seen.push(...(await queryPlan(db, statement.getSQL())))
    }
    return db.batch(statements)
  }
  await call(Object.create(db, { batch: { value: batch } }))
  return seen
}

/** Reports whether a step searches all provider rows of a tenant, or all of one kind, of which there may be millions. */
export const isSearchOfAllModels = (detail: string): boolean =>
  /oidc_model_instances\w* \(tenant_id=\?(?: AND model_name=\?)?\)/.test(detail)

/** Returns the query plan of a statement. */
export async function queryPlan(db: Database, statement: SQL): Promise<string[]> {
  const rows = await db.all<{ detail: string }>(sql`explain query plan ${statement}`)
  return rows.map(({ detail }) => detail)
}
