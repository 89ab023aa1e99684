import { type SQL, sql } from 'drizzle-orm'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { applications, outbox } from '../tables.ts'
import type { Delivery, DeliveryKey } from './outbox.ts'

/**
 * Writes events for applications to the outbox, in the batch of the change that they report. `hook-events.ts` writes
 * events for hooks.
 */

const ID_PREFIX = 'msg_' // required by the Standard Webhooks specification

/** Returns an id for a delivery. Use it if the id is needed before the delivery is written. */
export const createDeliveryId = () => ID_PREFIX + randomId()

/** The claims of a logout token (OIDC Back-Channel Logout §2.4). The token is created and signed when it is sent. */
export type LogoutClaims = { issuer: string; sub: string; sid?: string | undefined }

const LOGOUT_EVENT = 'BackChannelLogout'

/**
 * The logout events of `commitChange`: one logout token for each application in the user's sessions. `issuer` applies
 * to sessions that contain no issuer, `sessions` (`matchesSession`, `matchesOtherSessions`) selects some of the
 * sessions, and `now` is in epoch milliseconds.
 */
export type LogoutEvents = { userId: string; issuer: string; now: number; sessions?: Condition | undefined }

/** Inserts a logout token for one application, unless the application no longer exists. */
export function enqueueLogout(
  db: Database,
  { tenantId, id }: DeliveryKey,
  { applicationId, facts, now }: { applicationId: string; facts: LogoutClaims; now: number },
) {
  return insertDelivery(
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
  ).onConflictDoNothing() // the batch is repeated if its response is lost
}

/**
 * Inserts a logout token for every application in the user's sessions that has a back-channel logout URL: one per
 * application, or one per session if the application requires session ids. The issuer is the one under which the
 * session began. The statement runs before the sessions are deleted. `condition` and `sessions` refer to the sessions
 * by the alias `sessions`.
 */
export function enqueueLogouts(
  db: Database,
  tenantId: string,
  condition: Condition,
  { userId, issuer, now, sessions = ALWAYS_TRUE }: LogoutEvents,
) {
  const facts = JSON.stringify({ sub: userId } satisfies Omit<LogoutClaims, 'issuer'>)
  return insertDelivery(
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
      where sessions.tenant_id = ${tenantId} and sessions.account_id = ${userId} and sessions.grant_id is null
        and sessions.model_name = 'Session' and sessions.expires_at > ${now}
        and json_extract(applications.custom_client_metadata, '$.backchannelLogoutUri') is not null
        and ${sessions} and ${condition}) as informed`,
    tenantId,
  )
}

/**
 * Inserts a logout token for the application of each of these grants, as `enqueueLogouts` does for sessions. `which`
 * refers to the grants by the alias `grants`. An application that requires session ids gets a token only while the
 * session of its grant lasts.
 */
export function enqueueMembershipLogouts(
  db: Database,
  { tenantId, issuer, now }: { tenantId: string; issuer: string; now: number },
  which: Condition,
) {
  return insertDelivery(
    db,
    {
      applicationId: sql`informed.id`,
      event: sql`${LOGOUT_EVENT}`,
      payload: sql`json_patch('{}', json_object('sub', informed.sub, 'sid', informed.sid, 'issuer', informed.issuer))`,
      now,
    },
    sql`from (select distinct applications.id, grants.account_id as sub, iif(
        json_extract(applications.custom_client_metadata, '$.backchannelLogoutSessionRequired'),
        json_extract(sessions.payload, '$.authorizations."' || grants.client_id || '".sid'), null) as sid,
        coalesce(json_extract(applications.custom_client_metadata, '$.backchannelLogoutSessionRequired'), 0) as needs_sid,
        coalesce(json_extract(sessions.payload, '$.issuer'), ${issuer}) as issuer
      from oidc_model_instances as grants
      join applications on applications.tenant_id = grants.tenant_id and applications.id = grants.client_id
      left join oidc_model_instances as sessions on sessions.tenant_id = grants.tenant_id
        and sessions.uid = grants.session_uid and sessions.model_name = 'Session'
      where grants.tenant_id = ${tenantId} and grants.grant_id is null and grants.model_name = 'Grant'
        and grants.expires_at > ${now}
        and json_extract(applications.custom_client_metadata, '$.backchannelLogoutUri') is not null
        and ${which}) as informed where informed.sid is not null or not informed.needs_sid`,
    tenantId,
  )
}

type Waiting = { id?: SQL; hookId?: SQL; applicationId?: SQL; event: SQL; payload: SQL; now: number }

export function insertDelivery(
  db: Database,
  { id, hookId, applicationId, event, payload, now }: Waiting,
  source: SQL,
  tenantId: string,
) {
  // The values are in table order, because drizzle lists the columns of INSERT … SELECT in that order.
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
