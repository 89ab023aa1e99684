import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Condition } from './conditions.ts'
import { type Database, repeatOnce } from './database.ts'
import { randomId } from './ids.ts'
import { oidcModelInstances as models } from './tables.ts'

/**
 * The rows behind the OpenID Provider (spec/storage#oidc-models). Most functions answer a statement, so that the caller
 * can send several in one batch.
 */

export type ModelRow = typeof models.$inferSelect
type Payload = ModelRow['payload']

export type ModelKey = { tenantId: string; modelName: string; id: string }

export const hasModelKey = ({ tenantId, modelName, id }: ModelKey) =>
  and(eq(models.tenantId, tenantId), eq(models.modelName, modelName), eq(models.id, id))

export const isOfModel = (tenantId: string, modelName: string) =>
  and(eq(models.tenantId, tenantId), eq(models.modelName, modelName))

export const hasModel = (key: ModelKey): Condition =>
  sql`exists (select 1 from ${models} where ${hasModelKey(key)})`

export const modelQuery = (db: Database, key: ModelKey) =>
  db.select().from(models).where(hasModelKey(key)).limit(1)

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
    .where(and(isOfModel(tenantId, modelName), eq(models[property], value)))
    .limit(1)

export const interactionIs = (tenantId: string, uid: string) =>
  hasModelKey({ tenantId, modelName: 'Interaction', id: uid })

/** A value of a row that the same batch reads. */
export const valueIn = (key: ModelKey, expression: SQL | typeof models.accountId) =>
  sql`(select ${expression} from ${models} where ${hasModelKey(key)})`

export const payloadAt = (path: string) => sql`json_extract(${models.payload}, ${path})`

export type ModelWrite = ModelKey & { payload: Payload; expiresAt: number }

/** The interaction was not resumed yet. */
export const isUnended = (key: ModelKey): Condition =>
  sql`exists (select 1 from ${models} where ${hasModelKey(key)} and ${models.consumedAt} is null)`

/**
 * What is left of an interaction that was resumed: an empty row until its hour is over, so that its first cookie, which
 * holds the row as it began, does not write it again. Answers the id, or nothing when another request was first.
 */
export const endInteraction = (db: Database, key: ModelKey, now: number) =>
  db
    .update(models)
    .set({ payload: {}, consumedAt: now })
    .where(and(hasModelKey(key), isNull(models.consumedAt)))
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
    .where(and(hasModelKey({ tenantId, modelName, id }), lte(models.expiresAt, expiresAt), condition))

/** Answers the row's id when it existed. */
export const deleteModel = (db: Database, key: ModelKey, condition: Condition) =>
  db
    .delete(models)
    .where(and(hasModelKey(key), condition))
    .returning({ id: models.id })

export const deleteByGrant = (
  db: Database,
  tenantId: string,
  modelName: string,
  grantId: string,
  condition: Condition,
) => db.delete(models).where(and(isOfModel(tenantId, modelName), eq(models.grantId, grantId), condition))

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
      .where(and(hasModelKey(key), sql`(${isUnused} or ${models.consumedBy} = ${consumer})`))
      .returning({ id: models.id }),
  )
  return used.length > 0
}
