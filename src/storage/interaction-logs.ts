import { sql } from 'drizzle-orm'
import { ID_LENGTH } from '../contract/ids.ts'
import { isRecord } from '../contract/is-record.ts'
import { sendBatch } from './batches.ts'
import { isAlwaysTrue } from './conditions.ts'
import type { Database } from './database.ts'
import { sha256Base64Url } from './digest.ts'
import { insertLog, insertLogIf, type NewLog } from './logs.ts'
import type { LogPayload } from './tables.ts'

/** Attempts that a rate limit counts per network, and that each name an account. */
const COUNTED_ELSEWHERE = 'session.invalid_credentials'

const countOnce = sql`update set payload = json_set(payload, '$.count', coalesce(payload ->> '$.count', 1) + 1)`

/**
 * The same for the calls of an interaction, which an unauthenticated client can repeat without end: one row for each key
 * and outcome, in which further calls are counted (spec/storage#interaction-rows).
 */
export async function insertInteractionLogs(
  db: Database,
  tenantId: string,
  interactionId: string,
  entries: readonly NewLog[],
): Promise<void> {
  const ids = await Promise.all(entries.map((entry) => sharedId(interactionId, entry)))
  await sendBatch(
    db,
    entries.map((entry, at) => {
      const id = ids[at]
      return id
        ? insertLog(db, tenantId, isAlwaysTrue, { ...entry, id }, countOnce)
        : insertLogIf(db, tenantId, isAlwaysTrue, entry)
    }),
  )
}

async function sharedId(interactionId: string, { key, payload }: NewLog): Promise<string | undefined> {
  const outcome = outcomeOf(payload)
  if (outcome === COUNTED_ELSEWHERE) return undefined
  return (await sha256Base64Url(JSON.stringify([interactionId, key, outcome]))).slice(0, ID_LENGTH)
}

/** Of unexpected failures nothing more is told apart: the text of a message may be anything. */
function outcomeOf({ result, error }: LogPayload): string {
  return isRecord(error) && typeof error.code === 'string' ? error.code : result
}
