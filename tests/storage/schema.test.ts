import { env } from 'cloudflare:workers'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import * as declarations from '../../src/storage/tables.ts'

/** Migrations are generated from the table declarations in the code, so the two must match. */

const tables = Object.values<unknown>(declarations)
  .filter((table): table is SQLiteTable => is(table, SQLiteTable))
  .map((table) => getTableConfig(table))

/** The index on the cost of password hashes. Its expression is only in a migration. */
const WRITTEN_BY_HAND = 'users_password_work'

const rowsOf = async (statement: string, table: string) =>
  (await env.DB.prepare(statement).bind(table).all<Record<string, unknown>>()).results

const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort()

it.each(tables)('the table $name matches its migrations', async (table) => {
  const { name, columns, indexes, uniqueConstraints, primaryKeys, foreignKeys, checks } = table
  const storedColumns = await rowsOf(
    'select name, lower(type) as type, "notnull" as required from pragma_table_xinfo(?)',
    name,
  )
  expect(sorted(storedColumns)).toEqual(
    sorted(
      columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        required: Number(column.notNull),
      })),
    ),
  )

  const storedIndexes = await rowsOf(
    `select list.name, list."unique" as isUnique, list.partial as isPartial, json_group_array(info.name) as columns
      from pragma_index_list(?) as list, pragma_index_xinfo(list.name) as info
      where list.origin = 'c' and info.key and list.name <> '${WRITTEN_BY_HAND}' group by list.name`,
    name,
  )
  // The database returns null as the name of an expression.
  const columnNames = (parts: readonly unknown[]) =>
    JSON.stringify(parts.map((part) => (is(part, SQLiteColumn) ? part.name : null)))
  expect(sorted(storedIndexes)).toEqual(
    sorted([
      ...indexes.map(({ config }) => ({
        name: config.name,
        isUnique: Number(config.unique),
        isPartial: Number(config.where !== undefined),
        columns: columnNames(config.columns),
      })),
      ...uniqueConstraints.map((constraint) => ({
        name: constraint.getName(),
        isUnique: 1,
        isPartial: 0,
        columns: columnNames(constraint.columns),
      })),
    ]),
  )

  const storedKeys = await rowsOf(
    `select "table" as target, json_group_array("from") as columns, json_group_array("to") as targetColumns,
      lower(on_delete) as onDelete from pragma_foreign_key_list(?) group by id`,
    name,
  )
  expect(sorted(storedKeys)).toEqual(
    sorted(
      foreignKeys.map((key) => {
        const reference = key.reference()
        return {
          target: getTableConfig(reference.foreignTable).name,
          columns: columnNames(reference.columns),
          targetColumns: columnNames(reference.foreignColumns),
          onDelete: key.onDelete ?? 'no action',
        }
      }),
    ),
  )

  const primaryKey = await rowsOf('select name from pragma_table_xinfo(?) where pk > 0 order by pk', name)
  const primaryColumns = primaryKeys[0]?.columns ?? columns.filter((column) => column.primary)
  expect(primaryKey).toEqual(primaryColumns.map((column) => ({ name: column.name })))

  const [stored] = await rowsOf('select sql from sqlite_master where name = ?', name)
  const constraints = [...String(stored?.sql).matchAll(/constraint [`"](\w+)[`"] (check|foreign)/gi)]
  const namesOf = (kind: string) =>
    constraints.filter(([, , word]) => word?.toLowerCase() === kind).map(([, constraint]) => constraint)
  expect(sorted(namesOf('check'))).toEqual(sorted(checks.map((check) => check.name)))
})
