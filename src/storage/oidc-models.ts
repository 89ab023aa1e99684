import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import {
  listStatements,
  nameRows,
  readTogether,
  type Statement,
  type Statements,
  sendBatch,
} from './batches.ts'
import type { Condition } from './conditions.ts'
import { type Database, repeatOnce } from './database.ts'
import { randomId } from './ids.ts'
import { oidcModelInstances as models, users } from './tables.ts'
import { userColumns } from './users.ts'

/**
 * The rows behind the OpenID Provider (spec/storage#oidc-models). Most functions answer a statement, so that the caller
 * can send several in one batch.
 */

export type ModelRow = typeof models.$inferSelect
type Payload = ModelRow['payload']

export type ModelKey = { tenantId: string; modelName: string; id: string }

const hasKey = ({ tenantId, modelName, id }: ModelKey) =>
  and(eq(models.tenantId, tenantId), eq(models.modelName, modelName), eq(models.id, id))

const ofModel = (tenantId: string, modelName: string) =>
  and(eq(models.tenantId, tenantId), eq(models.modelName, modelName))

export const hasModel = (key: ModelKey): Condition =>
  sql`exists (select 1 from ${models} where ${hasKey(key)})`

export const modelQuery = (db: Database, key: ModelKey) =>
  db.select().from(models).where(hasKey(key)).limit(1)

/** `property` is one of the payload properties that are indexed as virtual columns. */
export const modelByPropertyQuery = (
  db: Database,
  tenantId: string,
  modelName: string,
  property: 'uid' | 'userCode',
  value: string,
) =>
  db
    .select()
    .from(models)
    .where(and(ofModel(tenantId, modelName), eq(models[property], value)))
    .limit(1)

export const interactionIs = (tenantId: string, uid: string) =>
  hasKey({ tenantId, modelName: 'Interaction', id: uid })

/** A value of a row that the same batch reads. */
export const valueIn = (key: ModelKey, expression: SQL | typeof models.accountId) =>
  sql`(select ${expression} from ${models} where ${hasKey(key)})`

export const payloadAt = (path: string) => sql`json_extract(${models.payload}, ${path})`

const userWhoseId = (db: Database, tenantId: string, id: SQL) =>
  db
    .select(userColumns)
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, id)))
    .limit(1)

/** A code or token with all that decides about it: its grant, its session, its user. */
export const tokenQueries = (db: Database, key: ModelKey) => ({
  model: modelQuery(db, key),
  grants: db
    .select()
    .from(models)
    .where(and(ofModel(key.tenantId, 'Grant'), eq(models.id, valueIn(key, models.grantId))))
    .limit(1),
  sessions: db
    .select()
    .from(models)
    .where(and(ofModel(key.tenantId, 'Session'), eq(models.uid, valueIn(key, payloadAt('$.sessionUid')))))
    .limit(1),
  users: userWhoseId(db, key.tenantId, valueIn(key, models.accountId)),
})

/** A session with its user and the grants of all its applications. */
export const sessionQueries = (db: Database, key: ModelKey) => ({
  model: modelQuery(db, key),
  grants: db
    .select()
    .from(models)
    .where(
      and(
        ofModel(key.tenantId, 'Grant'),
        sql`${models.id} in (select json_extract(value, '$.grantId') from json_each(${valueIn(key, payloadAt('$.authorizations'))}))`,
      ),
    ),
  users: userWhoseId(db, key.tenantId, valueIn(key, models.accountId)),
})

/** An interaction with the grant a consent chose and the user who signed in. */
export const resumeQueries = (db: Database, key: ModelKey) => ({
  model: modelQuery(db, key),
  grants: db
    .select()
    .from(models)
    .where(
      and(ofModel(key.tenantId, 'Grant'), eq(models.id, valueIn(key, payloadAt('$.result.consent.grantId')))),
    )
    .limit(1),
  users: userWhoseId(db, key.tenantId, valueIn(key, payloadAt('$.result.login.accountId'))),
})

/** An access token by the digest of its value, with the rows that decide about it, or the token of an application. */
export async function readBearer(db: Database, tenantId: string, id: string) {
  const { model, grants, sessions, users, credentials } = await readTogether(db, {
    ...tokenQueries(db, { tenantId, modelName: 'AccessToken', id }),
    credentials: modelQuery(db, { tenantId, modelName: 'ClientCredentials', id }),
  })
  return {
    token: model[0],
    grant: grants[0],
    session: sessions[0],
    user: users[0],
    credentials: credentials[0],
  }
}

