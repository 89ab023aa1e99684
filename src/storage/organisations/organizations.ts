import { and, eq, sql } from 'drizzle-orm'
import { OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { organizationRoles, organizations } from '../tables.ts'

/** Organisations and their owner role (spec/organisations). The functions return statements for a caller's batch. */

export type OrganizationRow = typeof organizations.$inferSelect
export type NewOrganization = typeof organizations.$inferInsert
export type OrganizationKey = { tenantId: string; organizationId: string }

const matchesKey = ({ tenantId, organizationId }: OrganizationKey) =>
  and(eq(organizations.tenantId, tenantId), eq(organizations.id, organizationId))

export const organizationExists = (key: OrganizationKey): Condition =>
  sql`exists (select 1 from ${organizations} where ${matchesKey(key)})`

export const organizationQuery = (db: Database, key: OrganizationKey) =>
  db.select().from(organizations).where(matchesKey(key))

export const insertOrganization = (db: Database, organization: NewOrganization) =>
  db.insert(organizations).values(organization).returning()

export const updateOrganization = (
  db: Database,
  key: OrganizationKey,
  changes: Partial<Pick<OrganizationRow, 'name' | 'description' | 'customData' | 'policy' | 'brand'>>,
) => db.update(organizations).set(changes).where(matchesKey(key)).returning()

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
