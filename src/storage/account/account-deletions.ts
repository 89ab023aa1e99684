import { and, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { accountDeletions as deletions } from '../tables.ts'

/** Requests to delete accounts (spec/accounts#deletion). The functions return statements for the caller's batch. */
export type AccountDeletion = typeof deletions.$inferSelect
type Key = { tenantId: string; userId: string }

const hasKey = ({ tenantId, userId }: Key) =>
  and(eq(deletions.tenantId, tenantId), eq(deletions.userId, userId))

type NewDeletion = Omit<AccountDeletion, 'canceledAt' | 'notifiedAt'>

/** Records a deletion request. It replaces an earlier request that was cancelled. */
export const requestDeletionIf = (db: Database, row: NewDeletion, condition: Condition) =>
  db.run(sql`insert into ${deletions} (tenant_id, user_id, requested_at, due_at, origin, request_id, accept_language)
    select ${row.tenantId}, ${row.userId}, ${row.requestedAt}, ${row.dueAt}, ${row.origin}, ${row.requestId}, ${row.acceptLanguage}
    where ${condition}
    on conflict (tenant_id, user_id) do update set requested_at = excluded.requested_at, due_at = excluded.due_at,
      origin = excluded.origin, request_id = excluded.request_id, accept_language = excluded.accept_language,
      canceled_at = null, told_at = null`)

/** Selects the user's deletion request, whether or not it was cancelled. */
export const deletionQuery = (db: Database, key: Key) =>
  db
    .select({
      requestedAt: deletions.requestedAt,
      dueAt: deletions.dueAt,
      canceledAt: deletions.canceledAt,
    })
    .from(deletions)
    .where(hasKey(key))

export const isDeletionPending = (key: Key): Condition =>
  sql`exists (select 1 from ${deletions} where ${and(hasKey(key), isNull(deletions.canceledAt))})`

export const cancelDeletion = (db: Database, key: Key, now: number) =>
  db
    .update(deletions)
    .set({ canceledAt: now, notifiedAt: now })
    .where(and(hasKey(key), isNull(deletions.canceledAt)))
    .returning({ canceledAt: deletions.canceledAt })

const isDueAt = (now: number) => and(isNull(deletions.canceledAt), lte(deletions.dueAt, now))

/**
 * Checks that the deletion is still due when the batch runs. If a sign-in and a deletion happen at the same moment,
 * whichever comes first takes effect.
 */
export const isDeletionDue = (key: Key, now: number): Condition =>
  sql`exists (select 1 from ${deletions} where ${and(hasKey(key), isDueAt(now))})`

/** Selects the due deletions of all tenants, for the scheduled maintenance. */
export const findDueDeletions = (db: Database, now: number, limit: number): Promise<AccountDeletion[]> =>
  db.select().from(deletions).where(isDueAt(now)).orderBy(deletions.dueAt).limit(limit).all()

/** Selects deletions that a sign-in cancelled and whose users have not been notified yet. */
export const findCancellationsToNotify = (db: Database, limit: number): Promise<AccountDeletion[]> =>
  db
    .select()
    .from(deletions)
    .where(and(isNotNull(deletions.canceledAt), isNull(deletions.notifiedAt)))
    .orderBy(deletions.canceledAt)
    .limit(limit)
    .all()

export const isCancellationNoticePending = (key: Key): Condition =>
  sql`exists (select 1 from ${deletions} where ${and(hasKey(key), isNotNull(deletions.canceledAt), isNull(deletions.notifiedAt))})`

export const markCancellationNotified = (db: Database, key: Key, now: number) =>
  db
    .update(deletions)
    .set({ notifiedAt: now })
    .where(and(hasKey(key), isNotNull(deletions.canceledAt), isNull(deletions.notifiedAt)))
    .returning({ notifiedAt: deletions.notifiedAt })

/**
 * Deletes requests that were cancelled before this time. They are kept for a day, so that the account centre can show
 * that the account was not deleted.
 */
export const deleteOldCancellations = (db: Database, before: number) =>
  db
    .delete(deletions)
    .where(
      sql`rowid in (select rowid from ${deletions} where canceled_at is not null and canceled_at < ${before} and told_at is not null limit 1000)`,
    )