/**
 * An interaction, the session it was tied to with its user, if any, and in the same round trip `more`: what else the
 * call reads, and the attempts it counts. `creation` writes the row first if it is not written yet.
 */
export async function readOpenInteraction<const S extends Statements>(
  db: Database,
  { tenantId, uid, creation }: { tenantId: string; uid: string; creation: readonly Statement[] },
  more: S,
) {
  const own = interactionQueries(db, tenantId, uid)
  const statements = listStatements(own)
  const others = listStatements(more)
  const send = () => sendBatch(db, [...creation, ...statements, ...others])
  // D1 repeats reads by itself. The creation does nothing twice; what `more` counts would count twice.
  const all = await (creation.length > 0 && others.length === 0 ? repeatOnce(send) : send())
  const results = all.slice(creation.length)
  return { ...nameRows(own, results), found: nameRows(more, results.slice(statements.length)) }
}

/** An interaction, and the session it was tied to with its user, if any. */
const interactionQueries = (db: Database, tenantId: string, uid: string) => {
  const key = { tenantId, modelName: 'Interaction', id: uid }
  return {
    interaction: modelQuery(db, key),
    session: db
      .select()
      .from(models)
      .where(and(ofModel(tenantId, 'Session'), eq(models.uid, valueIn(key, payloadAt('$.session.uid')))))
      .limit(1),
    user: userWhoseId(db, tenantId, valueIn(key, payloadAt('$.session.accountId'))),
  }
}

export const userQuery = (db: Database, tenantId: string, id: string) =>
  db
    .select(userColumns)
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, id)))
    .limit(1)

export type ModelWrite = ModelKey & { payload: Payload; expiresAt: number }

/** The interaction was not resumed yet. */
export const isUnended = (key: ModelKey): Condition =>
  sql`exists (select 1 from ${models} where ${hasKey(key)} and ${models.consumedAt} is null)`

/**
 * What is left of an interaction that was resumed: an empty row until its hour is over, so that its first cookie, which
 * holds the row as it began, does not write it again. Answers the id, or nothing when another request was first.
 */
export const endInteraction = (db: Database, key: ModelKey, now: number) =>
  db
    .update(models)
    .set({ payload: {}, consumedAt: now })
    .where(and(hasKey(key), isNull(models.consumedAt)))
    .returning({ id: models.id })

/** Inserts or replaces; `onConflict: 'keep'` leaves an existing row (spec/provider#refresh-token-successor). */
export const writeModel = (
  db: Database,
  { tenantId, modelName, id, payload, expiresAt }: ModelWrite,
  { onConflict, condition }: { onConflict: 'replace' | 'keep'; condition: Condition },
) =>
  db.run(sql`insert into ${models} (tenant_id, model_name, id, payload, expires_at)
    select ${tenantId}, ${modelName}, ${id}, ${JSON.stringify(payload)}, ${expiresAt} where ${condition}
    on conflict (tenant_id, model_name, id) do ${
      onConflict === 'keep'
        ? sql`nothing`
        : sql`update set payload = excluded.payload, expires_at = excluded.expires_at`
    }`)

/**
 * Inserts a row that may exist once. False: it existed. The row names its writer, so that a repeat of the same call
 * recognises what the first one wrote (spec/storage#retries).
 */
export async function claimModel(db: Database, write: ModelWrite): Promise<boolean> {
  const payload = { ...write.payload, claimedBy: randomId() }
  const written = await repeatOnce(() =>
    db
      .insert(models)
      .values({
        tenantId: write.tenantId,
        modelName: write.modelName,
        id: write.id,
        payload,
        expiresAt: write.expiresAt,
      })
      .onConflictDoUpdate({
        target: [models.tenantId, models.modelName, models.id],
        set: { payload: sql`excluded.payload` },
        setWhere: sql`${payloadAt('$.claimedBy')} = ${payload.claimedBy}`,
      })
      .returning({ id: models.id }),
  )
  return written.length > 0
}

