import { and, asc, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import { unsealSecret } from '../applications/application-secrets.ts'
import type { ApplicationRow } from '../applications/applications.ts'
import { readTogether } from '../batches.ts'
import type { Database } from '../database.ts'
import type { Seals } from '../seal.ts'
import {
  applications,
  applicationsRoles,
  resources,
  rolesScopes,
  scopes,
  users,
  usersRoles,
} from '../tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'
import { isInUserSubset, matchesSuspension, type UserSubset } from '../users/user-search.ts'
import { type UserRow, userColumns } from '../users/users.ts'
import type { ResourceRow } from './resources.ts'
import type { ScopeRow } from './scopes.ts'

/**
 * The users, applications and scopes of a role are listed newest link first. The index has this order, so pages remain
 * fast however many members the role has.
 */

type Counted = { total: number; isCapped: boolean }

export async function listUsersOfRole(
  db: Database,
  tenantId: string,
  { roleId, isSuspended, ...page }: PageRange & { roleId: string; isSuspended?: boolean | undefined },
): Promise<Counted & { users: UserRow[] }> {
  const rowid = sql`${usersRoles}.rowid`
  // Links are selected first, so that a page far down the list skips earlier links without reading their users.
  // Counting links in the same order keeps SQLite from reading all links of the tenant.
  const links = () =>
    db
      .select({ link: rowid.as('link') })
      .from(usersRoles)
      .where(isLinked({ tenantId, isSuspended }, roleId))
      .orderBy(desc(rowid))
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select(userColumns)
      .from(usersRoles)
      .innerJoin(users, and(eq(users.tenantId, tenantId), eq(users.id, usersRoles.userId)))
      .where(inArray(rowid, links().limit(page.pageSize).offset(pageOffset(page))))
      .orderBy(desc(rowid)),
    counts: cappedCountQuery(db, links()),
  })
  return { users: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}

/**
 * Matches the links of a role. Few users are suspended, so a list of suspended users starts with the users and looks up
 * their links. Other lists follow the links of the role, which are already in the right order.
 */
function isLinked(subset: UserSubset, roleId: string): SQL | undefined {
  const ofRole = and(eq(usersRoles.tenantId, subset.tenantId), eq(usersRoles.roleId, roleId))
  if (subset.isSuspended === undefined) return ofRole
  const ofUser = eq(users.id, usersRoles.userId)
  if (!subset.isSuspended) {
    const theirs = and(eq(users.tenantId, subset.tenantId), ofUser, matchesSuspension(subset))
    return and(ofRole, sql`exists (select 1 from ${users} where ${theirs})`)
  }
  return sql`${usersRoles}.rowid in (select ${usersRoles}.rowid
    from ${users} cross join ${usersRoles} on ${ofUser} where ${and(isInUserSubset(subset), ofRole)})`
}

export async function listApplicationsOfRole(
  { db, seals }: { db: Database; seals: Seals },
  tenantId: string,
  { roleId, ...page }: PageRange & { roleId: string },
): Promise<Counted & { applications: ApplicationRow[] }> {
  const links = and(eq(applicationsRoles.tenantId, tenantId), eq(applicationsRoles.roleId, roleId))
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select(getTableColumns(applications))
      .from(applicationsRoles)
      .innerJoin(
        applications,
        and(eq(applications.tenantId, tenantId), eq(applications.id, applicationsRoles.applicationId)),
      )
      .where(links)
      .orderBy(desc(sql`${applicationsRoles}.rowid`))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(
      db,
      db.select({ id: applicationsRoles.applicationId }).from(applicationsRoles).where(links),
    ),
  })
  const opened = await Promise.all(rows.map((row) => unsealSecret(seals, row)))
  return { applications: opened, ...cappedTotal(counts[0]?.count ?? 0) }
}

/** Selects all scopes of a role, oldest link first. */
export const scopesOfRoleQuery = (db: Database, tenantId: string, roleId: string) =>
  db
    .select(getTableColumns(scopes))
    .from(rolesScopes)
    .innerJoin(scopes, and(eq(scopes.tenantId, tenantId), eq(scopes.id, rolesScopes.scopeId)))
    .where(and(eq(rolesScopes.tenantId, tenantId), eq(rolesScopes.roleId, roleId)))
    .orderBy(asc(scopes.createdAt), asc(scopes.id))

/** Lists a page of the scopes of a role, each with its resource (spec/management#roles). */
export async function listScopesOfRole(
  db: Database,
  tenantId: string,
  { roleId, ...page }: PageRange & { roleId: string },
): Promise<Counted & { scopes: (ScopeRow & { resource: ResourceRow })[] }> {
  const links = and(eq(rolesScopes.tenantId, tenantId), eq(rolesScopes.roleId, roleId))
  // The resource is returned as a single JSON value, because D1 batches cannot distinguish two columns with the same
  // name.
  const resource = sql<ResourceRow>`json_object('tenantId', ${resources.tenantId}, 'id', ${resources.id},
    'name', ${resources.name}, 'indicator', ${resources.indicator}, 'accessTokenTtl', ${resources.accessTokenTtl},
    'claims', json(${resources.claims}))`
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select({ ...getTableColumns(scopes), resource: resource.mapWith(JSON.parse).as('resource') })
      .from(rolesScopes)
      .innerJoin(scopes, and(eq(scopes.tenantId, tenantId), eq(scopes.id, rolesScopes.scopeId)))
      .innerJoin(resources, and(eq(resources.tenantId, tenantId), eq(resources.id, scopes.resourceId)))
      .where(links)
      .orderBy(asc(scopes.createdAt), asc(scopes.id))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(db, db.select({ id: rolesScopes.scopeId }).from(rolesScopes).where(links)),
  })
  return { scopes: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}
