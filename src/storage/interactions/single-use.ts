import { and, sql } from 'drizzle-orm'
import type { Statement } from '../batches.ts'
import { type Condition, isAlwaysTrue } from '../conditions.ts'
import { type Database, repeatOnce } from '../database.ts'
import { randomId } from '../ids.ts'
import { oidcModelInstances as models } from '../tables.ts'
import { hasModelKey, type ModelKey, type ModelRow, type ModelWrite, payloadAt } from './oidc-models.ts'

/**
 * What one request alone may use (spec/provider#single-use), decided by the batch that writes what the request issues. The
 * row names the request that used it, so the condition still holds behind `mark`, and when the same batch is repeated
 * (spec/storage#retries).
 */
export type SingleUse = {
  key: ModelKey
  /** No other request was first. Every statement of the batch has it. */
  condition: Condition
  /** Answers a row if `condition`, that of the whole batch, held. */
  mark(condition: Condition): Statement
  /** The same without a mark, where a use that changes nothing need not be the only one. */
  check?(condition: Condition): Statement
  /** After a batch that did nothing: this is what another request used first. */
  isTaken(row: ModelRow | undefined): boolean
}

/**
 * The use of a row that exists. With `leewaySeconds` a row used that recently may be used again, and keeps its first
 * time of use (spec/provider#refresh-token-successor).
 */
export function consumptionOf(
  db: Database,
  key: ModelKey,
  { now, leewaySeconds = 0 }: { now: number; leewaySeconds?: number | undefined },
): SingleUse {
  const consumer = randomId()
  const usableSince = now - leewaySeconds * 1000
  return {
    key,
    condition: sql`exists (select 1 from ${models} where ${hasModelKey(key)} and (${models.consumedAt} is null
      or ${models.consumedAt} > ${usableSince} or ${models.consumedBy} = ${consumer}))`,
    mark: (condition) =>
      db
        .update(models)
        .set({ consumedAt: sql`coalesce(${models.consumedAt}, ${now})`, consumedBy: consumer })
        .where(and(hasModelKey(key), condition))
        .returning({ id: models.id }),
    isTaken: (row) => !row || (row.consumedAt !== null && row.consumedAt <= usableSince),
  }
}

/** The first use of a value that has no row before. */
export function firstUseOf(db: Database, write: ModelWrite): SingleUse {
  const { claimant, insert } = claimOf(db, write)
  return {
    key: write,
    condition: sql`not exists (select 1 from ${models} where ${hasModelKey(write)}
      and ${payloadAt('$.claimedBy')} is not ${claimant})`,
    mark: insert,
    check: (condition) => db.all<{ id: string }>(sql`select ${write.id} as id where ${condition}`),
    isTaken: (row) => row !== undefined,
  }
}

/** The answer that a device waits for: the first one counts (spec/provider#device-decision). */
export function answerOf(db: Database, { payload, expiresAt: _expiresAt, ...key }: ModelWrite): SingleUse {
  const answered = { ...payload, answeredBy: randomId() }
  return {
    key,
    condition: sql`exists (select 1 from ${models} where ${hasModelKey(key)} and ${models.consumedAt} is null
      and ((${payloadAt('$.accountId')} is null and ${payloadAt('$.error')} is null)
        or ${payloadAt('$.answeredBy')} = ${answered.answeredBy}))`,
    mark: (condition) =>
      db
        .update(models)
        .set({ payload: answered })
        .where(and(hasModelKey(key), condition))
        .returning({ id: models.id }),
    isTaken: (row) => !row || row.payload.answeredBy !== answered.answeredBy,
  }
}

/** The first use of a value at once. False: it was used before. */
export async function claimModel(db: Database, write: ModelWrite): Promise<boolean> {
  const { insert } = claimOf(db, write)
  const written = await repeatOnce(() => insert(isAlwaysTrue))
  return written.length > 0
}

function claimOf(db: Database, { tenantId, modelName, id, payload, expiresAt }: ModelWrite) {
  const claimant = randomId()
  return {
    claimant,
    insert: (condition: Condition) =>
      db.all<{ id: string }>(sql`insert into ${models} (tenant_id, model_name, id, payload, expires_at)
        select ${tenantId}, ${modelName}, ${id}, ${JSON.stringify({ ...payload, claimedBy: claimant })}, ${expiresAt}
        where ${condition}
        on conflict (tenant_id, model_name, id) do update set payload = excluded.payload
        where ${payloadAt('$.claimedBy')} = ${claimant}
        returning id`),
  }
}
