import { type SQL, sql } from 'drizzle-orm'
import type { ManagementScope } from '../../contract/access/management-scopes.ts'
import {
  ADMIN_ROLE,
  BUILT_IN_RESOURCES,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
} from '../../contract/product.ts'
import { findMissingScopes, operatorScopes } from '../../domain/access/administration.ts'
import { type Condition, not } from '../conditions.ts'
import type { Database } from '../database.ts'
import type { Precondition } from '../preconditions.ts'
import {
  accountDeletions,
  applications,
  applicationsRoles,
  resources,
  rolesScopes,
  scopes,
  users,
  usersRoles,
} from '../tables.ts'

/** The queries and conditions that decide what callers may do through our own APIs (spec/management#escalation). */

/**
 * The entities whose scopes are looked up. Users, applications and roles have scopes; with the kind `scope`, the ids
 * refer to the scopes themselves.
 */
export type ScopeHolders<Ids = readonly string[]> = {
  kind: 'user' | 'application' | 'role' | 'scope'
  ids: Ids
}
/** A scope of our own APIs, with the `id` of the entity that has the scope. */
export type HolderScope = { id: string; indicator: string; name: string }

/**
 * Selects the scopes of our own APIs that these entities have. An application that may request such scopes on behalf of
 * its users is treated as having all of them.
 */
export function ownApiScopesQuery(db: Database, tenantId: string, holders: ScopeHolders) {
  const scopesOfHolders = ownApiScopes(tenantId, holders)
  if (holders.kind !== 'application') return db.all<HolderScope>(scopesOfHolders)
  return db.all<HolderScope>(sql`${scopesOfHolders} union all
    select ${applications.id}, ${MANAGEMENT_RESOURCE.indicator}, ${MANAGEMENT_SCOPE.name} from ${applications}
    where ${applications.tenantId} = ${tenantId} and ${applications.id} in ${idList(holders.ids)}
      and json_array_length(${applications.customClientMetadata}, '$.allowedBuiltInResources') > 0`)
}

/** Returns a subquery for the scopes of our own APIs that roles give these entities. */
const ownApiScopes = (tenantId: string, { kind, ids }: ScopeHolders<readonly string[] | SQL>): SQL =>
  sql`select ${holderOf[kind]} as id, ${resources.indicator} as indicator, ${scopes.name} as name
    from ${scopes}
    join ${resources} on ${resources.tenantId} = ${tenantId} and ${resources.id} = ${scopes.resourceId}
      and ${resources.indicator} in (select value from json_each(${JSON.stringify(BUILT_IN_RESOURCES)}))
    ${joinOf(tenantId)[kind]}
    where ${scopes.tenantId} = ${tenantId} and ${holderOf[kind]} in ${idList(ids)}`

/** Returns a subquery for the ids in a list, or in a JSON array of the database. */
const idList = (ids: readonly string[] | SQL): SQL =>
  sql`(select value from json_each(${Array.isArray(ids) ? JSON.stringify(ids) : ids}))`

/**
 * Checks whether an inviter may give somebody these roles: with the scope `all`, or with `users:write` and every
 * operator scope that the roles have now. `roleIds` is a JSON array (spec/management#escalation).
 */
export function mayGrantRoles(
  tenantId: string,
  inviter: { kind: 'user' | 'application'; id: SQL },
  roleIds: SQL,
): Condition {
  const own = sql`select name from (${ownApiScopes(tenantId, { kind: inviter.kind, ids: sql`json_array(${inviter.id})` })})
    where indicator = ${MANAGEMENT_RESOURCE.indicator}`
  const needed = sql`select iif(indicator = ${MANAGEMENT_RESOURCE.indicator}, name, ${MANAGEMENT_SCOPE.name})
    from (${ownApiScopes(tenantId, { kind: 'role', ids: roleIds })})
    where exists (select 1 from json_each(${JSON.stringify(operatorScopes)})
      where value ->> '$.indicator' = indicator and value ->> '$.name' = name)`
  return sql`(${MANAGEMENT_SCOPE.name} in (${own})
    or ('users:write' in (${own}) and not exists (${needed} except ${own})))`
}

/** Checks whether a user or application has a scope of the management API, or the scope `all`. */
export const hasManagementScope = (
  tenantId: string,
  { kind, id }: { kind: 'user' | 'application'; id: SQL },
  scope: ManagementScope,
): Condition =>
  sql`exists (select 1 from (${ownApiScopes(tenantId, { kind, ids: sql`json_array(${id})` })})
    where indicator = ${MANAGEMENT_RESOURCE.indicator} and name in (${scope}, ${MANAGEMENT_SCOPE.name}))`

/**
 * Checks whether the user administers the tenant or the deployment, that is, whether any of the user's roles includes a
 * scope of our own APIs. `userId` may be a column of the surrounding statement.
 */
export const isOperator = (tenantId: string, userId: string | SQL): Condition =>
  hasAnyScope(tenantId, userId, operatorScopes)

