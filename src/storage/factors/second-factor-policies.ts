import { and, eq, sql } from 'drizzle-orm'
import { BUILT_IN_RESOURCES, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../contract/product.ts'
import type { AddedSecondFactorPolicy, SecondFactorPolicy } from '../../contract/tenants/settings.ts'
import type { SignInHistory } from '../../domain/factors/sign-in-risk.ts'
import { isAdministratorRole } from '../access/administration.ts'
import type { Database } from '../database.ts'
import { hasOrganizationPolicy, organizationPolicies } from '../organisations/policies.ts'
import type { Precondition } from '../preconditions.ts'
import { applications, configs, resources, roles, rolesScopes, scopes, users, usersRoles } from '../tables.ts'
import { SETTINGS_KEY } from '../tenants/settings.ts'
import { matchesAnyLookup, type UserLookup } from '../users/users.ts'
import {
  type HistoryKey,
  historiesIfAdaptive,
  historiesQuery,
  noHistory,
  signInHistories,
  userHistoryJson,
} from './sign-in-places.ts'

/**
 * The second-factor policies of applications and roles, which add to that of the tenant
 * (spec/accounts#second-factor-policy).
 */

const policyColumns = (table: typeof applications | typeof roles) => ({
  policy: sql<AddedSecondFactorPolicy | null>`${table.secondFactorPolicy}`.as('policy'),
  rememberDays: sql<number | null>`${table.rememberDays}`.as('remember_days'),
})

/** Checks whether an application or a role has stricter requirements than the tenant's policy. */
const addsToTenantPolicy = (table: typeof applications | typeof roles) =>
  sql`(${table.secondFactorPolicy} is not null or ${table.rememberDays} is not null)`

/**
 * Checks whether the tenant requires a second factor of all administrators (spec/accounts#administrators-policy).
 * SQLite evaluates it once per query, and reads one row.
 */
const coversAdministrators = (tenantId: string) =>
  sql`exists (select 1 from ${configs} where ${configs.tenantId} = ${tenantId} and ${configs.key} = ${SETTINGS_KEY}
    and json_extract(${configs.value}, '$.administratorsNeedSecondFactor'))`

export type WithHistories = { histories: readonly SignInHistory[] | null }

/** Selects the policy of an application, or no row if the application has no policy. */
export const applicationPolicyQuery = (db: Database, tenantId: string, id: string, key?: HistoryKey) =>
  db
    .select({
      ...policyColumns(applications),
      histories: key
        ? historiesIfAdaptive(applications.secondFactorPolicy, signInHistories(tenantId, key))
        : noHistory,
    })
    .from(applications)
    .where(
      and(eq(applications.tenantId, tenantId), eq(applications.id, id), addsToTenantPolicy(applications)),
    )

/**
 * Selects the policies of all roles of the accounts that the lookups match. At least one lookup is required. With
 * `isRequired`, the tenant requires a second factor of everyone with the role, because it is an administrator role.
 */
export function rolePoliciesQuery(
  db: Database,
  tenantId: string,
  lookups: readonly UserLookup[],
  key?: HistoryKey,
) {
  const isRequired = sql`(${coversAdministrators(tenantId)} and ${isAdministratorRole(tenantId, sql`${roles.id}`)})`
  return db
    .select({
      userId: users.id,
      ...policyColumns(roles),
      isRequired: sql<0 | 1>`${isRequired}`.as('is_required'),
      histories: key ? historiesIfAdaptive(roles.secondFactorPolicy, userHistoryJson(key)) : noHistory,
    })
    .from(users)
    .innerJoin(usersRoles, and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, users.id)))
    .innerJoin(roles, and(eq(roles.tenantId, tenantId), eq(roles.id, usersRoles.roleId)))
    .where(and(matchesAnyLookup(tenantId, lookups), sql`(${addsToTenantPolicy(roles)} or ${isRequired})`))
}

/** Selects the policy of a role, or no row if the role has no policy. */
export const rolePolicyQuery = (db: Database, tenantId: string, id: string) =>
  db
    .select(policyColumns(roles))
    .from(roles)
    .where(and(eq(roles.tenantId, tenantId), eq(roles.id, id), addsToTenantPolicy(roles)))

/** The roles that a change removes, either from one user or from everyone who has them. */
export type RemovedRoles =
  | { roleIds: readonly string[]; userId?: string }
  /** Removes all of the user's roles except these. */
  | { exceptRoleIds: readonly string[]; userId: string }

/**
 * Selects the scopes of our own APIs that affected users have, that is, users who would lose a policy by losing these
 * roles (spec/management#escalation). The query starts with the scopes, because many users may have a role, but few are
 * administrators.
 */
