import { sql } from 'drizzle-orm'
import { ID_LENGTH } from '../../contract/ids.ts'
import { isRecord } from '../../contract/is-record.ts'
import { type Statement, sendBatch } from '../batches.ts'
import { ALWAYS_TRUE, type Condition, not } from '../conditions.ts'
import type { Database } from '../database.ts'
import { sha256Base64Url } from '../digest.ts'
import { joinLogs } from '../log-steps.ts'
import { insertLog, insertLogIf, type NewLog, type PendingLog, toStoredPayload } from '../logs.ts'
import { type LogPayload, logs } from '../tables.ts'

/**
 * The audit entries of interaction calls, which unauthenticated clients can repeat without limit
 * (spec/storage#interaction-rows). Each key and outcome has one row, in which repeated calls are counted. Entries that
 * prove nothing wait in the record of the interaction, and share the row of the next proof, submit or consent.
 */

/** The outcome of attempts to sign in to an account, which a rate limit already counts per network. */
const COUNTED_ELSEWHERE = 'session.invalid_credentials'

/** The audit entries of a call. */
export type InteractionLogs = {
  tenantId: string
  interactionId: string
  entries: readonly NewLog[]
}

/** Checks whether the entry records that a proof was accepted. The keys of proofs end in what the user did. */
export const isAcceptedProof = ({ key, payload }: NewLog): boolean =>
  payload.result === 'Success' && /\.(?:Submit|Verify)$/.test(key)

/**
 * Returns the entries that are pending after a call. They are in their stored form, so the record never contains more
 * than the audit log.
 */
export async function mergePendingLogs(
  interactionId: string,
  pending: readonly PendingLog[],
  entries: readonly NewLog[],
): Promise<PendingLog[]> {
  const merged = new Map(pending.map((log) => [log.id, log]))
  for (const { key, createdAt, payload } of entries) {
    const id = await sharedId(interactionId, key, outcomeOf(payload))
    const earlier = merged.get(id)
    const more = earlier ? { ...earlier.payload, count: Number(earlier.payload.count ?? 1) + 1 } : payload
    merged.set(id, {
      id,
      key,
      createdAt: earlier?.createdAt ?? createdAt,
      payload: toStoredPayload(key, more),
    })
  }
  return [...merged.values()]
}

/** Writes the audit rows of a call of an interaction in which the user has provided a proof. */
export async function insertInteractionLogs(db: Database, logs: InteractionLogs): Promise<void> {
  await sendBatch(db, await prepareInteractionLogStatements(db, logs, ALWAYS_TRUE))
}

export async function prepareInteractionLogStatements(
  db: Database,
  { tenantId, interactionId, entries }: InteractionLogs,
  condition: Condition,
): Promise<Statement[]> {
  const shared = entries.filter(({ payload }) => outcomeOf(payload) !== COUNTED_ELSEWHERE)
  const own = entries.filter((entry) => !shared.includes(entry))
  const merged = await mergePendingLogs(interactionId, [], shared)
  return [
    ...merged.map((log) => insertLog(db, tenantId, condition, log, countOnce)),
    ...own.map((entry) => insertLogIf(db, tenantId, condition, entry)),
  ]
}

type ProofLogs = InteractionLogs & {
  /** The entries that waited in the interaction's record. */
  pending: readonly PendingLog[]
  /** True if the interaction had a proof before this call. */
  isRepeated: boolean
}

/**
 * Writes the audit row of an accepted proof, with the other entries of the call and the pending ones as its steps. Users
 * can repeat a proof without limit, for example by sending the cookie from before it again. A proof that the interaction
 * has a row for is therefore counted in one further row, which repeats the pending entries only if the interaction's
 * earlier proof cannot have taken them.
 */
export async function insertProofLogs(
  db: Database,
  { tenantId, interactionId, entries, pending, isRepeated }: ProofLogs,
): Promise<void> {
  const proof = entries.findLast(isAcceptedProof)
  const failures = entries.filter(({ payload }) => payload.result === 'Error')
  const others = entries.filter((entry) => entry !== proof && !failures.includes(entry))
  const failed = { tenantId, interactionId, entries: failures }
  const statements = await prepareInteractionLogStatements(db, failed, ALWAYS_TRUE)
  if (proof) {
    const { key, payload } = proof
    const userId = payload.userId ?? null
    // The plus signs make SQLite search the rows of the interaction.
    const isRecorded = sql`exists (select 1 from ${logs} where tenant_id = ${tenantId}
      and interaction_id = ${interactionId} and +key = ${key} and +user_id is ${userId}
      and json_extract(payload, '$.result') = 'Success')`
    const steps = await mergePendingLogs(interactionId, pending, others)
    const repeatedSteps = isRepeated ? steps : await mergePendingLogs(interactionId, [], others)
    const [row, ...apart] = joinLogs(proof, { before: steps })
    const [repeated] = joinLogs(proof, { before: repeatedSteps })
    const id = await sharedId(interactionId, key, JSON.stringify(userId))
    const takesPending = isRepeated ? ALWAYS_TRUE : not(isRecorded)
    const pendingOnly = new Set<NewLog>(pending)
    // The row comes last, because it is what the condition of the other statements looks for.
    statements.push(
      insertLog(db, tenantId, isRecorded, { ...repeated, id }, countOnce),
      ...apart.map((log) =>
        insertLogIf(db, tenantId, pendingOnly.has(log) ? takesPending : ALWAYS_TRUE, log),
      ),
      insertLogIf(db, tenantId, not(isRecorded), row),
    )
  }
  await sendBatch(db, statements)
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
