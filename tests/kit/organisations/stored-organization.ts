import { env } from 'cloudflare:workers'
import type {
  OrganizationBrand,
  OrganizationMode,
  OrganizationPermission,
  OrganizationPolicy,
} from '../../../src/contract/organisations/organizations.ts'
import { sendBatch } from '../../../src/storage/batches.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { randomId } from '../../../src/storage/ids.ts'
import { joinStatements, MANUAL } from '../../../src/storage/organisations/memberships.ts'
import {
  ensureOwnerRole,
  insertOrganization,
  updateOrganization,
} from '../../../src/storage/organisations/organizations.ts'
import { organizationRoles } from '../../../src/storage/tables.ts'
import { newOperator } from '../clients/management-client.ts'
import type { TestApp } from '../test-app.ts'

/** Stores organisations and their members directly in the database, like the management API. */

type StoredOrganization = {
  name?: string
  /** Values that only another release would store are allowed. */
  policy?: OrganizationPolicy | Record<string, unknown>
  brand?: OrganizationBrand
  userIds?: readonly string[]
}

export async function storeOrganization({
  name = 'Acme',
  policy = {},
  brand = {},
  userIds = [],
}: StoredOrganization = {}): Promise<string> {
  const db = openD1(env.DB)
  const id = randomId()
  const now = Date.now()
  await insertOrganization(db, { tenantId: 'default', id, name, policy, brand, createdAt: now })
  const joining = { tenantId: 'default', organizationId: id, userIds, roleIds: [], now, ...MANUAL }
  const { members, sources } = joinStatements(db, joining)
  await members
  await sources
  return id
}

/** Makes a user a member by hand, with these roles. */
export async function storeMembership(
  organizationId: string,
  userId: string,
  roleIds: readonly string[] = [],
): Promise<void> {
  const db = openD1(env.DB)
  const joining = {
    tenantId: 'default',
    organizationId,
    userIds: [userId],
    roleIds,
    now: Date.now(),
    ...MANUAL,
  }
  const { members, sources, roles } = joinStatements(db, joining)
  await sendBatch(db, [ensureOwnerRole(db, 'default'), members, sources, ...(roles ? [roles] : [])])
}

/** Stores a role of the template. Returns its id. */
export async function storeOrganizationRole(
  name: string,
  permissions: OrganizationPermission[],
): Promise<string> {
  const id = randomId()
  await openD1(env.DB).insert(organizationRoles).values({ tenantId: 'default', id, name, permissions })
  return id
}

export const changeOrganization = (
  organizationId: string,
  changes: Parameters<typeof updateOrganization>[2],
) => updateOrganization(openD1(env.DB), { tenantId: 'default', organizationId }, changes)

/** Creates a first-party application whose users may act for an organisation. Returns the parameters of its requests. */
export async function newOrganizationApplication(
  app: TestApp,
  organizationMode: OrganizationMode = 'optional',
) {
  const redirectUri = `${app.origin}/callback`
  const created = await (await newOperator(app)).send('POST', '/applications', {
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [redirectUri] },
    customClientMetadata: { organizationMode },
  })
  const { id } = (await created.json()) as { id: string }
  return { client_id: id, redirect_uri: redirectUri }
}
