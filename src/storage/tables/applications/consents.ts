import { foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { lengthLimits, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'
import { applications } from './applications.ts'

/** The consents of users to third-party applications, one row per scope (spec/storage#consents). */
export const consents = sqliteTable(
  'consents',
  {
    tenantId: tenantId(),
    userId: text('user_id').notNull(),
    applicationId: text('application_id').notNull(),
    /** The indicator of the resource, or an empty string for the OpenID Connect scopes. */
    resource: text('resource').notNull(),
    /** The name of the scope, or an empty string for access to a resource without scopes. */
    scope: text('scope').notNull(),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.tenantId, table.userId, table.applicationId, table.resource, table.scope],
    }),
    index('consents_application').on(table.tenantId, table.applicationId),
    foreignKey({
      name: 'consents_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'consents_application_fk',
      columns: [table.tenantId, table.applicationId],
      foreignColumns: [applications.tenantId, applications.id],
    }).onDelete('cascade'),
    ...lengthLimits([table.resource, 2048], [table.scope, 256]),
  ],
)
