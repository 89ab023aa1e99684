import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openLibsql } from '../../src/storage/libsql.ts'
import { appliedMigrations, expectedMigrations } from '../../src/storage/migrations.ts'

it('appliedMigrations lists the migrations that Drizzle has applied to a libSQL server', async () => {
  const server = { url: env.TEST_LIBSQL_URL }
  expect(await appliedMigrations(openLibsql(server), { libsql: server })).toEqual(expectedMigrations)
})
