import { and, eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { combineVersions, rowVersion, type Version } from './preconditions.ts'
import * as tables from './tables.ts'

/** The versions of entities as GET returns them, by the entity name in audit keys (spec/management#conflicts). */
export const entityVersions = {
  Application: (tenantId: string, id: string) =>
    combineVersions(
      row(tables.applications, tenantId, id),
      rowVersion(
        tables.applicationsRoles,
        and(eq(tables.applicationsRoles.tenantId, tenantId), eq(tables.applicationsRoles.applicationId, id)),
      ),
    ),
  Config: (tenantId: string, key: string) =>
    rowVersion(tables.configs, and(eq(tables.configs.tenantId, tenantId), eq(tables.configs.key, key))),
  Connector: (tenantId: string, id: string) => row(tables.connectors, tenantId, id),
  CustomPhrases: (tenantId: string, languageTag: string) =>
    rowVersion(
      tables.customPhrases,
      and(eq(tables.customPhrases.tenantId, tenantId), eq(tables.customPhrases.languageTag, languageTag)),
    ),
  Hook: (tenantId: string, id: string) => row(tables.hooks, tenantId, id),
  Organization: (tenantId: string, id: string) => row(tables.organizations, tenantId, id),
  /** The roles of an application in an organisation. */
  OrganizationApplication: (tenantId: string, id: string) => {
    const { organizationApplicationRoles: roles } = tables
    const { organizationId, partId } = parsePartId(id)
    return rowVersion(
      roles,
      and(
        eq(roles.tenantId, tenantId),
        eq(roles.organizationId, organizationId),
        eq(roles.applicationId, partId),
      ),
    )
  },
  OrganizationDomain: (tenantId: string, id: string) => {
    const { organizationDomains: domains } = tables
    const { organizationId, partId } = parsePartId(id)
    return rowVersion(
      domains,
      and(
        eq(domains.tenantId, tenantId),
        eq(domains.organizationId, organizationId),
        eq(domains.domain, partId),
      ),
    )
  },
  /** The roles of a member of an organisation. */
  OrganizationMember: (tenantId: string, id: string) => {
    const { organizationUserRoles: roles } = tables
    const { organizationId, partId } = parsePartId(id)
    return rowVersion(
      roles,
      and(eq(roles.tenantId, tenantId), eq(roles.organizationId, organizationId), eq(roles.userId, partId)),
    )
  },
  OrganizationRole: (tenantId: string, id: string) => row(tables.organizationRoles, tenantId, id),
  OrganizationScope: (tenantId: string, id: string) => row(tables.organizationScopes, tenantId, id),
  Resource: (tenantId: string, id: string) => row(tables.resources, tenantId, id),
  Role: (tenantId: string, id: string) => row(tables.roles, tenantId, id),
  SignInExperience: (tenantId: string) =>
    rowVersion(tables.signInExperiences, eq(tables.signInExperiences.tenantId, tenantId)),
  User: (tenantId: string, id: string) =>
    combineVersions(
      row(tables.users, tenantId, id),
      rowVersion(
        tables.accountDeletions,
        and(eq(tables.accountDeletions.tenantId, tenantId), eq(tables.accountDeletions.userId, id)),
      ),
    ),
} satisfies Record<string, (tenantId: string, id: string) => Version>

type Entity = SQLiteTable & { tenantId: SQLiteColumn; id: SQLiteColumn }

const row = (table: Entity, tenantId: string, id: string): Version =>
  rowVersion(table, and(sql`${table.tenantId} = ${tenantId}`, sql`${table.id} = ${id}`))

/** Returns the id under which a part of an organisation has its version: a domain, or the roles of a member or application. */
export const organizationPartId = (organizationId: string, partId: string): string =>
  JSON.stringify([organizationId, partId])

function parsePartId(id: string): { organizationId: string; partId: string } {
  const [organizationId, partId] = JSON.parse(id) as [string, string]
  return { organizationId, partId }
}
