import { env } from 'cloudflare:workers'
import type { OrganizationPermission } from '../../../src/contract/organisations/organizations.ts'
import { OWNER_ROLE } from '../../../src/contract/organisations/organizations.ts'
import { DEFAULT_TENANT } from '../../../src/contract/product.ts'
import { randomId } from '../../../src/storage/ids.ts'
import { freshName } from '../clients/cookie-client.ts'
import type { TestApp } from '../test-app.ts'

/** Stores organisations, their roles and members directly in the database. */

type Stored = { tenantId?: string }

const run = (app: TestApp, statement: string, ...values: (string | number | null)[]) =>
  app.env.DB.prepare(statement)
    .bind(...values)
    .run()

export async function storeOrganization(
  app: TestApp,
  { tenantId = DEFAULT_TENANT, name = 'Acme' }: Stored & { name?: string } = {},
): Promise<string> {
  const id = randomId()
  await run(
    app,
    'insert into organizations (tenant_id, id, name, created_at) values (?, ?, ?, ?)',
    tenantId,
    id,
    name,
    Date.now(),
  )
  return id
}

export async function storeOrganizationRole(
  app: TestApp,
  permissions: readonly OrganizationPermission[] = [],
  { tenantId = DEFAULT_TENANT }: Stored = {},
): Promise<{ id: string; name: string }> {
  const [id, name] = [randomId(), freshName()]
  await run(
    app,
    'insert into organization_roles (tenant_id, id, name, permissions) values (?, ?, ?, ?)',
    tenantId,
    id,
    name,
    JSON.stringify(permissions),
  )
  return { id, name }
}

type Membership = Stored & { organizationId: string; userId: string; roleIds?: readonly string[] }

/** Makes a user a member, by default an owner. */
export async function storeMembership(
  app: TestApp,
  { tenantId = DEFAULT_TENANT, organizationId, userId, roleIds = [OWNER_ROLE.id] }: Membership,
): Promise<void> {
  const member = [tenantId, organizationId, userId] as const
  await run(
    app,
    'insert into organization_users (tenant_id, organization_id, user_id, created_at) values (?, ?, ?, 1)',
    ...member,
  )
  await run(
    app,
    `insert into organization_user_sources (tenant_id, organization_id, user_id, source, created_at)
    values (?, ?, ?, 'manual', 1)`,
    ...member,
  )
  for (const roleId of roleIds)
    await run(
      app,
      `insert into organization_user_roles (tenant_id, organization_id, user_id, role_id, source)
      values (?, ?, ?, ?, 'manual')`,
      ...member,
      roleId,
    )
}

/** Reads who belongs to an organisation, with the sources and roles of each member. */
export async function membersOf(app: TestApp, organizationId: string) {
  const { results } = await app.env.DB.prepare(
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

const insert = (table: string, row: Record<string, string | number>) => {
  const columns = { tenant_id: 'default', ...row }
  const names = Object.keys(columns)
  return env.DB.prepare(
    `insert or ignore into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
  ).bind(...Object.values(columns))
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
