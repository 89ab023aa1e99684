import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { getRateLimit, type Limit, type RateLimitName } from '../contract/rate-limits.ts'
import type { ConsumedAttempt } from '../domain/limits.ts'
import { type Condition, isAlwaysTrue } from './conditions.ts'
import type { Database } from './database.ts'
import { counters } from './tables.ts'

/** A limited attempt (spec/accounts#rate-limits): counted by one statement, so that many at the same time are all counted. */
export type LimitedAttempt = {
  name: RateLimitName
  /** Or an expression that chooses among keys. */
  key: string | SQL
  limit: Limit
  lockSeconds: number
  now: number
  /** Without it nothing is counted and nothing is answered. */
  condition?: Condition
}

/** A counter after it was consumed. */
export type ConsumedCounter = ConsumedAttempt & { key: string; windowStart: number }

/**
 * Counts one attempt and answers the counter; `checkAttempts` interprets it. The attempt that reaches the limit locks
 * the counter until its window is over, and for `lockSeconds` at least; attempts while it is locked count as one above
 * the limit and do not prolong the lock. A window that is over begins anew; one of failures in a row begins with each.
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
    condition = isAlwaysTrue,
  }: LimitedAttempt,
) {
  // Inlined, because a statement of D1 takes 100 parameters and conditions need many.
  const window = sql.raw(String(windowSeconds * 1000))
  const lock = sql.raw(String(lockSeconds * 1000))
  const most = sql.raw(String(limit))
  const lockedAtOnce = limit <= 1 ? now + Math.max(windowSeconds, lockSeconds) * 1000 : null
  const firstEnd = lockedAtOnce ?? now + windowSeconds * 1000

  const { count, windowStart, lockedUntil } = counters
  const isOver = sql`coalesce(${lockedUntil}, ${windowStart} + ${window}) <= ${now}`
  const start = getRateLimit(name).isInARow
    ? sql`${now}`
    : sql`case when ${isOver} then ${now} else ${windowStart} end`
  const locked = sql`case
    when ${isOver} then excluded.locked_until
    when ${lockedUntil} is null and ${count} + 1 >= ${most} then max(${start} + ${window}, ${now} + ${lock})
    else ${lockedUntil} end`
  return db
    .insert(counters)
    .select(sql`select ${tenantId}, ${key}, 1, ${now}, ${lockedAtOnce}, ${firstEnd} where ${condition}`)
    .onConflictDoUpdate({
      target: [counters.tenantId, counters.key],
      set: {
        count: sql`case when ${isOver} then 1 else min(${count} + 1, ${most} + 1) end`,
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
      allowed: sql<number>`${most}`.as('allowed'),
    })
}

/** For an attempt that was consumed in advance. A counter that began anew meanwhile stays as it is. */
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

/** For another consumption of the same batch: this one was not refused. */
export const isWithinLimit = (tenantId: string, key: string | SQL, { count }: Limit): Condition =>
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
