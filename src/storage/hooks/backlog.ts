import { sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { outbox } from '../tables.ts'
import { isDue } from './outbox.ts'

/** The count serves an alarm; it need not be exact beyond this. */
const BACKLOG_COUNTED = 1_000

/** Deliveries of all tenants that are due, and for how long the oldest has been due (milliseconds). */
export async function readBacklog(db: Database, now: number): Promise<{ due: number; oldestDue: number }> {
  const some = db
    .select({ since: outbox.nextAttemptAt })
    .from(outbox)
    .where(isDue(now))
    .orderBy(outbox.nextAttemptAt)
    .limit(BACKLOG_COUNTED)
    .as('some')
  const [totals] = await db
    .select({ due: sql<number>`count(*)`, since: sql<number | null>`min(${some.since})` })
    .from(some)
  return { due: totals?.due ?? 0, oldestDue: now - (totals?.since ?? now) }
}
