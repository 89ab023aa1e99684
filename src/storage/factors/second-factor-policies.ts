import { and, eq, sql } from 'drizzle-orm'
import { BUILT_IN_RESOURCES, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../contract/product.ts'
import type { AddedSecondFactorPolicy, SecondFactorPolicy } from '../../contract/tenants/settings.ts'
import type { SignInHistory } from '../../domain/factors/sign-in-risk.ts'
import type { Database } from '../database.ts'
import type { Precondition } from '../preconditions.ts'
import { applications, resources, roles, rolesScopes, scopes, users, usersRoles } from '../tables.ts'
import { isAnyOf, type UserLookup } from '../users/users.ts'
import {
  type HistoryKey,
  historiesOf,
  historiesQuery,
  historiesWhere,
  historyOfRow,
} from './sign-in-places.ts'

/** What asks for a second factor beside the tenant (spec/accounts#second-factor-policy). */

const askingOf = (table: typeof applications | typeof roles) => ({
  policy: sql<AddedSecondFactorPolicy | null>`${table.secondFactorPolicy}`.as('policy'),
  rememberDays: sql<number | null>`${table.rememberDays}`.as('remember_days'),
})

/** Whether it asks for anything more than the tenant does. */
const asksBeside = (table: typeof applications | typeof roles) =>
  sql`(${table.secondFactorPolicy} is not null or ${table.rememberDays} is not null)`

export type WithHistories = { histories: readonly SignInHistory[] | null }

/** What is known of the accounts where the policy is `adaptive`, for a sign-in alone. */
const noHistory = sql<null>`null`.as('histories')

/** No row where the application asks for nothing more. */
export const applicationPolicyQuery = (db: Database, tenantId: string, id: string, key?: HistoryKey) =>
  db
    .select({
      ...askingOf(applications),
      histories: key
        ? historiesWhere(applications.secondFactorPolicy, historiesOf(tenantId, key))
        : noHistory,
    })
    .from(applications)
    .where(and(eq(applications.tenantId, tenantId), eq(applications.id, id), asksBeside(applications)))

/** Of the roles of the accounts that any lookup names; at least one is given. */
export function rolePoliciesQuery(
  db: Database,
  tenantId: string,
  lookups: readonly UserLookup[],
  key?: HistoryKey,
) {
  return db
    .select({
      userId: users.id,
      ...askingOf(roles),
      histories: key ? historiesWhere(roles.secondFactorPolicy, historyOfRow(key)) : noHistory,
    })
    .from(users)
    .innerJoin(usersRoles, and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, users.id)))
    .innerJoin(roles, and(eq(roles.tenantId, tenantId), eq(roles.id, usersRoles.roleId)))
    .where(and(isAnyOf(tenantId, lookups), asksBeside(roles)))
}

/** No row where the role asks for nothing more. */
export const rolePolicyQuery = (db: Database, tenantId: string, id: string) =>
  db
    .select(askingOf(roles))
    .from(roles)
    .where(and(eq(roles.tenantId, tenantId), eq(roles.id, id), asksBeside(roles)))

/** The roles that a change takes from one user, or from everybody who has them. */
export type RemovedRoles =
  | { roleIds: readonly string[]; userId?: string }
  /** All others. */
  | { exceptRoleIds: readonly string[]; userId: string }

/**
 * The scopes of our own APIs of those who lose a policy with the roles (spec/management#escalation). The tables are read in this order
 * because many users may have a role, and few administer.
 */
