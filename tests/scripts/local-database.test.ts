import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
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
    }
    database.close()
    return snapshot
  }

  write('0000_first.sql', 'create table a (id int)')
  write('0001_second.sql', 'create table b (id int)', 'create table a (id int)')
  expect(await migrate()).toBe(false)
  expect(String(errors.mock.calls)).toContain('table a already exists')
  expect(tables()).toEqual({ tables: ['a'], recorded: ['0000_first.sql'] })

  write('0001_second.sql', 'create table b (id int)', 'create table c (id int)')
  expect(await migrate()).toBe(true)
  expect(tables()).toEqual({ tables: ['a', 'b', 'c'], recorded: ['0000_first.sql', '0001_second.sql'] })
})
