import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { NoticeType } from '../../contract/connectors/connectors.ts'
import { formerAddress } from '../account/undoable-addresses.ts'
import { allOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { delayAfterThis } from '../hooks/outbox.ts'
import { notices, users } from '../tables.ts'

/** Messages to a user about the account, written in the batch of the change they tell of (spec/storage#notices). */
export type Notice = typeof notices.$inferSelect
type NoticeKey = Pick<Notice, 'tenantId' | 'userId' | 'id'>
/** Whose notices a sender takes behind the answer. */
export type NoticeOwner = Pick<Notice, 'tenantId' | 'userId'>

/** For `commitChange`; `now` in epoch milliseconds. */
export type NoticeEvent = Pick<Notice, 'userId' | 'host' | 'requestId'> & {
  type: NoticeType
  /** Addresses that need no notice. */
  informed?: readonly string[]
  acceptLanguage: string | undefined
  /** Also those that may still undo the change that has replaced them. */
  reaches?: 'formerAddresses'
  /** For the owner of the address that is replaced: the notice has the id of the change. */
  undo?: { id: string; address: string; condition: Condition } | undefined
  /** The date that the message tells. */
  aboutAt?: number | undefined
  /** Where more must hold than for the change. */
  condition?: Condition
  /** Where `isFirst` does not hold, the notice is sent at `sendAt`, for all until then: none is written while one like it waits. */
  unlessFirst?: { isFirst: Condition; sendAt: number }
  now: number
}

/** A row for each address of the account that was not told yet: its e-mail address, and its phone number if that is verified. */
export const enqueueNotice = (
  db: Database,
  tenantId: string,
  condition: Condition,
  {
    userId,
    type,
    informed = [],
    acceptLanguage,
    undo,
    reaches,
    host,
    requestId,
    aboutAt,
    condition: own,
    unlessFirst,
    now,
  }: NoticeEvent,
) =>
  db.run(sql`insert into ${notices} (tenant_id, user_id, id, recipient, type, accept_language, host, request_id,
      next_attempt_at, created_at, about_at)
    select ${tenantId}, ${userId}, iif(address.value = ${undo?.address ?? null} and ${undo?.condition ?? sql`true`}, ${undo?.id ?? null}, lower(hex(randomblob(10)))),
      address.value, ${type}, ${acceptLanguage ?? null}, ${host},
      ${requestId}, ${unlessFirst ? sql`iif(${unlessFirst.isFirst}, ${now}, ${unlessFirst.sendAt})` : now}, ${now}, ${aboutAt ?? null}
    from ${users}, json_each(json_array(${users.primaryEmail}, iif(${users.phoneVerified}, ${users.primaryPhone}, null)
      ${reaches ? sql`, ${formerAddress(tenantId, userId, 'email', now)}, ${formerAddress(tenantId, userId, 'phone', now)}` : sql``})) as address
    where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId} and address.value is not null
      and lower(address.value) not in (select lower(value) from json_each(${JSON.stringify(informed)})) and ${own ? allOf(condition, own) : condition}
      ${unlessFirst ? sql`and (${unlessFirst.isFirst} or not exists (${unsent(tenantId, userId, type)}))` : sql``}`)

/** A notice of this kind to the address that no sender has claimed: it is still to tell of the change. */
const unsent = (tenantId: string, userId: string, type: NoticeType) =>
  sql`select 1 from ${notices} as waiting where waiting.tenant_id = ${tenantId} and waiting.user_id = ${userId}
    and waiting.type = ${type} and waiting.recipient = address.value and waiting.attempts = 0`

/** Which channel a notice takes: a phone number has no `@`, an e-mail address always has one. */
export const noticeChannel = ({ recipient }: Pick<Notice, 'recipient'>): 'email' | 'sms' =>
  recipient.includes('@') ? 'email' : 'sms'

/**
 * Takes the notices of a user that are due, so that no other sender sends them at the same time. If their sender vanishes,
 * they are due again after the usual delay.
 */
export const claimNotices = (
  db: Database,
  { tenantId, userId }: NoticeOwner,
  now: number,
): Promise<Notice[]> => claimWhere(db, and(eq(notices.tenantId, tenantId), eq(notices.userId, userId)), now)

/** The notice of all tenants that has been due for longest; null when none is due. */
export const claimNextNotice = async (db: Database, now: number): Promise<Notice | null> =>
  (await claimWhere(db, isNextNotice(now), now))[0] ?? null

export const isNextNotice = (now: number) =>
  sql`rowid = (select rowid from ${notices} where ${notices.nextAttemptAt} <= ${now}
    order by ${notices.nextAttemptAt} limit 1)`

const claimWhere = async (db: Database, which: SQL | undefined, now: number): Promise<Notice[]> =>
  db
    .update(notices)
    .set({ attempts: sql`${notices.attempts} + 1`, nextAttemptAt: sql`${now} + ${delayAfterThis}` })
    .where(and(which, lte(notices.nextAttemptAt, now)))
    .returning()

export const deleteNotice = (db: Database, key: NoticeKey) => db.delete(notices).where(hasKey(key))

const hasKey = ({ tenantId, userId, id }: NoticeKey) =>
  and(eq(notices.tenantId, tenantId), eq(notices.userId, userId), eq(notices.id, id))
