import { type SQL, sql } from 'drizzle-orm'
import { isClientUrl } from '../contract/applications/unregistered-clients.ts'
import { maskAuditPayload } from '../domain/audit-fields.ts'
import { limitPayload } from '../domain/log-bounds.ts'
import { sendBatch } from './batches.ts'
import { ALWAYS_TRUE, type Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { newLogId } from './log-ids.ts'
import { type LogPayload, logs } from './tables.ts'

export type NewLog = { id?: string; key: string; payload: LogPayload; createdAt: number }

/** An audit entry whose id was chosen in advance. */
export type IdentifiedLog = NewLog & { id: string }

/** An audit entry that waits in the record of its interaction (spec/storage#interaction-rows). */
export type PendingLog = IdentifiedLog

type Kind = Pick<NewLog, 'id' | 'key'> & { userId: string; since: number }

/**
 * Checks that the user has made no other change with this audit key since `since`, in epoch milliseconds. `id` is the
 * audit entry of the change itself, in the same batch.
 */
export const isFirstChangeOfKind = (tenantId: string, { id, key, userId, since }: Kind): Condition =>
  sql`not exists (select 1 from ${logs} where tenant_id = ${tenantId} and user_id = ${userId} and created_at > ${since}
    and key = ${key} and id <> ${id} and json_extract(payload, '$.result') = 'Success')`

/**
 * Inserts an audit row for `commitChange`, in the batch of the change (spec/storage#audit-rows). The row contains only
 * permitted fields (spec/management#audit-fields), and its size is limited (spec/limits#log-rows).
 */
export const insertLogIf = (db: Database, tenantId: string, condition: Condition, entry: NewLog) =>
  insertLog(db, tenantId, condition, entry, sql`nothing`)

/** Checks that the change with this audit entry takes effect. Use it in the batch of that change. */
export const hasAuditEntry = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${logs} where tenant_id = ${tenantId} and id = ${id})`

/** Inserts an audit row. `onConflict` determines what happens if a row with this id already exists. */
export function insertLog(
  db: Database,
  tenantId: string,
  condition: Condition,
  { key, payload, createdAt, id = newLogId(createdAt) }: NewLog,
  onConflict: SQL,
) {
  return db.run(sql`insert into ${logs} (tenant_id, id, key, payload, created_at)
    select ${tenantId}, ${id}, ${key}, ${JSON.stringify(toStoredPayload(key, payload))}, ${createdAt} where ${condition}
    on conflict (tenant_id, id) do ${onConflict}`)
}

/** Returns a payload in its stored form. Applying the function twice changes nothing. */
export const toStoredPayload = (key: string, payload: LogPayload): LogPayload => ({
  ...limitPayload(key, maskAuditPayload(separateUnregisteredClient(payload))),
  key,
  result: payload.result,
})

/**
 * Moves the id of an unregistered client to the field `unregisteredClient`, because such a client is not an application
 * of the tenant (spec/management#audit-log).
 */
function separateUnregisteredClient({ applicationId, ...payload }: LogPayload): LogPayload {
  if (applicationId === undefined || !isClientUrl(applicationId)) return { applicationId, ...payload }
  return { ...payload, unregisteredClient: applicationId }
}

/** Inserts audit rows without a change, for calls that were rejected or that only read. */
export async function insertLogs(db: Database, tenantId: string, entries: readonly NewLog[]): Promise<void> {
  await sendBatch(
    db,
    entries.map((entry) => insertLogIf(db, tenantId, ALWAYS_TRUE, entry)),
  )
}
