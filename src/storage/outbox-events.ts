import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { HookEvent } from '../contract/hooks.ts'
import { type UserField, userFields } from '../contract/user-fields.ts'
import { cutText } from '../domain/log-bounds.ts'
import { type Condition, isAlwaysTrue } from './conditions.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import type { Delivery, DeliveryKey } from './outbox.ts'
import { applications, hooks, outbox, users } from './tables.ts'

/** Events for hooks and applications: rows of the outbox, written in the batch of the change that they report. */

const ID_PREFIX = 'msg_' // as the Standard Webhooks specification has it

/** For a caller that needs the id of a delivery before it is written. */
export const newDeliveryId = () => ID_PREFIX + randomId()

type HookOccasion = {
  event: HookEvent
  interactionEvent: string
  userId: string
  sessionId: string
  userAgent: string | undefined
  applicationId: string
}

/** For `commitChange`; `now` in epoch milliseconds. */
export type HookEvents = HookOccasion & { now: number }

/**
 * A row for every hook of this event, if the condition holds; answers their ids. It runs behind the change: user and
 * application are stored as they are then, in this one statement, so that the receiver learns the state of that moment
 * and every repetition is the same.
 */
export function enqueueHooks(
  db: Database,
  tenantId: string,
  condition: Condition,
  { event, userId, applicationId, interactionEvent, sessionId, userAgent }: HookOccasion,
  now: number,
) {
  const occasion = { interactionEvent, sessionId, userAgent: userAgent && cutText(userAgent) }
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

const isVerified = (address: SQLiteColumn, flag: SQLiteColumn) =>
  sql`json(iif(${address} is not null and ${flag}, 'true', 'false'))`

/** As `userAnswer` has them (src/api/management/user-answer.ts). */
const userValues: Partial<Record<UserField, SQL>> = {
  emailVerified: isVerified(users.primaryEmail, users.emailVerified),
  phoneVerified: isVerified(users.primaryPhone, users.phoneVerified),
}

function userValue(field: UserField): SQL {
  const column = users[field]
  if (column.dataType === 'json') return sql`json(${column})`
  return column.dataType === 'boolean' ? sql`json(iif(${column}, 'true', 'false'))` : sql`${column}`
}

const userJson = sql`json_object(${sql.join(
  userFields.map((field) => sql`${sql.raw(`'${field}'`)}, ${userValues[field] ?? userValue(field)}`),
  sql`, `,
)})`

const applicationJson = sql`json_object('id', ${applications.id}, 'type', ${applications.type},
  'name', ${applications.name}, 'description', ${applications.description})`

/** The claims of a logout token (OIDC Back-Channel Logout §2.4); the token itself is made when it is sent. */
export type LogoutFacts = { issuer: string; sub: string; sid?: string | undefined }

const LOGOUT_EVENT = 'BackChannelLogout'

/**
 * For `commitChange`: a logout token for every application of the user's sessions. `issuer` stands in for sessions that do
 * not name theirs, `sessions` (`inSession`, `inOtherSessions`) narrows them down, `now` is in epoch milliseconds.
 */
export type LogoutEvents = { userId: string; issuer: string; now: number; sessions?: Condition | undefined }

/** A logout token for one application; none when the application is gone. */
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
  ).onConflictDoNothing() // its batch is sent twice when the first answer is lost
}

/**
 * A logout token for every application of the user's sessions that has a back-channel logout address: one, or one for
 * each session if it requires session ids, from the issuer where the session was made. It runs before the statements
 * that delete these sessions. `condition` and `sessions` refer to them as `sessions`.
 */
export function enqueueLogouts(
  db: Database,
  tenantId: string,
  condition: Condition,
  { userId, issuer, now, sessions = isAlwaysTrue }: LogoutEvents,
) {
  const facts = JSON.stringify({ sub: userId } satisfies Omit<LogoutFacts, 'issuer'>)
  return insertWaiting(
    db,
    {
      applicationId: sql`informed.id`,
      event: sql`${LOGOUT_EVENT}`,
      payload: sql`json_patch(${facts}, json_object('sid', informed.sid, 'issuer', informed.issuer))`,
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
        and ${sessions} and ${condition}) as informed`,
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
