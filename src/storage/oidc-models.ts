import { and, eq, type SQL, sql } from 'drizzle-orm'
import { listStatements, nameRows, readTogether, type Statements, sendBatch } from './batches.ts'
import type { Database } from './database.ts'
import { oidcModelInstances as models, users } from './tables.ts'
import { userColumns } from './users.ts'

/**
 * The rows behind the OpenID Provider (product 3, oidc_model_instance). Every function answers a statement, so
 * that the caller can put several into one batch: a batch is one round trip and the only atomic unit there is.
 */

export type ModelRow = typeof models.$inferSelect
type Payload = ModelRow['payload']

export type ModelKey = { tenantId: string; modelName: string; id: string }

const is = ({ tenantId, modelName, id }: ModelKey) =>
  and(eq(models.tenantId, tenantId), eq(models.modelName, modelName), eq(models.id, id))

const ofModel = (tenantId: string, modelName: string) =>
  and(eq(models.tenantId, tenantId), eq(models.modelName, modelName))

export const modelQuery = (db: Database, key: ModelKey) => db.select().from(models).where(is(key)).limit(1)

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
  is({ tenantId, modelName: 'Interaction', id: uid })

/** A value inside the payload of a row that is itself only being looked up in this batch. */
const within = (key: ModelKey, expression: SQL | typeof models.accountId) =>
  sql`(select ${expression} from ${models} where ${is(key)})`

const at = (path: string) => sql`json_extract(${models.payload}, ${path})`

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
    .where(and(ofModel(key.tenantId, 'Grant'), eq(models.id, within(key, models.grantId))))
    .limit(1),
  sessions: db
    .select()
    .from(models)
    .where(and(ofModel(key.tenantId, 'Session'), eq(models.uid, within(key, at('$.sessionUid')))))
    .limit(1),
  users: userWhoseId(db, key.tenantId, within(key, models.accountId)),
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
        sql`${models.id} in (select json_extract(value, '$.grantId') from json_each(${within(key, at('$.authorizations'))}))`,
      ),
    ),
  users: userWhoseId(db, key.tenantId, within(key, models.accountId)),
})

/** An interaction with the grant a consent chose and the user who signed in. */
export const resumeQueries = (db: Database, key: ModelKey) => ({
  model: modelQuery(db, key),
  grants: db
    .select()
    .from(models)
    .where(and(ofModel(key.tenantId, 'Grant'), eq(models.id, within(key, at('$.result.consent.grantId')))))
    .limit(1),
  users: userWhoseId(db, key.tenantId, within(key, at('$.result.login.accountId'))),
})

/** A token by its value's digest, with what decides about it, and whether it is one of an application alone. */
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
 * An interaction as `interactionQueries` reads it, and in the same round trip `more`: what else the call asks, and the
 * attempts it counts.
 */
export async function readOpenInteraction<const S extends Statements>(
  db: Database,
  { tenantId, uid }: { tenantId: string; uid: string },
  more: S,
) {
  const [interaction, session, user] = interactionQueries(db, tenantId, uid)
  const own = { interaction, session, user }
  const statements = listStatements(own)
  const results = await sendBatch(db, [...statements, ...listStatements(more)])
  return { ...nameRows(own, results), found: nameRows(more, results.slice(statements.length)) }
}

/** An interaction, and the session it was tied to with its account, if any. */
export const interactionQueries = (db: Database, tenantId: string, uid: string) => {
  const key = { tenantId, modelName: 'Interaction', id: uid }
  return [
    modelQuery(db, key),
    db
      .select()
      .from(models)
      .where(and(ofModel(tenantId, 'Session'), eq(models.uid, within(key, at('$.session.uid')))))
      .limit(1),
    userWhoseId(db, tenantId, within(key, at('$.session.accountId'))),
  ] as const
}

export const userQuery = (db: Database, tenantId: string, id: string) =>
  db
    .select(userColumns)
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, id)))
    .limit(1)

export type ModelWrite = ModelKey & { payload: Payload; expiresAt: number }

export const modelExists = (key: ModelKey): SQL => sql`exists (select 1 from ${models} where ${is(key)})`

/** Inserts or replaces; `onConflict: 'keep'` leaves what is there (refresh tokens, decision 23). */
export const writeModel = (
  db: Database,
  { tenantId, modelName, id, payload, expiresAt }: ModelWrite,
  { onConflict, condition }: { onConflict: 'replace' | 'keep'; condition: SQL },
) =>
  db.run(sql`insert into ${models} (tenant_id, model_name, id, payload, expires_at)
    select ${tenantId}, ${modelName}, ${id}, ${JSON.stringify(payload)}, ${expiresAt} where ${condition}
    on conflict (tenant_id, model_name, id) do ${
      onConflict === 'keep'
        ? sql`nothing`
        : sql`update set payload = excluded.payload, expires_at = excluded.expires_at`
    }`)

