import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { NoticeFacts } from '../../contract/connectors/connectors.ts'
import type { NoticeType } from '../../contract/connectors/message-types.ts'
import { undoableAddress } from '../account/undoable-addresses.ts'
import { allOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { nextAttemptDelay } from '../hooks/outbox.ts'
import { notices, users } from '../tables.ts'

/**
 * Messages that inform users about changes to their accounts, written in the batch of the change
 * (spec/storage#notices).
 */
export type Notice = typeof notices.$inferSelect
type NoticeKey = Pick<Notice, 'tenantId' | 'userId' | 'id'>
/** The user to whom notices are sent after the response. */
export type NoticeOwner = Pick<Notice, 'tenantId' | 'userId'>

/** A notice for `commitChange`; `now` is in epoch milliseconds. */
export type NoticeEvent = Pick<Notice, 'userId' | 'host' | 'requestId'> & {
  type: NoticeType
  /** The addresses that receive no notice, for example because their owners already know of the change. */
  informed?: readonly string[]
  acceptLanguage: string | undefined
  /** Set to notify former addresses as well, as long as their owners can still undo the change that replaced them. */
  reaches?: 'formerAddresses'
  /** The notice to the owner of the replaced address. It has the same id as the change. */
  undo?: { id: string; address: string; condition: Condition } | undefined
  /** The date that the message mentions, in epoch milliseconds. */
  aboutAt?: number | undefined
  facts?: NoticeFacts | undefined
  /** Set to `email` if the notice is not important enough for a text message, which costs money. */
  channel?: 'email'
  /** An additional condition, besides that of the change. */
  condition?: Condition
  /**
   * If `isFirst` does not hold, the notice is delayed until `sendAt` and covers all changes until then; no further
   * notice is written in the meantime.
   */
  unlessFirst?: { isFirst: Condition; sendAt: number }
  now: number
}

/**
 * Inserts a notice for each address of the account that needs one: the e-mail address, and the phone number if it is
 * verified.
 */
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
    facts,
    channel,
    condition: ownCondition,
    unlessFirst,
    now,
  }: NoticeEvent,
) =>
  db.run(sql`insert into ${notices} (tenant_id, user_id, id, recipient, type, accept_language, host, request_id,
      next_attempt_at, created_at, about_at, facts)
    select ${tenantId}, ${userId}, iif(address.value = ${undo?.address ?? null} and ${undo?.condition ?? sql`true`}, ${undo?.id ?? null}, lower(hex(randomblob(10)))),
      address.value, ${type}, ${acceptLanguage ?? null}, ${host},
      ${requestId}, ${unlessFirst ? sql`iif(${unlessFirst.isFirst}, ${now}, ${unlessFirst.sendAt})` : now}, ${now}, ${aboutAt ?? null}, ${facts ? JSON.stringify(facts) : null}
    from ${users}, json_each(json_array(${users.primaryEmail}, ${channel === 'email' ? sql`null` : sql`iif(${users.phoneVerified}, ${users.primaryPhone}, null)`}
      ${reaches ? sql`, ${undoableAddress(tenantId, userId, 'email', now)}, ${undoableAddress(tenantId, userId, 'phone', now)}` : sql``})) as address
    where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId} and address.value is not null
      and lower(address.value) not in (select lower(value) from json_each(${JSON.stringify(informed)})) and ${ownCondition ? allOf(condition, ownCondition) : condition}
      ${unlessFirst ? sql`and (${unlessFirst.isFirst} or not exists (${unsent(tenantId, userId, type)}))` : sql``}`)

/** Selects an unclaimed notice of this type to the same address, which will also cover this change. */
const unsent = (tenantId: string, userId: string, type: NoticeType) =>
  sql`select 1 from ${notices} as waiting where waiting.tenant_id = ${tenantId} and waiting.user_id = ${userId}
    and waiting.type = ${type} and waiting.recipient = address.value and waiting.attempts = 0`

/** Returns the channel of a notice: an e-mail address always has an `@`, a phone number never does. */
export const noticeChannel = ({ recipient }: Pick<Notice, 'recipient'>): 'email' | 'sms' =>
  recipient.includes('@') ? 'email' : 'sms'

/**
 * Claims the due notices of a user, so that no other sender sends them at the same time. If the sender fails, the
 * notices become due again after the usual delay.
 */
export const claimNotices = (
  db: Database,
  { tenantId, userId }: NoticeOwner,
  now: number,
): Promise<Notice[]> => claimWhere(db, and(eq(notices.tenantId, tenantId), eq(notices.userId, userId)), now)

/** Claims the notice that has been due longest, in any tenant. Returns null if none is due. */
export const claimNextNotice = async (db: Database, now: number): Promise<Notice | null> =>
  (await claimWhere(db, isNextNotice(now), now))[0] ?? null

export const isNextNotice = (now: number) =>
  sql`rowid = (select rowid from ${notices} where ${notices.nextAttemptAt} <= ${now}
    order by ${notices.nextAttemptAt} limit 1)`

const claimWhere = async (db: Database, which: SQL | undefined, now: number): Promise<Notice[]> =>
  db
    .update(notices)
    .set({ attempts: sql`${notices.attempts} + 1`, nextAttemptAt: sql`${now} + ${nextAttemptDelay}` })
    .where(and(which, lte(notices.nextAttemptAt, now)))
    .returning()

export const deleteNotice = (db: Database, key: NoticeKey) => db.delete(notices).where(hasKey(key))

const hasKey = ({ tenantId, userId, id }: NoticeKey) =>
  and(eq(notices.tenantId, tenantId), eq(notices.userId, userId), eq(notices.id, id))
