import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { isResource } from './resources.ts'
import { scopes } from './tables.ts'
import { matches, type TextSearch } from './text-search.ts'
import { COUNTED_AT_MOST, cappedTotal, offsetOf, type Page } from './totals.ts'

/** What can be allowed at a resource. */
export type Scope = typeof scopes.$inferSelect
export type NewScope = Omit<Scope, 'tenantId'>

export const scopeSearchFields = ['id', 'name', 'description'] as const
export type ScopeSearch = TextSearch<(typeof scopeSearchFields)[number]>

/** Newest first. */
export async function listScopes(
  db: Database,
  tenantId: string,
  { resourceId, search, ...page }: Page & { resourceId: string; search: ScopeSearch },
): Promise<{ scopes: Scope[]; total: number; isCapped: boolean }> {
  const condition = and(of(tenantId, resourceId), matches(search, scopes))
  const some = db
    .select({ id: scopes.id })
    .from(scopes)
    .where(condition)
    .limit(COUNTED_AT_MOST + 1)
    .as('some')
  const [found, [counted]] = await db.batch([
    db
      .select()
      .from(scopes)
      .where(condition)
      .orderBy(desc(scopes.createdAt), desc(scopes.id))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    db.select({ count: sql<number>`count(*)`.as('count') }).from(some),
  ])
  return { scopes: found, ...cappedTotal(counted?.count ?? 0) }
}

/** Of several resources, for a list of them; newest first in each. */
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

/** For the batch of a change and its audit row (decision 19); so are the statements below. Nothing without the resource. */
export const insertScope = (
  db: Database,
  tenantId: string,
  { id, resourceId, name, description, createdAt }: NewScope,
) =>
  db
    .insert(scopes)
    .select(
      sql`select ${tenantId}, ${id}, ${resourceId}, ${name}, ${description || null}, ${createdAt}
        where ${isResource(tenantId, resourceId)}`,
    )
    .returning()

export const updateScope = (
  db: Database,
  tenantId: string,
  { resourceId, id, ...changes }: Pick<Scope, 'resourceId' | 'id' | 'name' | 'description'>,
) =>
  db
    .update(scopes)
    .set(changes)
    .where(and(of(tenantId, resourceId), eq(scopes.id, id)))
    .returning()

export const removeScope = (db: Database, tenantId: string, scope: Pick<Scope, 'resourceId' | 'id'>) =>
  db
    .delete(scopes)
    .where(and(of(tenantId, scope.resourceId), eq(scopes.id, scope.id)))
    .returning({ id: scopes.id })

/** As a condition for other statements of a batch. */
export const isScope = (tenantId: string, scope: Pick<Scope, 'resourceId' | 'id'>): SQL =>
  sql`exists (select 1 from ${scopes} where ${and(of(tenantId, scope.resourceId), eq(scopes.id, scope.id))})`

export const SCOPE_NAME_TAKEN = 'scopes.tenant_id, scopes.resource_id, scopes.name'

const of = (tenantId: string, resourceId: string) =>
  and(eq(scopes.tenantId, tenantId), eq(scopes.resourceId, resourceId))
