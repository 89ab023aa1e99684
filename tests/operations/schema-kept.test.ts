import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { unpackFixture } from './releases/fixture.ts'

/**
 * The previous release works with the schema of the current code, during a deployment and after a rollback: whatever it
 * relies on is still there (spec/storage#migrations).
 */

/** Returns the SQL of the migrations in a folder, by file name. */
const migrationsIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  )

const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-previous-'))
const previous = migrationsIn(path.join(unpackFixture(folder), 'migrations'))
rmSync(folder, { recursive: true })
const current = migrationsIn('migrations')
type Row = Record<string, unknown>

/**
 * Returns what a Worker relies on, as texts: each column with its type and default, each unique index, each trigger and
 * each view. Other indexes only make queries faster.
 */
function schemaAfter(scripts: Iterable<string>): Set<string> {
  const db = new DatabaseSync(':memory:')
  for (const script of scripts) db.exec(script.replaceAll('--> statement-breakpoint', ''))
  const rows = (query: string, ...values: string[]) => db.prepare(query).all(...values) as Row[]
  const facts = new Set<string>()
  for (const { name } of rows("select name from sqlite_master where type = 'table'")) {
    for (const column of rows(
      'select name, type, "notnull", dflt_value, pk from pragma_table_info(?)',
      String(name),
    ))
      facts.add(`column ${name} ${JSON.stringify(column)}`)
    for (const index of rows('select name from pragma_index_list(?) where "unique"', String(name)))
      facts.add(
        `unique ${name} ${JSON.stringify(rows('select name from pragma_index_info(?)', String(index.name)))}`,
      )
  }
  for (const { type, name, sql } of rows(
    "select type, name, sql from sqlite_master where type in ('trigger', 'view')",
  ))
    facts.add(`${type} ${name} ${sql}`)
  db.close()
  return facts
}

const previousSchema = schemaAfter(previous.values())

/** The triggers of the previous release that may go. They only count audit rows, for the total of a list (ADR-0189). */
const DISPENSABLE = ['totals_logs_insert', 'totals_logs_delete'].map((name) => `trigger ${name} `)

/** Returns what the previous release relies on and a schema lacks. */
const missingIn = (schema: ReadonlySet<string>) =>
  [...previousSchema].filter(
    (fact) => !schema.has(fact) && !DISPENSABLE.some((beginning) => fact.startsWith(beginning)),
  )

it('the migrations of the previous release are unchanged', () => {
  expect(previous.size).toBeGreaterThan(60)
  for (const [name, script] of previous) expect(current.get(name), name).toBe(script)
})

it('the current schema has every column, unique index, trigger and view of the previous release', () => {
  expect(missingIn(schemaAfter(current.values()))).toEqual([])
})

it.each([
  'DROP TRIGGER totals_users_insert',
  'DROP INDEX roles_name_unique',
  'DROP/**/TABLE consents',
  'ALTER TABLE users RENAME COLUMN name TO title',
  'ALTER TABLE dev_messages DROP COLUMN html',
])('the comparison notices %s', (statement) => {
  expect(missingIn(schemaAfter([...previous.values(), statement]))).not.toEqual([])
})
