import { sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { outbox } from '../tables.ts'
import { isDeliveryDue } from './outbox.ts'

/** The maximum count. An alarm reads the count, so it need not be exact beyond this number. */
const MAX_COUNTED = 1_000

/**
 * Counts the due deliveries of all tenants. `oldestDue` is the time for which the oldest delivery has been due, in
 * milliseconds.
 */
export async function readDeliveryBacklog(
  db: Database,
  now: number,
): Promise<{ due: number; oldestDue: number }> {
  const some = db
    .select({ since: outbox.nextAttemptAt })
    .from(outbox)
    .where(isDeliveryDue(now))
    .orderBy(outbox.nextAttemptAt)
    .limit(MAX_COUNTED)
    .as('some')
  const [totals] = await db
    .select({ due: sql<number>`count(*)`, since: sql<number | null>`min(${some.since})` })
    .from(some)
  return { due: totals?.due ?? 0, oldestDue: now - (totals?.since ?? now) }
}
