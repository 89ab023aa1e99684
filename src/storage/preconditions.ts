import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { refuseWith } from '../contract/refused.ts'
import type { Statement } from './batches.ts'
import type { Condition } from './conditions.ts'
import { type Database, innermostMessage } from './database.ts'

/**
 * A change that is made only while its entity is as the caller saw it (spec/management#conflicts, ADR-0122). The database
 * compares inside the batch of the change, so of two changes at once one fails.
 */

/** A scalar that changes with every column of the rows. */
export type Version = SQL<string | null>

export const versionOf = (table: SQLiteTable, where: SQL | undefined): Version =>
  sql`(select json_group_array(${jsonArray(Object.values(getTableColumns(table)).map((column) => sql`${column}`))})
    from ${table} where ${where})`

/** Of an entity that is answered from several tables. */
export const versionOfAll = (...versions: readonly Version[]): Version => jsonArray(versions)

/** https://developers.cloudflare.com/d1/platform/limits/: a function takes 32 arguments. */
const MOST_ARGUMENTS = 32

function jsonArray(values: readonly SQL[]): SQL<string> {
  if (values.length <= MOST_ARGUMENTS) return sql`json_array(${sql.join([...values], sql`, `)})`
  const parts = Array.from({ length: Math.ceil(values.length / MOST_ARGUMENTS) }, (_, index) =>
    jsonArray(values.slice(index * MOST_ARGUMENTS, (index + 1) * MOST_ARGUMENTS)),
  )
  return jsonArray(parts)
}

/** The same database for one request, whose change is made only while the entity still has the version it has now. */
export async function atVersion(db: Database, version: Version): Promise<Database> {
  const [row] = await db.all<{ version: string | null }>(sql`select ${version} as version`)
  const held: Database = Object.create(db)
  preconditions.set(held, sql`${version} is ${row?.version ?? null}`)
  return held
}

const preconditions = new WeakMap<Database, Condition>()

/** What goes before the statements of a change. What the same request changes later, e.g. behind its answer, has none. */
export function takeGuard(db: Database): Statement[] {
  const precondition = preconditions.get(db)
  preconditions.delete(db)
  return precondition ? [guard(db, precondition)] : []
}

/** Only an error undoes a batch. A JSON path begins with `$`, so this one is an error when it is evaluated. */
const guard = (db: Database, precondition: Condition): Statement =>
  db.run(sql`select iif(${precondition}, null, json_extract('{}', ${FAILED}))`)

const FAILED = 'precondition failed'

export function refuseFailedGuard(error: unknown): never {
  if (innermostMessage(error).includes(FAILED)) refuseWith('request.precondition_failed')
  throw error
}
