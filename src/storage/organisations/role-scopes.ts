import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { BUILT_IN_RESOURCES } from '../../contract/product.ts'
import { readTogether } from '../batches.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import {
  organizationRoleResourceScopes,
  organizationRoleScopes,
  organizationScopes,
  resources,
  scopes,
} from '../tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'
import { templateExists } from './template.ts'

/** The scopes that the roles of organisations include (spec/organisations#template). */

/** The two kinds of scopes that a role includes: those of organisations, and those of the tenant's API resources. */
const links = {
  scope: { table: organizationRoleScopes, scopes: organizationScopes },
  resourceScope: { table: organizationRoleResourceScopes, scopes },
} as const
export type RoleScopeKind = keyof typeof links
type RoleScopeKey = { kind: RoleScopeKind; tenantId: string; roleId: string }

/** A scope of a built-in resource. Roles of organisations never include one. */
const isBuiltIn = (tenantId: string): SQL =>
  sql`${scopes.resourceId} in (select ${resources.id} from ${resources} where ${resources.tenantId} = ${tenantId}
    and ${resources.indicator} in (select value from json_each(${JSON.stringify(BUILT_IN_RESOURCES)})))`

/** Selects those of these scopes that exist, and whether they belong to a built-in resource. */
export const linkableScopesQuery = (
  db: Database,
  { kind, tenantId }: Omit<RoleScopeKey, 'roleId'>,
  ids: readonly string[],
) => {
  const { scopes: table } = links[kind]
  return db.all<{ id: string; isBuiltIn: number }>(sql`select ${table.id} as id,
      ${kind === 'resourceScope' ? isBuiltIn(tenantId) : sql`0`} as "isBuiltIn" from ${table}
    where ${table.tenantId} = ${tenantId} and ${table.id} in (select value from json_each(${JSON.stringify(ids)}))`)
}

/** Adds scopes to a role, except those that no longer exist. Existing links are left unchanged. */
export function linkScopes(db: Database, { kind, tenantId, roleId }: RoleScopeKey, ids: readonly string[]) {
  const { table, scopes: source } = links[kind]
  return db.run(sql`insert into ${table} (tenant_id, role_id, scope_id)
    select ${tenantId}, ${roleId}, ${source.id} from ${source} where ${source.tenantId} = ${tenantId}
      and ${source.id} in (select value from json_each(${JSON.stringify(ids)}))
      and ${templateExists('role', tenantId, roleId)}${
        kind === 'resourceScope' ? sql` and not (${isBuiltIn(tenantId)})` : sql``
      } on conflict do nothing`)
}

const isLink = ({ kind, tenantId, roleId }: RoleScopeKey, scopeId: string) => {
  const { table } = links[kind]
  return and(eq(table.tenantId, tenantId), eq(table.roleId, roleId), eq(table.scopeId, scopeId))
}

export const hasScopeLink = (key: RoleScopeKey, scopeId: string): Condition =>
  sql`exists (select 1 from ${links[key.kind].table} where ${isLink(key, scopeId)})`

export const unlinkScope = (db: Database, key: RoleScopeKey, scopeId: string) => {
  const { table } = links[key.kind]
  return db.delete(table).where(isLink(key, scopeId)).returning({ scopeId: table.scopeId })
}

/** Lists the organisation scopes of a role by name. */
export async function listScopesOfOrganizationRole(
  db: Database,
  tenantId: string,
  { roleId, ...page }: PageRange & { roleId: string },
) {
  const { table } = links.scope
  const ofRole = and(eq(table.tenantId, tenantId), eq(table.roleId, roleId))
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select({
        tenantId: organizationScopes.tenantId,
        id: organizationScopes.id,
        name: organizationScopes.name,
        description: organizationScopes.description,
      })
      .from(table)
      .innerJoin(
        organizationScopes,
        and(eq(organizationScopes.tenantId, tenantId), eq(organizationScopes.id, table.scopeId)),
      )
      .where(ofRole)
      .orderBy(asc(organizationScopes.name))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(db, db.select({ id: table.scopeId }).from(table).where(ofRole)),
  })
  return { scopes: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}

/** Lists the scopes of API resources that a role includes, each with the name of its resource. */
export async function listResourceScopesOfOrganizationRole(
  db: Database,
  tenantId: string,
  { roleId, ...page }: PageRange & { roleId: string },
) {
  const { table } = links.resourceScope
  const ofRole = and(eq(table.tenantId, tenantId), eq(table.roleId, roleId))
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select({
        ...getTableColumns(scopes),
        resourceName: sql<string>`${resources.name}`.as('resource_name'),
        indicator: resources.indicator,
      })
      .from(table)
      .innerJoin(scopes, and(eq(scopes.tenantId, tenantId), eq(scopes.id, table.scopeId)))
      .innerJoin(resources, and(eq(resources.tenantId, tenantId), eq(resources.id, scopes.resourceId)))
      .where(ofRole)
      .orderBy(asc(resources.name), asc(scopes.name))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(db, db.select({ id: table.scopeId }).from(table).where(ofRole)),
  })
  return { scopes: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}
