import { env } from 'cloudflare:workers'
import { type Database, openD1, openLibsql } from '../../src/storage/database.ts'
import { randomId } from '../../src/storage/ids.ts'
import { tenants } from '../../src/storage/tables.ts'
import { createUser, type NewUser } from '../../src/storage/users.ts'

/** Storage is tested against both, and both are the real thing. */
export const databases = [
  { name: 'D1', db: openD1(env.DB) },
  { name: 'libSQL', db: openLibsql({ url: env.TEST_LIBSQL_URL }) },
]

export const NOW = Date.UTC(2026, 10, 21)

/** The libSQL server is shared by all test files: every test has its own tenant. */
export async function newTenant(db: Database): Promise<string> {
  const id = randomId()
  await db.insert(tenants).values({ id, createdAt: NOW })
  return id
}

export const newUser = (db: Database, tenantId: string, user: Partial<NewUser> = {}) =>
  createUser(db, tenantId, { id: randomId(12), createdAt: NOW, ...user })
