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
  /** The roles of an application in an organisation, by `memberId`. */
  OrganizationApplication: (tenantId: string, id: string) => {
    const { organizationApplicationRoles: roles } = tables
    const { organizationId, memberId } = parseMemberId(id)
    return rowVersion(
      roles,
      and(
        eq(roles.tenantId, tenantId),
        eq(roles.organizationId, organizationId),
        eq(roles.applicationId, memberId),
      ),
    )
  },
  /** The roles of a member, by `memberId`. */
  OrganizationMember: (tenantId: string, id: string) => {
    const { organizationUserRoles: roles } = tables
    const { organizationId, memberId } = parseMemberId(id)
    return rowVersion(
      roles,
      and(eq(roles.tenantId, tenantId), eq(roles.organizationId, organizationId), eq(roles.userId, memberId)),
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

/** Returns the id under which the roles of a member or an application of an organisation have their version. */
export const memberVersionId = (organizationId: string, memberId: string): string =>
  JSON.stringify([organizationId, memberId])

function parseMemberId(id: string): { organizationId: string; memberId: string } {
  const [organizationId, memberId] = JSON.parse(id) as [string, string]
  return { organizationId, memberId }
}
