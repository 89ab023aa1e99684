import { foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { membershipSources } from '../../../contract/organisations/organizations.ts'
import { applications } from '../applications/applications.ts'
import { isOneOf, lengthLimits, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'
import { ofOrganization, ofRole } from './organizations.ts'

/** The members of organisations: users, with the sources of their membership, and machine applications. */

export const organizationUsers = sqliteTable(
  'organization_users',
  {
    tenantId: tenantId(),
    organizationId: text('organization_id').notNull(),
    userId: text('user_id').notNull(),
    createdAt: timeColumn('created_at').notNull(),
    /** The time at which the member last began to act for the organisation after another one. */
    usedAt: timeColumn('used_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.organizationId, table.userId] }),
    index('organization_users_user').on(table.tenantId, table.userId),
    index('organization_users_newest').on(
      table.tenantId,
      table.organizationId,
      table.createdAt,
      table.userId,
    ),
    ofOrganization('organization_users', table),
    foreignKey({
      name: 'organization_users_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
  ],
)

/**
 * The sources of each membership, which exists as long as it has one. `source_id` is the id of the connection or
 * directory that owns the row, and empty for the other sources. A connection or directory reads and writes only rows
 * with its own id.
 */
export const organizationUserSources = sqliteTable(
  'organization_user_sources',
  {
    tenantId: tenantId(),
    organizationId: text('organization_id').notNull(),
    userId: text('user_id').notNull(),
    source: text('source', { enum: membershipSources }).notNull(),
    sourceId: text('source_id').notNull().default(''),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.tenantId, table.organizationId, table.userId, table.source, table.sourceId],
    }),
    foreignKey({
      name: 'organization_user_sources_member_fk',
      columns: [table.tenantId, table.organizationId, table.userId],
      foreignColumns: [
        organizationUsers.tenantId,
        organizationUsers.organizationId,
        organizationUsers.userId,
      ],
    }).onDelete('cascade'),
    isOneOf(table.source, membershipSources),
    ...lengthLimits([table.sourceId, ID_LENGTH]),
  ],
)

/** The roles of members. The same role from two sources has two rows. */
export const organizationUserRoles = sqliteTable(
  'organization_user_roles',
  {
    tenantId: tenantId(),
    organizationId: text('organization_id').notNull(),
    userId: text('user_id').notNull(),
    roleId: text('role_id').notNull(),
    source: text('source', { enum: membershipSources }).notNull(),
    sourceId: text('source_id').notNull().default(''),
  },
  (table) => [
    primaryKey({
      columns: [
        table.tenantId,
        table.organizationId,
        table.userId,
        table.roleId,
        table.source,
        table.sourceId,
      ],
    }),
    index('organization_user_roles_role').on(
      table.tenantId,
      table.roleId,
      table.organizationId,
      table.userId,
    ),
    foreignKey({
      name: 'organization_user_roles_source_fk',
      columns: [table.tenantId, table.organizationId, table.userId, table.source, table.sourceId],
      foreignColumns: [
        organizationUserSources.tenantId,
        organizationUserSources.organizationId,
        organizationUserSources.userId,
        organizationUserSources.source,
        organizationUserSources.sourceId,
      ],
    }).onDelete('cascade'),
    ofRole('organization_user_roles', table),
  ],
)

/** The machine applications that act for an organisation with their own credentials. */
export const organizationApplications = sqliteTable(
  'organization_applications',
  {
    tenantId: tenantId(),
    organizationId: text('organization_id').notNull(),
    applicationId: text('application_id').notNull(),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.organizationId, table.applicationId] }),
    index('organization_applications_application').on(table.tenantId, table.applicationId),
    ofOrganization('organization_applications', table),
    foreignKey({
      name: 'organization_applications_application_fk',
      columns: [table.tenantId, table.applicationId],
      foreignColumns: [applications.tenantId, applications.id],
    }).onDelete('cascade'),
  ],
)

export const organizationApplicationRoles = sqliteTable(
  'organization_application_roles',
  {
    tenantId: tenantId(),
    organizationId: text('organization_id').notNull(),
    applicationId: text('application_id').notNull(),
    roleId: text('role_id').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.tenantId, table.organizationId, table.applicationId, table.roleId],
    }),
    index('organization_application_roles_role').on(table.tenantId, table.roleId),
    foreignKey({
      name: 'organization_application_roles_member_fk',
      columns: [table.tenantId, table.organizationId, table.applicationId],
      foreignColumns: [
        organizationApplications.tenantId,
        organizationApplications.organizationId,
        organizationApplications.applicationId,
      ],
    }).onDelete('cascade'),
    ofRole('organization_application_roles', table),
  ],
)