/**
 * Changes an existing row, and never restores one that a sign-out deleted meanwhile. Nor does it replace a newer state:
 * each use of a session prolongs it, so the older of two states expires earlier (spec/storage#late-writes).
 */
export const updateModel = (
  db: Database,
  { tenantId, modelName, id, payload, expiresAt }: ModelWrite,
  condition: Condition,
) =>
  db
    .update(models)
    .set({ payload, expiresAt })
    .where(and(hasKey({ tenantId, modelName, id }), lte(models.expiresAt, expiresAt), condition))

/** Answers the row's id when it existed. */
export const deleteModel = (db: Database, key: ModelKey, condition: Condition) =>
  db
    .delete(models)
    .where(and(hasKey(key), condition))
    .returning({ id: models.id })

export const deleteByGrant = (
  db: Database,
  tenantId: string,
  modelName: string,
  grantId: string,
  condition: Condition,
) => db.delete(models).where(and(ofModel(tenantId, modelName), eq(models.grantId, grantId), condition))

/**
 * Marks a single-use row as used (spec/provider#single-use). False: another request was first. With `leewaySeconds` a row
 * used that recently may be used again, and keeps its first time of use (spec/provider#refresh-token-successor). The row
 * names who used it, as in `claimModel`.
 */
export async function consumeModel(
  db: Database,
  key: ModelKey,
  now: number,
  leewaySeconds = 0,
): Promise<boolean> {
  const consumer = randomId()
  const isUnused = sql`${models.consumedAt} is null or ${models.consumedAt} > ${now - leewaySeconds * 1000}`
  const used = await repeatOnce(() =>
    db
      .update(models)
      .set({
        consumedAt: sql`coalesce(${models.consumedAt}, ${now})`,
        consumedBy: consumer,
      })
      .where(and(hasKey(key), sql`(${isUnused} or ${models.consumedBy} = ${consumer})`))
      .returning({ id: models.id }),
  )
  return used.length > 0
}

/**
 * Deletes what was revoked with its user (spec/provider#revocation): sessions and grants by the second that the provider
 * judges them by (domain/revocation.ts), and everything issued under a grant that is gone. These rows have no effect
 * any more, wherever they are read, so this may happen after the answer.
 */
export const revokedDeletions = (db: Database, tenantId: string, accountId: string, revokedAt: number) => {
  const isTheirs = and(eq(models.tenantId, tenantId), eq(models.accountId, accountId))
  return [
    db.delete(models).where(and(isTheirs, hasDateUntil(sql`${revokedAt}`))),
    db.delete(models).where(and(isTheirs, isOrphan)),
  ] as const
}

/** Runs after the answer of a revocation. */
export async function sweepRevoked(
  db: Database,
  tenantId: string,
  accountId: string,
  revokedAt: number,
): Promise<void> {
  await sendBatch(db, revokedDeletions(db, tenantId, accountId, revokedAt))
}

/** The same for all users revoked since then, in case the work after an answer was lost. At most `limit` rows of each kind. */
export const missedRevokedDeletions = (db: Database, { since, limit }: { since: number; limit: number }) => {
  const some = (condition: SQL) =>
    db.delete(models).where(
      // CROSS JOIN: from the few users to their rows, each by its index.
      sql`rowid in (select ${models}.rowid from ${users} cross join ${models}
        where ${users.revokedAt} > ${since} and ${models.tenantId} = ${users.tenantId}
        and ${models.accountId} = ${users.id} and ${condition} limit ${limit})`,
    )
  return [some(hasDateUntil(sql`${users.revokedAt}`)), some(isOrphan)] as const
}

export async function sweepMissedRevoked(
  db: Database,
  since: { since: number; limit: number },
): Promise<void> {
  await sendBatch(db, missedRevokedDeletions(db, since))
}

const hasDateUntil = (revokedAt: SQL) => sql`${models.modelName} in ('Session', 'Grant')
  and json_extract(${models.payload}, iif(${models.modelName} = 'Session', '$.loginTs', '$.iat')) <= ${revokedAt} / 1000`

const isOrphan = sql`${models.modelName} in ('AccessToken', 'RefreshToken', 'AuthorizationCode')
  and not exists (select 1 from ${models} as grants where grants.tenant_id = ${models.tenantId}
    and grants.model_name = 'Grant' and grants.id = ${models.grantId})`
