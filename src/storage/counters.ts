import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { getRateLimit, type Limit, type RateLimitName } from '../contract/rate-limits.ts'
import type { ConsumedAttempt } from '../domain/limits.ts'
import { ALWAYS_TRUE, type Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { counters } from './tables.ts'

/** A limit towards which an attempt is counted. */
export type CountedLimit = {
  name: RateLimitName
  limit: Limit
  lockSeconds: number
  /** If this condition holds, the attempt is not counted towards this limit. Only a sustained limit can have one. */
  isExempt?: Condition | null
}

/**
 * An attempt that is counted in one row (spec/accounts#rate-limits), in one statement, so that no concurrent attempt is
 * missed. The row can count it towards two limits: `burst`, a short one, and `sustained`, the longer limit of the same
 * subject. Every other limit is `sustained` and has a row of its own.
 */
export type LimitedAttempt = {
  /** The key, or an SQL expression that selects one of several keys. */
  key: string | SQL
  burst?: CountedLimit | undefined
  sustained?: CountedLimit | undefined
  now: number
  /** If this condition does not hold, nothing is counted and no row is returned. */
  condition?: Condition
}

/**
 * The state of a counter after an attempt was counted. If the row counts towards two limits, it is the state of the one
 * that rejects the attempt or else that of the burst limit.
 */
export type ConsumedCounter = ConsumedAttempt & { key: string; windowStart: number }

/**
 * Counts one attempt and returns the counter, which `checkAttempts` interprets. The attempt that reaches a limit locks
 * its counter until the end of its window, but for at least `lockSeconds`. Further attempts are recorded as one over the
 * limit and do not extend the lock. After its window, a counter restarts from zero; for consecutive failures, each
 * failure restarts the window. An attempt that the burst limit rejects is not counted towards the sustained limit.
 */
export function consumeAttempt(
  db: Database,
  tenantId: string,
  { key, burst, sustained, now, condition = ALWAYS_TRUE }: LimitedAttempt,
) {
  const first = {
    sustained: sustained && firstState(sustained, now),
    burst: burst && firstState(burst, now),
  }
  const next = {
    sustained: sustained && nextState('sustained', sustained, now),
    burst: burst && nextState('burst', burst, now),
  }
  const isWithinBurst = next.burst ? sql`${next.burst.count} <= ${next.burst.max}` : ALWAYS_TRUE
  const isCounted = sql`(excluded.count > 0 and ${isWithinBurst})`
  const { count, windowStart, lockedUntil, expiresAt } = counters
  return (
    db
      .insert(counters)
      // The keys are evaluated once, because they may contain queries.
      .select(sql`with subject as materialized (select ${key} as key, ${sustained?.isExempt ?? NO} as is_exempt),
      attempt as materialized (select *, ${burst ? previousLock(tenantId, burst, now) : NONE} as previous_lock from subject)
      select ${tenantId}, key, ${sustained ? sql`not is_exempt and previous_lock is null` : ZERO}, ${now},
        ${first.sustained?.lockedUntil ?? null},
        max(${first.sustained?.end ?? 0}, ${first.burst?.end ?? 0}, coalesce(previous_lock, 0)),
        ${next.burst ? sql`iif(previous_lock is null, 1, ${next.burst.max} + 1)` : ZERO}, ${burst ? now : null},
        coalesce(previous_lock, ${first.burst?.lockedUntil ?? null})
      from attempt where ${condition}`)
      .onConflictDoUpdate({
        target: [counters.tenantId, counters.key],
        set: {
          ...(next.sustained && {
            // An attempt that is not counted leaves a lock in place, but is not itself over the limit.
            count: sql`iif(${isCounted}, ${next.sustained.count}, min(${count}, ${next.sustained.max}))`,
            windowStart: sql`iif(${isCounted}, ${next.sustained.start}, ${windowStart})`,
            lockedUntil: sql`iif(${isCounted}, ${next.sustained.lockedUntil}, ${lockedUntil})`,
          }),
          ...(next.burst && {
            burstCount: next.burst.count,
            burstWindowStart: next.burst.start,
            burstLockedUntil: next.burst.lockedUntil,
          }),
          expiresAt: sql`max(${expiresAt}, ${next.sustained ? sql`iif(${isCounted}, ${next.sustained.end}, 0)` : ZERO},
            ${next.burst?.end ?? ZERO})`,
        },
      })
      .returning(consumedCounter(burst, sustained))
  )
}

const NO = sql`false`
const NONE = sql`null`
const ZERO = sql`0`

const columnsOf = {
  sustained: {
    count: counters.count,
    windowStart: counters.windowStart,
    lockedUntil: counters.lockedUntil,
    fresh: { count: sql`excluded.count`, lockedUntil: sql`excluded.locked_until` },
  },
  burst: {
    count: counters.burstCount,
    windowStart: counters.burstWindowStart,
    lockedUntil: counters.burstLockedUntil,
    fresh: { count: sql`excluded.burst_count`, lockedUntil: sql`excluded.burst_locked_until` },
  },
}

/** Returns until when the first attempt locks a counter (if the limit is one), and when the counter loses its effect. */
function firstState({ limit: { count, windowSeconds }, lockSeconds }: CountedLimit, now: number) {
  const lockedUntil = count <= 1 ? now + Math.max(windowSeconds, lockSeconds) * 1000 : null
  return { lockedUntil, end: lockedUntil ?? now + windowSeconds * 1000 }
}

/** Returns the state of an existing counter after another attempt. */
function nextState(
  kind: keyof typeof columnsOf,
  { name, limit: { count: limit, windowSeconds }, lockSeconds }: CountedLimit,
  now: number,
) {
  // These values are inlined, because D1 allows 100 parameters per statement and conditions need many.
  const window = sql.raw(String(windowSeconds * 1000))
  const lock = sql.raw(String(lockSeconds * 1000))
  const max = sql.raw(String(limit))
  const { count, windowStart, lockedUntil, fresh } = columnsOf[kind]
  const isOver = sql`(${count} = 0 or coalesce(${lockedUntil}, ${windowStart} + ${window}) <= ${now})`
  const start = getRateLimit(name).isInARow ? sql`${now}` : sql`iif(${isOver}, ${now}, ${windowStart})`
  const locked = sql`case when ${isOver} then ${fresh.lockedUntil}
    when ${fresh.count} > ${max} then max(${fresh.lockedUntil}, coalesce(${lockedUntil}, 0))
    when ${lockedUntil} is null and ${count} + 1 >= ${max} then max(${start} + ${window}, ${now} + ${lock})
    else ${lockedUntil} end`
  return {
    max,
    start,
    lockedUntil: locked,
    count: sql`max(${fresh.count}, iif(${isOver}, 1, min(${count} + 1, ${max} + 1)))`,
    end: sql`coalesce(${locked}, ${start} + ${window})`,
  }
}

/**
 * Returns the end of a lock that the previous release has set. That release counts bursts in rows of their own. The next
 * release no longer needs this function.
 */
function previousLock(tenantId: string, { name }: CountedLimit, now: number): SQL {
  const { key, burstOf } = getRateLimit(name)
  const prefix = burstOf ? getRateLimit(burstOf).key : key
  return sql`(select locked_until from ${counters} where tenant_id = ${tenantId}
    and key = ${key} || substr(subject.key, ${prefix.length + 1}) and locked_until > ${now})`
}

/** Returns the state of the limit that rejects the attempt or, if neither does, of the burst limit. */
function consumedCounter(burst: CountedLimit | undefined, sustained: CountedLimit | undefined) {
  const allowedBy = (limit: CountedLimit | undefined) => sql.raw(String(limit?.limit.count ?? 0))
  const isOver = sql`${counters.count} > ${allowedBy(sustained)}`
  const isSustained = burst
    ? sql`(${counters.burstCount} <= ${allowedBy(burst)} and ${sustained ? isOver : NO})`
    : sql`true`
  const decisive = <Value>(ofSustained: unknown, ofBurst: unknown) =>
    sql<Value>`iif(${isSustained}, ${ofSustained}, ${ofBurst})`
  return {
    key: counters.key,
    name: decisive<RateLimitName>(sustained?.name ?? null, burst?.name ?? null).as('name'),
    count: decisive<number>(counters.count, counters.burstCount).as('consumed'),
    allowed: decisive<number>(allowedBy(sustained), allowedBy(burst)).as('allowed'),
    windowStart: decisive<number>(counters.windowStart, counters.burstWindowStart).as('started'),
    lockedUntil: decisive<number | null>(counters.lockedUntil, counters.burstLockedUntil).as('locked'),
  }
}

/** Checks that an attempt that was counted earlier in this batch was within its limits. */
export const isCounterWithinLimits = (
  tenantId: string,
  key: string | SQL,
  { burst, sustained }: Pick<LimitedAttempt, 'burst' | 'sustained'>,
): Condition =>
  sql`exists (select 1 from ${counters}
    where ${and(
      eq(counters.tenantId, tenantId),
      eq(counters.key, key),
      burst && lte(counters.burstCount, burst.limit.count),
      sustained && lte(counters.count, sustained.limit.count),
    )})`

/**
 * Checks that a counter is within its limit, or that its lock is over. Unlike `isCounterWithinLimits`, this also holds if
 * there is no counter, because the batch has not counted the attempt.
 */
export const isCounterUnlocked = (
  tenantId: string,
  key: string | SQL,
  limit: Limit,
  now: number,
): Condition => sql`not ${isCounterExhausted(tenantId, key, { ...limit, count: limit.count + 1 }, now)}`

/** Checks whether a counter would reject the next attempt. */
export const isCounterExhausted = (
  tenantId: string,
  key: string | SQL,
  { count, windowSeconds }: Limit,
  now: number,
): Condition =>
  sql`exists (select 1 from ${counters}
    where ${and(eq(counters.tenantId, tenantId), eq(counters.key, key))} and ${counters.count} >= ${count}
    and coalesce(${counters.lockedUntil}, ${counters.windowStart} + ${windowSeconds * 1000}) > ${now})`
