import { and, eq, gt, or, sql } from 'drizzle-orm'
import { getRateLimit } from '../contract/rate-limits.ts'
import type { Statement } from './batches.ts'
import { ALWAYS_TRUE, type Condition } from './conditions.ts'
import type { ConsumedCounter } from './counters.ts'
import type { Database } from './database.ts'
import { counters } from './tables.ts'

type Refund = Pick<ConsumedCounter, 'key' | 'name' | 'windowStart' | 'allowed'>

/**
 * Refunds an attempt that was counted in advance, and deletes the row if it counts nothing else. A counter whose window
 * has ended since then is left unchanged. A right password also clears the consecutive failures in its row
 * (spec/accounts#failures-in-a-row).
 */
export function refundAttempt(db: Database, tenantId: string, refund: Refund): readonly Statement[] {
  const { key, name, windowStart, allowed } = refund
  const { count, burstCount, burstWindowStart, burstLockedUntil } = counters
  const isOwn = and(eq(counters.tenantId, tenantId), eq(counters.key, key))
  const { burstOf } = getRateLimit(name)
  if (!burstOf) {
    const isCounted = and(isOwn, eq(counters.windowStart, windowStart), gt(count, 0))
    return [
      db.delete(counters).where(and(isCounted, sql`min(${count}, ${allowed}) = 1`, eq(burstCount, 0))),
      db
        .update(counters)
        .set({ count: sql`min(${count}, ${allowed}) - 1`, lockedUntil: null })
        .where(isCounted),
    ]
  }
  const isCounted = sql`(${burstWindowStart} = ${windowStart} and ${burstCount} > 0)`
  const remaining = sql`iif(${isCounted}, min(${burstCount}, ${allowed}) - 1, ${burstCount})`
  return [
    db.delete(counters).where(and(isOwn, sql`${remaining} = 0`)),
    db
      .update(counters)
      .set({
        burstCount: remaining,
        burstLockedUntil: sql`iif(${isCounted}, null, ${burstLockedUntil})`,
        ...NO_FAILURES,
      })
      .where(and(isOwn, or(isCounted, gt(count, 0)))),
  ]
}

const NO_FAILURES = { count: 0, lockedUntil: null }

/**
 * Clears the consecutive failures that a row counts, and deletes the row if it counts nothing else
 * (spec/accounts#failures-in-a-row).
 */
export function clearFailures(
  db: Database,
  tenantId: string,
  key: string,
  condition: Condition = ALWAYS_TRUE,
): readonly Statement[] {
  const isOwn = and(eq(counters.tenantId, tenantId), eq(counters.key, key), gt(counters.count, 0), condition)
  return [
    db.delete(counters).where(and(isOwn, eq(counters.burstCount, 0))),
    db.update(counters).set(NO_FAILURES).where(isOwn),
  ]
}
