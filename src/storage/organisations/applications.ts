import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { ApplicationType } from '../../contract/applications/applications.ts'
import { readTogether } from '../batches.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import {
  applications,
  organizationApplicationRoles,
  organizationApplications,
  organizationRoles,
} from '../tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'
import { scopesThrough } from './organization-scopes.ts'
import type { OrganizationKey } from './organizations.ts'

/** The machine applications of organisations, with their roles and scopes (spec/organisations#machines). */

export type ApplicationKey = OrganizationKey & { applicationId: string }

const isOfOrganization = ({ tenantId, organizationId }: OrganizationKey) =>
  and(
    eq(organizationApplications.tenantId, tenantId),
    eq(organizationApplications.organizationId, organizationId),
  )

const isApplication = ({ applicationId, ...key }: ApplicationKey) =>
  and(isOfOrganization(key), eq(organizationApplications.applicationId, applicationId))

const isRoleOf = ({ tenantId, organizationId, applicationId }: ApplicationKey) =>
  and(
    eq(organizationApplicationRoles.tenantId, tenantId),
    eq(organizationApplicationRoles.organizationId, organizationId),
    eq(organizationApplicationRoles.applicationId, applicationId),
  )

export const hasApplication = (key: ApplicationKey): Condition =>
  sql`exists (select 1 from ${organizationApplications} where ${isApplication(key)})`

/** Selects the types of those of these applications that exist. */
export const applicationTypesQuery = (db: Database, tenantId: string, ids: readonly string[]) =>
  db.all<{
    id: string
    type: ApplicationType
  }>(sql`select ${applications.id} as id, ${applications.type} as type
    from ${applications} where ${applications.tenantId} = ${tenantId}
      and ${applications.id} in (select value from json_each(${JSON.stringify(ids)}))`)

type Addition = OrganizationKey & {
  applicationIds: readonly string[]
  roleIds: readonly string[]
  now: number
}

/** Adds machine applications with roles. Applications that no longer exist are left out. */
export function addApplicationStatements(
  db: Database,
  { tenantId, organizationId, applicationIds, roleIds, now }: Addition,
  condition: Condition = ALWAYS_TRUE,
) {
  const added = sql`applications where applications.tenant_id = ${tenantId}
    and applications.type = 'MachineToMachine'
    and applications.id in (select value from json_each(${JSON.stringify(applicationIds)})) and ${condition}`
  return {
    applications: db.run(sql`insert into ${organizationApplications}
      (tenant_id, organization_id, application_id, created_at)
      select ${tenantId}, ${organizationId}, applications.id, ${now} from ${added} on conflict do nothing`),
    roles:
      roleIds.length === 0
        ? undefined
        : db.run(sql`insert into ${organizationApplicationRoles}
            (tenant_id, organization_id, application_id, role_id)
            select ${tenantId}, ${organizationId}, applications.id, organization_roles.id
            from organization_roles cross join ${added} and organization_roles.tenant_id = ${tenantId}
              and organization_roles.id in (select value from json_each(${JSON.stringify(roleIds)}))
            on conflict do nothing`),
  }
}

export const removeOtherApplicationRoles = (db: Database, key: ApplicationKey, roleIds: readonly string[]) =>
  db
    .delete(organizationApplicationRoles)
    .where(
      and(
        isRoleOf(key),
        sql`${organizationApplicationRoles.roleId} not in (select value from json_each(${JSON.stringify(roleIds)}))`,
      ),
    )

export const removeApplicationFromOrganization = (db: Database, key: ApplicationKey) =>
  db
    .delete(organizationApplications)
    .where(isApplication(key))
    .returning({ applicationId: organizationApplications.applicationId })

export const organizationApplicationQuery = (db: Database, key: ApplicationKey) =>
  db
    .select({ applicationId: organizationApplications.applicationId })
    .from(organizationApplications)
    .where(isApplication(key))

/** Selects the roles of an application in an organisation, by name. */
export const applicationRolesQuery = (db: Database, key: ApplicationKey) =>
  db
    .select({ id: organizationRoles.id, name: organizationRoles.name })
    .from(organizationApplicationRoles)
    .innerJoin(
      organizationRoles,
      and(
        eq(organizationRoles.tenantId, key.tenantId),
        eq(organizationRoles.id, organizationApplicationRoles.roleId),
      ),
    )
    .where(isRoleOf(key))
    .orderBy(asc(organizationRoles.name))

/** Selects the scopes that an application has through organisation roles. */
export const applicationScopesInOrganizationQuery = (
  db: Database,
  { tenantId, organizationId, applicationId, indicators }: ApplicationKey & { indicators: SQL },
) =>
  scopesThrough(
    db,
    tenantId,
    sql`organization_application_roles as links where links.tenant_id = ${tenantId}
      and links.organization_id = ${organizationId} and links.application_id = ${applicationId}`,
    indicators,
  )

type ApplicationRole = { id: string; name: string }

const rolesJson = sql`(select json_group_array(json_object('id', id, 'name', name)) from (
  select role.id as id, role.name as name from ${organizationApplicationRoles} as own
    join ${organizationRoles} as role on role.tenant_id = own.tenant_id and role.id = own.role_id
    where own.tenant_id = ${organizationApplications.tenantId}
      and own.organization_id = ${organizationApplications.organizationId}
      and own.application_id = ${organizationApplications.applicationId}
    order by role.name))`.mapWith((json: string): ApplicationRole[] => JSON.parse(json))

/** Lists the applications of an organisation, the newest first. */
export async function listApplicationsOfOrganization(db: Database, key: OrganizationKey, page: PageRange) {
  const condition = isOfOrganization(key)
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select({
        id: applications.id,
        name: applications.name,
        description: applications.description,
        type: applications.type,
        roles: rolesJson.as('roles'),
        joinedAt: sql<number>`${organizationApplications.createdAt}`.as('joined_at'),
      })
      .from(organizationApplications)
      .innerJoin(
        applications,
        and(
          eq(applications.tenantId, key.tenantId),
          eq(applications.id, organizationApplications.applicationId),
        ),
      )
      .where(condition)
      .orderBy(desc(organizationApplications.createdAt), desc(applications.id))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(
      db,
      db
        .select({ id: organizationApplications.applicationId })
        .from(organizationApplications)
        .where(condition),
    ),
  })
  return { applications: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}
