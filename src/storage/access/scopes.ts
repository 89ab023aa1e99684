import { and, desc, eq, sql } from 'drizzle-orm'
import { readTogether } from '../batches.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { scopes } from '../tables.ts'
import { type TextSearch, textSearchCondition } from '../text-search.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'
import { resourceExists } from './resources.ts'

export type ScopeRow = typeof scopes.$inferSelect
export type NewScope = Omit<ScopeRow, 'tenantId'>

export const scopeSearchFields = ['id', 'name', 'description'] as const
type ScopeSearch = TextSearch<(typeof scopeSearchFields)[number]>

/** Lists scopes, newest first. */
export async function listScopes(
  db: Database,
  tenantId: string,
  { resourceId, search, ...page }: PageRange & { resourceId: string; search: ScopeSearch },
): Promise<{ scopes: ScopeRow[]; total: number; isCapped: boolean }> {
  const condition = and(isOfResource(tenantId, resourceId), textSearchCondition(search, scopes))
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select()
      .from(scopes)
      .where(condition)
      .orderBy(desc(scopes.createdAt), desc(scopes.id))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(db, db.select({ id: scopes.id }).from(scopes).where(condition)),
  })
  return { scopes: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}

/** Selects the scopes of several resources, newest first within each resource. */
export const scopesOfResourcesQuery = (db: Database, tenantId: string, resourceIds: readonly string[]) =>
  db
    .select()
    .from(scopes)
    .where(
      and(
        eq(scopes.tenantId, tenantId),
        sql`${scopes.resourceId} in (select value from json_each(${JSON.stringify(resourceIds)}))`,
      ),
    )
    .orderBy(desc(scopes.createdAt), desc(scopes.id))

/** Inserts a scope, unless its resource no longer exists. */
export const insertScope = (
  db: Database,
  tenantId: string,
  { id, resourceId, name, description, createdAt }: NewScope,
) =>
  db
    .insert(scopes)
    .select(
      sql`select ${tenantId}, ${id}, ${resourceId}, ${name}, ${description || null}, ${createdAt}
        where ${resourceExists(tenantId, resourceId)}`,
    )
    .returning()

export const scopeQuery = (
  db: Database,
  tenantId: string,
  { resourceId, id }: Pick<ScopeRow, 'resourceId' | 'id'>,
) =>
  db
    .select()
    .from(scopes)
    .where(and(isOfResource(tenantId, resourceId), eq(scopes.id, id)))

export const updateScope = (
  db: Database,
  tenantId: string,
  { resourceId, id, ...changes }: Pick<ScopeRow, 'resourceId' | 'id' | 'name' | 'description'>,
) =>
  db
    .update(scopes)
    .set(changes)
    .where(and(isOfResource(tenantId, resourceId), eq(scopes.id, id)))
    .returning()

export const removeScope = (db: Database, tenantId: string, scope: Pick<ScopeRow, 'resourceId' | 'id'>) =>
  db
    .delete(scopes)
    .where(and(isOfResource(tenantId, scope.resourceId), eq(scopes.id, scope.id)))
    .returning({ id: scopes.id })

export const scopeExists = (tenantId: string, scope: Pick<ScopeRow, 'resourceId' | 'id'>): Condition =>
  sql`exists (select 1 from ${scopes} where ${and(isOfResource(tenantId, scope.resourceId), eq(scopes.id, scope.id))})`

export const SCOPE_NAME_CONSTRAINT = 'scopes.tenant_id, scopes.resource_id, scopes.name'

const isOfResource = (tenantId: string, resourceId: string) =>
  and(eq(scopes.tenantId, tenantId), eq(scopes.resourceId, resourceId))
