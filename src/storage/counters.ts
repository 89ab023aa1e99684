import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Limit } from '../contract/settings.ts'
import { always, type Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { counters } from './tables.ts'

/** A limited attempt (spec/accounts#rate-limits): counted by one statement, so that many at the same time are all counted. */
export type Consumption = {
  /** Or an expression that chooses among keys. */
  key: string | SQL
  limit: Limit
  lockSeconds: number
  now: number
  /** Without it nothing is counted and nothing is answered. */
  condition?: Condition
}

/** A counter after it was consumed. */
export type ConsumedCounter = { key: string; count: number; windowStart: number; lockedUntil: number | null }

/**
 * Counts one attempt and answers the counter; `refusesConsumption` interprets it. The attempt that reaches the limit locks
 * the counter until its window is over, and for `lockSeconds` at least; attempts while it is locked count as one above
 * the limit and do not prolong the lock. A window that is over begins anew.
 */
export function consumeAttempt(
  db: Database,
  tenantId: string,
  { key, limit: { count: limit, windowSeconds }, lockSeconds, now, condition = always }: Consumption,
) {
  const window = windowSeconds * 1000
  const lock = lockSeconds * 1000
  const { count, windowStart, lockedUntil } = counters
  const isOver = sql`coalesce(${lockedUntil}, ${windowStart} + ${window}) <= ${now}`
  const lockedAtOnce = limit <= 1 ? now + Math.max(window, lock) : null
  return db
    .insert(counters)
    .select(
      sql`select ${tenantId}, ${key}, 1, ${now}, ${lockedAtOnce}, ${now + window + lock} where ${condition}`,
    )
    .onConflictDoUpdate({
      target: [counters.tenantId, counters.key],
      set: {
        count: sql`case when ${isOver} then 1 else min(${count} + 1, ${limit + 1}) end`,
        windowStart: sql`case when ${isOver} then ${now} else ${windowStart} end`,
        lockedUntil: sql`case
          when ${isOver} then excluded.locked_until
          when ${lockedUntil} is null and ${count} + 1 >= ${limit} then max(${windowStart} + ${window}, ${now + lock})
          else ${lockedUntil} end`,
        expiresAt: sql`excluded.expires_at`,
      },
    })
    .returning({ key: counters.key, count, windowStart, lockedUntil })
}

/** For an attempt that was consumed in advance and did not fail. A counter that began anew meanwhile stays as it is. */
export const refundAttempt = (
  db: Database,
  tenantId: string,
  { key, windowStart }: ConsumedCounter,
  { count: limit }: Limit,
) =>
  db
    .update(counters)
    .set({ count: sql`min(${counters.count}, ${limit}) - 1`, lockedUntil: null })
    .where(
      and(
        eq(counters.tenantId, tenantId),
        eq(counters.key, key),
        eq(counters.windowStart, windowStart),
        gt(counters.count, 0),
      ),
    )

/** For another consumption of the same batch: this one was not refused. */
export const isWithinLimit = (tenantId: string, key: string, { count }: Limit): Condition =>
  sql`exists (select 1 from ${counters}
    where ${and(eq(counters.tenantId, tenantId), eq(counters.key, key))} and ${counters.count} <= ${count})`

/** For what a counter guards without consuming it: the counter refuses nothing at the moment. */
export const isUnlocked = (
  tenantId: string,
  key: string | SQL,
  { count, windowSeconds }: Limit,
  now: number,
): Condition =>
  sql`not exists (select 1 from ${counters}
    where ${and(eq(counters.tenantId, tenantId), eq(counters.key, key))} and ${counters.count} > ${count}
    and coalesce(${counters.lockedUntil}, ${counters.windowStart} + ${windowSeconds * 1000}) > ${now})`
