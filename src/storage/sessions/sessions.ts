import { and, count, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { exemptionTimeSeconds } from '../../domain/sessions/revocation.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { belongsToAccount, isAmongNewest, validSinceSecond } from '../interactions/oidc-models.ts'
import { applications, oidcModelInstances as models, users } from '../tables.ts'

/**
 * The maximum number of sessions, and of apps, in the list. No user has that many, and a script that signs in all day
 * must not make the list expensive.
 */
const MAX_LISTED = 100

const Applications = z.array(z.object({ id: z.string(), name: z.string().nullable() }))

/**
 * Selects the sessions of a user, newest sign-in first. They are identified by their `uid`, which gives no access;
 * their own ids are digests of cookies and never leave storage (spec/provider#token-digests). Sessions that were
 * revoked but not yet deleted are left out (spec/provider#revocation). `lastSeenAt` is the time of the last
 * authorization in the session, or null if no authorization has been recorded. Applications without a name are built-in
 * or deleted.
 */
export const sessionsQuery = (db: Database, tenantId: string, userId: string, now: number) =>
  db
    .select({
      id: sql<string>`${models.uid}`.as('session_id'),
      signedInAt: sql<number>`${loginSecond} * 1000`.as('signed_in_at'),
      expiresAt: models.expiresAt,
      lastSeenAt: visitValue<number>('seenAt').as('last_seen_at'),
      userAgent: visitValue<string>('userAgent').as('user_agent'),
      country: visitValue<string>('country').as('country'),
      city: visitValue<string>('city').as('city'),
      // Table names are written out, because drizzle omits them in a single-table SELECT.
      applications: sql`(select json_group_array(json_object('id', visited.key, 'name', applications.name))
        from json_each(oidc_model_instances.payload, '$.authorizations') as visited left join applications
        on applications.tenant_id = oidc_model_instances.tenant_id and applications.id = visited.key)`
        .mapWith((text: string) => Applications.parse(JSON.parse(text)))
        .as('visited_applications'),
    })
    .from(models)
    .where(and(isAmongNewest(tenantId, 'Session', userId), isLiveSessionOf(tenantId, userId, now)))
    .orderBy(desc(loginSecond))
    .limit(MAX_LISTED)

/**
 * Counts the sessions of a user. It reads fewer rows than the list, because a page that shows the number is not counted
 * against the account's rate limits.
 */
export const sessionCountQuery = (db: Database, tenantId: string, userId: string, now: number) =>
  db
    .select({ count: count() })
    .from(models)
    .where(
      and(isAmongNewest(tenantId, 'Session', userId, MAX_LISTED), isLiveSessionOf(tenantId, userId, now)),
    )

/**
 * Selects the first-party applications that keep access to the account although none of the user's sessions is left in
 * which they got it, with the time of the sign-in. Third parties are listed with their consents.
 */
export const lastingAppsQuery = (db: Database, tenantId: string, userId: string, now: number) =>
  db
    .select({
      id: applications.id,
      name: applications.name,
      signedInAt: sql<number>`max(json_extract(${models.payload}, '$.iat')) * 1000`.as('signed_in_at'),
    })
    .from(models)
    .innerJoin(
      applications,
      and(eq(applications.tenantId, models.tenantId), eq(applications.id, models.clientId)),
    )
    .where(
      and(
        isAmongNewest(tenantId, 'Grant', userId, MAX_LISTED),
        isLive(tenantId, userId, now),
        sql`' ' || json_extract(${models.payload}, '$.openid.scope') || ' ' like '% offline_access %'`,
        sql`not coalesce(${applications.customClientMetadata} ->> '$.isThirdParty', 0)`,
        sql`not exists (select 1 from ${models} as sessions, json_each(sessions.payload, '$.authorizations') as visited
          where sessions.tenant_id = ${tenantId} and sessions.account_id = ${userId} and sessions.grant_id is null
          and sessions.model_name = 'Session' and sessions.expires_at > ${now}
          and json_extract(visited.value, '$.grantId') = ${models.id})`,
      ),
    )
    .groupBy(applications.id, applications.name)
    .orderBy(sql`signed_in_at desc`)
    .limit(MAX_LISTED)

const visitValue = <T>(name: string) => sql<T | null>`json_extract(${models.payload}, ${`$.visit.${name}`})`

const loginSecond = sql`json_extract(${models.payload}, '$.loginTs')`

const isSessionOf = (tenantId: string, userId: string) =>
  and(belongsToAccount(tenantId, userId), eq(models.modelName, 'Session'))

const isLiveSessionOf = (tenantId: string, userId: string, now: number) =>
  and(isSessionOf(tenantId, userId), isLive(tenantId, userId, now))

/** Matches sessions and grants of a user that have neither expired nor been revoked. */
const isLive = (tenantId: string, userId: string, now: number) =>
  and(
    gt(models.expiresAt, now),
    sql`${validSinceSecond} > coalesce((select ${users.revokedAt} / 1000 from ${users}
      where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId}), -1)`,
  )

export type SessionKey = { tenantId: string; userId: string; sessionId: string }

const hasKey = ({ tenantId, userId, sessionId }: SessionKey) =>
  and(
    eq(models.tenantId, tenantId),
    eq(models.uid, sessionId),
    eq(models.modelName, 'Session'),
    eq(models.accountId, userId),
  )

export const sessionExists = (key: SessionKey): Condition =>
  sql`exists (select 1 from ${models} where ${hasKey(key)})`

/** The current session, which is kept while all others are ended. */
type OtherSessions = SessionKey & { now: number }

export const hasOtherSession = (key: OtherSessions): Condition =>
  sql`exists (select 1 from ${models} where ${isOther(key)})`

/** Returns the ids of the user's newest other sessions as JSON, for a hook payload. */
export const otherSessionsJson = (key: OtherSessions): SQL =>
  sql`(select json_group_array(${models.uid}) from ${models}
    where ${and(isAmongNewest(key.tenantId, 'Session', key.userId), isOther(key))})`

const isOther = ({ tenantId, userId, sessionId, now }: OtherSessions) =>
  and(isLiveSessionOf(tenantId, userId, now), sql`${models.uid} is not ${sessionId}`)

const grantIdsOf = (key: SessionKey) =>
  sql`(select json_extract(granted.value, '$.grantId') from ${models} as sessions,
    json_each(sessions.payload, '$.authorizations') as granted
    where sessions.tenant_id = ${key.tenantId} and sessions.uid = ${key.sessionId}
    and sessions.model_name = 'Session' and sessions.account_id = ${key.userId})`

/**
 * Ends one session and its grants, and thus everything issued under them. A grant is not in the session if two requests
 * have authorized the application at the same time; it names the session itself. `session` comes last, because the other
 * statement depends on it; it returns a row if the session existed.
 */
export const sessionDeletionStatements = (db: Database, key: SessionKey) => ({
  grants: db
    .delete(models)
    .where(
      and(
        isGrantOf(key),
        sql`(${models.id} in ${grantIdsOf(key)} or (${models.sessionUid} = ${key.sessionId} and ${sessionExists(key)}))`,
      ),
    ),
  session: db
    .delete(models)
    .where(hasKey(key))
    .returning({ deleted: sql`1`.as('deleted') }),
})

const isGrantOf = ({ tenantId, userId }: SessionKey) =>
  and(belongsToAccount(tenantId, userId), eq(models.modelName, 'Grant'))

type Exemption = {
  /**
   * The times of this revocation and of the previous one, in epoch milliseconds. Rows that the previous one revoked are
   * not exempted.
   */
  revokedAt: number
  before: number | null
  condition: Condition
}

/**
 * Exempts one session with its grants, and the grant `grantId`, from a revocation. The recorded sign-in time does not
 * change (ADR-0141). The statements run before the revocation, because they read the time of the previous one.
 */
export function exemptFromRevocation(
  db: Database,
  { grantId, ...key }: SessionKey & { grantId: string },
  { revokedAt, before, condition }: Exemption,
) {
  const exemptWhere = (which: SQL | undefined) =>
    db
      .update(models)
      .set({
        payload: sql`json_set(${models.payload}, '$.exemptedAt', ${exemptionTimeSeconds(revokedAt)})`,
      })
      .where(and(which, sql`${validSinceSecond} > ${Math.floor((before ?? -1) / 1000)}`, condition))
  return {
    exemptSession: exemptWhere(hasKey(key)),
    exemptGrants: exemptWhere(
      and(isGrantOf(key), sql`(${models.id} = ${grantId} or ${models.id} in ${grantIdsOf(key)})`),
    ),
  }
}

/** Matches one session in the query of `enqueueLogouts`, where the table has the alias `sessions`. */
export const matchesSession = (sessionId: string): Condition => sql`sessions.uid = ${sessionId}`
export const matchesOtherSessions = (sessionId: string): Condition => sql`sessions.uid is not ${sessionId}`
