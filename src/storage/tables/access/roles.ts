import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { ClaimTemplate } from '../../../contract/applications/claim-template.ts'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { addedSecondFactorPolicies } from '../../../contract/tenants/settings.ts'
import { applications } from '../applications/applications.ts'
import { jsonColumn, lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'

/** Resources have scopes, roles have scopes, and users and applications have roles. */

export const resources = sqliteTable(
  'resources',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** The audience of access tokens for this resource. */
    indicator: text('indicator').notNull(),
    /** The lifetime of access tokens for this resource, in seconds. */
    accessTokenTtl: integer('access_token_ttl').notNull().default(3600),
    /** The template of additional claims in access tokens for this resource (spec/provider#claim-templates). */
    claims: jsonColumn<ClaimTemplate>('claims'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('resources_indicator_unique').on(table.tenantId, table.indicator),
    ...lengthLimits([table.id, ID_LENGTH], [table.name, 256], [table.indicator, 2048]),
  ],
)

export const scopes = sqliteTable(
  'scopes',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    resourceId: text('resource_id').notNull(),
    name: text('name').notNull(),
    description: optionalText('description'),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('scopes_name_unique').on(table.tenantId, table.resourceId, table.name),
    index('scopes_newest').on(table.tenantId, table.resourceId, table.createdAt, table.id),
    foreignKey({
      name: 'scopes_resource_fk',
      columns: [table.tenantId, table.resourceId],
      foreignColumns: [resources.tenantId, resources.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.id, ID_LENGTH], [table.name, 256]),
  ],
)

export const roles = sqliteTable(
  'roles',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /**
     * The second-factor policy of users with this role, in addition to that of the tenant
     * (spec/accounts#second-factor-policy).
     */
    secondFactorPolicy: text('second_factor_policy', { enum: addedSecondFactorPolicies }),
    /**
     * The number of days for which a browser is remembered for users with this role. 0 means never; null means that the
     * tenant's setting applies (spec/accounts#never-remembered).
     */
    rememberDays: integer('remember_days'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('roles_name_unique').on(table.tenantId, table.name),
    ...lengthLimits([table.id, ID_LENGTH], [table.name, 128], [table.description, 128]),
  ],
)

export const rolesScopes = sqliteTable(
  'roles_scopes',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    roleId: text('role_id').notNull(),
    scopeId: text('scope_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('roles_scopes_pair_unique').on(table.tenantId, table.roleId, table.scopeId),
    index('roles_scopes_scope').on(table.tenantId, table.scopeId),
    foreignKey({
      name: 'roles_scopes_role_fk',
      columns: [table.tenantId, table.roleId],
      foreignColumns: [roles.tenantId, roles.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'roles_scopes_scope_fk',
      columns: [table.tenantId, table.scopeId],
      foreignColumns: [scopes.tenantId, scopes.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.id, ID_LENGTH]),
  ],
)

export const usersRoles = sqliteTable(
  'users_roles',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    userId: text('user_id').notNull(),
    roleId: text('role_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('users_roles_pair_unique').on(table.tenantId, table.userId, table.roleId),
    index('users_roles_role').on(table.tenantId, table.roleId),
    foreignKey({
      name: 'users_roles_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'users_roles_role_fk',
      columns: [table.tenantId, table.roleId],
      foreignColumns: [roles.tenantId, roles.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.id, ID_LENGTH]),
  ],
)

export const applicationsRoles = sqliteTable(
  'applications_roles',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    applicationId: text('application_id').notNull(),
    roleId: text('role_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('applications_roles_pair_unique').on(table.tenantId, table.applicationId, table.roleId),
    index('applications_roles_role').on(table.tenantId, table.roleId),
    foreignKey({
      name: 'applications_roles_application_fk',
      columns: [table.tenantId, table.applicationId],
      foreignColumns: [applications.tenantId, applications.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'applications_roles_role_fk',
      columns: [table.tenantId, table.roleId],
      foreignColumns: [roles.tenantId, roles.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.id, ID_LENGTH]),
  ],
)
