import type { Refusal } from '../../contract/errors.ts'
import { RefusalError } from '../../contract/refused.ts'
import { countFailedRequest } from '../../storage/failed-requests.ts'
import {
  insertInteractionLogs,
  insertProofLogs,
  isAcceptedProof,
} from '../../storage/interactions/interaction-logs.ts'
import type { NewLog } from '../../storage/logs.ts'
import { insertUnprovenLogs } from '../../storage/unproven-logs.ts'
import type { Dependencies } from '../dependencies.ts'
import type { OpenInteraction } from './interaction-call.ts'

type FinishedCall = {
  tenantId: string
  open: OpenInteraction
  /** The audit rows that have not been committed with a change. */
  entries: readonly NewLog[]
  /** The rows among `entries` that a rate limit counts. */
  counted: readonly NewLog[]
  error: Error | undefined
}

/**
 * Stores or counts a request's audit entries (spec/storage#interaction-rows, ADR-0145). Until the first proof, anyone
 * could create any number of rows. Therefore the entries of successful requests wait in the interaction record, and
 * failed requests are only counted. Wrong proofs and sent codes are always stored as rows.
 */
export async function recordInteractionCall(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, open, entries, counted, error }: FinishedCall,
): Promise<void> {
  const { uid: interactionId, clientId: applicationId } = open
  const interaction = { tenantId, interactionId }
  if (await open.isProven()) {
    if (open.holdsCallLogs() && !error) return
    if (!entries.some(isAcceptedProof)) return insertInteractionLogs(db, { ...interaction, entries })
    const pending = await open.takeHeldLogs()
    await insertProofLogs(db, { ...interaction, entries, pending, isRepeated: await open.wasProven() })
  } else if (counted.length > 0) {
    await insertUnprovenLogs(db, { ...interaction, applicationId, entries: counted, now: now() })
  } else if (error) {
    const failed = { applicationId, endpoint: 'interaction', error: refusalOf(error)?.code ?? 'unknown' }
    await countFailedRequest(db, { tenantId, now: now() }, failed)
  }
}

const refusalOf = (error: Error | undefined): Refusal | undefined =>
  error instanceof RefusalError ? error.refusal : undefined
