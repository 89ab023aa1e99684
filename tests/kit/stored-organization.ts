import { env } from 'cloudflare:workers'
import type { OrganizationPermission } from '../../src/contract/organisations/organizations.ts'
import { sendBatch } from '../../src/storage/batches.ts'
import { openD1 } from '../../src/storage/d1.ts'
import { randomId } from '../../src/storage/ids.ts'
import { joinStatements, MANUAL } from '../../src/storage/organisations/memberships.ts'
import { ensureOwnerRole, insertOrganization } from '../../src/storage/organisations/organizations.ts'
import { organizationRoles } from '../../src/storage/tables.ts'

/** Stores organisations directly in the database of the default tenant, because creating them takes several calls. */

const tenantId = 'default'

/** Stores an organisation with these members, each with the ids of the roles. Returns the id. */
export async function storeOrganization(
  name: string,
  members: Readonly<Record<string, readonly string[]>> = {},
): Promise<string> {
  const db = openD1(env.DB)
  const [id, now] = [randomId(), Date.now()]
  await sendBatch(db, [
    ensureOwnerRole(db, tenantId),
    insertOrganization(db, { tenantId, id, name, createdAt: now }),
  ])
  for (const [userId, roleIds] of Object.entries(members)) await storeMembership(id, userId, roleIds)
  return id
}

export async function storeMembership(
  organizationId: string,
  userId: string,
  roleIds: readonly string[] = [],
): Promise<void> {
  const db = openD1(env.DB)
  const joining = { tenantId, organizationId, ...MANUAL, userIds: [userId], roleIds, now: Date.now() }
  const { members, sources, roles } = joinStatements(db, joining)
  await sendBatch(db, [members, sources, ...(roles ? [roles] : [])])
}

/** Stores a role of the template and returns its id. */
export async function storeOrganizationRole(
  permissions: OrganizationPermission[],
  name = `role ${randomId(6)}`,
): Promise<string> {
  const id = randomId()
  await openD1(env.DB).insert(organizationRoles).values({ tenantId, id, name, permissions })
  return id
}
