import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { seedStatements } from './seed.ts'
import { roles, tenantOwners, type tenantOwnerTypes, tenants } from './tables.ts'
import { COUNTED_AT_MOST, cappedTotal, offsetOf, type Page } from './totals.ts'

/** The tenants of this deployment, and who of the tenant `default` created them. */
export type Tenant = typeof tenants.$inferSelect
export type TenantOwner = { type: (typeof tenantOwnerTypes)[number]; id: string }

/** Oldest first: those of one owner, or all. */
export async function listTenants(
  db: Database,
  { owner, ...page }: Page & { owner: TenantOwner | null },
): Promise<{ tenants: Tenant[]; total: number; isCapped: boolean }> {
  const isAsked = owner
    ? sql`${tenants.id} in (select tenant_id from ${tenantOwners} where ${isOf(owner)})`
    : undefined
  const some = db
    .select({ id: tenants.id })
    .from(tenants)
    .where(isAsked)
    .limit(COUNTED_AT_MOST + 1)
    .as('some')
  const [found, [counted]] = await db.batch([
    db
      .select()
      .from(tenants)
      .where(isAsked)
      .orderBy(asc(tenants.createdAt), asc(tenants.id))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    db.select({ count: sql<number>`count(*)`.as('count') }).from(some),
  ])
  return { tenants: found, ...cappedTotal(counted?.count ?? 0) }
}

/**
 * A tenant with all that every tenant starts with, for the batch in which its way in is made and remembered. Throws when the
 * id is taken, and when its owner has one already and may not have more.
 */
export function createTenant(
  db: Database,
  { id, createdAt }: Tenant,
  { owner, mayOwnMany, roleNames }: { owner: TenantOwner; mayOwnMany: boolean; roleNames: readonly string[] },
) {
  const next = sql`(select coalesce(max(place) + 1, 0) from ${tenantOwners} where ${isOf(owner)})`
  return [
    db.insert(tenants).values({ id, createdAt }),
    db
      .insert(tenantOwners)
      .select(sql`select ${id}, ${owner.type}, ${owner.id}, ${mayOwnMany ? next : sql`0`}`),
    ...seedStatements(db, id, createdAt),
    // Whoever registers is to get them, here as everywhere in this deployment (contract 2.7).
    ...roleNames.map((name) =>
      db
        .insert(roles)
        .values({ tenantId: id, id: randomId(), name, description: 'Given to everybody who registers' })
        .onConflictDoNothing(),
    ),
  ] as const
}

/** The same by name, for `commit`. */
export const tenantCreation = (...given: Parameters<typeof createTenant>) => ({
  tenant: createTenant(...given),
})

export const TENANT_TAKEN = 'tenants.id'
export const PLACE_TAKEN = 'tenant_owners.owner_type, tenant_owners.owner_id, tenant_owners.place'

const isOf = ({ type, id }: TenantOwner) =>
  and(eq(tenantOwners.ownerType, type), eq(tenantOwners.ownerId, id))