/** Checks whether a role makes its users operators. `roleId` is a column of the surrounding statement. */
export const isAdministratorRole = (tenantId: string, roleId: SQL): Condition =>
  sql`exists (select 1 from ${rolesScopes} ${scopeLinks(tenantId)}
    where ${rolesScopes.tenantId} = ${tenantId} and ${rolesScopes.roleId} = ${roleId} and ${isAmong(operatorScopes)})`

/** Checks whether any of the user's roles includes the scope `all` of the management API. */
export const isOwner = (tenantId: string, userId: string): Condition =>
  hasAnyScope(tenantId, userId, [{ indicator: MANAGEMENT_RESOURCE.indicator, name: MANAGEMENT_SCOPE.name }])

const hasAnyScope = (
  tenantId: string,
  userId: string | SQL,
  among: readonly { indicator: string; name: string }[],
): Condition =>
  sql`exists (select 1 from ${usersRoles}
    cross join ${rolesScopes} on ${rolesScopes.tenantId} = ${tenantId} and ${rolesScopes.roleId} = ${usersRoles.roleId}
    ${scopeLinks(tenantId)}
    where ${usersRoles.tenantId} = ${tenantId} and ${usersRoles.userId} = ${userId}
      and ${isAmong(among)})`

/** Joins the scopes of a role, with their resources, to a row of `roles_scopes`. */
const scopeLinks = (tenantId: string) =>
  sql`cross join ${scopes} on ${scopes.tenantId} = ${tenantId} and ${scopes.id} = ${rolesScopes.scopeId}
    cross join ${resources} on ${resources.tenantId} = ${tenantId} and ${resources.id} = ${scopes.resourceId}`

const isAmong = (among: readonly { indicator: string; name: string }[]) =>
  sql`exists (select 1 from json_each(${JSON.stringify(among)})
    where value ->> '$.indicator' = ${resources.indicator} and value ->> '$.name' = ${scopes.name})`

/**
 * Rejects a change to an application that has gained operator scopes since the request was authorized, unless the
 * caller has those scopes too.
 */
export function noNewOperatorScopesPrecondition(
  { tenantId, scopes: own }: { tenantId: string; scopes: ReadonlySet<string> },
  applicationId: string,
): Precondition[] {
  const above = operatorScopes.filter((scope) => findMissingScopes(own, [scope]).length > 0)
  if (above.length === 0) return []
  const holdsOne = sql`exists (select 1 from ${applicationsRoles}
    cross join ${rolesScopes} on ${rolesScopes.tenantId} = ${tenantId} and ${rolesScopes.roleId} = ${applicationsRoles.roleId}
    ${scopeLinks(tenantId)}
    where ${applicationsRoles.tenantId} = ${tenantId} and ${applicationsRoles.applicationId} = ${applicationId}
      and ${isAmong(above)})`
  return [{ condition: not(holdsOne), code: 'request.precondition_failed' }]
}

const holderOf = {
  user: sql`${usersRoles.userId}`,
  application: sql`${applicationsRoles.applicationId}`,
  role: sql`${rolesScopes.roleId}`,
  scope: sql`${scopes.id}`,
} as const satisfies Record<ScopeHolders['kind'], SQL>

function joinOf(tenantId: string): Record<ScopeHolders['kind'], SQL> {
  const links = sql`join ${rolesScopes} on ${rolesScopes.tenantId} = ${tenantId} and ${rolesScopes.scopeId} = ${scopes.id}`
  return {
    user: sql`${links} join ${usersRoles} on ${usersRoles.tenantId} = ${tenantId}
      and ${usersRoles.roleId} = ${rolesScopes.roleId}`,
    application: sql`${links} join ${applicationsRoles} on ${applicationsRoles.tenantId} = ${tenantId}
      and ${applicationsRoles.roleId} = ${rolesScopes.roleId}`,
    role: links,
    scope: sql``,
  }
}

/** Rejects a change to the user's access if it would leave the tenant without an owner (spec/management#last-owner). */
export const remainingOwnerPrecondition = (tenantId: string, userId: string): Precondition => ({
  condition: keepsAnOwner(tenantId, userId),
  code: 'role.last_owner',
})

/** Checks that the user is not an owner, or that another owner can sign in and has not requested deletion. */
const keepsAnOwner = (tenantId: string, userId: string): Condition => {
  const owners = sql`select 1 from ${usersRoles}
    join ${users} on ${users.tenantId} = ${tenantId} and ${users.id} = ${usersRoles.userId} and not ${users.isSuspended}
    where ${usersRoles.tenantId} = ${tenantId} and ${usersRoles.roleId} = ${ADMIN_ROLE.id}`
  return sql`(not exists (${owners} and ${usersRoles.userId} = ${userId})
    or exists (${owners} and ${usersRoles.userId} <> ${userId} and not exists (
      select 1 from ${accountDeletions} where ${accountDeletions.tenantId} = ${tenantId}
        and ${accountDeletions.userId} = ${usersRoles.userId} and ${accountDeletions.canceledAt} is null)))`
}
