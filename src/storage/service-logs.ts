import { boundedPayload } from '../domain/log-bounds.ts'
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
    payload: { ...boundedPayload(type, payload) },
    createdAt,
  })
