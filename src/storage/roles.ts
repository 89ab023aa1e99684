import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { applicationsRoles, resources, roles, rolesScopes, scopes, usersRoles } from './tables.ts'

/** The scopes of a resource that a user or an application has through roles (spec/provider#resources). */

export const userScopesQuery = (db: Database, tenantId: string, userId: string, indicator: string) =>
  scopesThrough(db, usersRoles, tenantId, eq(resources.indicator, indicator)).where(
    and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId)),
  )

export const applicationScopesQuery = (
  db: Database,
  tenantId: string,
  applicationId: string,
  indicator: string,
) =>
  scopesThrough(db, applicationsRoles, tenantId, eq(resources.indicator, indicator)).where(
    and(eq(applicationsRoles.tenantId, tenantId), eq(applicationsRoles.applicationId, applicationId)),
  )

/** The scopes of several resources that the user of another row has. `indicators` is a JSON list or a JSON string. */
export const scopesOfNamedResources = (
  db: Database,
  tenantId: string,
  { userId, indicators }: { userId: SQL; indicators: SQL },
) =>
  scopesThrough(
    db,
    usersRoles,
    tenantId,
    sql`${resources.indicator} in (select value from json_each(${indicators}))`,
  ).where(and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId)))

function scopesThrough(
  db: Database,
  membership: typeof usersRoles | typeof applicationsRoles,
  tenantId: string,
  isResource: SQL,
) {
  return db
    .selectDistinct({ indicator: resources.indicator, name: scopes.name })
    .from(membership as SQLiteTable)
    .innerJoin(
      rolesScopes,
      and(eq(rolesScopes.tenantId, tenantId), eq(rolesScopes.roleId, membership.roleId)),
    )
    .innerJoin(scopes, and(eq(scopes.tenantId, tenantId), eq(scopes.id, rolesScopes.scopeId)))
    .innerJoin(
      resources,
      and(eq(resources.tenantId, tenantId), eq(resources.id, scopes.resourceId), isResource),
    )
}

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
