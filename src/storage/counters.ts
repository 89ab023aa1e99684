import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Limit } from '../contract/settings.ts'
import type { Database } from './database.ts'
import { counters } from './tables.ts'

/** Tries and sends that are limited (decision 16): one statement each, so that many at the same time are all counted. */
export type Consumption = {
  /** Or an expression that chooses among keys. */
  key: string | SQL
  limit: Limit
  lockSeconds: number
  now: number
  /** Only then is anything charged, and answered. */
  condition?: SQL
}

/** A counter as a charge left it. */
export type ConsumedCounter = { key: string; count: number; windowStart: number; lockedUntil: number | null }

/**
 * Counts one more and answers the counter; `refusesCharge` says what that means. Whoever reaches the limit locks the
 * counter until its window is over, and for `lockSeconds` at least; tries while it is locked count as one above the
 * limit and prolong nothing. What is over begins anew.
 */
export function consume(
  db: Database,
  tenantId: string,
  { key, limit: { count: limit, windowSeconds }, lockSeconds, now, condition = sql`true` }: Consumption,
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

/** What was charged in advance and turned out to be no failure. A counter that began anew meanwhile is left alone. */
export const refund = (
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

/** As a condition for another charge of the same batch: this one was not refused. */
export const isWithin = (tenantId: string, key: string, { count }: Limit): SQL =>
  sql`exists (select 1 from ${counters}
    where ${and(eq(counters.tenantId, tenantId), eq(counters.key, key))} and ${counters.count} <= ${count})`

/** As a condition for what a counter guards, where it was not charged either: it bars nobody at the moment. */
export const isOpen = (
  tenantId: string,
  key: string | SQL,
  { count, windowSeconds }: Limit,
  now: number,
): SQL =>
  sql`not exists (select 1 from ${counters}
    where ${and(eq(counters.tenantId, tenantId), eq(counters.key, key))} and ${counters.count} > ${count}
    and coalesce(${counters.lockedUntil}, ${counters.windowStart} + ${windowSeconds * 1000}) > ${now})`
