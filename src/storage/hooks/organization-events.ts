import { type SQL, sql } from 'drizzle-orm'
import type { HookActor, OrganizationHookEvent } from '../../contract/hooks/hooks.ts'
import { givenSources } from '../../contract/organisations/organizations.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import type { OrganizationKey } from '../organisations/organizations.ts'
import { hooks, organizations } from '../tables.ts'
import { isSubscribed } from './hooks.ts'
import { insertDelivery } from './outbox-events.ts'

/**
 * Writes hook events about an organisation to the outbox, in the batch of the change that they report
 * (spec/connectors#hooks). `hook-events.ts` writes events about users.
 */

/** The members that a change adds, changes and removes, each as an expression for a JSON list. */
export type MemberChanges = { added?: SQL; updated?: SQL; removed?: SQL }

/** Events about an organisation for `commitChange`; `now` is in epoch milliseconds. */
export type OrganizationEvents = {
  event: OrganizationHookEvent
  organizationId: string
  actor: HookActor
  now: number
  /** The lists of a message about members. The message is sent only if one of them is not empty. */
  members?: MemberChanges
}

/**
 * Inserts a delivery for every hook that is subscribed to this event if the condition holds, and returns the ids. The
 * organisation is stored as it is when the statement runs.
 */
export function enqueueOrganizationHooks(
  db: Database,
  tenantId: string,
  condition: Condition,
  { event, organizationId, actor, members, now }: OrganizationEvents,
) {
  const facts = JSON.stringify({ event, createdAt: new Date(now).toISOString(), actor, organizationId })
  const { added = EMPTY, updated = EMPTY, removed = EMPTY } = members ?? {}
  // The lists are computed once, and not for every hook.
  const lists = sql`(select ${added} as added, ${updated} as updated, ${removed} as removed) as lists`
  const listFields = sql`, '$.added', json(lists.added), '$.updated', json(lists.updated), '$.removed', json(lists.removed)`
  const hasMembers = sql` and json_array_length(lists.added) + json_array_length(lists.updated)
    + json_array_length(lists.removed) > 0`
  return insertDelivery(
    db,
    {
      hookId: sql`${hooks.id}`,
      event: sql`${event}`,
      payload: sql`json_set(${facts}, '$.hookId', ${hooks.id}, '$.organization', ${organizationJson}${
        members ? listFields : sql``
      })`,
      now,
    },
    sql`from ${members ? sql`${lists} cross join ` : sql``}${hooks}
      join ${organizations} on ${organizations.tenantId} = ${hooks.tenantId}
        and ${organizations.id} = ${organizationId}
      where ${hooks.tenantId} = ${tenantId} and ${isSubscribed(event)} and ${condition}${
        members ? hasMembers : sql``
      }`,
    tenantId,
  )
}

const EMPTY = sql`'[]'`

const organizationJson = sql`json_object('id', ${organizations.id}, 'name', ${organizations.name},
  'description', ${organizations.description}, 'customData', json(${organizations.customData}),
  'createdAt', ${organizations.createdAt})`

type Members = OrganizationKey & { userIds: readonly string[] }

const existingUsers = ({ tenantId, userIds }: Members) =>
  sql`users where users.tenant_id = ${tenantId}
    and users.id in (select value from json_each(${JSON.stringify(userIds)}))`

const membershipOf = ({ tenantId, organizationId }: Members) =>
  sql`select 1 from organization_users as member where member.tenant_id = ${tenantId}
    and member.organization_id = ${organizationId} and member.user_id = users.id`

/** The ids of a member's roles after a change, as a subquery: those that remain and those that are added. */
const futureRoles = (
  { tenantId, organizationId }: OrganizationKey,
  roleIds: readonly string[],
  remaining: SQL,
) =>
  sql`select own.role_id as id from organization_user_roles as own where own.tenant_id = ${tenantId}
      and own.organization_id = ${organizationId} and own.user_id = users.id and ${remaining}
    union select organization_roles.id from organization_roles where organization_roles.tenant_id = ${tenantId}
      and organization_roles.id in (select value from json_each(${JSON.stringify(roleIds)}))`

const presentRoles = ({ tenantId, organizationId }: OrganizationKey) =>
  sql`select own.role_id as id from organization_user_roles as own where own.tenant_id = ${tenantId}
    and own.organization_id = ${organizationId} and own.user_id = users.id`

const withRoles = (roles: SQL) =>
  sql`json_object('userId', users.id, 'roleIds', json((select json_group_array(id) from (${roles} order by 1))))`

/** The users who become members, before the change. */
export const newMembersJson = (members: Members, roleIds: readonly string[]): SQL =>
  sql`(select json_group_array(${withRoles(futureRoles(members, roleIds, sql`true`))})
    from ${existingUsers(members)} and not exists (${membershipOf(members)}))`

/** The members after the change. */
export const presentMembersJson = (members: Members): SQL =>
  sql`(select json_group_array(${withRoles(presentRoles(members))}) from ${existingUsers(members)}
    and exists (${membershipOf(members)}))`

/** The members who get roles that they lack, before the change. */
export const extendedMembersJson = (members: Members, roleIds: readonly string[]): SQL =>
  changedMembersJson(members, futureRoles(members, roleIds, sql`true`))

/** The member whose given roles are replaced, before the change. There is none if the roles remain the same. */
export const replacedRolesJson = (members: Members, roleIds: readonly string[]): SQL =>
  changedMembersJson(
    members,
    futureRoles(
      members,
      roleIds,
      sql`own.source not in (select value from json_each(${JSON.stringify(givenSources)}))`,
    ),
  )

const changedMembersJson = (members: Members, future: SQL): SQL =>
  sql`(select json_group_array(${withRoles(future)}) from ${existingUsers(members)}
    and exists (${membershipOf(members)})
    and (exists (select id from (${future}) except ${presentRoles(members)}) or exists (${presentRoles(members)} except select id from (${future}))))`

/** The members who are removed, before the change. */
export const removedMembersJson = (members: Members): SQL =>
  sql`(select json_group_array(json_object('userId', users.id)) from ${existingUsers(members)}
    and exists (${membershipOf(members)}))`
