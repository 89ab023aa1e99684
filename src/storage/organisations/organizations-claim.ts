import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { MAX_LISTED_ORGANIZATIONS } from '../../contract/organisations/organizations.ts'
import type { Database } from '../database.ts'
import { organizations, organizationUsers } from '../tables.ts'

const Names = z.array(z.string())

/** The names of a member's roles from all sources, as JSON. */
const roleNamesOfMember = sql`(select json_group_array(distinct roles.name)
  from organization_user_roles as links
  cross join organization_roles as roles on roles.tenant_id = links.tenant_id and roles.id = links.role_id
  where links.tenant_id = ${organizationUsers.tenantId}
  and links.organization_id = ${organizationUsers.organizationId} and links.user_id = ${organizationUsers.userId})`

/**
 * Selects the organisations of a user for the claim `organizations` (spec/organisations#claims), and one more than it
 * lists if there are more.
 */
export const organizationsClaimQuery = (db: Database, tenantId: string, userId: string) =>
  db
    .select({
      id: organizations.id,
      name: organizations.name,
      roles: roleNamesOfMember
        .mapWith((text: string) => Names.parse(JSON.parse(text)).sort())
        .as('role_names'),
    })
    .from(organizationUsers)
    .innerJoin(
      organizations,
      and(eq(organizations.tenantId, tenantId), eq(organizations.id, organizationUsers.organizationId)),
    )
    .where(and(eq(organizationUsers.tenantId, tenantId), eq(organizationUsers.userId, userId)))
    .orderBy(sql`${organizationUsers.usedAt} desc nulls last`, organizations.name, organizations.id)
    .limit(MAX_LISTED_ORGANIZATIONS + 1)
