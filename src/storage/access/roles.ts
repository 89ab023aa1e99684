import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ReadTogether } from '../batches.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { memberScopesQuery } from '../organisations/organization-scopes.ts'
import { applicationsRoles, resources, roles, rolesScopes, scopes, usersRoles } from '../tables.ts'
import { findResourceByName, indicatorSpellingsJson, resourcesByNameQuery } from './resources.ts'

/** Selects the scopes of a resource that a user has through roles (spec/provider#resources). */

export const userScopesQuery = (db: Database, tenantId: string, userId: string, indicator: string) =>
  scopesThrough(db, usersRoles, tenantId, eq(resources.indicator, indicator)).where(
    and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId)),
  )

/**
 * Selects the scopes of a resource that an application has through roles. Any spelling of the resource name is
 * accepted.
 */
export const applicationScopesQuery = (
  db: Database,
  tenantId: string,
  applicationId: string,
  indicator: string,
) =>
  scopesThrough(db, applicationsRoles, tenantId, hasIndicator(indicatorSpellingsJson([indicator]))).where(
    and(eq(applicationsRoles.tenantId, tenantId), eq(applicationsRoles.applicationId, applicationId)),
  )

/**
 * Selects the scopes of several resources that a user has through roles. `userId` may be a column of another row;
 * `indicators` is a JSON list or string.
 */
export const scopesByResourceNameQuery = (
  db: Database,
  tenantId: string,
  { userId, indicators }: { userId: string | SQL; indicators: SQL },
) =>
  scopesThrough(db, usersRoles, tenantId, hasIndicator(indicators)).where(
    and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId)),
  )

/** Selects all scopes of the tenant's resources that a user has through roles. */
export const allScopesOfUserQuery = (db: Database, tenantId: string, userId: string) =>
  scopesThrough(db, usersRoles, tenantId, ALWAYS_TRUE).where(
    and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId)),
  )

/**
 * Selects the names of a user's roles, including internal ones. `userId` may be a column of another row. With a join,
 * SQLite would read all roles of the tenant, even if there is no user.
 */
export const roleNamesQuery = (db: Database, tenantId: string, userId: string | SQL) =>
  db
    .select({ name: roles.name })
    .from(roles)
    .where(
      and(
        eq(roles.tenantId, tenantId),
        sql`${roles.id} in (select role_id from ${usersRoles}
          where ${and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId))})`,
      ),
    )

type ResourceOfUser = {
  tenantId: string
  userId: string
  /** If set, the roles of the user in this organisation count instead of those in the tenant. */
  organizationId: string | undefined
  indicator: string
}

/** Finds the resource with this name, in any spelling, and those of its scopes that a user has through roles. */
export async function findResourceWithUserScopes(
  db: Database,
  { readTogether }: { readTogether: ReadTogether },
  { tenantId, userId, organizationId, indicator }: ResourceOfUser,
) {
  const indicators = indicatorSpellingsJson([indicator])
  const { candidates, scopes: scopeRows } = await readTogether({
    candidates: resourcesByNameQuery(db, tenantId, indicators),
    scopes:
      organizationId === undefined
        ? scopesByResourceNameQuery(db, tenantId, { userId, indicators })
        : memberScopesQuery(db, tenantId, { organizationId, userId, indicators }),
  })
  const resource = findResourceByName(candidates, indicator)
  const own = scopeRows.filter((scope) => scope.indicator === resource?.indicator)
  return { resource, scopes: own.map(({ name }) => name) }
}

const hasIndicator = (indicators: SQL) =>
  sql`${resources.indicator} in (select value from json_each(${indicators}))`

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

/** Selects the roles with these names that exist. */
export const rolesByNameQuery = (db: Database, tenantId: string, names: readonly string[]) =>
  db
    .select({ id: roles.id, secondFactorPolicy: roles.secondFactorPolicy, rememberDays: roles.rememberDays })
    .from(roles)
    .where(and(eq(roles.tenantId, tenantId), inArray(roles.name, [...names])))

export const assignRoleIf = (
  db: Database,
  tenantId: string,
  condition: Condition,
  { userId, roleId }: { userId: string; roleId: string },
) =>
  db.run(sql`insert into ${usersRoles} (tenant_id, id, user_id, role_id)
    select ${tenantId}, ${randomId()}, ${userId}, ${roleId} where ${condition}`)
