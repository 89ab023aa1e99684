import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'

/**
 * The previous release works with the schema of the current code, during a deployment and after a rollback: whatever it
 * relies on is still there (spec/storage#migrations).
 */
const RELEASES = 'tests/operations/releases'

/** Returns the SQL of the migrations in the fixture of the previous release, by file name. */
function previousMigrations(): Map<string, string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-previous-'))
  try {
    const [fixture = ''] = readdirSync(RELEASES).filter((name) => name.endsWith('.tar.br'))
    const archive = path.join(folder, 'release.tar')
    writeFileSync(archive, brotliDecompressSync(readFileSync(path.join(RELEASES, fixture))))
    const list = execFileSync('tar', ['--list', `--file=${archive}`], { encoding: 'utf8' }).split('\n')
    const files = list.filter((name) => /\/migrations\/\d+_\w+\.sql$/.test(name))
    execFileSync('tar', ['--extract', `--file=${archive}`, `--directory=${folder}`, ...files])
    return new Map(files.map((name) => [path.basename(name), readFileSync(path.join(folder, name), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const previous = previousMigrations()
const current = new Map(
  readdirSync('migrations')
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => [name, readFileSync(`migrations/${name}`, 'utf8')]),
)

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

/**
 * What a later migration removes on purpose, and the last version that used it. See the rules for contractions in
 * migrations.test.ts.
 */
const removed: readonly string[] = []

it('the migrations of the previous release are unchanged', () => {
  expect(previous.size).toBeGreaterThan(60)
  for (const [name, script] of previous) expect(current.get(name), name).toBe(script)
})

it('the current schema has every column, unique index, trigger and view of the previous release', () => {
  const after = schemaAfter(current.values())
  expect(
    [...schemaAfter(previous.values())].filter((fact) => !after.has(fact) && !removed.includes(fact)),
  ).toEqual([])
})

it.each([
  'DROP TRIGGER totals_users_insert',
  'DROP INDEX roles_name_unique',
  'DROP/**/TABLE consents',
  'ALTER TABLE users RENAME COLUMN name TO title',
  'ALTER TABLE dev_messages DROP COLUMN html',
])('the comparison notices %s', (statement) => {
  const before = schemaAfter(previous.values())
  const after = schemaAfter([...previous.values(), statement])
  expect([...before].filter((fact) => !after.has(fact))).not.toEqual([])
})
