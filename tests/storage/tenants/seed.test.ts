import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { DEFAULT_TENANT } from '../../../src/contract/product.ts'
import { sendBatch } from '../../../src/storage/batches.ts'
import type { Database } from '../../../src/storage/database.ts'
import { readExperience } from '../../../src/storage/experience/experience.ts'
import {
  configs,
  organizationRoles,
  resources,
  roles,
  rolesScopes,
  scopes,
  signInExperiences,
  tenants,
  totals,
} from '../../../src/storage/tables.ts'
import { seedStatements } from '../../../src/storage/tenants/seed.ts'
import { newSeededTenant, TEST_NOW, testDatabases } from '../databases.ts'

describe.each(testDatabases)('a new tenant on $name', ({ db }) => {
  it('has the same rows that the migrations create for the tenant "default"', async () => {
    const tenantId = await newSeededTenant(db)

    expect(await contents(db, tenantId)).toEqual(await contents(db, DEFAULT_TENANT))
    expect(await readExperience(db, tenantId)).toEqual({ tenantId, ...DEFAULT_EXPERIENCE })
  })

  it('can be seeded again without losing its operator’s changes', async () => {
    const tenantId = await newSeededTenant(db)
    await db
      .update(signInExperiences)
      .set({ signInMode: 'SignIn' })
      .where(eq(signInExperiences.tenantId, tenantId))

    await sendBatch(db, seedStatements(db, tenantId, TEST_NOW + 1))

    expect(await readExperience(db, tenantId)).toMatchObject({ signInMode: 'SignIn' })
    expect(await db.select().from(tenants).where(eq(tenants.id, tenantId))).toEqual([
      { id: tenantId, createdAt: TEST_NOW, deletedAt: null },
    ])
  })
})

/** Returns the rows without tenant ids and creation times. */
async function contents(db: Database, tenantId: string) {
  const seeded = { configs, organizationRoles, resources, roles, rolesScopes, scopes, signInExperiences }
  const rows = Object.values(seeded).map(async (table) => {
    const rows: Record<string, unknown>[] = await db.select().from(table).where(eq(table.tenantId, tenantId))
    // Sort the rows, because databases guarantee no order.
    const idOf = ({ id, key, roleId, scopeId }: Record<string, unknown>) => [id, key, roleId, scopeId].join()
    return rows
      .map((row) => ({ ...row, tenantId: '', createdAt: 0 }))
      .sort((one, other) => idOf(one).localeCompare(idOf(other)))
  })
  // Other tests in this run may use the default tenant, so only the names of its totals are compared.
  const counted = await db
    .select()
    .from(totals)
    .where(eq(totals.tenantId, tenantId))
    .orderBy(totals.tableName)
  return { rows: await Promise.all(rows), tables: counted.map(({ tableName }) => tableName) }
}
