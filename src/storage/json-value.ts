import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/** Returns a column as a value for `json_object`, with the type that the column has in JavaScript. */
export function jsonValue(column: SQLiteColumn): SQL {
  if (column.dataType === 'json') return sql`json(${column})`
  return column.dataType === 'boolean' ? sql`json(iif(${column}, 'true', 'false'))` : sql`${column}`
}
