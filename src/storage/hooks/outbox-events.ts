import { type SQL, sql } from 'drizzle-orm'
import { type Condition, isAlwaysTrue } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { applications, outbox } from '../tables.ts'
import type { Delivery, DeliveryKey } from './outbox.ts'

/** Events for applications and, in `hook-events.ts`, for hooks: rows of the outbox, written in the batch of the change that they report. */

const ID_PREFIX = 'msg_' // as the Standard Webhooks specification has it

/** For a caller that needs the id of a delivery before it is written. */
export const newDeliveryId = () => ID_PREFIX + randomId()

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

export function insertWaiting(
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
