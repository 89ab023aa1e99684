import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { retryDelays } from '../../domain/hooks/delivery-schedule.ts'
import { readTogether } from '../batches.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { hooks, outbox } from '../tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'

/**
 * Deliveries to hooks and applications (spec/storage#outbox). A sender claims a delivery before sending it.
 * `outbox-events.ts` writes the rows.
 */
export type Delivery = typeof outbox.$inferSelect
export type DeliveryKey = Pick<Delivery, 'tenantId' | 'id'>

/**
 * Claims a due delivery, so that no other sender sends it at the same time. Returns null if it is not due. If the
 * sender fails, the delivery becomes due again after the usual delay.
 */
export const claimDelivery = (db: Database, key: DeliveryKey, now: number): Promise<Delivery | null> =>
  claimWhere(db, hasKey(key), now)

/** Claims the delivery that has been due longest, in any tenant. */
export const claimNextDelivery = (db: Database, now: number): Promise<Delivery | null> =>
  claimWhere(
    db,
    sql`rowid = (select rowid from ${outbox} where ${isDeliveryDue(now)} order by ${outbox.nextAttemptAt} limit 1)`,
    now,
  )

async function claimWhere(db: Database, which: SQL | undefined, now: number): Promise<Delivery | null> {
  const [claimed] = await db
    .update(outbox)
    .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: sql`${now} + ${nextAttemptDelay}` })
    .where(and(which, isDeliveryDue(now)))
    .returning()
  return claimed ?? null
}

/** The status is a literal, because SQLite cannot use the index of pending rows if it is a parameter. */
export const isDeliveryDue = (now: number) =>
  sql`${outbox.status} = 'pending' and ${outbox.nextAttemptAt} <= ${now}`

/**
 * The delay before the next attempt, by the number of earlier attempts. After the last attempt, it only bounds how long
 * the delivery is blocked if its sender crashes.
 */
export const nextAttemptDelay = sql.raw(
  `case attempts ${retryDelays.map((delay, attempts) => `when ${attempts} then ${delay}`).join(' ')} else ${retryDelays[0]} end`,
)

export const markDelivered = (db: Database, key: DeliveryKey) =>
  db.update(outbox).set({ status: 'delivered' }).where(hasKey(key))

/** Marks a delivery as failed, unless another sender has claimed it in the meantime. */
export const markFailed = (db: Database, { attempts, ...key }: DeliveryKey & Pick<Delivery, 'attempts'>) =>
  db
    .update(outbox)
    .set({ status: 'failed' })
    .where(and(hasKey(key), eq(outbox.status, 'pending'), eq(outbox.attempts, attempts)))

/** Lists failed deliveries, newest first. */
export async function listFailedDeliveries(
  db: Database,
  tenantId: string,
  hookId: string,
  page: PageRange,
): Promise<{ isHook: boolean; deliveries: Delivery[]; total: number; isCapped: boolean }> {
  const ofHook = and(eq(outbox.tenantId, tenantId), eq(outbox.hookId, hookId), hasFailed)
  const results = await readTogether(db, {
    hooks: db
      .select({ id: hooks.id })
      .from(hooks)
      .where(and(eq(hooks.tenantId, tenantId), eq(hooks.id, hookId))),
    deliveries: db
      .select()
      .from(outbox)
      .where(ofHook)
      .orderBy(desc(outbox.createdAt), desc(outbox.id))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(db, db.select({ id: outbox.id }).from(outbox).where(ofHook)),
  })
  return {
    isHook: results.hooks.length > 0,
    deliveries: results.deliveries,
    ...cappedTotal(results.counts[0]?.count ?? 0),
  }
}

/**
 * Restarts a failed delivery. It is due at once and can be attempted as often as a new one. Returns no row if there is
 * no such delivery.
 */
export const resendDelivery = (
  db: Database,
  { hookId, now, ...key }: DeliveryKey & { hookId: string; now: number },
) =>
  db
    .update(outbox)
    .set({ status: 'pending', attempts: 0, nextAttemptAt: now })
    .where(and(hasKey(key), eq(outbox.hookId, hookId), hasFailed))
    .returning({ id: outbox.id })

const hasFailed = sql`${outbox.status} = 'failed'`

export const isFailedDelivery = (key: DeliveryKey, hookId: string): Condition =>
  sql`exists (select 1 from ${outbox} where ${and(hasKey(key), eq(outbox.hookId, hookId), hasFailed)})`

const hasKey = ({ tenantId, id }: DeliveryKey) => and(eq(outbox.tenantId, tenantId), eq(outbox.id, id))
