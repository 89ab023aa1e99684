import { sql } from 'drizzle-orm'
import { ID_LENGTH } from '../../contract/ids.ts'
import { isRecord } from '../../contract/is-record.ts'
import { type Statement, sendBatch } from '../batches.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { sha256Base64Url } from '../digest.ts'
import { insertLog, insertLogIf, type NewLog, type PendingLog, toStoredPayload } from '../logs.ts'
import type { LogPayload } from '../tables.ts'

/**
 * The audit rows of interaction calls, which unauthenticated clients can repeat without limit
 * (spec/storage#interaction-rows). Each key and outcome has one row, in which repeated calls are counted. The rows
 * remain in the record of the interaction until the user proves their identity.
 */

/** The outcome of attempts to sign in to an account, which a rate limit already counts per network. */
const COUNTED_ELSEWHERE = 'session.invalid_credentials'

/** The audit rows to write: first those pending in the interaction's record, then those of the call. */
export type InteractionLogs = {
  tenantId: string
  interactionId: string
  pending: readonly PendingLog[]
  entries: readonly NewLog[]
}

/**
 * Returns the rows that are pending after a call. They are in their stored form, so the record never contains more than
 * the audit log.
 */
export async function mergePendingLogs(
  interactionId: string,
  pending: readonly PendingLog[],
  entries: readonly NewLog[],
): Promise<PendingLog[]> {
  const logs = new Map(pending.map((log) => [log.id, log]))
  for (const { key, createdAt, payload } of entries) {
    const id = await sharedId(interactionId, key, outcomeOf(payload))
    const earlier = logs.get(id)
    const more = earlier ? { ...earlier.payload, count: Number(earlier.payload.count ?? 1) + 1 } : payload
    const { result } = payload
    logs.set(id, {
      id,
      key,
      createdAt: earlier?.createdAt ?? createdAt,
      payload: { ...toStoredPayload(key, more), key, result },
    })
  }
  return [...logs.values()]
}

/** Writes the audit rows of an interaction in which the user has provided a proof, such as a password or a code. */
export async function insertInteractionLogs(db: Database, logs: InteractionLogs): Promise<void> {
  await sendBatch(db, await prepareInteractionLogStatements(db, logs, ALWAYS_TRUE))
}

export async function prepareInteractionLogStatements(
  db: Database,
  { tenantId, interactionId, pending, entries }: InteractionLogs,
  condition: Condition,
): Promise<Statement[]> {
  const shared = entries.filter(({ payload }) => outcomeOf(payload) !== COUNTED_ELSEWHERE)
  const own = entries.filter((entry) => !shared.includes(entry))
  // An entry that repeats a pending one shares its row.
  const merged = await mergePendingLogs(interactionId, pending, shared)
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
 * Checks whether the row records a wrong password for an existing account. The account's rate limits bound the number
 * of such rows, so they are exempt from the hourly limit. Otherwise, an attacker could use up the hourly limit to hide
 * them from the account's owner.
 */
export const isWrongAccountPassword = ({ payload }: NewLog): boolean =>
  outcomeOf(payload) === COUNTED_ELSEWHERE && payload.userId !== undefined

/**
 * Returns the outcome of a call. All unexpected failures have the same outcome, because their messages may contain
 * anything.
 */
function outcomeOf({ result, error }: LogPayload): string {
  return isRecord(error) && typeof error.code === 'string' ? error.code : result
}
