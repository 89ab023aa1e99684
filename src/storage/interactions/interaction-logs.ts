import { sql } from 'drizzle-orm'
import { ID_LENGTH } from '../../contract/ids.ts'
import { isRecord } from '../../contract/is-record.ts'
import { type Statement, sendBatch } from '../batches.ts'
import { type Condition, isAlwaysTrue } from '../conditions.ts'
import type { Database } from '../database.ts'
import { sha256Base64Url } from '../digest.ts'
import { insertLog, insertLogIf, type NewLog, type PendingLog, storedPayload } from '../logs.ts'
import type { LogPayload } from '../tables.ts'

/**
 * The audit rows of the calls of an interaction, which an unauthenticated client can repeat without end
 * (spec/storage#interaction-rows): one row for each key and outcome, in which further calls are counted. Until something
 * is proven, the rows wait in the record of the interaction.
 */

/** Attempts that a rate limit counts per network, and that each name an account. */
const COUNTED_ELSEWHERE = 'session.invalid_credentials'

/** The rows of an interaction to write: first those that its record held, then those of the call. */
export type InteractionLogs = {
  tenantId: string
  interactionId: string
  pending: readonly PendingLog[]
  entries: readonly NewLog[]
}

/** What the record holds after a call, as the rows will say it: the record may hold no more than the log. */
export async function holdLogs(
  interactionId: string,
  pending: readonly PendingLog[],
  entries: readonly NewLog[],
): Promise<PendingLog[]> {
  const logs = new Map(pending.map((log) => [log.id, log]))
  for (const { key, createdAt, payload } of entries) {
    const id = await sharedId(interactionId, key, outcomeOf(payload))
    const first = logs.get(id)
    const more = first ? { ...first.payload, count: Number(first.payload.count ?? 1) + 1 } : payload
    const { result } = payload
    logs.set(id, {
      id,
      key,
      createdAt: first?.createdAt ?? createdAt,
      payload: { ...storedPayload(key, more), key, result },
    })
  }
  return [...logs.values()]
}

/** Writes the audit rows of an interaction in which something is proven. */
export async function insertInteractionLogs(db: Database, logs: InteractionLogs): Promise<void> {
  await sendBatch(db, await logInsertions(db, logs, isAlwaysTrue))
}

export async function logInsertions(
  db: Database,
  { tenantId, interactionId, pending, entries }: InteractionLogs,
  condition: Condition,
): Promise<Statement[]> {
  const shared = entries.filter(({ payload }) => outcomeOf(payload) !== COUNTED_ELSEWHERE)
  const own = entries.filter((entry) => !shared.includes(entry))
  // One row for what the record held and the call repeats.
  const merged = await holdLogs(interactionId, pending, shared)
  const pendingOnly = new Set<NewLog>(pending)
  return [
    ...merged.map((log) =>
      insertLog(db, tenantId, condition, log, pendingOnly.has(log) ? sql`nothing` : countOnce),
    ),
    ...own.map((entry) => insertLogIf(db, tenantId, condition, entry)),
  ]
}

const countOnce = sql`update set payload = json_set(payload, '$.count', coalesce(payload ->> '$.count', 1) + 1)`

const sharedId = async (interactionId: string, key: string, outcome: string): Promise<string> =>
  (await sha256Base64Url(JSON.stringify([interactionId, key, outcome]))).slice(0, ID_LENGTH)

/**
 * A wrong password at an account that exists. Rate limits of the account bound these, so they need no ceiling, and nobody
 * can use it up to hide them from the account's owner.
 */
export const isAtAccount = ({ payload }: NewLog): boolean =>
  outcomeOf(payload) === COUNTED_ELSEWHERE && payload.userId !== undefined

/** Of unexpected failures nothing more is told apart: the text of a message may be anything. */
function outcomeOf({ result, error }: LogPayload): string {
  return isRecord(error) && typeof error.code === 'string' ? error.code : result
}
