import { sql } from 'drizzle-orm'
import { NOT_LOGGED } from '../contract/failed-requests.ts'
import { HOUR } from '../contract/time.ts'
import { MAX_UNPROVEN_ROWS_PER_HOUR } from '../domain/log-bounds.ts'
import { sendBatch } from './batches.ts'
import type { Database } from './database.ts'
import { failedRequestsUpsert } from './failed-requests.ts'
import {
  type InteractionLogs,
  isWrongAccountPassword,
  mergePendingLogs,
  prepareInteractionLogStatements,
} from './interactions/interaction-logs.ts'
import { counters, logs } from './tables.ts'

type UnprovenLogs = InteractionLogs & { applicationId: string; now: number }

/**
 * Writes the audit rows of failed attempts and of sent codes, in interactions in which the user has not proved their
 * identity yet. At most `MAX_UNPROVEN_ROWS_PER_HOUR` are written per tenant per hour; any others are only counted
 * (spec/limits#log-rows).
 */
export async function insertUnprovenLogs(db: Database, call: UnprovenLogs): Promise<void> {
  const { tenantId, interactionId, applicationId, now, entries } = call
  const hour = now - (now % HOUR)
  const key = `unproven-logs/${hour}`
  // The statements do not depend on whether the account exists, because a difference would reveal it
  // (spec/accounts#hidden-existence).
  const isExempt = entries.every(isWrongAccountPassword) ? 1 : 0
  const ids = (await mergePendingLogs(interactionId, [], entries)).map(({ id }) => id)
  // If all rows of a call already exist, only their counts are increased.
  const added = sql`(${ids.length} - (select count(*) from ${logs}
    where tenant_id = ${tenantId} and id in ${ids})) * ${1 - isExempt}`
  const isWritten = sql`(${isExempt} = 1 or exists (select 1 from ${counters}
    where tenant_id = ${tenantId} and key = ${key} and count <= ${MAX_UNPROVEN_ROWS_PER_HOUR}))`
  const failure = { applicationId, endpoint: 'interaction', error: NOT_LOGGED }
  await sendBatch(db, [
    db
      .insert(counters)
      .values({ tenantId, key, count: added, windowStart: hour, expiresAt: hour + HOUR })
      .onConflictDoUpdate({
        target: [counters.tenantId, counters.key],
        set: { count: sql`${counters.count} + excluded.count` },
        setWhere: sql`${counters.count} <= ${MAX_UNPROVEN_ROWS_PER_HOUR}`,
      }),
    ...(await prepareInteractionLogStatements(db, { tenantId, interactionId, entries }, isWritten)),
    failedRequestsUpsert(
      db,
      { tenantId, now, count: entries.length, condition: sql`not ${isWritten}` },
      failure,
    ),
  ])
}
