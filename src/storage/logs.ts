import { type SQL, sql } from 'drizzle-orm'
import { auditPayload } from '../domain/audit-fields.ts'
import { boundedPayload } from '../domain/log-bounds.ts'
import { sendBatch } from './batches.ts'
import { type Condition, isAlwaysTrue } from './conditions.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { type LogPayload, logs } from './tables.ts'

export type NewLog = { id?: string; key: string; payload: LogPayload; createdAt: number }

/**
 * For `commitChange`, which sends it in the batch of the change (spec/storage#audit-rows). The row says what it may say
 * (spec/management#audit-fields) and is bounded (spec/limits#log-rows).
 */
export const insertLogIf = (db: Database, tenantId: string, condition: Condition, entry: NewLog) =>
  insertLog(db, tenantId, condition, entry, sql`nothing`)

/** `onConflict`: what becomes of a row that has the id already. */
export function insertLog(
  db: Database,
  tenantId: string,
  condition: Condition,
  { id = randomId(), key, payload, createdAt }: NewLog,
  onConflict: SQL,
) {
  const stored = boundedPayload(key, auditPayload(payload))
  return db.run(sql`insert into ${logs} (tenant_id, id, key, payload, created_at)
    select ${tenantId}, ${id}, ${key}, ${JSON.stringify(stored)}, ${createdAt} where ${condition}
    on conflict (tenant_id, id) do ${onConflict}`)
}

/** Audit rows without a change: of calls that were refused, and of calls that only read. */
export async function insertLogs(db: Database, tenantId: string, entries: readonly NewLog[]): Promise<void> {
  await sendBatch(
    db,
    entries.map((entry) => insertLogIf(db, tenantId, isAlwaysTrue, entry)),
  )
}
