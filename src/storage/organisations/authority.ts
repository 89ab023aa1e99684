import { type SQL, sql } from 'drizzle-orm'
import { type OrganizationPermission, OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import type { RolePowers } from '../../domain/organisations/authority.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import {
  organizationRoleResourceScopes,
  organizationRoleScopes,
  organizationRoles,
  organizationUserRoles,
  organizationUsers,
} from '../tables.ts'
import { isGivenRole } from './memberships.ts'

/**
 * The permissions of members in the administration of their organisation (spec/organisations#authority). The queries
 * give `src/domain/organisations/authority.ts` its facts, and the conditions apply the same rules inside the batch of a
 * change, because the member's roles may change after the check.
 */

/** A member, whose ids may be columns of the surrounding statement. */
type MemberKey = { tenantId: string; organizationId: string | SQL; userId: string | SQL }

/** The ids of the scopes of a role. Scopes of organisations and of resources may have the same ids. */
const scopesOfRole = (tenantId: string, roleId: SQL) =>
  sql`select 'organization:' || scope_id as id from ${organizationRoleScopes}
      where tenant_id = ${tenantId} and role_id = ${roleId}
    union all select 'resource:' || scope_id from ${organizationRoleResourceScopes}
      where tenant_id = ${tenantId} and role_id = ${roleId}`

type StoredPowers = { id: string; permissions: string; scopeIds: string }
/** A role of a member, or the row of nulls of a member without roles. */
export type PowersRow = StoredPowers | { id: null }

const powersColumns = (tenantId: string) => sql`role.id as id, role.permissions as permissions,
  (select json_group_array(id) from (${scopesOfRole(tenantId, sql`role.id`)})) as "scopeIds"`

/** Selects those of these roles that exist. */
export const rolePowersQuery = (db: Database, tenantId: string, roleIds: readonly string[]) =>
  db.all<StoredPowers>(sql`select ${powersColumns(tenantId)} from ${organizationRoles} as role
    where role.tenant_id = ${tenantId} and role.id in (select value from json_each(${JSON.stringify(roleIds)}))`)

/** Selects all roles of the template, the owner first, with what they give and what a user needs to choose them. */
export const describedRolesQuery = (db: Database, tenantId: string) =>
  db.all<PowersRow & { id: string; name: string; description: string | null }>(
    sql`select ${powersColumns(tenantId)}, role.name as name, role.description as description
      from ${organizationRoles} as role where role.tenant_id = ${tenantId}
      order by role.id <> ${OWNER_ROLE.id}, role.name`,
  )

/** Selects the roles of a member from all sources. A member without roles has one row of nulls. */
export const memberPowersQuery = (db: Database, { tenantId, organizationId, userId }: MemberKey) =>
  db.all<PowersRow>(sql`select ${powersColumns(tenantId)}
    from ${organizationUsers} as member
    left join ${organizationRoles} as role on role.tenant_id = ${tenantId}
      and role.id in (${ownRoleIds({ tenantId, organizationId, userId })})
    where member.tenant_id = ${tenantId} and member.organization_id = ${organizationId}
      and member.user_id = ${userId}`)

export const toRolePowers = (rows: readonly PowersRow[]): RolePowers[] =>
  rows.flatMap((row) =>
    row.id === null
      ? []
      : [{ id: row.id, permissions: JSON.parse(row.permissions), scopeIds: JSON.parse(row.scopeIds) }],
  )

const ownRoleIds = ({ tenantId, organizationId, userId }: MemberKey) =>
  sql`select role_id from ${organizationUserRoles} where ${organizationUserRoles.tenantId} = ${tenantId}
    and ${organizationUserRoles.organizationId} = ${organizationId} and ${organizationUserRoles.userId} = ${userId}`

/** Roles as the database reads them inside a batch. */
export type RoleIds = { subquery: SQL }

export const roleIdList = (ids: readonly string[]): RoleIds => ({
  subquery: sql`select value from json_each(${JSON.stringify(ids)})`,
})

/** All roles of a member, which end with the membership. */
export const rolesOfMember = (key: MemberKey): RoleIds => ({ subquery: ownRoleIds(key) })

/** The roles that a member gets or loses if these roles replace those that were given. */
export function replacedRoles(key: MemberKey, ids: readonly string[]): RoleIds {
  const next = roleIdList(ids).subquery
  const current = sql`${ownRoleIds(key)} and ${isGivenRole}`
  return {
    subquery: sql`select * from (${next} except ${current}) union select * from (${current} except ${next})`,
  }
}

/** Checks that the member has a permission (`hasPermission`), or is an owner. */
export const memberMay = (key: MemberKey, permission: OrganizationPermission | 'owner'): Condition =>
  sql`exists (select 1 from ${organizationRoles} as own
    where own.tenant_id = ${key.tenantId} and own.id in (${ownRoleIds(key)})
      and (own.id = ${OWNER_ROLE.id} or ${permission} in (select value from json_each(own.permissions))))`

/**
 * Checks that the member may give and take all roles of a subquery (`mayAssignRole`). Roles that no longer exist give
 * nothing.
 */
export function memberMayAssign(key: MemberKey, { subquery }: RoleIds): Condition {
  const { tenantId } = key
  const own = ownRoleIds(key)
  const hasPermissionBeyond = sql`exists (select 1 from json_each(role.permissions) as needed where needed.value not in (
    select permission.value from ${organizationRoles} as own, json_each(own.permissions) as permission
    where own.tenant_id = ${tenantId} and own.id in (${own})))`
  const hasScopeBeyond = (links: typeof organizationRoleScopes | typeof organizationRoleResourceScopes) =>
    sql`exists (select 1 from ${links} as needed where needed.tenant_id = ${tenantId} and needed.role_id = role.id
      and needed.scope_id not in (select scope_id from ${links} where tenant_id = ${tenantId} and role_id in (${own})))`
  return sql`(${OWNER_ROLE.id} in (${own}) or not exists (
    select 1 from ${organizationRoles} as role where role.tenant_id = ${tenantId} and role.id in (${subquery})
      and (role.id = ${OWNER_ROLE.id} or ${hasPermissionBeyond}
        or ${hasScopeBeyond(organizationRoleScopes)} or ${hasScopeBeyond(organizationRoleResourceScopes)})))`
}

/** Checks that all of these roles exist. */
export const rolesExist = (tenantId: string, { subquery }: RoleIds): Condition =>
  sql`not exists (select * from (${subquery}) except select ${organizationRoles.id} from ${organizationRoles}
    where ${organizationRoles.tenantId} = ${tenantId})`
