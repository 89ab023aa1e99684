import { sql } from 'drizzle-orm'
import { NOT_LOGGED } from '../contract/failed-requests.ts'
import { MOST_UNPROVEN_ROWS } from '../domain/log-bounds.ts'
import { sendBatch } from './batches.ts'
import type { Database } from './database.ts'
import { failedRequestsCount } from './failed-requests.ts'
import { type InteractionLogs, logInsertions } from './interaction-logs.ts'
import { counters } from './tables.ts'

const HOUR = 60 * 60 * 1000

/**
 * Writes audit rows of an interaction in which nothing is proven: at most `MOST_UNPROVEN_ROWS` of a tenant and an hour are written, and those above are
 * counted (spec/limits#log-rows).
 */
export async function insertUnprovenLogs(
  db: Database,
  logs: InteractionLogs & { applicationId: string; now: number },
): Promise<void> {
  const { tenantId, applicationId, now, held, entries } = logs
  const count = held.length + entries.length
  const hour = now - (now % HOUR)
  const key = `unproven-logs/${hour}`
  const isWithin = sql`exists (select 1 from ${counters}
    where tenant_id = ${tenantId} and key = ${key} and count <= ${MOST_UNPROVEN_ROWS})`
  const counted = { applicationId, endpoint: 'interaction', error: NOT_LOGGED }
  await sendBatch(db, [
    db
      .insert(counters)
      .values({ tenantId, key, count, windowStart: hour, expiresAt: hour + HOUR })
      .onConflictDoUpdate({
        target: [counters.tenantId, counters.key],
        set: { count: sql`${counters.count} + ${count}` },
        setWhere: sql`${counters.count} <= ${MOST_UNPROVEN_ROWS}`,
      }),
    ...(await logInsertions(db, logs, isWithin)),
    failedRequestsCount(db, { tenantId, now, count, condition: sql`not ${isWithin}` }, counted),
  ])
}
