import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sendBatch } from '../../src/storage/batches.ts'
import { ALWAYS_TRUE } from '../../src/storage/conditions.ts'
import { applications, resources, roles, tenants, totals, users } from '../../src/storage/tables.ts'
import { insertUserIf } from '../../src/storage/users/user-changes.ts'
import { newTenant, TEST_NOW, testDatabases } from './databases.ts'

describe.each(testDatabases)('totals on $name', ({ db }) => {
  const totalsOf = async (tenantId: string) => {
    const rows = await db.select().from(totals).where(eq(totals.tenantId, tenantId))
    // Nothing counts audit rows any more. Their row stays for the previous release (ADR-0189).
    const counted = rows.filter(({ tableName }) => tableName !== 'logs')
    return Object.fromEntries(counted.map(({ tableName, count }) => [tableName, count]))
  }

  it('count every insertion and deletion, per tenant', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    const createdAt = TEST_NOW
    const oidcClientMetadata = { redirectUris: [], postLogoutRedirectUris: [] }
    for (const id of ['a', 'b', 'c']) await insertUserIf(db, tenantId, ALWAYS_TRUE, { id, createdAt })
    await sendBatch(db, [
      insertUserIf(db, tenantId, sql`false`, { id: 'd', createdAt }),
      db.insert(resources).values({ tenantId, id: 'r', name: 'API', indicator: 'urn:r' }),
      db
        .insert(applications)
        .values({ tenantId, id: 'a', name: 'A', secret: 's', type: 'SPA', oidcClientMetadata, createdAt }),
      db.insert(roles).values({ tenantId, id: 'r', name: 'editor', description: '' }),
      db.insert(roles).values({ tenantId, id: 'i', name: '#internal:admin', description: '' }),
    ])

    expect(await totalsOf(tenantId)).toEqual({ applications: 1, resources: 1, roles: 1, users: 3 })
    expect(await totalsOf(other)).toEqual({ applications: 0, resources: 0, roles: 0, users: 0 })

    await db.delete(users).where(sql`${users.tenantId} = ${tenantId} and ${users.id} <> 'a'`)
    await db.delete(roles).where(eq(roles.tenantId, tenantId))
    await db.delete(applications).where(eq(applications.tenantId, tenantId))
    expect(await totalsOf(tenantId)).toEqual({ applications: 0, resources: 1, roles: 0, users: 1 })
  })

  it('ignore conflicts and failed insertions', async () => {
    const tenantId = await newTenant(db)
    const role = { tenantId, id: 'r', name: 'editor', description: '' }
    await db.insert(roles).values(role)
    await db.insert(roles).values(role).onConflictDoNothing()
    await expect(db.insert(roles).values(role)).rejects.toThrow()

    expect((await totalsOf(tenantId)).roles).toBe(1)
  })

  it('are deleted with their tenant', async () => {
    const tenantId = await newTenant(db)
    await db.insert(users).values({ tenantId, id: 'a', createdAt: TEST_NOW })
    await db.delete(tenants).where(eq(tenants.id, tenantId))

    expect(await totalsOf(tenantId)).toEqual({})
  })
})
