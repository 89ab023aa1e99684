import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  applicationTypes,
  type CustomClientMetadata,
  type OidcClientMetadata,
} from '../../../contract/applications/applications.ts'
import type { ClaimTemplate } from '../../../contract/applications/claim-template.ts'
import {
  accountHookEvents,
  interactionHookEvents,
  type StoredHookConfig,
  type SubscribedEvents,
} from '../../../contract/hooks/hooks.ts'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { addedSecondFactorPolicies } from '../../../contract/tenants/settings.ts'
import {
  isBooleanColumn,
  isOneOf,
  jsonColumn,
  lengthLimits,
  optionalText,
  tenantId,
  timeColumn,
} from '../columns.ts'

export const applications = sqliteTable(
  'applications',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /**
     * The plain-text secret, or an empty string once the secret is sealed. Only an earlier version of the Worker writes
     * secrets here (spec/storage#application-secrets).
     */
    secret: text('secret').notNull(),
    description: optionalText('description'),
    type: text('type', { enum: applicationTypes }).notNull(),
    oidcClientMetadata: jsonColumn<OidcClientMetadata>('oidc_client_metadata').notNull(),
    customClientMetadata: jsonColumn<CustomClientMetadata>('custom_client_metadata').notNull().default({}),
    createdAt: timeColumn('created_at').notNull(),
    sealedSecret: text('sealed_secret'),
    /**
     * The second-factor policy of the application, in addition to that of the tenant
     * (spec/accounts#second-factor-policy).
     */
    secondFactorPolicy: text('second_factor_policy', { enum: addedSecondFactorPolicies }),
    /**
     * The number of days for which a browser is remembered for this application. 0 means never; null means that the
     * tenant's setting applies (spec/accounts#never-remembered).
     */
    rememberDays: integer('remember_days'),
    /** The template of additional claims in ID tokens and userinfo (spec/provider#claim-templates). */
    claims: jsonColumn<ClaimTemplate>('claims'),
    /** The time at which the secret was set, or null if it was set before this was recorded. */
    secretCreatedAt: integer('secret_created_at'),
    /** The secret before the current one, which is accepted until it expires (spec/management#two-secrets). */
    sealedPreviousSecret: text('sealed_previous_secret'),
    previousSecretCreatedAt: integer('previous_secret_created_at'),
    previousSecretExpiresAt: integer('previous_secret_expires_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // The sweep finds expired secrets by this index.
    index('applications_previous_secret')
      .on(table.previousSecretExpiresAt)
      .where(sql`previous_secret_expires_at is not null`),
    // The sweep and the doctor find unsealed secrets by this index, which is almost always empty.
    index('applications_unsealed').on(table.tenantId).where(sql`secret <> ''`),
    index('applications_newest').on(table.tenantId, table.createdAt, table.id),
    ...lengthLimits([table.id, ID_LENGTH], [table.name, 256], [table.secret, 64]),
    isOneOf(table.type, applicationTypes),
  ],
)

type ConnectorMetadata = {
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
    config: jsonColumn<Record<string, unknown>>('config').notNull().default({}),
    metadata: jsonColumn<ConnectorMetadata>('metadata').notNull().default({}),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    ...lengthLimits([table.id, 128], [table.connectorId, 128]),
    isBooleanColumn(table.syncProfile),
  ],
)

/**
 * The provider that issued the identities stored in `user_identities` under a target. The row remains when its
 * connector is deleted (spec/connectors#identity-namespaces).
 */
export const identityNamespaces = sqliteTable(
  'identity_namespaces',
  {
    tenantId: tenantId(),
    target: text('target').notNull(),
    namespace: text('namespace').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.target] }),
    ...lengthLimits([table.target, 128], [table.namespace, 4096]),
  ],
)

export const hooks = sqliteTable(
  'hooks',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /**
     * `PostResetPassword` if `accountEvent` contains the event, because the CHECK constraint predates account events
     * (ADR-0084).
     */
    event: text('event', { enum: interactionHookEvents }).notNull(),
    accountEvent: text('account_event', { enum: accountHookEvents }),
    /** All events. Null in rows of versions in which a hook had one event (ADR-0181). */
    events: jsonColumn<SubscribedEvents>('events'),
    config: jsonColumn<StoredHookConfig>('config').notNull(),
    /** The sealed secret for signing deliveries (spec/connectors#hook-signature). */
    secret: text('secret').notNull(),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('hooks_event').on(table.tenantId, table.event),
    index('hooks_account_event').on(table.tenantId, table.accountEvent).where(sql`account_event is not null`),
    ...lengthLimits([table.id, ID_LENGTH], [table.secret, 512]),
    isOneOf(table.event, interactionHookEvents),
  ],
)

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

/**
 * Deliveries to a hook, or to an application whose user was signed out (spec/storage#outbox). They are written in the
 * batch of the change, so that a change and its deliveries are never written separately.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    tenantId: tenantId(),
    /** The `webhook-id` header, by which receivers recognise repeated deliveries. */
    id: text('id').notNull(),
    hookId: text('hook_id'),
    applicationId: text('application_id'),
    event: text('event').notNull(),
    payload: jsonColumn<Record<string, unknown>>('payload').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timeColumn('next_attempt_at').notNull(),
    status: text('status', { enum: deliveryStatuses }).notNull().default('pending'),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // The index does not begin with the tenant, because senders look for pending rows of all tenants.
    index('outbox_due').on(table.nextAttemptAt).where(sql`status = 'pending'`),
    index('outbox_done').on(table.createdAt).where(sql`status = 'delivered'`),
    // A delivery goes to either a hook or an application, and only the index of its receiver has an entry for it.
    index('outbox_hook').on(table.tenantId, table.hookId, table.createdAt).where(sql`hook_id is not null`),
    index('outbox_failed')
      .on(table.tenantId, table.hookId, table.createdAt, table.id)
      .where(sql`status = 'failed'`),
    index('outbox_application')
      .on(table.tenantId, table.applicationId)
      .where(sql`application_id is not null`),
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
    ...lengthLimits([table.id, 64], [table.event, 64]),
    isOneOf(table.status, deliveryStatuses),
    check('outbox_receiver', sql.raw('("hook_id" is null) <> ("application_id" is null)')),
  ],
)