export function scopesLosingPolicyQuery(db: Database, tenantId: string, removed: RemovedRoles) {
  const removedRoleId = sql.raw('removed.role_id')
  const isRemoved =
    'roleIds' in removed
      ? sql`${removedRoleId} in (select value from json_each(${JSON.stringify(removed.roleIds)}))`
      : sql`${removedRoleId} not in (select value from json_each(${JSON.stringify(removed.exceptRoleIds)}))`
  const isOfUser = removed.userId === undefined ? sql`true` : sql`removed.user_id = ${removed.userId}`
  return db.all<{ indicator: string; name: string }>(sql`
    select distinct ${resources.indicator} as indicator, ${scopes.name} as name
    from ${resources}
    cross join ${scopes} on ${scopes.tenantId} = ${tenantId} and ${scopes.resourceId} = ${resources.id}
    cross join ${rolesScopes} on ${rolesScopes.tenantId} = ${tenantId} and ${rolesScopes.scopeId} = ${scopes.id}
    cross join ${usersRoles} on ${usersRoles.tenantId} = ${tenantId} and ${usersRoles.roleId} = ${rolesScopes.roleId}
    cross join ${usersRoles} as removed on removed.tenant_id = ${tenantId} and removed.user_id = ${usersRoles.userId}
      and ${isOfUser} and ${isRemoved}
    cross join ${roles} on ${roles.tenantId} = ${tenantId} and ${roles.id} = ${removedRoleId}
      and ${addsToTenantPolicy(roles)}
    where ${resources.tenantId} = ${tenantId}
      and ${resources.indicator} in (select value from json_each(${JSON.stringify(BUILT_IN_RESOURCES)}))`)
}

/**
 * Selects the owners' scope if no other role or application has a policy. Removing the last policy affects every
 * administrator, because second factors would then no longer protect changes to their credentials
 * (spec/accounts#recent-verification).
 */
export const onlyPolicyQuery = (db: Database, tenantId: string, roleId: string) =>
  db.all<{ indicator: string; name: string }>(
    sql`select ${MANAGEMENT_RESOURCE.indicator} as indicator, ${MANAGEMENT_SCOPE.name} as name
      where not ${isPolicyElsewhere(tenantId, roleId)}`,
  )

/**
 * Rejects a change that would remove the last policy. This also applies if two concurrent changes remove the last two
 * policies.
 */
export const remainingPolicyPrecondition = (tenantId: string, roleId: string): Precondition => ({
  condition: isPolicyElsewhere(tenantId, roleId),
  code: 'request.precondition_failed',
})

/**
 * Checks whether another role or application has a policy. Applications that registered themselves are ignored, because
 * they may be deleted at any time.
 */
const isPolicyElsewhere = (tenantId: string, roleId: string) =>
  sql`(${coversAdministrators(tenantId)} or exists (${policiesOf(roles, tenantId)} and ${roles.id} <> ${roleId})
    or exists (${policiesOf(applications, tenantId)}
      and json_extract(${applications.customClientMetadata}, '$.dynamicRegistration') is null))`

/**
 * Builds the queries that the tenant's policy requires in addition to the settings, which contain the policy itself.
 */
export const tenantPolicyQueries = (
  db: Database,
  tenantId: string,
  policy: SecondFactorPolicy,
  key: HistoryKey,
) => (policy === 'adaptive' ? [historiesQuery(db, tenantId, key)] : [])

/**
 * Selects the distinct policies of all applications, roles and organisations, and the one that applies to all
 * administrators.
 */
export const addedPoliciesQuery = (db: Database, tenantId: string) =>
  db.all<{ policy: AddedSecondFactorPolicy }>(
    sql`${policiesOf(applications, tenantId)} union ${policiesOf(roles, tenantId)}
      union ${organizationPolicies(tenantId)}
      union select 'required' where ${coversAdministrators(tenantId)} order by "policy"`,
  )

const policiesOf = (table: typeof applications | typeof roles, tenantId: string) =>
  sql`select ${table.secondFactorPolicy} as "policy" from ${table}
    where ${table.tenantId} = ${tenantId} and ${table.secondFactorPolicy} is not null`

/**
 * Checks whether any application, role or organisation has a second-factor policy, or administrators need a second
 * factor. If so, all users of the tenant may set up a second factor, and factors that they have set up are used.
 */
export function hasAddedPolicyQuery(db: Database, tenantId: string) {
  const asks = (table: typeof applications | typeof roles) =>
    sql`exists (select 1 from ${table} where ${table.tenantId} = ${tenantId} and ${table.secondFactorPolicy} is not null)`
  return db.all<{ isAsked: number }>(
    sql`select ${asks(roles)} or ${asks(applications)} or ${hasOrganizationPolicy(tenantId)}
      or ${coversAdministrators(tenantId)} as "isAsked"`,
  )
}

export async function hasAddedPolicy(db: Database, tenantId: string): Promise<boolean> {
  const [row] = await hasAddedPolicyQuery(db, tenantId)
  return row?.isAsked === 1
}

/** The maximum number of roles that the doctor names. */
const MAX_NAMED_ROLES = 20

/**
 * Selects the names of the administrator roles that let users sign in without a second factor, as far as roles and the
 * setting for administrators decide.
 */
export const uncoveredAdministratorRolesQuery = (db: Database, tenantId: string) =>
  db
    .select({ name: roles.name })
    .from(roles)
    .where(
      and(
        eq(roles.tenantId, tenantId),
        sql`${roles.secondFactorPolicy} is not 'required'`,
        isAdministratorRole(tenantId, sql`${roles.id}`),
        sql`not ${coversAdministrators(tenantId)}`,
      ),
    )
    .orderBy(roles.name)
    .limit(MAX_NAMED_ROLES)
