import type { Refusal } from '../contract/errors.ts'
import { RefusalError } from '../contract/refused.ts'
import { countFailedRequest } from '../storage/failed-requests.ts'
import { insertInteractionLogs } from '../storage/interaction-logs.ts'
import type { NewLog } from '../storage/logs.ts'
import { insertUnprovenLogs } from '../storage/unproven-logs.ts'
import type { CountedCall } from './audit-trail.ts'
import type { Dependencies } from './dependencies.ts'
import type { OpenInteraction } from './open-interaction.ts'

type FinishedCall = {
  tenantId: string
  open: OpenInteraction
  /** The rows that no change has committed. */
  entries: readonly NewLog[]
  /** What the call is to the rate limits. */
  counted: CountedCall | undefined
  error: Error | undefined
}

/**
 * What becomes of the audit rows of a call (spec/storage#interaction-rows, ADR-0145). Before the first proof anyone can
 * cause any number of them: the record of the interaction holds those of calls that succeed, and refused calls are
 * counted.
 */
export async function recordInteractionCall(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, open, entries, counted, error }: FinishedCall,
): Promise<void> {
  const { uid: interactionId, clientId: applicationId } = open
  const isProven = await open.isProven()
  if (!isProven && !counted) {
    const failed = { applicationId, endpoint: 'interaction', error: refusalOf(error)?.code ?? 'unknown' }
    if (error) await countFailedRequest(db, { tenantId, now: now() }, failed)
    return
  }
  // After a code that was sent the proof is still to come.
  const held = isProven || counted === 'proof' ? await open.takeHeldLogs() : []
  const logs = { tenantId, interactionId, held, entries }
  if (isProven) await insertInteractionLogs(db, logs)
  else await insertUnprovenLogs(db, { ...logs, applicationId, now: now() })
}

const refusalOf = (error: Error | undefined): Refusal | undefined =>
  error instanceof RefusalError ? error.refusal : undefined
