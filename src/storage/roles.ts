import { and, eq, inArray, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { applicationsRoles, resources, roles, rolesScopes, scopes, usersRoles } from './tables.ts'

/** The scopes of a resource that a user or an application has through roles (spec/provider#resources). */

export async function userScopes(
  db: Database,
  tenantId: string,
  userId: string,
  indicator: string,
): Promise<string[]> {
  return names(await userScopesQuery(db, tenantId, userId, indicator))
}

export async function applicationScopes(
  db: Database,
  tenantId: string,
  applicationId: string,
  indicator: string,
): Promise<string[]> {
  return names(await applicationScopesQuery(db, tenantId, applicationId, indicator))
}

export const userScopesQuery = (db: Database, tenantId: string, userId: string, indicator: string) =>
  scopesThrough(db, usersRoles, tenantId, indicator).where(
    and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId)),
  )

export const applicationScopesQuery = (
  db: Database,
  tenantId: string,
  applicationId: string,
  indicator: string,
) =>
  scopesThrough(db, applicationsRoles, tenantId, indicator).where(
    and(eq(applicationsRoles.tenantId, tenantId), eq(applicationsRoles.applicationId, applicationId)),
  )

function scopesThrough(
  db: Database,
  membership: typeof usersRoles | typeof applicationsRoles,
  tenantId: string,
  indicator: string,
) {
  return db
    .selectDistinct({ name: scopes.name })
    .from(membership as SQLiteTable)
    .innerJoin(
      rolesScopes,
      and(eq(rolesScopes.tenantId, tenantId), eq(rolesScopes.roleId, membership.roleId)),
    )
    .innerJoin(scopes, and(eq(scopes.tenantId, tenantId), eq(scopes.id, rolesScopes.scopeId)))
    .innerJoin(
      resources,
      and(
        eq(resources.tenantId, tenantId),
        eq(resources.id, scopes.resourceId),
        eq(resources.indicator, indicator),
      ),
    )
}

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)

/** The roles of these names that exist. */
export const rolesNamedQuery = (db: Database, tenantId: string, names: readonly string[]) =>
  db
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.tenantId, tenantId), inArray(roles.name, [...names])))

export const giveRoleIf = (
  db: Database,
  tenantId: string,
  condition: Condition,
  { userId, roleId }: { userId: string; roleId: string },
) =>
  db.run(sql`insert into ${usersRoles} (tenant_id, id, user_id, role_id)
    select ${tenantId}, ${randomId()}, ${userId}, ${roleId} where ${condition}`)
