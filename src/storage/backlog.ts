import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { isDue } from './outbox.ts'
import { outbox } from './tables.ts'

/** Counting is for an alarm, which a thousand are reason enough for. */
const BACKLOG_COUNTED = 1_000

/** What is due and was not sent, of all tenants, and since when (milliseconds). */
export async function readBacklog(db: Database, now: number): Promise<{ due: number; oldestDue: number }> {
  const some = db
    .select({ since: outbox.nextAttemptAt })
    .from(outbox)
    .where(isDue(now))
    .orderBy(outbox.nextAttemptAt)
    .limit(BACKLOG_COUNTED)
    .as('some')
  const [found] = await db
    .select({ due: sql<number>`count(*)`, since: sql<number | null>`min(${some.since})` })
    .from(some)
  return { due: found?.due ?? 0, oldestDue: now - (found?.since ?? now) }
}
