import { type SQL, sql } from 'drizzle-orm'
import { check, customType, integer, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What the tables have in common: the tenant every row belongs to, times, and limits the database itself holds. */

const TENANT_ID_LENGTH = 21 // spec 3
/** Ids of ours have 21 characters unless their table says otherwise (contract 6). */
export const ID_LENGTH = 21

export const tenants = sqliteTable(
  'tenants',
  { id: text('id').primaryKey(), createdAt: time('created_at').notNull() },
  (table) => lengths([table.id, TENANT_ID_LENGTH]),
)

/** Design 4: every stored row has one, and it goes with its tenant. */
export const tenantId = () =>
  text('tenant_id')
    .notNull()
    .references(() => tenants.id, { onDelete: 'cascade' })

/** Epoch milliseconds, as they are answered (contract 6). */
export function time(name: string) {
  return integer(name, { mode: 'number' })
}

export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>()

/** A text that may be absent: the empty string is absent too (contract 6: "turned into null on write"). */
export const optionalText = customType<{ data: string; driverData: string | null }>({
  dataType: () => 'text',
  toDriver: (value) => value || null,
})

/** SQLite's `length` counts characters; JavaScript counts as many or more, so a checked input always fits. */
export const lengths = (...limits: readonly (readonly [column: SQLiteColumn, length: number])[]) =>
  limits.map(([column, length]) => constraint(column, 'length', `length(${quoted(column)}) <= ${length}`))

export const oneOf = (column: SQLiteColumn, values: readonly string[]) =>
  constraint(column, 'value', `${quoted(column)} in (${values.map((value) => `'${value}'`).join(', ')})`)

export const isBoolean = (column: SQLiteColumn) =>
  constraint(column, 'boolean', `${quoted(column)} in (0, 1)`)

/** A value inside the payload, as an indexed column of its own: computed when it is read, stored in the index alone. */
export const payloadValue = (name: string, path: string) =>
  text(name).generatedAlwaysAs(extract(path), { mode: 'virtual' })

const extract = (path: string): SQL => sql.raw(`json_extract("payload", '${path}')`)
const quoted = (column: SQLiteColumn) => `"${column.name}"`
const constraint = (column: SQLiteColumn, kind: string, condition: string) =>
  check(`${column.name}_${kind}`, sql.raw(condition))
