import { and, asc, eq, sql } from 'drizzle-orm'
import { OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import { readTogether } from '../batches.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { organizationRoles, organizationScopes } from '../tables.ts'
import { type TextSearch, textSearchCondition } from '../text-search.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'

/**
 * The template of a tenant: the roles and scopes that all of its organisations share (spec/organisations#template). The
 * functions that change it return statements for a caller's batch.
 */

const tables = { role: organizationRoles, scope: organizationScopes } as const
export type TemplateKind = keyof typeof tables
export type OrganizationRoleRow = typeof organizationRoles.$inferSelect
export type OrganizationScopeRow = typeof organizationScopes.$inferSelect
export type NewOrganizationRole = Omit<OrganizationRoleRow, 'tenantId'>
export type NewOrganizationScope = Omit<OrganizationScopeRow, 'tenantId'>

export const TEMPLATE_NAME_CONSTRAINTS = {
  role: 'organization_roles.tenant_id, organization_roles.name',
  scope: 'organization_scopes.tenant_id, organization_scopes.name',
} as const satisfies Record<TemplateKind, string>

export const templateSearchFields = ['id', 'name', 'description'] as const
type TemplateSearch = TextSearch<(typeof templateSearchFields)[number]>

const matchesKey = (kind: TemplateKind, tenantId: string, id: string) =>
  and(eq(tables[kind].tenantId, tenantId), eq(tables[kind].id, id))

export const templateExists = (kind: TemplateKind, tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${tables[kind]} where ${matchesKey(kind, tenantId, id)})`

type ListRequest = PageRange & { search: TemplateSearch }

/** Lists the roles, the owner role first and the others by name. */
export async function listOrganizationRoles(
  db: Database,
  tenantId: string,
  { search, ...page }: ListRequest,
) {
  const condition = and(
    eq(organizationRoles.tenantId, tenantId),
    textSearchCondition(search, organizationRoles),
  )
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select()
      .from(organizationRoles)
      .where(condition)
      .orderBy(sql`${organizationRoles.id} <> ${OWNER_ROLE.id}`, asc(organizationRoles.name))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(
      db,
      db.select({ id: organizationRoles.id }).from(organizationRoles).where(condition),
    ),
  })
  return { roles: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}

/** Lists the scopes by name. */
export async function listOrganizationScopes(
  db: Database,
  tenantId: string,
  { search, ...page }: ListRequest,
) {
  const condition = and(
    eq(organizationScopes.tenantId, tenantId),
    textSearchCondition(search, organizationScopes),
  )
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select()
      .from(organizationScopes)
      .where(condition)
      .orderBy(asc(organizationScopes.name))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(
      db,
      db.select({ id: organizationScopes.id }).from(organizationScopes).where(condition),
    ),
  })
  return { scopes: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}

export const organizationRoleQuery = (db: Database, tenantId: string, id: string) =>
  db
    .select()
    .from(organizationRoles)
    .where(matchesKey('role', tenantId, id))

export const organizationScopeQuery = (db: Database, tenantId: string, id: string) =>
  db
    .select()
    .from(organizationScopes)
    .where(matchesKey('scope', tenantId, id))

export const insertOrganizationRole = (db: Database, tenantId: string, role: NewOrganizationRole) =>
  db
    .insert(organizationRoles)
    .values({ tenantId, ...role })
    .returning()

export const insertOrganizationScope = (db: Database, tenantId: string, scope: NewOrganizationScope) =>
  db
    .insert(organizationScopes)
    .values({ tenantId, ...scope })
    .returning()

export type OrganizationRoleChanges = Partial<Omit<NewOrganizationRole, 'id'>>
export type OrganizationScopeChanges = Partial<Omit<NewOrganizationScope, 'id'>>

export const updateOrganizationRole = (
  db: Database,
  tenantId: string,
  id: string,
  changes: OrganizationRoleChanges,
) =>
  db
    .update(organizationRoles)
    .set(changes)
    .where(matchesKey('role', tenantId, id))
    .returning()

export const updateOrganizationScope = (
  db: Database,
  tenantId: string,
  id: string,
  changes: OrganizationScopeChanges,
) =>
  db
    .update(organizationScopes)
    .set(changes)
    .where(matchesKey('scope', tenantId, id))
    .returning()

export const removeFromTemplate = (db: Database, kind: TemplateKind, tenantId: string, id: string) =>
  db
    .delete(tables[kind])
    .where(matchesKey(kind, tenantId, id))
    .returning({ id: tables[kind].id })
