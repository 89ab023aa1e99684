import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { getRateLimit, type Limit, type RateLimitName } from '../contract/rate-limits.ts'
import type { ConsumedAttempt } from '../domain/limits.ts'
import { ALWAYS_TRUE, type Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { counters } from './tables.ts'

/**
 * An attempt that is counted towards a limit (spec/accounts#rate-limits). It is counted in one statement, so that no
 * concurrent attempt is missed.
 */
export type LimitedAttempt = {
  name: RateLimitName
  /** The key, or an SQL expression that selects one of several keys. */
  key: string | SQL
  limit: Limit
  lockSeconds: number
  now: number
  /** If this condition does not hold, nothing is counted and no row is returned. */
  condition?: Condition
}

/** The state of a counter after an attempt was counted. */
export type ConsumedCounter = ConsumedAttempt & { key: string; windowStart: number }

/**
 * Counts one attempt and returns the counter, which `checkAttempts` interprets. The attempt that reaches the limit
 * locks the counter until the end of its window, but for at least `lockSeconds`. Further attempts are recorded as one
 * over the limit and do not extend the lock. After its window, a counter restarts from zero; for consecutive failures,
 * each failure restarts the window.
 */
export function consumeAttempt(
  db: Database,
  tenantId: string,
  {
    name,
    key,
    limit: { count: limit, windowSeconds },
    lockSeconds,
    now,
    condition = ALWAYS_TRUE,
  }: LimitedAttempt,
) {
  // These values are inlined, because D1 allows 100 parameters per statement and conditions need many.
  const window = sql.raw(String(windowSeconds * 1000))
  const lock = sql.raw(String(lockSeconds * 1000))
  const maxCount = sql.raw(String(limit))
  const lockedAtOnce = limit <= 1 ? now + Math.max(windowSeconds, lockSeconds) * 1000 : null
  const firstEnd = lockedAtOnce ?? now + windowSeconds * 1000

  const { count, windowStart, lockedUntil } = counters
  const isOver = sql`coalesce(${lockedUntil}, ${windowStart} + ${window}) <= ${now}`
  const start = getRateLimit(name).isInARow
    ? sql`${now}`
    : sql`case when ${isOver} then ${now} else ${windowStart} end`
  const locked = sql`case
    when ${isOver} then excluded.locked_until
    when ${lockedUntil} is null and ${count} + 1 >= ${maxCount} then max(${start} + ${window}, ${now} + ${lock})
    else ${lockedUntil} end`
  return db
    .insert(counters)
    .select(sql`select ${tenantId}, ${key}, 1, ${now}, ${lockedAtOnce}, ${firstEnd} where ${condition}`)
    .onConflictDoUpdate({
      target: [counters.tenantId, counters.key],
      set: {
        count: sql`case when ${isOver} then 1 else min(${count} + 1, ${maxCount} + 1) end`,
        windowStart: start,
        lockedUntil: locked,
        expiresAt: sql`coalesce(${locked}, ${start} + ${window})`,
      },
    })
    .returning({
      key: counters.key,
      count,
      windowStart,
      lockedUntil,
      name: sql<RateLimitName>`${name}`.as('name'),
      allowed: sql<number>`${maxCount}`.as('allowed'),
    })
}

/** Refunds an attempt that was counted in advance. A counter whose window has ended since then is left unchanged. */
export const refundAttempt = (
  db: Database,
  tenantId: string,
  { key, windowStart, allowed }: Pick<ConsumedCounter, 'key' | 'windowStart' | 'allowed'>,
) =>
  db
    .update(counters)
    .set({ count: sql`min(${counters.count}, ${allowed}) - 1`, lockedUntil: null })
    .where(
      and(
        eq(counters.tenantId, tenantId),
        eq(counters.key, key),
        eq(counters.windowStart, windowStart),
        gt(counters.count, 0),
      ),
    )

/** Checks that an attempt that was counted earlier in this batch was within its limit. */
export const isCounterWithinLimit = (tenantId: string, key: string | SQL, { count }: Limit): Condition =>
  sql`exists (select 1 from ${counters}
    where ${and(eq(counters.tenantId, tenantId), eq(counters.key, key))} and ${counters.count} <= ${count})`

/** Checks that a counter is not locked, for operations that are subject to the limit without being counted. */
export const isCounterUnlocked = (
  tenantId: string,
  key: string | SQL,
  { count, windowSeconds }: Limit,
  now: number,
): Condition =>
  sql`not exists (select 1 from ${counters}
    where ${and(eq(counters.tenantId, tenantId), eq(counters.key, key))} and ${counters.count} > ${count}
    and coalesce(${counters.lockedUntil}, ${counters.windowStart} + ${windowSeconds * 1000}) > ${now})`
