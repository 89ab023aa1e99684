import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  applicationTypes,
  type CustomClientMetadata,
  type OidcClientMetadata,
} from '../../contract/applications.ts'
import { hookEvents, type StoredHookConfig } from '../../contract/hooks.ts'
import { ID_LENGTH, isBoolean, json, lengths, oneOf, optionalText, tenantId, time } from './columns.ts'

export const applications = sqliteTable(
  'applications',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    secret: text('secret').notNull(),
    description: optionalText('description'),
    type: text('type', { enum: applicationTypes }).notNull(),
    oidcClientMetadata: json<OidcClientMetadata>('oidc_client_metadata').notNull(),
    customClientMetadata: json<CustomClientMetadata>('custom_client_metadata').notNull().default({}),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('applications_newest').on(table.tenantId, table.createdAt, table.id),
    ...lengths([table.id, ID_LENGTH], [table.name, 256], [table.secret, 64]),
    oneOf(table.type, applicationTypes),
  ],
)

export type ConnectorMetadata = {
  target?: string | undefined
  name?: Record<string, string> | undefined
  logo?: string | undefined
  logoDark?: string | null | undefined
}

export const connectors = sqliteTable(
  'connectors',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    syncProfile: integer('sync_profile', { mode: 'boolean' }).notNull().default(false),
    connectorId: text('connector_id').notNull(),
    config: json<Record<string, unknown>>('config').notNull().default({}),
    metadata: json<ConnectorMetadata>('metadata').notNull().default({}),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    ...lengths([table.id, 128], [table.connectorId, 128]),
    isBoolean(table.syncProfile),
  ],
)

export const hooks = sqliteTable(
  'hooks',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    event: text('event', { enum: hookEvents }).notNull(),
    config: json<StoredHookConfig>('config').notNull(),
    /** Signs what is sent (decision 18: Standard Webhooks). */
    secret: text('secret').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('hooks_event').on(table.tenantId, table.event),
    ...lengths([table.id, ID_LENGTH], [table.secret, 512]),
    oneOf(table.event, hookEvents),
  ],
)

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/**
 * What others are still to be told: written in the batch of the change itself, so that neither is there without the
 * other (decision 18). To a hook, or to an application whose user was logged out (decision 15).
 */
export const outbox = sqliteTable(
  'outbox',
  {
    tenantId: tenantId(),
    /** The `webhook-id`, by which a receiver drops repeats. */
    id: text('id').notNull(),
    hookId: text('hook_id'),
    applicationId: text('application_id'),
    event: text('event').notNull(),
    payload: json<Record<string, unknown>>('payload').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: time('next_attempt_at').notNull(),
    status: text('status', { enum: deliveryStatuses }).notNull().default('pending'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // The sweeper serves all tenants, and only what is not done yet.
    index('outbox_due').on(table.nextAttemptAt).where(sql`status = 'pending'`),
    index('outbox_done').on(table.createdAt).where(sql`status = 'delivered'`),
    index('outbox_hook').on(table.tenantId, table.hookId, table.createdAt),
    index('outbox_failed')
      .on(table.tenantId, table.hookId, table.createdAt, table.id)
      .where(sql`status = 'failed'`),
    index('outbox_application').on(table.tenantId, table.applicationId),
    foreignKey({
      name: 'outbox_hook_fk',
      columns: [table.tenantId, table.hookId],
      foreignColumns: [hooks.tenantId, hooks.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'outbox_application_fk',
      columns: [table.tenantId, table.applicationId],
      foreignColumns: [applications.tenantId, applications.id],
    }).onDelete('cascade'),
    ...lengths([table.id, 64], [table.event, 64]),
    oneOf(table.status, deliveryStatuses),
    check('outbox_receiver', sql.raw('("hook_id" is null) <> ("application_id" is null)')),
  ],
)
