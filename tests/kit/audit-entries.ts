import type { D1Database } from '@cloudflare/workers-types'
import { entriesOf, type StoredLog } from '../../src/storage/log-steps.ts'

/** Returns the audit entries of all rows, or of one interaction, in the order in which they happened. */
export async function auditEntries(DB: D1Database, interactionId?: string): Promise<StoredLog[]> {
  const { results } = await DB.prepare(
    `select id, key, payload, created_at as createdAt from logs
    where ?1 is null or interaction_id = ?1 order by created_at, rowid`,
  )
    .bind(interactionId ?? null)
    .all<Omit<StoredLog, 'payload'> & { payload: string }>()
  return results.flatMap(({ payload, ...row }) =>
    entriesOf({ ...row, payload: JSON.parse(payload) }).toReversed(),
  )
}
