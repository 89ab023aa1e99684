import { type SQL, sql } from 'drizzle-orm'
import type { MembershipSource } from '../../contract/organisations/organizations.ts'
import {
  organizationRoles,
  organizationUserRoles,
  organizationUserSources,
  organizationUsers,
} from '../tables.ts'

/** The columns with what a member has, for queries from `organization_users`. */

/** A role of a member, with the sources that gave it. */
export type MemberRole = { id: string; name: string; sources: MembershipSource[] }

const parsed = <T>(json: string): T => JSON.parse(json)

/** The roles of the member, by name. */
export const memberRolesJson =
  sql`(select json_group_array(json_object('id', id, 'name', name, 'sources', json(sources)))
  from (select role.id as id, role.name as name, json_group_array(own.source) as sources
    from ${organizationUserRoles} as own
    join ${organizationRoles} as role on role.tenant_id = own.tenant_id and role.id = own.role_id
    where own.tenant_id = ${organizationUsers.tenantId} and own.organization_id = ${organizationUsers.organizationId}
      and own.user_id = ${organizationUsers.userId}
    group by role.id order by role.name))`.mapWith(parsed<MemberRole[]>)

/** The sources of the membership. */
export const memberSourcesJson =
  sql`(select json_group_array(distinct own.source) from ${organizationUserSources} as own
  where own.tenant_id = ${organizationUsers.tenantId} and own.organization_id = ${organizationUsers.organizationId}
    and own.user_id = ${organizationUsers.userId})`.mapWith(parsed<MembershipSource[]>)

/**
 * Matches the memberships of a user. Without the index, SQLite would read all memberships of the tenant, because another
 * index has the order of the list.
 */
export const isMembershipOf = (tenantId: string, userId: string): SQL =>
  sql`${organizationUsers}.rowid in (select rowid from ${organizationUsers} indexed by organization_users_user
    where ${organizationUsers.tenantId} = ${tenantId} and ${organizationUsers.userId} = ${userId})`
