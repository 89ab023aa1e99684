import { env } from 'cloudflare:workers'
import { USER_ID_LENGTH } from '../../src/contract/ids.ts'
import { insertApplication, type NewApplicationRow } from '../../src/storage/applications/applications.ts'
import { commitChange, notAudited } from '../../src/storage/commit.ts'
import { ALWAYS_TRUE } from '../../src/storage/conditions.ts'
import { openD1 } from '../../src/storage/d1.ts'
import type { Database } from '../../src/storage/database.ts'
import { randomId } from '../../src/storage/ids.ts'
import { openLibsql } from '../../src/storage/libsql.ts'
import { createSeals } from '../../src/storage/seal.ts'
import { tenants } from '../../src/storage/tables.ts'
import { tenantCreationStatements } from '../../src/storage/tenants/tenant-list.ts'
import {
  createUserRow,
  insertUserIf,
  type NewUserRow,
  type UserChanges,
  updateUserIf,
} from '../../src/storage/users/user-changes.ts'
import type { ImportedRow } from '../../src/storage/users/user-import.ts'

/** The databases on which storage is tested: D1 and libSQL. Neither of them is mocked. */
export const testDatabases = [
  { name: 'D1', db: openD1(env.DB) },
  { name: 'libSQL', db: openLibsql({ url: env.TEST_LIBSQL_URL }) },
]

/**
 * The databases for tests of query plans, constraints and combined rate limits. They run on libSQL only in `npm run
 * test:exhaustive`, because other tests run most of these statements on both databases.
 */
export const sweptDatabases = testDatabases.filter(({ name }) => name === 'D1' || env.TEST_SWEEP.isExhaustive)

export const seals = createSeals('a root secret for storage tests, long enough')

export const TEST_NOW = Date.UTC(2026, 10, 21)

/** Creates a tenant without seed data. All test files share the libSQL server, so every test uses a separate tenant. */
export async function newTenant(db: Database): Promise<string> {
  const id = randomId()
  await db.insert(tenants).values({ id, createdAt: TEST_NOW })
  return id
}

/** Creates a tenant with seed data, as an operator does. */
export async function newSeededTenant(db: Database): Promise<string> {
  const id = randomId()
  const owner = { type: 'user' as const, id: randomId() }
  await commitChange(db, {
    tenantId: id,
    audit: notAudited('a test'),
    statements: tenantCreationStatements(
      db,
      { id, createdAt: TEST_NOW },
      { owner, mayOwnMany: false, roleNames: [] },
    ),
  })
  return id
}

export async function newUser(db: Database, tenantId: string, user: Partial<NewUserRow> = {}) {
  const row = { id: randomId(USER_ID_LENGTH), createdAt: TEST_NOW, ...user }
  const [created] = await insertUserIf(db, tenantId, ALWAYS_TRUE, row)
  if (!created) throw new Error('The user was not created')
  return created
}

/** Returns a row for an import (spec/management#user-import). */
export const newImportedRow = (row: Pick<ImportedRow, 'id'> & Partial<ImportedRow>): ImportedRow => ({
  ...createUserRow({ createdAt: TEST_NOW, ...row }),
  roleIds: row.roleIds ?? [],
  totp: row.totp ?? null,
  passkeys: row.passkeys ?? [],
})

export async function changeUser(db: Database, tenantId: string, id: string, changes: UserChanges) {
  const [changed] = await updateUserIf(db, tenantId, ALWAYS_TRUE, id, changes)
  return changed ?? null
}

export const SHOP_APPLICATION: NewApplicationRow = {
  id: 'shop',
  name: 'Shop',
  secret: 'secret',
  sealedSecret: 'not sealed by this deployment',
  description: null,
  secondFactorPolicy: null,
  rememberDays: null,
  claims: null,
  type: 'SPA',
  oidcClientMetadata: { redirectUris: ['https://shop.example/callback'], postLogoutRedirectUris: [] },
  customClientMetadata: {},
  createdAt: TEST_NOW,
}

export async function newApplication(
  db: Database,
  tenantId: string,
  changes: Partial<NewApplicationRow> = {},
) {
  const [created] = await insertApplication(db, tenantId, { ...SHOP_APPLICATION, ...changes })
  if (!created) throw new Error('The application was not created')
  return created
}
