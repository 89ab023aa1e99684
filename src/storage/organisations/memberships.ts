import { and, eq, sql } from 'drizzle-orm'
import {
  givenSources,
  type MembershipSource,
  OWNER_ROLE,
} from '../../contract/organisations/organizations.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import {
  organizations,
  organizationUserRoles,
  organizationUserSources,
  organizationUsers,
  users,
} from '../tables.ts'

/**
 * Memberships of users, with their sources and roles (spec/organisations#memberships). The functions return statements
 * and conditions for a caller's batch.
 */

export type MemberKey = { tenantId: string; organizationId: string; userId: string }

/** The source of a membership. `sourceId` is the id of a connection or directory, and empty for the other sources. */
export type SourceKey = { source: MembershipSource; sourceId: string }

export const MANUAL: SourceKey = { source: 'manual', sourceId: '' }

const matchesMember = ({ tenantId, organizationId, userId }: MemberKey) =>
  and(
    eq(organizationUsers.tenantId, tenantId),
    eq(organizationUsers.organizationId, organizationId),
    eq(organizationUsers.userId, userId),
  )

const matchesRolesOf = ({ tenantId, organizationId, userId }: MemberKey) =>
  and(
    eq(organizationUserRoles.tenantId, tenantId),
    eq(organizationUserRoles.organizationId, organizationId),
    eq(organizationUserRoles.userId, userId),
  )

export const isMember = (key: MemberKey): Condition =>
  sql`exists (select 1 from ${organizationUsers} where ${matchesMember(key)})`

const isOwner = ({ tenantId, organizationId }: Omit<MemberKey, 'userId'>) =>
  sql`${organizationUserRoles.tenantId} = ${tenantId} and ${organizationUserRoles.roleId} = ${OWNER_ROLE.id}
    and ${organizationUserRoles.organizationId} = ${organizationId}`

/** Selects a member's roles with their sources. A member without roles has one row of nulls, and others have none. */
export const memberRolesQuery = (db: Database, key: MemberKey) =>
  db
    .select({
      roleId: organizationUserRoles.roleId,
      source: organizationUserRoles.source,
      sourceId: organizationUserRoles.sourceId,
    })
    .from(organizationUsers)
    .leftJoin(organizationUserRoles, matchesRolesOf(key))
    .where(matchesMember(key))
    .orderBy(organizationUserRoles.roleId)

/** Matches the roles that somebody gave to the member, by hand or with an invitation. */
export const isGivenRole: Condition = sql`${organizationUserRoles.source} in (${sql.join(
  givenSources.map((source) => sql`${source}`),
  sql`, `,
)})`

/**
 * Checks that the organisation has an owner who can sign in after these roles of the user are removed, or that the user
 * is no owner through them.
 */
export function keepsAnOwner(key: MemberKey, roles: 'all' | 'given'): Condition {
  const which = roles === 'given' ? isGivenRole : ALWAYS_TRUE
  const removed = sql`(${organizationUserRoles.userId} = ${key.userId} and ${which})`
  const owners = sql`select 1 from ${organizationUserRoles} where ${isOwner(key)}`
  const isActive = sql`exists (select 1 from ${users} where ${users.tenantId} = ${key.tenantId}
    and ${users.id} = ${organizationUserRoles.userId} and not ${users.isSuspended})`
  return sql`(not exists (${owners} and ${removed}) or exists (${owners} and not ${removed} and ${isActive}))`
}

/** The new members of one change. All of them get the same roles from the same source. */
export type Joining = SourceKey & {
  tenantId: string
  organizationId: string
  userIds: readonly string[]
  roleIds: readonly string[]
  now: number
}

/**
 * Adds a source to memberships, which begin with their first source. Users who no longer exist are left out, and
 * existing rows are left unchanged, so the statements are safe to repeat.
 */
