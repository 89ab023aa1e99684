import { desc, eq, sql } from 'drizzle-orm'
import { failureReasons } from '../contract/connectors/connectors.ts'
import type { SentMessage } from '../contract/connectors/message-log.schema.ts'
import { limitPayload } from '../domain/log-bounds.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { serviceLogs } from './tables.ts'

/** A message that was sent (spec/management#services). */
type ServiceLog = {
  type: 'sendEmail' | 'sendSms'
  payload: Record<string, unknown>
  createdAt: number
}

export const insertServiceLog = (db: Database, tenantId: string, { type, payload, createdAt }: ServiceLog) =>
  db.insert(serviceLogs).values({
    tenantId,
    id: randomId(),
    type,
    payload: { ...limitPayload(type, payload) },
    createdAt,
  })

const MAX_MESSAGES = 100 // spec/management#messages-sent

/** Lists messages, newest first. */
export async function readNewestMessages(db: Database, tenantId: string): Promise<SentMessage[]> {
  return (await newestMessagesQuery(db, tenantId, MAX_MESSAGES)).map(describeMessage)
}

const newestMessagesQuery = (db: Database, tenantId: string, limit: number) =>
  db
    .select()
    .from(serviceLogs)
    .where(eq(serviceLogs.tenantId, tenantId))
    .orderBy(desc(serviceLogs.createdAt), desc(serviceLogs.id))
    .limit(limit)

/** Bounds how many rows the last messages are searched in. Our choice (spec/management#messages-sent). */
const SEARCHED_MESSAGES = 1_000

/**
 * Selects the newest message of each kind of connector among the newest messages. It says whether the installed
 * connector works, so tests of unsaved settings are left out, and so are messages whose recipient was wrong.
 */
export function lastMessagesQuery(db: Database, tenantId: string) {
  const newest = newestMessagesQuery(db, tenantId, SEARCHED_MESSAGES).as('newest')
  // SQLite takes the other columns from the row with the maximum.
  return db
    .select({
      id: newest.id,
      type: newest.type,
      payload: newest.payload,
      createdAt: sql<number>`max(${newest.createdAt})`,
    })
    .from(newest)
    .where(
      sql`${newest.payload} ->> '$.isUnsaved' is null and coalesce(${newest.payload} ->> '$.reason', '') <> 'recipient'`,
    )
    .groupBy(sql`${newest.payload} ->> '$.factoryId'`)
}

type MessageRow = Pick<typeof serviceLogs.$inferSelect, 'id' | 'type' | 'payload' | 'createdAt'>

/** Converts a row of the service log to the format of the management API. */
export function describeMessage({ id, type, payload, createdAt }: MessageRow): SentMessage {
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
  return {
    id,
    channel: type === 'sendEmail' ? 'email' : 'sms',
    to: text('to'),
    messageType: text('messageType'),
    connectorId: text('connectorId'),
    factoryId: text('factoryId'),
    result: payload.result === 'Error' ? 'Error' : 'Success',
    error: text('error') || null,
    reason: failureReasons.find((reason) => reason === payload.reason) ?? null,
    answer: text('answer') || null,
    requestId: text('requestId') || null,
    createdAt,
  }
}
