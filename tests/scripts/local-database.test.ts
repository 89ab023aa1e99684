import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { alterationStateStatement } from '../../scripts/alteration-state.mjs'
import { migrateLocalDatabase } from '../../scripts/local-database.mjs'
import { root } from '../../scripts/root.mjs'
import { MINUTE } from '../../src/contract/time.ts'

it('a failed migration is rolled back, and can be applied once it is fixed', {
  timeout: 2 * MINUTE,
}, async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'log').mockImplementation(() => {})
  mkdirSync(path.join(root, 'build'), { recursive: true })
  const folder = mkdtempSync(path.join(root, 'build/migrations-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const state = path.join(folder, 'state')
  const files = path.join(folder, 'files')
  mkdirSync(files)
  mkdirSync(path.join(files, 'meta'))
  const alterAt = (when: number) =>
    writeFileSync(path.join(files, 'meta/_journal.json'), JSON.stringify({ entries: [{ when }] }))
  const write = (name: string, ...statements: string[]) =>
    writeFileSync(path.join(files, name), statements.join(';\n--> statement-breakpoint\n'))
  const migrate = () => migrateLocalDatabase(state, path.relative(root, files))
  const tables = () => {
    const [file = ''] = globSync(path.join(state, 'v3/d1/**/*.sqlite')).filter(
      (name) => !name.includes('metadata'),
    )
    const database = new DatabaseSync(file, { readOnly: true })
    const names = (query: string) =>
      database
        .prepare(query)
        .all()
        .map((row) => row.name)
    const snapshot = {
      tables: names(
        "select name from sqlite_master where type = 'table' and name in ('a', 'b', 'c') order by 1",
      ),
      recorded: names('select name from d1_migrations order by id'),
      altered: database
        .prepare(`select json_extract(value, '$.timestamp') as at from configs`)
        .all()
        .map(({ at }) => at),
    }
    database.close()
    return snapshot
  }

  const entries = 'create table configs (tenant_id text, key text, value text, primary key (tenant_id, key))'
  write('0000_first.sql', entries, 'create table a (id int)')
  write('0001_second.sql', 'create table b (id int)', 'create table a (id int)')
  alterAt(1)
  expect(await migrate()).toBe(false)
  expect(String(errors.mock.calls)).toContain('table a already exists')
  expect(tables()).toEqual({ tables: ['a'], recorded: ['0000_first.sql'], altered: [] })

  write('0001_second.sql', 'create table b (id int)', 'create table c (id int)')
  expect(await migrate()).toBe(true)
  expect(tables()).toEqual({
    tables: ['a', 'b', 'c'],
    recorded: ['0000_first.sql', '0001_second.sql'],
    altered: [1],
  })
})

it('the alteration state ("timestamp, optional updatedAt") is that of the newest migration', () => {
  const folder = mkdtempSync(path.join(root, 'build/migrations-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'meta'))
  const database = new DatabaseSync(':memory:')
  database.exec('create table configs (tenant_id text, key text, value text, primary key (tenant_id, key))')
  const recordAt = (now: number, ...migrations: number[]) => {
    const entries = migrations.map((when) => ({ when }))
    writeFileSync(path.join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
    database.exec(alterationStateStatement(now, path.relative(root, folder)))
    return database
      .prepare('select tenant_id, key, value from configs')
      .all()
      .map((row) => ({ ...row }))
  }
  const stateOf = (timestamp: number, updatedAt: number) => [
    { tenant_id: 'default', key: 'alterationState', value: JSON.stringify({ timestamp, updatedAt }) },
  ]
  expect(recordAt(100, 1, 2)).toEqual(stateOf(2, 100))
  // Starting or deploying again alters nothing, and neither does an older version after a rollback.
  expect(recordAt(200, 1, 2)).toEqual(stateOf(2, 100))
  expect(recordAt(300, 1)).toEqual(stateOf(2, 100))
  expect(recordAt(400, 1, 2, 3)).toEqual(stateOf(3, 400))
  // An entry that cannot be read is replaced.
  for (const damaged of ['garbage', 'null', '[]', '{}', '{"timestamp":"9"}']) {
    database.prepare('update configs set value = ?').run(damaged)
    expect(recordAt(500, 1)).toEqual(stateOf(1, 500))
  }
})