export function scopesLosingPolicyQuery(db: Database, tenantId: string, taken: RemovedRoles) {
  const idOfTaken = sql.raw('taken.role_id')
  const isTaken =
    'roleIds' in taken
      ? sql`${idOfTaken} in (select value from json_each(${JSON.stringify(taken.roleIds)}))`
      : sql`${idOfTaken} not in (select value from json_each(${JSON.stringify(taken.exceptRoleIds)}))`
  const isOfUser = taken.userId === undefined ? sql`true` : sql`taken.user_id = ${taken.userId}`
  return db.all<{ indicator: string; name: string }>(sql`
    select distinct ${resources.indicator} as indicator, ${scopes.name} as name
    from ${resources}
    cross join ${scopes} on ${scopes.tenantId} = ${tenantId} and ${scopes.resourceId} = ${resources.id}
    cross join ${rolesScopes} on ${rolesScopes.tenantId} = ${tenantId} and ${rolesScopes.scopeId} = ${scopes.id}
    cross join ${usersRoles} on ${usersRoles.tenantId} = ${tenantId} and ${usersRoles.roleId} = ${rolesScopes.roleId}
    cross join ${usersRoles} as taken on taken.tenant_id = ${tenantId} and taken.user_id = ${usersRoles.userId}
      and ${isOfUser} and ${isTaken}
    cross join ${roles} on ${roles.tenantId} = ${tenantId} and ${roles.id} = ${idOfTaken}
      and ${asksBeside(roles)}
    where ${resources.tenantId} = ${tenantId}
      and ${resources.indicator} in (select value from json_each(${JSON.stringify(BUILT_IN_RESOURCES)}))`)
}

/**
 * One row where no other role and no application asks: without a policy anywhere, what administrators have set up counts for no change
 * of their credentials (spec/accounts#recent-verification), so this one is everybody's.
 */
export const onlyPolicyQuery = (db: Database, tenantId: string, roleId: string) =>
  db.all<{ indicator: string; name: string }>(
    sql`select ${MANAGEMENT_RESOURCE.indicator} as indicator, ${MANAGEMENT_SCOPE.name} as name
      where not ${isPolicyElsewhere(tenantId, roleId)}`,
  )

/** Of a change that takes the policy of a role: refused where no other is left, also by a change meanwhile. */
export const requiresRemainingPolicy = (tenantId: string, roleId: string): Precondition => ({
  condition: isPolicyElsewhere(tenantId, roleId),
  code: 'request.precondition_failed',
})

/** A client that registered itself can delete itself, and is swept: its policy does not stay. */
const isPolicyElsewhere = (tenantId: string, roleId: string) =>
  sql`(exists (${policiesOf(roles, tenantId)} and ${roles.id} <> ${roleId})
    or exists (${policiesOf(applications, tenantId)}
      and json_extract(${applications.customClientMetadata}, '$.dynamicRegistration') is null))`

/** The policy itself is a setting. */
export const tenantPolicyQueries = (
  db: Database,
  tenantId: string,
  policy: SecondFactorPolicy,
  key: HistoryKey,
) => (policy === 'adaptive' ? [historiesQuery(db, tenantId, key)] : [])

/** What applications and roles ask for, each once. */
export const addedPoliciesQuery = (db: Database, tenantId: string) =>
  db.all<{ policy: AddedSecondFactorPolicy }>(
    sql`${policiesOf(applications, tenantId)} union ${policiesOf(roles, tenantId)} order by "policy"`,
  )

const policiesOf = (table: typeof applications | typeof roles, tenantId: string) =>
  sql`select ${table.secondFactorPolicy} as "policy" from ${table}
    where ${table.tenantId} = ${tenantId} and ${table.secondFactorPolicy} is not null`

/** Whether an application or a role asks for one: then users of the tenant may set one up, and what they have counts. */
export function askedBesideTenantQuery(db: Database, tenantId: string) {
  const asks = (table: typeof applications | typeof roles) =>
    sql`exists (select 1 from ${table} where ${table.tenantId} = ${tenantId} and ${table.secondFactorPolicy} is not null)`
  return db.all<{ isAsked: number }>(sql`select ${asks(roles)} or ${asks(applications)} as "isAsked"`)
}

export async function isAskedBesideTenant(db: Database, tenantId: string): Promise<boolean> {
  const [row] = await askedBesideTenantQuery(db, tenantId)
  return row?.isAsked === 1
}
