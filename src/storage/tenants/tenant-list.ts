import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { readTogether, type Statement } from '../batches.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { roles, tenantOwners, type tenantOwnerTypes, tenants } from '../tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'
import { seedStatements } from './seed.ts'

/** The tenants of this deployment, and their creators: users and applications of the tenant `default`. */
type TenantRow = Omit<typeof tenants.$inferSelect, 'deletedAt'>
type TenantOwner = { type: (typeof tenantOwnerTypes)[number]; id: string }

/** Lists tenants, newest first: all of them, or those of one owner. */
export async function listTenants(
  db: Database,
  { owner, ...page }: PageRange & { owner: TenantOwner | null },
): Promise<{ tenants: TenantRow[]; total: number; isCapped: boolean }> {
  const condition = and(
    isNull(tenants.deletedAt),
    owner
      ? sql`${tenants.id} in (select tenant_id from ${tenantOwners} where ${isOwnedBy(owner)})`
      : undefined,
  )
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select({ id: tenants.id, createdAt: tenants.createdAt })
      .from(tenants)
      .where(condition)
      .orderBy(desc(tenants.createdAt), desc(tenants.id))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(db, db.select({ id: tenants.id }).from(tenants).where(condition)),
  })
  return { tenants: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}

/**
 * Builds the statements that create a tenant with its seed data, in the required order. They fail if the id is taken,
 * or if the owner already has a tenant and may have only one.
 */
export function tenantCreationStatements(
  db: Database,
  { id, createdAt }: TenantRow,
  { owner, mayOwnMany, roleNames }: { owner: TenantOwner; mayOwnMany: boolean; roleNames: readonly string[] },
) {
  const next = sql`(select coalesce(max(place) + 1, 0) from ${tenantOwners} where ${isOwnedBy(owner)})`
  const tenant: Statement[] = [
    db.insert(tenants).values({ id, createdAt }),
    db
      .insert(tenantOwners)
      .select(sql`select ${id}, ${owner.type}, ${owner.id}, ${mayOwnMany ? next : sql`0`}`),
    ...seedStatements(db, id, createdAt),
    // The roles that every user who registers in this deployment gets (spec/interaction#register-effects).
    ...roleNames.map((name) =>
      db
        .insert(roles)
        .values({ tenantId: id, id: randomId(), name, description: 'Given to every user who registers' })
        .onConflictDoNothing(),
    ),
  ]
  return { tenant }
}

export const TENANT_ID_CONSTRAINT = 'tenants.id'
export const OWNER_PLACE_CONSTRAINT = 'tenant_owners.owner_type, tenant_owners.owner_id, tenant_owners.place'

const isOwnedBy = ({ type, id }: TenantOwner) =>
  and(eq(tenantOwners.ownerType, type), eq(tenantOwners.ownerId, id))
