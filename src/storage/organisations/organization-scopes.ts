import { type SQL, sql } from 'drizzle-orm'
import { ORGANIZATION_URN } from '../../contract/organisations/organizations.ts'
import type { Database } from '../database.ts'

/**
 * The scopes that organisation roles give at resources and, under its URN, at the organisation itself
 * (spec/organisations#resources).
 */
export type OrganizationScopeRow = { organizationId: string; indicator: string; name: string }

type ScopesOfMember = {
  /** May be a column of another row, like the other values. Without an organisation, nothing is selected. */
  organizationId: string | SQL
  userId: string | SQL
  /** A JSON list or string. */
  indicators: SQL
}

/** Selects the scopes that a member has through organisation roles. */
export const memberScopesQuery = (
  db: Database,
  tenantId: string,
  { organizationId, userId, indicators }: ScopesOfMember,
) =>
  scopesThrough(
    db,
    tenantId,
    sql`organization_user_roles as links where links.tenant_id = ${tenantId}
      and links.organization_id = ${organizationId} and links.user_id = ${userId}`,
    indicators,
  )

/** Selects the scopes of roles. `links` is the source of the role ids. The cross joins keep SQLite from beginning with all scopes of the tenant. */
export const scopesThrough = (db: Database, tenantId: string, links: SQL, indicators: SQL) =>
  db
    .select({
      organizationId: sql<string>`organization_id`.as('scope_organization'),
      indicator: sql<string>`indicator`.as('scope_indicator'),
      name: sql<string>`name`.as('scope_name'),
    })
    .from(
      sql`(select distinct roles.organization_id, resources.indicator, scopes.name
        from (select links.organization_id, links.role_id from ${links}) as roles
        cross join organization_role_resource_scopes as included
          on included.tenant_id = ${tenantId} and included.role_id = roles.role_id
        cross join scopes on scopes.tenant_id = ${tenantId} and scopes.id = included.scope_id
        cross join resources on resources.tenant_id = ${tenantId} and resources.id = scopes.resource_id
        where resources.indicator in (select value from json_each(${indicators}))
      union
      select roles.organization_id, ${ORGANIZATION_URN} || roles.organization_id, organization_scopes.name
        from (select links.organization_id, links.role_id from ${links}) as roles
        cross join organization_role_scopes as included
          on included.tenant_id = ${tenantId} and included.role_id = roles.role_id
        cross join organization_scopes
          on organization_scopes.tenant_id = ${tenantId} and organization_scopes.id = included.scope_id
        where ${ORGANIZATION_URN} || roles.organization_id in (select value from json_each(${indicators}))) as scoped`,
    )