/** Inserts a row that is good for one time; answers its id, or nothing when it was there. */
export const claimModel = (db: Database, write: ModelWrite) =>
  db
    .insert(models)
    .values({
      tenantId: write.tenantId,
      modelName: write.modelName,
      id: write.id,
      payload: write.payload,
      expiresAt: write.expiresAt,
    })
    .onConflictDoNothing()
    .returning({ id: models.id })

/** Changes a row that is still there, and never brings back one that a sign-out deleted meanwhile. */
export const updateModel = (
  db: Database,
  { tenantId, modelName, id, payload, expiresAt }: ModelWrite,
  condition: SQL,
) =>
  db
    .update(models)
    .set({ payload, expiresAt })
    .where(and(is({ tenantId, modelName, id }), condition))

/** Answers the row's id when it was there: who needs to know reads the answer. */
export const deleteModel = (db: Database, key: ModelKey, condition: SQL) =>
  db
    .delete(models)
    .where(and(is(key), condition))
    .returning({ id: models.id })

export const deleteByGrant = (
  db: Database,
  tenantId: string,
  modelName: string,
  grantId: string,
  condition: SQL,
) => db.delete(models).where(and(ofModel(tenantId, modelName), eq(models.grantId, grantId), condition))

/**
 * Marks a single-use row as used (decision 24): answers its id, or nothing when another request was first.
 * With `leewaySeconds` a row used that recently may be used again, and keeps its first time of use (decision 23).
 */
export const consumeModel = (db: Database, key: ModelKey, now: number, leewaySeconds = 0) =>
  db
    .update(models)
    .set({ consumedAt: sql`coalesce(${models.consumedAt}, ${now})` })
    .where(
      and(
        is(key),
        sql`(${models.consumedAt} is null or ${models.consumedAt} > ${now - leewaySeconds * 1000})`,
      ),
    )
    .returning({ id: models.id })

/**
 * Deletes what was revoked with its user (decision 15): sessions and grants by the second the provider judges them by
 * (domain/revocation.ts), and whatever was handed out under a grant that is no more. For a batch; these rows were dead
 * before, wherever they are read.
 */
export const deleteRevoked = (db: Database, tenantId: string, accountId: string, revokedAt: number) => {
  const isTheirs = and(eq(models.tenantId, tenantId), eq(models.accountId, accountId))
  return [
    db.delete(models).where(and(isTheirs, hasDateUntil(sql`${revokedAt}`))),
    db.delete(models).where(and(isTheirs, isOrphan)),
  ] as const
}

/** Behind the answer of a revocation. */
export async function sweepRevoked(
  db: Database,
  tenantId: string,
  accountId: string,
  revokedAt: number,
): Promise<void> {
  await db.batch(deleteRevoked(db, tenantId, accountId, revokedAt))
}

/** The same for all users revoked since then: what nobody swept behind the answer. At most `limit` rows of each kind. */
export const deleteMissedRevoked = (db: Database, { since, limit }: { since: number; limit: number }) => {
  const some = (condition: SQL) =>
    db.delete(models).where(
      // CROSS JOIN: from the few users to their rows, each by its index.
      sql`rowid in (select ${models}.rowid from ${users} cross join ${models}
        where ${users.revokedAt} > ${since} and ${models.tenantId} = ${users.tenantId}
        and ${models.accountId} = ${users.id} and ${condition} limit ${limit})`,
    )
  return [some(hasDateUntil(sql`${users.revokedAt}`)), some(isOrphan)] as const
}

export async function sweepMissedRevoked(...given: Parameters<typeof deleteMissedRevoked>): Promise<void> {
  await given[0].batch(deleteMissedRevoked(...given))
}

const hasDateUntil = (revokedAt: SQL) => sql`${models.modelName} in ('Session', 'Grant')
  and json_extract(${models.payload}, iif(${models.modelName} = 'Session', '$.loginTs', '$.iat')) <= ${revokedAt} / 1000`

const isOrphan = sql`${models.modelName} in ('AccessToken', 'RefreshToken', 'AuthorizationCode')
  and not exists (select 1 from ${models} as grants where grants.tenant_id = ${models.tenantId}
    and grants.model_name = 'Grant' and grants.id = ${models.grantId})`