export function joinStatements(db: Database, joining: Joining, condition: Condition = ALWAYS_TRUE) {
  const { tenantId, organizationId, userIds, roleIds, source, sourceId, now } = joining
  const joiningUsers = sql`users where users.tenant_id = ${tenantId}
    and users.id in (select value from json_each(${JSON.stringify(userIds)})) and ${condition}`
  return {
    members: db.run(sql`insert into ${organizationUsers} (tenant_id, organization_id, user_id, created_at)
      select ${tenantId}, ${organizationId}, users.id, ${now} from ${joiningUsers} on conflict do nothing`),
    sources: db.run(sql`insert into ${organizationUserSources}
      (tenant_id, organization_id, user_id, source, source_id, created_at)
      select ${tenantId}, ${organizationId}, users.id, ${source}, ${sourceId}, ${now} from ${joiningUsers}
      on conflict do nothing`),
    roles:
      roleIds.length === 0
        ? undefined
        : db.run(sql`insert into ${organizationUserRoles}
            (tenant_id, organization_id, user_id, role_id, source, source_id)
            select ${tenantId}, ${organizationId}, users.id, organization_roles.id, ${source}, ${sourceId}
            from organization_roles cross join ${joiningUsers} and organization_roles.tenant_id = ${tenantId}
              and organization_roles.id in (select value from json_each(${JSON.stringify(roleIds)}))
            on conflict do nothing`),
  }
}

/** Removes the given roles that are not in the list. Roles from other sources remain. */
export const removeOtherGivenRoles = (db: Database, key: MemberKey, roleIds: readonly string[]) =>
  db
    .delete(organizationUserRoles)
    .where(
      and(
        matchesRolesOf(key),
        isGivenRole,
        sql`${organizationUserRoles.roleId} not in (select value from json_each(${JSON.stringify(roleIds)}))`,
      ),
    )

/** Ends a membership with all its sources and roles. */
export const removeMember = (db: Database, key: MemberKey) =>
  db.delete(organizationUsers).where(matchesMember(key)).returning({ userId: organizationUsers.userId })

/**
 * Makes the organisation the last used one of its member, which lists name first. Nothing is written if it already is.
 */
export const touchMembership = (db: Database, key: MemberKey, now: number) =>
  db
    .update(organizationUsers)
    .set({ usedAt: now })
    .where(
      and(
        matchesMember(key),
        sql`(${organizationUsers.usedAt} is null or ${organizationUsers.usedAt} < (select max(others.used_at) from organization_users as others
          where others.tenant_id = ${key.tenantId} and others.user_id = ${key.userId}))`,
      ),
    )

/** The ids of a member's roles from all sources, as JSON. */
const roleIdsOfMember = sql<string>`(select json_group_array(distinct roles.role_id)
  from organization_user_roles as roles where roles.tenant_id = ${organizationUsers.tenantId}
  and roles.organization_id = ${organizationUsers.organizationId} and roles.user_id = ${organizationUsers.userId})`

/** The number of memberships of one user that lists read. Nobody chooses from more. */
const MAX_MEMBERSHIPS = 1000

/**
 * Selects the organisations of a user, or only this one of them, the last used first and then by name. `userId` may be
 * a column of another row. `roleIds` is JSON.
 */
export const membershipsOfUserQuery = (
  db: Database,
  tenantId: string,
  userId: string | Condition,
  organizationId?: string,
) =>
  db
    .select({
      id: organizations.id,
      name: organizations.name,
      brand: organizations.brand,
      policy: organizations.policy,
      usedAt: organizationUsers.usedAt,
      roleIds: roleIdsOfMember.as('role_ids'),
    })
    .from(organizationUsers)
    .innerJoin(
      organizations,
      and(eq(organizations.tenantId, tenantId), eq(organizations.id, organizationUsers.organizationId)),
    )
    .where(
      and(
        eq(organizationUsers.tenantId, tenantId),
        eq(organizationUsers.userId, userId),
        organizationId === undefined ? undefined : eq(organizationUsers.organizationId, organizationId),
      ),
    )
    .orderBy(sql`${organizationUsers.usedAt} desc nulls last`, organizations.name, organizations.id)
    .limit(MAX_MEMBERSHIPS)
