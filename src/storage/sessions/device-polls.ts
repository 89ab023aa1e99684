import { and, isNull, sql } from 'drizzle-orm'
import { type Database, retryOnce } from '../database.ts'
import { randomId } from '../ids.ts'
import { type ModelKey, matchesModelKey, payloadAt } from '../interactions/oidc-models.ts'
import { oidcModelInstances as models } from '../tables.ts'

/** The interval between two polls, in seconds, unless a response specifies another one (RFC 8628 §3.2). */
export const POLL_INTERVAL_SECONDS = 5

/** The tolerance, in milliseconds, for a poll that was sent on time but arrives slightly early. */
const LEEWAY_MS = 1000

const since = payloadAt('$.polledAt')
const interval = sql`coalesce(${payloadAt('$.interval')}, ${POLL_INTERVAL_SECONDS})`

/**
 * Records that a device polled while its user decides. Returns true if the device polled too early, after which its
 * polling interval increases by five seconds (RFC 8628 §3.5). A single statement reads and writes the row, so that
 * concurrent polls are not lost.
 */
export async function recordDevicePoll(db: Database, key: ModelKey, now: number): Promise<boolean> {
  const poll = randomId()
  // If the call is retried after a lost response, it recognises its own poll and does not count it twice.
  const isOwn = sql`${payloadAt('$.poll')} is ${poll}`
  const isEarly = sql`(case when ${isOwn} then ${payloadAt('$.isEarly')}
    else coalesce(${now} - ${since} < ${interval} * 1000 - ${LEEWAY_MS}, 0) end)`
  const rows = await retryOnce(() =>
    db
      .update(models)
      .set({
        payload: sql`json_set(${models.payload}, '$.polledAt', ${now}, '$.poll', ${poll}, '$.isEarly', ${isEarly},
          '$.interval', ${interval} + case when ${isOwn} or not ${isEarly} then 0 else ${POLL_INTERVAL_SECONDS} end)`,
      })
      .where(and(matchesModelKey(key), isNull(models.consumedAt), sql`${payloadAt('$.accountId')} is null`))
      .returning({ isEarly: sql<number | null>`${payloadAt('$.isEarly')}` }),
  )
  return rows[0]?.isEarly === 1
}
