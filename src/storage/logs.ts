import { type SQL, sql } from 'drizzle-orm'
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
