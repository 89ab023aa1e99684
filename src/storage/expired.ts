import { and, isNotNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { PASSCODE_LIFETIME } from '../domain/passcodes.ts'
import type { Database } from './database.ts'
import { counters, logs, oidcModelInstances, outbox, passcodes, serviceLogs, tenants } from './tables.ts'

const DAY = 24 * 60 * 60 * 1000
/** Far behind its ten minutes (contract 3), near enough for a question about a code that did not work. Ours. */
const PASSCODE_KEPT = DAY
/** As long as an operator may want to see that something was delivered. Ours. */
const DELIVERED_KEPT = 7 * DAY

export type Deleted = { oidcModelInstances: number; passcodes: number; counters: number; outbox: number }

/** Deletes what is over, of all tenants, at most `limit` rows of each kind: the scheduled run comes again. */
export async function deleteExpired(db: Database, now: number, limit: number): Promise<Deleted> {
  const some = (table: SQLiteTable, condition: SQL | undefined) =>
    db
      .delete(table)
      .where(sql`rowid in (select rowid from ${table} where ${condition} limit ${limit})`)
      .returning({ deleted: sql`1`.as('deleted') })

  const [instances, codes, counts, deliveries] = await db.batch([
    some(oidcModelInstances, lte(oidcModelInstances.expiresAt, now)),
    some(passcodes, lt(passcodes.createdAt, now - PASSCODE_KEPT)),
    some(counters, lte(counters.expiresAt, now)),
    // Said as a literal: a parameter would keep SQLite from using the index of delivered rows.
    some(outbox, and(sql`${outbox.status} = 'delivered'`, lt(outbox.createdAt, now - DELIVERED_KEPT))),
    // Nobody tries it any more, and no code outlives its purpose (design 4).
    db
      .update(passcodes)
      .set({ code: null })
      .where(
        sql`rowid in (select rowid from ${passcodes}
          where ${and(lt(passcodes.createdAt, now - PASSCODE_LIFETIME), isNotNull(passcodes.code))} limit ${limit})`,
      ),
  ])
  return {
    oidcModelInstances: instances.length,
    passcodes: codes.length,
    counters: counts.length,
    outbox: deliveries.length,
  }
}

/** Deletes what the audit log and the log of services say of the time before, of all tenants, at most `limit` rows of each. */
export async function deleteOldLogs(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<{ logs: number; serviceLogs: number }> {
  const some = (table: typeof logs | typeof serviceLogs) =>
    db
      .delete(table)
      // By tenant, as the index of the newest has it: no index of its own for a question asked once a minute.
      .where(
        sql`rowid in (select rowid from ${table} where ${table.tenantId} in (select ${tenants.id} from ${tenants})
          and ${lt(table.createdAt, before)} limit ${limit})`,
      )
      .returning({ deleted: sql`1`.as('deleted') })

  const [rows, services] = await db.batch([some(logs), some(serviceLogs)])
  return { logs: rows.length, serviceLogs: services.length }
}
