import { env } from 'cloudflare:workers'
import type {
  OrganizationBrand,
  OrganizationMode,
  OrganizationPermission,
  OrganizationPolicy,
} from '../../../src/contract/organisations/organizations.ts'
import { DEFAULT_TENANT } from '../../../src/contract/product.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { randomId } from '../../../src/storage/ids.ts'
import { updateOrganization } from '../../../src/storage/organisations/organizations.ts'
import { freshName } from '../clients/cookie-client.ts'
import { newOperator } from '../clients/management-client.ts'
import type { TestApp } from '../test-app.ts'

/** Stores organisations, their roles and members directly in the database. */

const insert = (table: string, row: Record<string, string | number>) => {
  const columns = { tenant_id: DEFAULT_TENANT, ...row }
  const names = Object.keys(columns)
  return env.DB.prepare(
    `insert or ignore into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
  ).bind(...Object.values(columns))
}

type StoredOrganization = {
  tenantId?: string
  name?: string
  /** Values that only another release would store are allowed. */
  policy?: OrganizationPolicy | Record<string, unknown>
  brand?: OrganizationBrand
  /** The members, who have no roles. */
  userIds?: readonly string[]
}

export async function storeOrganization({
  tenantId = DEFAULT_TENANT,
  name = 'Acme',
  policy = {},
  brand = {},
  userIds = [],
}: StoredOrganization = {}): Promise<string> {
  const id = randomId()
  await insert('organizations', {
    tenant_id: tenantId,
    id,
    name,
    policy: JSON.stringify(policy),
    brand: JSON.stringify(brand),
    created_at: Date.now(),
  }).run()
  for (const userId of userIds) await storeMembership({ tenantId, organizationId: id, userId })
  return id
}

export const changeOrganization = (
  organizationId: string,
  changes: Parameters<typeof updateOrganization>[2],
) => updateOrganization(openD1(env.DB), { tenantId: DEFAULT_TENANT, organizationId }, changes)

/** Stores a role of the template. */
export async function storeOrganizationRole(
  permissions: readonly OrganizationPermission[] = [],
  name = freshName(),
): Promise<{ id: string; name: string }> {
  const id = randomId()
  await insert('organization_roles', { id, name, permissions: JSON.stringify(permissions) }).run()
  return { id, name }
}

type Membership = {
  tenantId?: string
  organizationId: string
  userId: string
  roleIds?: readonly string[]
}

/** Makes a user a member by hand, with these roles. */
export async function storeMembership({
  tenantId = DEFAULT_TENANT,
  organizationId,
  userId,
  roleIds = [],
}: Membership): Promise<void> {
  const member = { tenant_id: tenantId, organization_id: organizationId, user_id: userId }
  await env.DB.batch([
    insert('organization_users', { ...member, created_at: Date.now() }),
    insert('organization_user_sources', { ...member, source: 'manual', created_at: Date.now() }),
    ...roleIds.map((roleId) =>
      insert('organization_user_roles', { ...member, role_id: roleId, source: 'manual' }),
    ),
  ])
}

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

/** Reads who belongs to an organisation, with the sources and roles of each member. */
export async function membersOf(organizationId: string) {
  const { results } = await env.DB.prepare(
    `select user_id as userId,
      (select group_concat(source) from organization_user_sources as source where source.user_id = member.user_id
        and source.organization_id = member.organization_id) as sources,
      (select group_concat(distinct role_id) from organization_user_roles as role where role.user_id = member.user_id
        and role.organization_id = member.organization_id) as roles
    from organization_users as member where organization_id = ? order by created_at`,
  )
    .bind(organizationId)
    .all<{ userId: string; sources: string; roles: string | null }>()
  return results
}

export const freshId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 21)

/** Adds a role that includes scopes of resources, by their ids, and scopes of organisations, by their names. */
export async function addOrganizationRole({
  resourceScopeIds = [],
  scopeNames = [],
}: {
  resourceScopeIds?: readonly string[]
  scopeNames?: readonly string[]
}): Promise<string> {
  const roleId = freshId()
  const scopes = scopeNames.map((name) => ({ id: name.slice(0, 21), name }))
  await env.DB.batch([
    insert('organization_roles', { id: roleId, name: roleId }),
    ...resourceScopeIds.map((id) =>
      insert('organization_role_resource_scopes', { role_id: roleId, scope_id: id }),
    ),
    ...scopes.map((scope) => insert('organization_scopes', scope)),
    ...scopes.map(({ id }) => insert('organization_role_scopes', { role_id: roleId, scope_id: id })),
  ])
  return roleId
}

export const removeMembership = (organizationId: string, userId: string) =>
  env.DB.prepare(
    "delete from organization_users where tenant_id = 'default' and organization_id = ? and user_id = ?",
  )
    .bind(organizationId, userId)
    .run()

export const takeRoles = (organizationId: string, userId: string) =>
  env.DB.prepare(
    "delete from organization_user_roles where tenant_id = 'default' and organization_id = ? and user_id = ?",
  )
    .bind(organizationId, userId)
    .run()

export async function addMachine(
  organizationId: string,
  applicationId: string,
  roleIds: readonly string[],
): Promise<void> {
  const key = { organization_id: organizationId, application_id: applicationId }
  await env.DB.batch([
    insert('organization_applications', { ...key, created_at: 1 }),
    ...roleIds.map((role_id) => insert('organization_application_roles', { ...key, role_id })),
  ])
}
