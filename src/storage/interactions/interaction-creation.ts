import { sql } from 'drizzle-orm'
import { ID_LENGTH } from '../../contract/ids.ts'
import { isRecord } from '../../contract/is-record.ts'
import { maskSecrets } from '../../domain/masking.ts'
import type { Statement } from '../batches.ts'
import type { Database } from '../database.ts'
import type { PendingLog } from '../logs.ts'
import { oidcModelInstances as models } from '../tables.ts'
import type { PendingRow } from './interaction-cookies.ts'

/**
 * Inserts the provider's row of an interaction, in the batch that reads the row (spec/storage#unwritten-interactions,
 * ADR-0063). An existing row is left unchanged, even if the interaction has ended, so a replayed cookie cannot restore
 * it.
 */
export const insertInteraction = (
  db: Database,
  { tenantId, uid }: { tenantId: string; uid: string },
  { row }: PendingRow,
): Statement =>
  // The columns are written out, because Drizzle would also list columns that only the newest migration adds.
  db.run(sql`insert into ${models} (tenant_id, model_name, id, payload, expires_at)
    values (${tenantId}, 'Interaction', ${uid}, ${JSON.stringify(row)}, ${Number(row.exp) * 1000})
    on conflict do nothing`)

/** Builds the audit row that records when, from where and for which application an interaction started. */
export function interactionCreationLog(uid: string, { row, at, ip, userAgent }: PendingRow): PendingLog {
  const key = 'Interaction.Create'
  const { params, prompt, session } = row
  const { accountId, uid: sessionId } = isRecord(session) ? session : {}
  const applicationId = isRecord(params) ? params.client_id : undefined
  return {
    // The id is derived from the interaction's id, so that each interaction has only one such row.
    id: uid.slice(0, ID_LENGTH),
    key,
    createdAt: at,
    payload: {
      key,
      result: 'Success',
      interactionId: uid,
      sessionId: textOf(sessionId),
      userId: textOf(accountId),
      applicationId: textOf(applicationId),
      ip,
      userAgent,
      params: maskSecrets(params),
      prompt: maskSecrets(prompt),
    },
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
