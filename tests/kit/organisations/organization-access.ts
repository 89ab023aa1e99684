import { env } from 'cloudflare:workers'

/** Changes what members and machines may do for an organisation, directly in the database. */

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
