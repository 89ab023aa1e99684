import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ID_LENGTH } from '../../contract/ids.ts'
import type { FieldChanges } from '../../contract/logs.schema.ts'
import {
  isOneOf,
  jsonColumn,
  lengthLimits,
  optionalText,
  payloadValue,
  tenantId,
  timeColumn,
} from './columns.ts'

const messageChannels = ['email', 'sms'] as const

/** The payload of an audit row (spec/management#audit-log). Calls add further fields. */
export type LogPayload = {
  key: string
  result: 'Success' | 'Error'
  error?: unknown
  ip?: string | undefined
  userAgent?: string | undefined
  userId?: string | undefined
  applicationId?: string | undefined
  organizationId?: string | undefined
  sessionId?: string | undefined
  changes?: FieldChanges | undefined
  /** The entries of the row if it has several, in their order (spec/storage#log-steps). */
  steps?: readonly LogStep[]
  /** The keys of these entries, sorted and separated by spaces. */
  keys?: string
  [more: string]: unknown
}

/** An entry that shares a row: what differs from the row. It is empty for the row's own entry. */
export type LogStep = {
  key?: string
  createdAt?: number
  result?: 'Success' | 'Error'
  [more: string]: unknown
}

export const logs = sqliteTable(
  'logs',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    key: text('key').notNull(),
    payload: jsonColumn<LogPayload>('payload').notNull(),
    createdAt: timeColumn('created_at').notNull(),
    userId: payloadValue('user_id', '$.userId'),
    applicationId: payloadValue('application_id', '$.applicationId'),
    interactionId: payloadValue('interaction_id', '$.interactionId'),
    /** The organisation that the entry concerns, or for which the user acted. */
    organizationId: payloadValue('organization_id', '$.organizationId'),
    /**
     * The id of the person or program that made a change to somebody or something else. Users who act for themselves
     * are in `userId` (ADR-0178).
     */
    actorId: payloadValue('actor_id', '$.actor.id'),
    /** The keys of the row's entries. Most rows have one. Rows with several have one of few combinations. */
    keys: text('keys').generatedAlwaysAs(sql.raw(`coalesce(json_extract("payload", '$.keys'), "key")`), {
      mode: 'virtual',
    }),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // The primary key lists all other rows by their time (spec/storage#log-ids).
    index('logs_newest').on(table.tenantId, table.createdAt, table.id).where(sql`id < '~'`),
    index('logs_key').on(table.tenantId, table.keys, table.createdAt, table.id),
    index('logs_user')
      .on(table.tenantId, table.userId, table.createdAt, table.id)
      .where(sql`user_id is not null`),
    index('logs_application')
      .on(table.tenantId, table.applicationId, table.createdAt, table.id)
      .where(sql`application_id is not null`),
    index('logs_interaction')
      .on(table.tenantId, table.interactionId, table.createdAt, table.id)
      .where(sql`interaction_id is not null`),
    index('logs_organization')
      .on(table.tenantId, table.organizationId, table.createdAt, table.id)
      .where(sql`organization_id is not null`),
    index('logs_actor')
      .on(table.tenantId, table.actorId, table.createdAt, table.id)
      .where(sql`actor_id is not null`),
    ...lengthLimits([table.id, ID_LENGTH], [table.key, 128]),
  ],
)

/** Actions of the service itself, such as sending a message. */
export const serviceLogs = sqliteTable(
  'service_logs',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    type: text('type').notNull(),
    payload: jsonColumn<Record<string, unknown>>('payload').notNull(),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('service_logs_newest').on(table.tenantId, table.createdAt, table.id),
    ...lengthLimits([table.id, ID_LENGTH], [table.type, 64]),
  ],
)

/**
 * The number of rejected requests from an application, or from a client that is not registered with the tenant
 * (spec/storage#failed-requests). There is one row per hour and kind, because anyone can send any number of such
 * requests.
 */
export const failedRequests = sqliteTable(
  'failed_requests',
  {
    tenantId: tenantId(),
    /** The start of the hour, in epoch milliseconds. */
    hour: timeColumn('hour').notNull(),
    /** The id of the requesting application, or an empty string if the tenant has no such application. */
    applicationId: text('application_id').notNull(),
    endpoint: text('endpoint').notNull(),
    error: text('error').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.hour, table.applicationId, table.endpoint, table.error] }),
    ...lengthLimits([table.applicationId, ID_LENGTH], [table.endpoint, 32], [table.error, 64]),
  ],
)

/** Messages that were stored instead of sent, which happens only in development (spec/management#development-inbox). */
export const devMessages = sqliteTable(
  'dev_messages',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    to: text('to').notNull(),
    channel: text('channel', { enum: messageChannels }).notNull(),
    type: text('type').notNull(),
    code: text('code').notNull(),
    language: text('language').notNull(),
    subject: optionalText('subject'),
    /** The text of the message. */
    body: text('body').notNull(),
    html: optionalText('html'),
    createdAt: timeColumn('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('dev_messages_newest').on(table.tenantId, table.createdAt, table.id),
    index('dev_messages_to').on(table.tenantId, table.to, table.createdAt, table.id),
    ...lengthLimits([table.id, ID_LENGTH], [table.to, 128], [table.type, 32]),
    isOneOf(table.channel, messageChannels),
  ],
)
