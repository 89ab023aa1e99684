import { and, desc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { loginSecond as loginSecondAt } from '../domain/revocation.ts'
import type { Database } from './database.ts'
import { oidcModelInstances as models, users } from './tables.ts'

/**
 * Where somebody is signed in: the sessions of the provider, by their `uid`, which opens nothing. Their own ids are
 * digests of cookies and stay here (decision 25).
 */
export type Session = {
  id: string
  /** Epoch milliseconds. */
  signedInAt: number
  expiresAt: number
  /** Without a name: one that is built in, or gone. */
  applications: { id: string; name: string | null }[]
}

/** More than anybody has browsers; a script that signs in all day should stop us no more than itself. */
const MOST_LISTED = 100

const Applications = z.array(z.object({ id: z.string(), name: z.string().nullable() }))

/** Newest sign-in first. What was revoked, but is not yet swept, is left out (decision 15). */
export const sessionsQuery = (db: Database, tenantId: string, userId: string, now: number) =>
  db
    .select({
      id: sql<string>`${models.uid}`.as('session_id'),
      signedInAt: sql<number>`${loginSecond} * 1000`.as('signed_in_at'),
      expiresAt: models.expiresAt,
      // In plain words: in a SELECT from one table drizzle leaves the tables' names away.
      applications: sql`(select json_group_array(json_object('id', visited.key, 'name', applications.name))
        from json_each(oidc_model_instances.payload, '$.authorizations') as visited left join applications
        on applications.tenant_id = oidc_model_instances.tenant_id and applications.id = visited.key)`
        .mapWith((text: string) => Applications.parse(JSON.parse(text)))
        .as('visited_applications'),
    })
    .from(models)
    .where(
      and(
        isSessionOf(tenantId, userId),
        gt(models.expiresAt, now),
        sql`${loginSecond} > coalesce((select ${users.revokedAt} / 1000 from ${users}
          where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId}), -1)`,
      ),
    )
    .orderBy(desc(loginSecond))
    .limit(MOST_LISTED)

const loginSecond = sql`json_extract(${models.payload}, '$.loginTs')`

const isSessionOf = (tenantId: string, userId: string) =>
  and(eq(models.tenantId, tenantId), eq(models.accountId, userId), eq(models.modelName, 'Session'))

export type SessionKey = { tenantId: string; userId: string; sessionId: string }

const isThe = ({ tenantId, userId, sessionId }: SessionKey) =>
  and(
    eq(models.tenantId, tenantId),
    eq(models.uid, sessionId),
    eq(models.modelName, 'Session'),
    eq(models.accountId, userId),
  )

/** As a condition for other statements of a batch. */
export const isSession = (key: SessionKey): SQL => sql`exists (select 1 from ${models} where ${isThe(key)})`

const grantIdsOf = (key: SessionKey) =>
  sql`(select json_extract(granted.value, '$.grantId') from ${models} as sessions,
    json_each(sessions.payload, '$.authorizations') as granted
    where sessions.tenant_id = ${key.tenantId} and sessions.uid = ${key.sessionId}
    and sessions.model_name = 'Session' and sessions.account_id = ${key.userId})`

/**
 * Ends one session, and whatever was granted in it or handed out under it: for a batch, the session last, because the others
 * ask it. Answers the session's row, or nothing when it was not there.
 */
export function deleteSession(db: Database, key: SessionKey) {
  const isTheirs = eq(models.tenantId, key.tenantId)
  const isHandedOut = inArray(models.modelName, ['AccessToken', 'RefreshToken', 'AuthorizationCode'])
  return [
    db.delete(models).where(and(isTheirs, isHandedOut, sql`${models.grantId} in ${grantIdsOf(key)}`)),
    db.delete(models).where(and(isTheirs, isHandedOut, eq(models.sessionUid, key.sessionId), isSession(key))),
    db
      .delete(models)
      .where(and(isTheirs, eq(models.modelName, 'Grant'), sql`${models.id} in ${grantIdsOf(key)}`)),
    db
      .delete(models)
      .where(isThe(key))
      .returning({ deleted: sql`1`.as('deleted') }),
  ] as const
}

/** The same by name, for `commit`: `session` answers the session's row, or nothing when it was not there. */
export function sessionDeletion(db: Database, key: SessionKey) {
  const [granted, handedOut, grants, session] = deleteSession(db, key)
  return { granted, handedOut, grants, session }
}

type Sparing = {
  /** Epoch milliseconds: of this revocation, and of the one before, whose dead stay dead. */
  revokedAt: number
  before: number | null
  condition: SQL
}

/**
 * For the batch of a revocation that spares one session, and the grant it was asked under: they are dated just behind it, as
 * if their owner had signed in again (decision record 0017).
 */
export function keepSession(
  db: Database,
  { grantId, ...key }: SessionKey & { grantId: string },
  { revokedAt, before, condition }: Sparing,
) {
  const second = loginSecondAt({ revokedAt }, revokedAt)
  const date = (path: '$.loginTs' | '$.iat', which: SQL | undefined) =>
    db
      .update(models)
      .set({ payload: sql`json_set(${models.payload}, ${path}, ${second})` })
      .where(
        and(
          which,
          sql`json_extract(${models.payload}, ${path}) > ${Math.floor((before ?? -1) / 1000)}`,
          condition,
        ),
      )
  return [
    date('$.loginTs', isThe(key)),
    date(
      '$.iat',
      and(
        eq(models.tenantId, key.tenantId),
        eq(models.modelName, 'Grant'),
        eq(models.accountId, key.userId),
        sql`(${models.id} = ${grantId} or ${models.id} in ${grantIdsOf(key)})`,
      ),
    ),
  ] as const
}

/** The same by name, for `commit`. */
export function sessionSparing(...given: Parameters<typeof keepSession>) {
  const [sparedSession, sparedGrants] = keepSession(...given)
  return { sparedSession, sparedGrants }
}

/** For `enqueueLogouts`, which calls the sessions it looks through `sessions`. */
export const inSession = (sessionId: string): SQL => sql`sessions.uid = ${sessionId}`
export const inOtherSessions = (sessionId: string): SQL => sql`sessions.uid is not ${sessionId}`
