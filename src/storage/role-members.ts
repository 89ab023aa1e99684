import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Application } from './applications.ts'
import type { Database } from './database.ts'
import type { Resource } from './resources.ts'
import type { Scope } from './scopes.ts'
import {
  applications,
  applicationsRoles,
  resources,
  rolesScopes,
  scopes,
  users,
  usersRoles,
} from './tables.ts'
import { COUNTED_AT_MOST, cappedTotal, offsetOf, type Page } from './totals.ts'
import { type UserRow, userColumns } from './users.ts'

/** Who has a role and what is in it, the latest link first: in the order of its index, however many there are. */

type Counted = { total: number; isCapped: boolean }

export async function listUsersOfRole(
  db: Database,
  tenantId: string,
  { roleId, ...page }: Page & { roleId: string },
): Promise<Counted & { users: UserRow[] }> {
  const links = and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.roleId, roleId))
  const [found, [counted]] = await db.batch([
    db
      .select(userColumns)
      .from(usersRoles)
      .innerJoin(users, and(eq(users.tenantId, tenantId), eq(users.id, usersRoles.userId)))
      .where(links)
      .orderBy(desc(sql`${usersRoles}.rowid`))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    countOf(db, db.select({ id: usersRoles.userId }).from(usersRoles).where(links)),
  ])
  return { users: found, ...cappedTotal(counted?.count ?? 0) }
}

export async function listApplicationsOfRole(
  db: Database,
  tenantId: string,
  { roleId, ...page }: Page & { roleId: string },
): Promise<Counted & { applications: Application[] }> {
  const links = and(eq(applicationsRoles.tenantId, tenantId), eq(applicationsRoles.roleId, roleId))
  const [found, [counted]] = await db.batch([
    db
      .select(getTableColumns(applications))
      .from(applicationsRoles)
      .innerJoin(
        applications,
        and(eq(applications.tenantId, tenantId), eq(applications.id, applicationsRoles.applicationId)),
      )
      .where(links)
      .orderBy(desc(sql`${applicationsRoles}.rowid`))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    countOf(db, db.select({ id: applicationsRoles.applicationId }).from(applicationsRoles).where(links)),
  ])
  return { applications: found, ...cappedTotal(counted?.count ?? 0) }
}

/** All of them, in the order in which they were made. */
export const scopesOfRoleQuery = (db: Database, tenantId: string, roleId: string) =>
  db
    .select(getTableColumns(scopes))
    .from(rolesScopes)
    .innerJoin(scopes, and(eq(scopes.tenantId, tenantId), eq(scopes.id, rolesScopes.scopeId)))
    .where(and(eq(rolesScopes.tenantId, tenantId), eq(rolesScopes.roleId, roleId)))
    .orderBy(asc(scopes.createdAt), asc(scopes.id))

/** Some of them, each with its resource (contract 8.2). */
export async function listScopesOfRole(
  db: Database,
  tenantId: string,
  { roleId, ...page }: Page & { roleId: string },
): Promise<Counted & { scopes: (Scope & { resource: Resource })[] }> {
  const links = and(eq(rolesScopes.tenantId, tenantId), eq(rolesScopes.roleId, roleId))
  // A batch of D1 cannot tell two columns of one name apart: one that answers the resource as one value can.
  const resource = sql<Resource>`json_object('tenantId', ${resources.tenantId}, 'id', ${resources.id},
    'name', ${resources.name}, 'indicator', ${resources.indicator}, 'accessTokenTtl', ${resources.accessTokenTtl})`
  const [found, [counted]] = await db.batch([
    db
      .select({ ...getTableColumns(scopes), resource: resource.mapWith(JSON.parse).as('resource') })
      .from(rolesScopes)
      .innerJoin(scopes, and(eq(scopes.tenantId, tenantId), eq(scopes.id, rolesScopes.scopeId)))
      .innerJoin(resources, and(eq(resources.tenantId, tenantId), eq(resources.id, scopes.resourceId)))
      .where(links)
      .orderBy(asc(scopes.createdAt), asc(scopes.id))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    countOf(db, db.select({ id: rolesScopes.scopeId }).from(rolesScopes).where(links)),
  ])
  return { scopes: found, ...cappedTotal(counted?.count ?? 0) }
}

type Links = {
  limit(rows: number): { as(name: 'some'): Parameters<ReturnType<Database['select']>['from']>[0] }
}

const countOf = (db: Database, links: Links) =>
  db.select({ count: sql<number>`count(*)`.as('count') }).from(links.limit(COUNTED_AT_MOST + 1).as('some'))
