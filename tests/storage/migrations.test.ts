import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openLibsql } from '../../src/storage/libsql.ts'
import { expectedMigrations, readAppliedMigrations } from '../../src/storage/migrations.ts'

it('readAppliedMigrations lists the migrations that Drizzle has applied to a libSQL server', async () => {
  const server = { url: env.TEST_LIBSQL_URL }
  expect(await readAppliedMigrations(openLibsql(server), { libsql: server })).toEqual(expectedMigrations)
})
