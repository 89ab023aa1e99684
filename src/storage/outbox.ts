import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { HookEvent } from '../contract/hooks.ts'
import { retryDelays } from '../domain/delivery-schedule.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { applications, hooks, outbox, users } from './tables.ts'
import { offsetOf, type Page } from './totals.ts'

/**
 * What others are still to be told (decision 18). Rows are written in the batch of the change they tell about; whoever
 * delivers one claims it first.
 */
export type Delivery = typeof outbox.$inferSelect
export type DeliveryKey = Pick<Delivery, 'tenantId' | 'id'>

const ID_PREFIX = 'msg_' // as the Standard Webhooks specification has it

/** For who must know the id of a delivery before it is written. */
export const newDeliveryId = () => ID_PREFIX + randomId()

export type HookOccasion = {
  event: HookEvent
  interactionEvent: string
  userId: string
  sessionId: string
  userAgent: string | undefined
  applicationId: string
}

/** For `commit`; `now` in epoch milliseconds. */
export type HookEvents = HookOccasion & { now: number }

/**
 * A row for every hook that waits for this, if the condition holds when the batch runs; answers their ids. It stands
 * behind the change: user and application are written down as they are then, once and in the one statement, so that
 * the receiver learns what was true at the moment it is told about, and every repeat says the same.
 */
export function enqueueHooks(
  db: Database,
  tenantId: string,
  condition: SQL,
  { event, userId, applicationId, interactionEvent, sessionId, userAgent }: HookOccasion,
  now: number,
) {
  const occasion = { interactionEvent, sessionId, userAgent }
  const facts = JSON.stringify({ event, createdAt: new Date(now).toISOString(), userId, ...occasion })
  const body = sql`json_set(${facts}, '$.hookId', ${hooks.id}, '$.user', ${userJson})`
  const payload = sql`case when ${applications.id} is null then ${body}
    else json_set(${body}, '$.application', ${applicationJson}) end`

  return insertWaiting(
    db,
    { hookId: sql`${hooks.id}`, event: sql`${event}`, payload, now },
    sql`from ${hooks}
      join ${users} on ${users.tenantId} = ${hooks.tenantId} and ${users.id} = ${userId}
      left join ${applications}
        on ${applications.tenantId} = ${hooks.tenantId} and ${applications.id} = ${applicationId}
      where ${hooks.tenantId} = ${tenantId} and ${hooks.event} = ${event} and ${condition}`,
    tenantId,
  )
}

/** The 12 fields (contract 2.9). */
const userJson = sql`json_object(
  'id', ${users.id}, 'username', ${users.username}, 'primaryEmail', ${users.primaryEmail},
  'primaryPhone', ${users.primaryPhone}, 'name', ${users.name}, 'avatar', ${users.avatar},
  'customData', json(${users.customData}), 'identities', json(${users.identities}),
  'lastSignInAt', ${users.lastSignInAt}, 'createdAt', ${users.createdAt},
  'applicationId', ${users.applicationId}, 'isSuspended', json(iif(${users.isSuspended}, 'true', 'false')))`

const applicationJson = sql`json_object('id', ${applications.id}, 'type', ${applications.type},
  'name', ${applications.name}, 'description', ${applications.description})`

/** What a logout token says (OpenID Connect Back-Channel Logout 2.4); the token itself is made when it is sent. */
export type LogoutFacts = { issuer: string; sub: string; sid?: string | undefined }

export const LOGOUT_EVENT = 'BackChannelLogout'

/**
 * For `commit`: a logout token for every application of the user's sessions. `issuer` stands in for sessions that do
 * not name theirs, `sessions` (`inSession`, `inOtherSessions`) narrows them down, `now` is in epoch milliseconds.
 */
export type LogoutEvents = { userId: string; issuer: string; now: number; sessions?: SQL | undefined }

/** Tells one application that its user signed out; nothing when the application is gone. */
export function enqueueLogout(
  db: Database,
  { tenantId, id }: DeliveryKey,
  { applicationId, facts, now }: { applicationId: string; facts: LogoutFacts; now: number },
) {
  return insertWaiting(
    db,
    {
      id: sql`${id}`,
      applicationId: sql`${applications.id}`,
      event: sql`${LOGOUT_EVENT}`,
      payload: sql`${JSON.stringify(facts)}`,
      now,
    },
    sql`from ${applications} where ${applications.tenantId} = ${tenantId} and ${applications.id} = ${applicationId}`,
    tenantId,
  ).onConflictDoNothing() // its batch may be sent twice, when the first answer is lost
}

/**
 * Tells every application of the user's sessions that wants to know, each once or once for each session it knows by
 * its id, in the name of the issuer where the session was made; `issuer` speaks for sessions that do not say. Stands before
 * whatever deletes these sessions, which `condition` may speak of as `sessions`.
 */
export function enqueueLogouts(
  db: Database,
  tenantId: string,
  condition: SQL,
  { userId, issuer, now, sessions = sql`true` }: LogoutEvents,
) {
  const facts = JSON.stringify({ sub: userId } satisfies Omit<LogoutFacts, 'issuer'>)
  return insertWaiting(
    db,
    {
      applicationId: sql`told.id`,
      event: sql`${LOGOUT_EVENT}`,
      payload: sql`json_patch(${facts}, json_object('sid', told.sid, 'issuer', told.issuer))`,
      now,
    },
    sql`from (select distinct applications.id, iif(
        json_extract(applications.custom_client_metadata, '$.backchannelLogoutSessionRequired'),
        json_extract(json_each.value, '$.sid'), null) as sid,
        coalesce(json_extract(sessions.payload, '$.issuer'), ${issuer}) as issuer
      from oidc_model_instances as sessions, json_each(sessions.payload, '$.authorizations')
      join applications on applications.tenant_id = sessions.tenant_id and applications.id = json_each.key
      where sessions.tenant_id = ${tenantId} and sessions.account_id = ${userId}
        and sessions.model_name = 'Session' and sessions.expires_at > ${now}
        and json_extract(applications.custom_client_metadata, '$.backchannelLogoutUri') is not null
        and ${sessions} and ${condition}) as told`,
    tenantId,
  )
}

