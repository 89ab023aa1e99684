import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { NoticeType } from '../contract/connectors.ts'
import type { Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { delayAfterThis } from './outbox.ts'
import { notices, users } from './tables.ts'

/** E-mails to a user about the account, written in the batch of the change they tell of (spec/storage#notices). */
export type Notice = typeof notices.$inferSelect
export type NoticeKey = Pick<Notice, 'tenantId' | 'userId' | 'id'>

/** For `commit`. The id is the caller's, so that it can send the notice; `now` in epoch milliseconds. */
export type NoticeEvent = Pick<Notice, 'userId' | 'id' | 'host' | 'requestId'> & {
  type: NoticeType
  /** E-mail addresses that need no notice. */
  told: readonly string[]
  acceptLanguage: string | undefined
  now: number
}

/** A row if the account has an e-mail address that was not told yet. */
export const enqueueNotice = (
  db: Database,
  tenantId: string,
  condition: Condition,
  { userId, id, type, told, acceptLanguage, host, requestId, now }: NoticeEvent,
) =>
  db.run(sql`insert into ${notices} (tenant_id, user_id, id, recipient, type, accept_language, host, request_id,
      next_attempt_at, created_at)
    select ${tenantId}, ${userId}, ${id}, ${users.primaryEmail}, ${type}, ${acceptLanguage ?? null}, ${host},
      ${requestId}, ${now}, ${now}
    from ${users} where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId}
      and ${users.primaryEmail} is not null
      and lower(${users.primaryEmail}) not in (select lower(value) from json_each(${JSON.stringify(told)})) and ${condition}`)

/**
 * Takes a notice that is due, so that no other sender sends it at the same time; null when it is not due. If its sender
 * vanishes, it is due again after the usual delay.
 */
export const claimNotice = (db: Database, key: NoticeKey, now: number): Promise<Notice | null> =>
  claimWhere(db, hasKey(key), now)

/** The notice of all tenants that has been due for longest. */
export const claimNextNotice = (db: Database, now: number): Promise<Notice | null> =>
  claimWhere(db, isNextNotice(now), now)

export const isNextNotice = (now: number) =>
  sql`rowid = (select rowid from ${notices} where ${notices.nextAttemptAt} <= ${now}
    order by ${notices.nextAttemptAt} limit 1)`

async function claimWhere(db: Database, which: SQL | undefined, now: number): Promise<Notice | null> {
  const [claimed] = await db
    .update(notices)
    .set({ attempts: sql`${notices.attempts} + 1`, nextAttemptAt: sql`${now} + ${delayAfterThis}` })
    .where(and(which, lte(notices.nextAttemptAt, now)))
    .returning()
  return claimed ?? null
}

export const deleteNotice = (db: Database, key: NoticeKey) => db.delete(notices).where(hasKey(key))

const hasKey = ({ tenantId, userId, id }: NoticeKey) =>
  and(eq(notices.tenantId, tenantId), eq(notices.userId, userId), eq(notices.id, id))
