import { desc, eq } from 'drizzle-orm'
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
export async function readNewestMessages(db: Database, tenantId: string) {
  const rows = await db
    .select()
    .from(serviceLogs)
    .where(eq(serviceLogs.tenantId, tenantId))
    .orderBy(desc(serviceLogs.createdAt), desc(serviceLogs.id))
    .limit(MAX_MESSAGES)
  return rows.map(({ id, type, payload, createdAt }) => {
    const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
    return {
      id,
      channel: type === 'sendEmail' ? ('email' as const) : ('sms' as const),
      to: text('to'),
      messageType: text('messageType'),
      connectorId: text('connectorId'),
      factoryId: text('factoryId'),
      result: payload.result === 'Error' ? ('Error' as const) : ('Success' as const),
      error: text('error') || null,
      requestId: text('requestId') || null,
      createdAt,
    }
  })
}