type Waiting = { id?: SQL; hookId?: SQL; applicationId?: SQL; event: SQL; payload: SQL; now: number }

function insertWaiting(
  db: Database,
  { id, hookId, applicationId, event, payload, now }: Waiting,
  source: SQL,
  tenantId: string,
) {
  // In the order of the table, which is the one in which drizzle names the columns of INSERT … SELECT.
  const row = {
    tenantId: sql`${tenantId}`,
    id: id ?? sql`${ID_PREFIX} || lower(hex(randomblob(16)))`,
    hookId: hookId ?? sql`null`,
    applicationId: applicationId ?? sql`null`,
    event,
    payload,
    attempts: sql`0`,
    nextAttemptAt: sql`${now}`,
    status: sql`'pending'`,
    createdAt: sql`${now}`,
  } satisfies Record<keyof Delivery, SQL>
  return db
    .insert(outbox)
    .select(sql`select ${sql.join(Object.values(row), sql`, `)} ${source}`)
    .returning({ id: outbox.id })
}

/**
 * Takes a delivery that is due, so that nobody else sends it at the same time; null when it is not, or not any more.
 * Should its sender vanish, it is due again after the usual delay.
 */
export const claimDelivery = (db: Database, key: DeliveryKey, now: number): Promise<Delivery | null> =>
  claim(db, is(key), now)

/** The one of all tenants that has been due for longest. */
export const claimNextDelivery = (db: Database, now: number): Promise<Delivery | null> =>
  claim(
    db,
    sql`rowid = (select rowid from ${outbox} where ${isDue(now)} order by ${outbox.nextAttemptAt} limit 1)`,
    now,
  )

async function claim(db: Database, which: SQL | undefined, now: number): Promise<Delivery | null> {
  const [claimed] = await db
    .update(outbox)
    .set({ attempts: sql`${outbox.attempts} + 1`, nextAttemptAt: sql`${now} + ${delayAfterThis}` })
    .where(and(which, isDue(now)))
    .returning()
  return claimed ?? null
}

/** Said as a literal: a parameter would keep SQLite from using the index of pending rows. */
export const isDue = (now: number) => sql`${outbox.status} = 'pending' and ${outbox.nextAttemptAt} <= ${now}`

/** By the tries before this one. After the last it is a lease alone: a sender that vanished does not leave the row for ever. */
const delayAfterThis = sql.raw(
  `case attempts ${retryDelays.map((delay, tries) => `when ${tries} then ${delay}`).join(' ')} else ${retryDelays[0]} end`,
)

export const markDelivered = (db: Database, key: DeliveryKey) =>
  db.update(outbox).set({ status: 'delivered' }).where(is(key))

/** Unless another sender has it by now. */
export const markFailed = (db: Database, { attempts, ...key }: DeliveryKey & Pick<Delivery, 'attempts'>) =>
  db
    .update(outbox)
    .set({ status: 'failed' })
    .where(and(is(key), eq(outbox.status, 'pending'), eq(outbox.attempts, attempts)))

const COUNTED_AT_MOST = 10_000 // decision 36

/** What a hook could not be told, newest first. */
export async function listFailedDeliveries(
  db: Database,
  tenantId: string,
  hookId: string,
  page: Page,
): Promise<{ isHook: boolean; deliveries: Delivery[]; total: number; isCapped: boolean }> {
  const ofHook = and(eq(outbox.tenantId, tenantId), eq(outbox.hookId, hookId), hasFailed)
  const some = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(ofHook)
    .limit(COUNTED_AT_MOST + 1)
    .as('some')
  const [found, deliveries, [counted]] = await db.batch([
    db
      .select({ id: hooks.id })
      .from(hooks)
      .where(and(eq(hooks.tenantId, tenantId), eq(hooks.id, hookId))),
    db
      .select()
      .from(outbox)
      .where(ofHook)
      .orderBy(desc(outbox.createdAt), desc(outbox.id))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    db.select({ count: sql<number>`count(*)`.as('count') }).from(some),
  ])
  const total = counted?.count ?? 0
  const isCapped = total > COUNTED_AT_MOST
  return { isHook: found.length > 0, deliveries, total: isCapped ? COUNTED_AT_MOST : total, isCapped }
}

/** Begins again with one that failed: due at once, and with all its tries before it. Answers nothing when there is none. */
export const resendDelivery = (
  db: Database,
  { hookId, now, ...key }: DeliveryKey & { hookId: string; now: number },
) =>
  db
    .update(outbox)
    .set({ status: 'pending', attempts: 0, nextAttemptAt: now })
    .where(and(is(key), eq(outbox.hookId, hookId), hasFailed))
    .returning({ id: outbox.id })

const hasFailed = sql`${outbox.status} = 'failed'`

/** As a condition for other statements of a batch. */
export const isFailedDelivery = (key: DeliveryKey, hookId: string): SQL =>
  sql`exists (select 1 from ${outbox} where ${and(is(key), eq(outbox.hookId, hookId), hasFailed)})`

const is = ({ tenantId, id }: DeliveryKey) => and(eq(outbox.tenantId, tenantId), eq(outbox.id, id))
