import { and, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ABANDONED } from '../contract/failed-requests.ts'
import { ID_LENGTH } from '../contract/ids.ts'
import { DAY, HOUR } from '../contract/time.ts'
import { UNDO_LIFETIME, UNDO_MIN_ADDRESS_AGE } from '../domain/account/address-rules.ts'
import { VERIFICATION_CODE_LIFETIME } from '../domain/codes/verification-codes.ts'
import { sendTogether } from './batches.ts'
import type { Database } from './database.ts'
import {
  addressChanges,
  applications,
  counters,
  failedRequests,
  formerIdentifiers,
  logs,
  oidcModelInstances,
  outbox,
  passcodes,
  registeredClients,
  registrationTokens,
  serviceLogs,
  signInPlaces,
  tenants,
  trustedBrowsers,
} from './tables.ts'

/** Long after its ten minutes, so that a question about a code that did not work can be answered. */
const VERIFICATION_CODE_KEPT = DAY
/** No browser keeps the cookie for longer (RFC 6265bis §5.5). */
const BROWSER_KEPT = 400 * DAY
/** As long, so that an account that slept for some months is not new again. */
const PLACE_KEPT = BROWSER_KEPT
/** An address of before is given back for as long as its change can be undone, and with the undo of a later one. */
const PREVIOUS_KEPT = 2 * UNDO_LIFETIME
/** The longest grace of a deletion, behind which the address is looked for. */
const ASKED_KEPT = 90 * DAY
/** For operators who want to see that something was delivered. */
const DELIVERED_KEPT = 7 * DAY

type Deleted = { oidcModelInstances: number; passcodes: number; counters: number; outbox: number }

/** Deletes expired rows of all tenants, at most `limit` of each kind (spec/storage#sweeps); the next scheduled run continues. */
export async function deleteExpired(db: Database, now: number, limit: number): Promise<Deleted> {
  const some = (table: SQLiteTable, condition: SQL | undefined) =>
    db
      .delete(table)
      .where(sql`rowid in (select rowid from ${table} where ${condition} limit ${limit})`)
      .returning({ deleted: sql`1`.as('deleted') })

  const deleted = await sendTogether(db, {
    abandoned: abandonedCount(db, now, limit),
    oidcModelInstances: some(oidcModelInstances, lte(oidcModelInstances.expiresAt, now)),
    passcodes: some(passcodes, lt(passcodes.createdAt, now - VERIFICATION_CODE_KEPT)),
    counters: some(counters, lte(counters.expiresAt, now)),
    // An undo asks for those of its reach until it is too old itself.
    addressChanges: some(
      addressChanges,
      lt(addressChanges.createdAt, now - UNDO_MIN_ADDRESS_AGE - UNDO_LIFETIME),
    ),
    formerIdentifiers: some(
      formerIdentifiers,
      and(sql`${formerIdentifiers.wasHeld} = 0`, lt(formerIdentifiers.createdAt, now - ASKED_KEPT)),
    ),
    trustedBrowsers: some(trustedBrowsers, lt(trustedBrowsers.lastSeenAt, now - BROWSER_KEPT)),
    signInPlaces: some(signInPlaces, lt(signInPlaces.signedInAt, now - PLACE_KEPT)),
    registrationTokens: some(registrationTokens, lte(registrationTokens.expiresAt, now)),
    // Never used (spec/storage#registration). What belongs to an application goes with it.
    unusedClients: db.delete(applications).where(
      sql`(${applications.tenantId}, ${applications.id}) in (select ${registeredClients.tenantId}, ${registeredClients.applicationId}
          from ${registeredClients} where ${lte(registeredClients.unusedUntil, now)} limit ${limit})`,
    ),
    // As a literal: a parameter would keep SQLite from using the index of delivered rows.
    outbox: some(
      outbox,
      and(sql`${outbox.status} = 'delivered'`, lt(outbox.createdAt, now - DELIVERED_KEPT)),
    ),
    // What remains tells since when the present address is there.
    previous: db
      .update(addressChanges)
      .set({ previous: '' })
      .where(
        sql`rowid in (select rowid from ${addressChanges} where ${and(
          lt(addressChanges.createdAt, now - PREVIOUS_KEPT),
          sql`${addressChanges.previous} <> ''`,
        )} limit ${limit})`,
      ),
    // An expired code is worth nothing and is cleared (spec/storage#passcodes).
    codes: db
      .update(passcodes)
      .set({ code: null, codeDigest: null })
      .where(
        sql`rowid in (select rowid from ${passcodes}
          where ${and(lt(passcodes.createdAt, now - VERIFICATION_CODE_LIFETIME), or(isNotNull(passcodes.code), isNotNull(passcodes.codeDigest)))} limit ${limit})`,
      ),
  })
  return {
    oidcModelInstances: deleted.oidcModelInstances.length,
    passcodes: deleted.passcodes.length,
    counters: deleted.counters.length,
    outbox: deleted.outbox.length,
  }
}

/**
 * Counts the interactions among the provider's rows that go, of which the audit log has no row: anyone can begin any
 * number of them (spec/storage#failed-requests). By the hour of their end. Addresses of unregistered clients have no row of
 * their own, as in `failedRequestsCount`.
 */
const abandonedCount = (db: Database, now: number, limit: number) =>
  db.run(sql`insert into ${failedRequests} (tenant_id, hour, application_id, endpoint, error, count)
    select ended.tenant_id, ended.expires_at - ended.expires_at % ${HOUR},
      iif(length(ended.client) <= ${ID_LENGTH} and ended.client not like 'https:%', ended.client, ''), 'interaction', ${ABANDONED}, count(*)
    from (select tenant_id, id, expires_at, coalesce(payload ->> '$.params.client_id', '') as client
      from ${oidcModelInstances} where model_name = 'Interaction'
        and rowid in (select rowid from ${oidcModelInstances} where expires_at <= ${now} limit ${limit})) as ended
    where not exists (select 1 from ${logs} where ${logs.tenantId} = ended.tenant_id and ${logs.interactionId} = ended.id)
    group by 1, 2, 3
    on conflict do update set count = count + excluded.count`)

/** Deletes rows of the logs from before a time, of all tenants, at most `limit` of each (spec/storage#retention). */
export async function deleteOldLogs(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<{ logs: number; serviceLogs: number; failedRequests: number }> {
  const some = (
    table: typeof logs | typeof serviceLogs | typeof failedRequests,
    time: typeof logs.createdAt | typeof serviceLogs.createdAt | typeof failedRequests.hour,
  ) =>
    db
      .delete(table)
      // By tenant, so that the index of the newest rows serves: a query of once a minute needs no index of its own.
      .where(
        sql`rowid in (select rowid from ${table} where ${table.tenantId} in (select ${tenants.id} from ${tenants})
          and ${lt(time, before)} limit ${limit})`,
      )
      .returning({ deleted: sql`1`.as('deleted') })

  const deleted = await sendTogether(db, {
    logs: some(logs, logs.createdAt),
    serviceLogs: some(serviceLogs, serviceLogs.createdAt),
    failedRequests: some(failedRequests, failedRequests.hour),
  })
  return {
    logs: deleted.logs.length,
    serviceLogs: deleted.serviceLogs.length,
    failedRequests: deleted.failedRequests.length,
  }
}
