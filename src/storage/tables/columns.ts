import { type SQL, sql } from 'drizzle-orm'
import {
  check,
  customType,
  index,
  integer,
  type SQLiteColumn,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { ID_LENGTH } from '../../contract/ids.ts'

/** Columns and checks that tables share: the tenant of every row, times, and limits that the database enforces. */

export const tenants = sqliteTable(
  'tenants',
  {
    id: text('id').primaryKey(),
    createdAt: timeColumn('created_at').notNull(),
    /**
     * The time from which the tenant serves no requests while its rows are deleted step by step
     * (spec/storage#tenant-deletion).
     */
    deletedAt: timeColumn('deleted_at'),
  },
  (table) => [
    ...lengthLimits([table.id, ID_LENGTH]),
    index('tenants_deleted').on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
)

/** Returns the tenant column. Every row belongs to a tenant and is deleted with it (spec/storage#tenants). */
export const tenantId = () =>
  text('tenant_id')
    .notNull()
    .references(() => tenants.id, { onDelete: 'cascade' })

/** Returns a column for a time in epoch milliseconds (spec/storage#timestamps). */
export function timeColumn(name: string) {
  return integer(name, { mode: 'number' })
}

export const jsonColumn = <T>(name: string) => text(name, { mode: 'json' }).$type<T>()

/** Returns a column for text that may be absent. An empty string is stored as null (spec/storage#empty-text). */
export const optionalText = customType<{ data: string; driverData: string | null }>({
  dataType: () => 'text',
  toDriver: (value) => value || null,
})

/**
 * Limits the length of columns. SQLite's `length` is never greater than JavaScript's, so validated inputs always fit.
 */
export const lengthLimits = (...limits: readonly (readonly [column: SQLiteColumn, length: number])[]) =>
  limits.map(([column, length]) => constraint(column, 'length', `length(${quoted(column)}) <= ${length}`))

export const isOneOf = (column: SQLiteColumn, values: readonly string[]) =>
  constraint(column, 'value', `${quoted(column)} in (${values.map((value) => `'${value}'`).join(', ')})`)

export const isBooleanColumn = (column: SQLiteColumn) =>
  constraint(column, 'boolean', `${quoted(column)} in (0, 1)`)

/**
 * Returns an indexed virtual column with a value from the payload. It is computed on read and stored only in the index.
 */
export const payloadValue = (name: string, path: string) =>
  text(name).generatedAlwaysAs(extract(path), { mode: 'virtual' })

const extract = (path: string): SQL => sql.raw(`json_extract("payload", '${path}')`)
const quoted = (column: SQLiteColumn) => `"${column.name}"`
const constraint = (column: SQLiteColumn, kind: string, condition: string) =>
  check(`${column.name}_${kind}`, sql.raw(condition))
