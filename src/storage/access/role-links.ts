import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import {
  applications,
  applicationsRoles,
  logs,
  roles,
  rolesScopes,
  scopes,
  users,
  usersRoles,
} from '../tables.ts'

/** The kinds of entities that can be linked to a role. Their link tables all have the same columns. */
const kinds = {
  user: { links: usersRoles, memberId: usersRoles.userId, members: users },
  application: { links: applicationsRoles, memberId: applicationsRoles.applicationId, members: applications },
  scope: { links: rolesScopes, memberId: rolesScopes.scopeId, members: scopes },
} as const

export type LinkKind = keyof typeof kinds
export type RoleLink = { roleId: string; memberId: string }

/** Selects those of the given member ids that exist. */
export function existingMembersQuery(db: Database, tenantId: string, kind: LinkKind, ids: readonly string[]) {
  const { members } = kinds[kind]
  return db.all<{ id: string }>(
    sql`select ${members.id} as id from ${members} where ${members.tenantId} = ${tenantId}
      and ${members.id} in (select value from json_each(${JSON.stringify(ids)}))`,
  )
}

/** Selects those of the requested links that exist. */
export function existingLinksQuery(
  db: Database,
  tenantId: string,
  kind: LinkKind,
  requested: readonly RoleLink[],
) {
  const { links, memberId } = kinds[kind]
  return db.all<RoleLink>(
    sql`select ${links.roleId} as "roleId", ${memberId} as "memberId"
      from json_each(${JSON.stringify(requested)}) as requested cross join ${links}
      on ${links.tenantId} = ${tenantId} and ${links.roleId} = json_extract(requested.value, '$.roleId')
      and ${memberId} = json_extract(requested.value, '$.memberId')`,
  )
}

/** Selects the ids of a user's roles, including internal ones. */
export const roleIdsOfUserQuery = (db: Database, tenantId: string, userId: string) =>
  db
    .select({ roleId: usersRoles.roleId })
    .from(usersRoles)
    .where(and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId)))
    .orderBy(usersRoles.roleId)

/** Inserts links, except those whose role or member no longer exists. Throws if a link already exists. */
export const insertLinks = (db: Database, tenantId: string, kind: LinkKind, added: readonly RoleLink[]) =>
  db.run(insertion(tenantId, kind, added))

/** Inserts links if the condition holds. Existing links are left unchanged. */
export const insertMissingLinks = (
  db: Database,
  tenantId: string,
  kind: LinkKind,
  added: readonly RoleLink[],
  condition: Condition = ALWAYS_TRUE,
) => db.run(sql`${insertion(tenantId, kind, added)} and ${condition} on conflict do nothing`)

function insertion(tenantId: string, kind: LinkKind, added: readonly RoleLink[]): SQL {
  const { links, memberId, members } = kinds[kind]
  const rows = JSON.stringify(added.map((link) => ({ ...link, id: randomId() })))
  return sql`insert into ${links} (tenant_id, id, role_id, ${sql.identifier(memberId.name)})
    select ${tenantId}, json_extract(added.value, '$.id'), roles.id, ${members.id}
    from json_each(${rows}) as added
    cross join roles on roles.tenant_id = ${tenantId} and roles.id = json_extract(added.value, '$.roleId')
    cross join ${members} on ${members.tenantId} = ${tenantId}
      and ${members.id} = json_extract(added.value, '$.memberId')
    where true`
}

export function removeLink(db: Database, tenantId: string, kind: LinkKind, { roleId, memberId }: RoleLink) {
  const { links } = kinds[kind]
  return db
    .delete(links)
    .where(isLink(tenantId, kind, { roleId, memberId }))
    .returning({ id: links.id })
}

export const hasLink = (tenantId: string, kind: LinkKind, link: RoleLink): Condition =>
  sql`exists (select 1 from ${kinds[kind].links} where ${isLink(tenantId, kind, link)})`

/** Removes all of a user's roles except the given ones if the condition holds. */
export const removeOtherRoles = (
  db: Database,
  tenantId: string,
  userId: string,
  roleIds: readonly string[],
  condition: Condition = ALWAYS_TRUE,
) => db.delete(usersRoles).where(and(matchesOtherRoles(tenantId, userId, roleIds), condition))

/** Checks that the user lacks at least one of these roles that exists. */
export const lacksRole = (tenantId: string, userId: string, roleIds: readonly string[]): Condition =>
  sql`exists (select 1 from json_each(${JSON.stringify(roleIds)}) as requested
    cross join ${roles} on ${roles.tenantId} = ${tenantId} and ${roles.id} = requested.value
    where not exists (select 1 from ${usersRoles} where ${usersRoles.tenantId} = ${tenantId}
      and ${usersRoles.userId} = ${userId} and ${usersRoles.roleId} = requested.value))`

/** Checks that the user has a role besides these. */
export const hasOtherRole = (tenantId: string, userId: string, roleIds: readonly string[]): Condition =>
  sql`exists (select 1 from ${usersRoles} where ${matchesOtherRoles(tenantId, userId, roleIds)})`

const matchesOtherRoles = (tenantId: string, userId: string, roleIds: readonly string[]) =>
  and(
    eq(usersRoles.tenantId, tenantId),
    eq(usersRoles.userId, userId),
    sql`${usersRoles.roleId} not in (select value from json_each(${JSON.stringify(roleIds)}))`,
  )

/**
 * Checks that no operator has changed the user's roles after this time, so that a batch that is executed late does not
 * overwrite a newer change (spec/storage#late-writes). The check reads the audit log, in which every such change is
 * recorded by its own batch.
 */
export const hasNoNewerRoleChange = (tenantId: string, userId: string, time: number): Condition =>
  sql`not exists (select 1 from ${logs} where ${and(
    eq(logs.tenantId, tenantId),
    eq(logs.userId, userId),
    gt(logs.createdAt, time),
    // An earlier version of the Worker, which may still be running, writes the other key.
    inArray(logs.key, ['Management.User.RolesChange', 'Management.User.Update']),
  )} and (json_extract(${logs.payload}, '$.roleIds') is not null
    or json_extract(${logs.payload}, '$.removedRoleId') is not null))`

export const LINK_CONSTRAINTS = {
  user: 'users_roles.tenant_id, users_roles.user_id, users_roles.role_id',
  application: 'applications_roles.tenant_id, applications_roles.application_id, applications_roles.role_id',
  scope: 'roles_scopes.tenant_id, roles_scopes.role_id, roles_scopes.scope_id',
} as const satisfies Record<LinkKind, string>

function isLink(tenantId: string, kind: LinkKind, { roleId, memberId: id }: RoleLink) {
  const { links, memberId } = kinds[kind]
  return and(eq(links.tenantId, tenantId), eq(links.roleId, roleId), eq(memberId, id))
}
