import { isRecord } from '../../../src/contract/is-record.ts'
import { type Log, readPayloadField } from '../log/logs.ts'

/** One delivery attempt, as recorded in the audit log (spec/management#audit-masking). */
export type Attempt = {
  id: string
  at: number
  isAccepted: boolean
  /** The status of the response, or null if there was none. */
  status: number | null
  answer: unknown
  error: string
}

/**
 * A message with its delivery attempts, newest first. All attempts to deliver a message share its id
 * (spec/connectors#hook-signature).
 */
export type SentMessage = { id: string; message: unknown; attempts: [Attempt, ...Attempt[]] }

/** Groups log entries, newest first, by message. Old entries without a delivery id aren't grouped. */
export function groupAttempts(rows: readonly Log[]): SentMessage[] {
  const byId = new Map<string, SentMessage>()
  for (const row of rows) {
    const id = readPayloadField(row, 'deliveryId') || row.id
    const message = byId.get(id)
    if (message) message.attempts.push(readAttempt(row))
    else byId.set(id, { id, message: row.payload.json, attempts: [readAttempt(row)] })
  }
  return [...byId.values()]
}

function readAttempt(row: Log): Attempt {
  const { response } = row.payload
  const { statusCode, body } = isRecord(response) ? response : {}
  return {
    id: row.id,
    at: row.createdAt,
    isAccepted: row.payload.result === 'Success',
    status: typeof statusCode === 'number' ? statusCode : null,
    answer: body,
    error: readPayloadField(row, 'error'),
  }
}
