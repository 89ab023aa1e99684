import { and, eq, type SQL, sql } from 'drizzle-orm'
import { OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { organizationRoles, organizations } from '../tables.ts'

/** Organisations and their owner role (spec/organisations). The functions return statements for a caller's batch. */

export type OrganizationRow = typeof organizations.$inferSelect
export type NewOrganization = typeof organizations.$inferInsert
export type OrganizationChanges = Partial<
  Pick<OrganizationRow, 'name' | 'description' | 'customData' | 'policy' | 'brand'>
>
export type OrganizationKey = { tenantId: string; organizationId: string }

const matchesKey = ({ tenantId, organizationId }: OrganizationKey) =>
  and(eq(organizations.tenantId, tenantId), eq(organizations.id, organizationId))

export const organizationExists = (key: OrganizationKey): Condition =>
  sql`exists (select 1 from ${organizations} where ${matchesKey(key)})`

export const organizationQuery = (db: Database, key: OrganizationKey) =>
  db.select().from(organizations).where(matchesKey(key))

/** Inserts an organisation if the condition holds. */
export function insertOrganization(
  db: Database,
  organization: NewOrganization,
  condition: Condition = ALWAYS_TRUE,
) {
  // The values are in table order, because drizzle lists the columns of INSERT … SELECT in that order.
  const row = {
    tenantId: sql`${organization.tenantId}`,
    id: sql`${organization.id}`,
    name: sql`${organization.name}`,
    description: sql`${organization.description || null}`,
    customData: sql`${JSON.stringify(organization.customData ?? {})}`,
    policy: sql`${JSON.stringify(organization.policy ?? {})}`,
    brand: sql`${JSON.stringify(organization.brand ?? {})}`,
    createdAt: sql`${organization.createdAt}`,
    createdBy: sql`${organization.createdBy ?? null}`,
  } satisfies Record<keyof OrganizationRow, SQL>
  return db
    .insert(organizations)
    .select(sql`select ${sql.join(Object.values(row), sql`, `)} where ${condition}`)
    .returning()
}

export const updateOrganization = (db: Database, key: OrganizationKey, changes: OrganizationChanges) =>
  db.update(organizations).set(changes).where(matchesKey(key)).returning()

/** Checks that the user has created fewer organisations than `most`, counting those that still exist. */
export const hasCreatedFewerThan = (tenantId: string, userId: string, most: number): Condition =>
  sql`(select count(*) from ${organizations}
    where ${organizations.tenantId} = ${tenantId} and ${organizations.createdBy} = ${userId}) < ${most}`

/** Deletes an organisation with everything that belongs to it. Its grants end, because nobody is a member any more. */
export const deleteOrganization = (db: Database, key: OrganizationKey) =>
  db.delete(organizations).where(matchesKey(key)).returning({ id: organizations.id })

/**
 * Creates the owner role if the tenant lacks it, because tenants may be older than organisations. It precedes the first
 * row that refers to the role.
 */
export const ensureOwnerRole = (db: Database, tenantId: string) =>
  db
    .insert(organizationRoles)
    .values({ tenantId, ...OWNER_ROLE, permissions: [...OWNER_ROLE.permissions] })
    .onConflictDoNothing()
