import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { ID_LENGTH } from '../../../contract/ids.ts'
import type {
  OrganizationBrand,
  OrganizationPermission,
  OrganizationPolicy,
} from '../../../contract/organisations/organizations.ts'
import { scopes } from '../access/roles.ts'
import { jsonColumn, lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'

/** Organisations, and the template of roles and scopes that all organisations of a tenant share (spec/organisations). */

export const organizations = sqliteTable(
  'organizations',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    description: optionalText('description'),
    customData: jsonColumn<Record<string, unknown>>('custom_data').notNull().default({}),
    policy: jsonColumn<OrganizationPolicy>('policy').notNull().default({}),
    brand: jsonColumn<OrganizationBrand>('brand').notNull().default({}),
    createdAt: timeColumn('created_at').notNull(),
    /** The user who created the organisation in the account centre. Null if an operator or a service did. */
    createdBy: optionalText('created_by'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('organizations_newest').on(table.tenantId, table.createdAt, table.id),
    index('organizations_brand_picture').on(table.tenantId).where(sql`instr(brand, '/assets/brand/') > 0`),
    index('organizations_second_factor')
      .on(table.tenantId, sql`policy ->> '$.secondFactor'`)
      .where(sql`policy ->> '$.secondFactor' is not null`),
    index('organizations_created_by').on(table.tenantId, table.createdBy).where(sql`created_by is not null`),
    ...lengthLimits(
      [table.id, ID_LENGTH],
      [table.name, 128],
      [table.description, 256],
      [table.createdBy, ID_LENGTH],
    ),
  ],
)

export const organizationRoles = sqliteTable(
  'organization_roles',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    description: optionalText('description'),
    permissions: jsonColumn<OrganizationPermission[]>('permissions').notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('organization_roles_name_unique').on(table.tenantId, table.name),
    ...lengthLimits([table.id, ID_LENGTH], [table.name, 128], [table.description, 256]),
  ],
)

/** The scopes of tokens for an organisation itself, whose audience is its URN. */
export const organizationScopes = sqliteTable(
  'organization_scopes',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    description: optionalText('description'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('organization_scopes_name_unique').on(table.tenantId, table.name),
    ...lengthLimits([table.id, ID_LENGTH], [table.name, 256], [table.description, 256]),
  ],
)

export const organizationRoleScopes = sqliteTable(
  'organization_role_scopes',
  { tenantId: tenantId(), roleId: text('role_id').notNull(), scopeId: text('scope_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.roleId, table.scopeId] }),
    index('organization_role_scopes_scope').on(table.tenantId, table.scopeId),
    ofRole('organization_role_scopes', table),
    foreignKey({
      name: 'organization_role_scopes_scope_fk',
      columns: [table.tenantId, table.scopeId],
      foreignColumns: [organizationScopes.tenantId, organizationScopes.id],
    }).onDelete('cascade'),
  ],
)

/** The scopes of API resources that an organisation role includes, when its member acts for the organisation. */
export const organizationRoleResourceScopes = sqliteTable(
  'organization_role_resource_scopes',
  { tenantId: tenantId(), roleId: text('role_id').notNull(), scopeId: text('scope_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.roleId, table.scopeId] }),
    index('organization_role_resource_scopes_scope').on(table.tenantId, table.scopeId),
    ofRole('organization_role_resource_scopes', table),
    foreignKey({
      name: 'organization_role_resource_scopes_scope_fk',
      columns: [table.tenantId, table.scopeId],
      foreignColumns: [scopes.tenantId, scopes.id],
    }).onDelete('cascade'),
  ],
)

type RoleColumns = { tenantId: SQLiteColumn; roleId: SQLiteColumn }
type OrganizationColumns = { tenantId: SQLiteColumn; organizationId: SQLiteColumn }

/** Returns the foreign key of rows that are deleted with their organisation role. */
export function ofRole(table: string, columns: RoleColumns) {
  return foreignKey({
    name: `${table}_role_fk`,
    columns: [columns.tenantId, columns.roleId],
    foreignColumns: [organizationRoles.tenantId, organizationRoles.id],
  }).onDelete('cascade')
}

/** Returns the foreign key of rows that are deleted with their organisation. */
export function ofOrganization(table: string, columns: OrganizationColumns) {
  return foreignKey({
    name: `${table}_organization_fk`,
    columns: [columns.tenantId, columns.organizationId],
    foreignColumns: [organizations.tenantId, organizations.id],
  }).onDelete('cascade')
}
