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

/**
 * The columns and checks that the tables have in common: the tenant of every row, times, and limits that the database
 * enforces.
 */

export const tenants = sqliteTable(
  'tenants',
  {
    id: text('id').primaryKey(),
    createdAt: timeColumn('created_at').notNull(),
    /**
     * From this time on the tenant answers no request, and its rows are deleted step by step
     * (spec/storage#tenant-deletion).
     */
    deletedAt: timeColumn('deleted_at'),
  },
  (table) => [
    ...lengthLimits([table.id, ID_LENGTH]),
    index('tenants_deleted').on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
)

/** Returns the tenant column. Every row has a tenant and is deleted with it (spec/storage#tenants). */
export const tenantId = () =>
  text('tenant_id')
    .notNull()
    .references(() => tenants.id, { onDelete: 'cascade' })

/** Returns a column for a time in epoch milliseconds (spec/storage#timestamps). */
export function timeColumn(name: string) {
  return integer(name, { mode: 'number' })
}

export const jsonColumn = <T>(name: string) => text(name, { mode: 'json' }).$type<T>()

/** A text that may be absent: an empty string is stored as null (spec/storage#empty-text). */
export const optionalText = customType<{ data: string; driverData: string | null }>({
  dataType: () => 'text',
  toDriver: (value) => value || null,
})

/**
 * Limits the length of columns. SQLite's `length` counts characters and JavaScript counts at least as many, so an input
 * that was checked always fits.
 */
export const lengthLimits = (...limits: readonly (readonly [column: SQLiteColumn, length: number])[]) =>
  limits.map(([column, length]) => constraint(column, 'length', `length(${quoted(column)}) <= ${length}`))

export const oneOf = (column: SQLiteColumn, values: readonly string[]) =>
  constraint(column, 'value', `${quoted(column)} in (${values.map((value) => `'${value}'`).join(', ')})`)

export const isBoolean = (column: SQLiteColumn) =>
  constraint(column, 'boolean', `${quoted(column)} in (0, 1)`)

/**
 * Returns a value of the payload as an indexed column, which is computed when it is read and stored only in the index.
 */
export const payloadValue = (name: string, path: string) =>
  text(name).generatedAlwaysAs(extract(path), { mode: 'virtual' })

const extract = (path: string): SQL => sql.raw(`json_extract("payload", '${path}')`)
const quoted = (column: SQLiteColumn) => `"${column.name}"`
const constraint = (column: SQLiteColumn, kind: string, condition: string) =>
  check(`${column.name}_${kind}`, sql.raw(condition))
