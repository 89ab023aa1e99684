import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { AddedSecondFactorPolicy, SecondFactorPolicy } from '../contract/settings.ts'
import type { SignInHistory } from '../domain/sign-in-risk.ts'
import type { Database } from './database.ts'
import {
  type HistoryKey,
  historiesOf,
  historiesQuery,
  historiesWhere,
  historyOfRow,
} from './sign-in-places.ts'
import { applications, roles, users, usersRoles } from './tables.ts'
import { isAnyOf, type UserLookup } from './users.ts'

/** What asks for a second factor beside the tenant (spec/accounts#second-factor-policy). */

const policyOf = (table: typeof applications | typeof roles) =>
  sql<AddedSecondFactorPolicy>`${table.secondFactorPolicy}`.as('policy')

export type WithHistories = { histories: readonly SignInHistory[] | null }

/** What is known of the accounts where the policy is `adaptive`, for a sign-in alone. */
const noHistory = sql<null>`null`.as('histories')

/** No row where the application asks for nothing more. */
export const applicationPolicyQuery = (db: Database, tenantId: string, id: string, key?: HistoryKey) =>
  db
    .select({
      policy: policyOf(applications),
      histories: key
        ? historiesWhere(applications.secondFactorPolicy, historiesOf(tenantId, key))
        : noHistory,
    })
    .from(applications)
    .where(
      and(
        eq(applications.tenantId, tenantId),
        eq(applications.id, id),
        isNotNull(applications.secondFactorPolicy),
      ),
    )

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
      policy: policyOf(roles),
      histories: key ? historiesWhere(roles.secondFactorPolicy, historyOfRow(key)) : noHistory,
    })
    .from(users)
    .innerJoin(usersRoles, and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, users.id)))
    .innerJoin(roles, and(eq(roles.tenantId, tenantId), eq(roles.id, usersRoles.roleId)))
    .where(and(isAnyOf(tenantId, lookups), isNotNull(roles.secondFactorPolicy)))
}

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
  const [found] = await askedBesideTenantQuery(db, tenantId)
  return found?.isAsked === 1
}
