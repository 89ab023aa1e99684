import { type SQL, sql } from 'drizzle-orm'
import { sendBatch } from './batches.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { type LogPayload, logs } from './tables.ts'

export type NewLog = { id?: string; key: string; payload: LogPayload; createdAt: number }

/** An audit row, for the batch of what it tells about (decision 19). */
export const insertLog = (db: Database, tenantId: string, log: NewLog) =>
  insertLogIf(db, tenantId, sql`true`, log)

/** For a batch whose statements all depend on one condition (decision 8). */
export function insertLogIf(
  db: Database,
  tenantId: string,
  condition: SQL,
  { id = randomId(), key, payload, createdAt }: NewLog,
) {
  return db.run(sql`insert into ${logs} (tenant_id, id, key, payload, created_at)
    select ${tenantId}, ${id}, ${key}, ${JSON.stringify(payload)}, ${createdAt} where ${condition}
    on conflict (tenant_id, id) do nothing`)
}

/** What no change carries: of calls that were refused, and of calls that only read. */
export async function insertLogs(db: Database, tenantId: string, entries: readonly NewLog[]): Promise<void> {
  await sendBatch(
    db,
    entries.map((entry) => insertLog(db, tenantId, entry)),
  )
}
