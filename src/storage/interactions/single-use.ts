import { and, sql } from 'drizzle-orm'
import type { Statement } from '../batches.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import { type Database, retryOnce } from '../database.ts'
import { randomId } from '../ids.ts'
import { oidcModelInstances as models } from '../tables.ts'
import {
  hasModel,
  type ModelKey,
  type ModelRow,
  type ModelWrite,
  matchesModelKey,
  payloadAt,
} from './oidc-models.ts'

/**
 * A value that only one request may use (spec/provider#single-use). The batch that writes what the request issues also
 * decides whether the request was first. `mark` stores an id of the request in the value's row, so the condition still
 * holds afterwards and when the batch is repeated (spec/storage#retries).
 */
export type SingleUse = {
  key: ModelKey
  /** Holds unless another request used the value first. Every statement of the batch must include it. */
  condition: Condition
  /**
   * Marks the value as used if `condition`, the condition of the whole batch, holds. Returns a row if the condition
   * held.
   */
  mark(condition: Condition): Statement
  /**
   * Checks `condition` without marking the value. Used by requests that change nothing and are therefore harmless to
   * repeat.
   */
  check?(condition: Condition): Statement
  /** Reports whether another request used the value first. Called after a batch that wrote nothing. */
  isTaken(row: ModelRow | undefined): boolean
}

type UseOfRow = { now: number; leewaySeconds?: number | undefined; grantId?: string | undefined }

/**
 * Returns the `SingleUse` of a value that has a row. If the row was first used within `leewaySeconds`, it can be used
 * again and keeps the time of its first use (spec/provider#refresh-token-successor). A row that was issued under a grant
 * cannot be used once the grant has been deleted.
 */
export function consumeExisting(
  db: Database,
  key: ModelKey,
  { now, leewaySeconds = 0, grantId }: UseOfRow,
): SingleUse {
  const consumer = randomId()
  const usableSince = now - leewaySeconds * 1000
  return {
    key,
    condition: sql`exists (select 1 from ${models} where ${matchesModelKey(key)} and (${models.consumedAt} is null
      or ${models.consumedAt} > ${usableSince} or ${models.consumedBy} = ${consumer}))
      and ${grantId === undefined ? ALWAYS_TRUE : hasModel({ ...key, modelName: 'Grant', id: grantId })}`,
    mark: (condition) =>
      db
        .update(models)
        .set({ consumedAt: sql`coalesce(${models.consumedAt}, ${now})`, consumedBy: consumer })
        .where(and(matchesModelKey(key), condition))
        .returning({ id: models.id }),
    isTaken: (row) => !row || (row.consumedAt !== null && row.consumedAt <= usableSince),
  }
}

/** Returns the `SingleUse` of a value that has no row yet. */
export function claimSingleUse(db: Database, write: ModelWrite): SingleUse {
  const { claimant, insert } = claimOf(db, write)
  return {
    key: write,
    condition: sql`not exists (select 1 from ${models} where ${matchesModelKey(write)}
      and ${payloadAt('$.claimedBy')} is not ${claimant})`,
    mark: insert,
    check: (condition) => db.all<{ id: string }>(sql`select ${write.id} as id where ${condition}`),
    isTaken: (row) => row !== undefined,
  }
}

/**
 * Returns the `SingleUse` of a device that is waiting for its user's decision. Only the first decision takes effect
 * (spec/provider#device-decision).
 */
export function claimDeviceDecision(
  db: Database,
  { payload, expiresAt: _expiresAt, ...key }: ModelWrite,
): SingleUse {
  const decided = { ...payload, answeredBy: randomId() }
  return {
    key,
    condition: sql`exists (select 1 from ${models} where ${matchesModelKey(key)} and ${models.consumedAt} is null
      and ((${payloadAt('$.accountId')} is null and ${payloadAt('$.error')} is null)
        or ${payloadAt('$.answeredBy')} = ${decided.answeredBy}))`,
    mark: (condition) =>
      db
        .update(models)
        .set({ payload: decided })
        .where(and(matchesModelKey(key), condition))
        .returning({ id: models.id }),
    isTaken: (row) =>
      !row || (row.payload.answeredBy !== undefined && row.payload.answeredBy !== decided.answeredBy),
  }
}

/** Claims a value in a separate batch. Returns false if the value was used before. */
export async function claimModel(db: Database, write: ModelWrite): Promise<boolean> {
  const { insert } = claimOf(db, write)
  const written = await retryOnce(() => insert(ALWAYS_TRUE))
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
