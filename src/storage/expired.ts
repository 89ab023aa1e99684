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

/** The retention of codes. They are kept long after they expire, so that operators can explain why one did not work. */
const VERIFICATION_CODE_RETENTION = DAY
/** The retention of browsers: none keeps the cookie for longer (RFC 6265bis §5.5). */
const BROWSER_RETENTION = 400 * DAY
/**
 * Places are kept as long as browsers, so that an account which was not used for some months does not count as new
 * again.
 */
const PLACE_RETENTION = BROWSER_RETENTION
/**
 * A previous address can be restored for as long as its change can be undone, and together with the undo of a later
 * change.
 */
const PREVIOUS_RETENTION = 2 * UNDO_LIFETIME
/** The longest grace period of a deletion, after which the erasure looks for these addresses. */
const REQUESTED_RETENTION = 90 * DAY
/** Delivered rows are kept for operators who want to check that something was delivered. */
const DELIVERED_RETENTION = 7 * DAY

type Deleted = { oidcModelInstances: number; passcodes: number; counters: number; outbox: number }

/**
 * Deletes expired rows of all tenants, at most `limit` of each kind (spec/storage#sweeps). The next scheduled run
 * continues.
 */
export async function deleteExpired(db: Database, now: number, limit: number): Promise<Deleted> {
  const deleteSome = (table: SQLiteTable, condition: SQL | undefined) =>
    db
      .delete(table)
      .where(sql`rowid in (select rowid from ${table} where ${condition} limit ${limit})`)
      .returning({ deleted: sql`1`.as('deleted') })

  const deleted = await sendTogether(db, {
    abandoned: abandonedCount(db, now, limit),
    oidcModelInstances: deleteSome(oidcModelInstances, lte(oidcModelInstances.expiresAt, now)),
    passcodes: deleteSome(passcodes, lt(passcodes.createdAt, now - VERIFICATION_CODE_RETENTION)),
    counters: deleteSome(counters, lte(counters.expiresAt, now)),
    // An undo needs the changes that it covers until it is too late to make the undo itself.
    addressChanges: deleteSome(
      addressChanges,
      lt(addressChanges.createdAt, now - UNDO_MIN_ADDRESS_AGE - UNDO_LIFETIME),
    ),
    formerIdentifiers: deleteSome(
      formerIdentifiers,
      and(sql`${formerIdentifiers.wasHeld} = 0`, lt(formerIdentifiers.createdAt, now - REQUESTED_RETENTION)),
    ),
    trustedBrowsers: deleteSome(trustedBrowsers, lt(trustedBrowsers.lastSeenAt, now - BROWSER_RETENTION)),
    signInPlaces: deleteSome(signInPlaces, lt(signInPlaces.signedInAt, now - PLACE_RETENTION)),
    registrationTokens: deleteSome(registrationTokens, lte(registrationTokens.expiresAt, now)),
    // Clients that were never used (spec/storage#registration). What belongs to an application is deleted with it.
    unusedClients: db.delete(applications).where(
      sql`(${applications.tenantId}, ${applications.id}) in (select ${registeredClients.tenantId}, ${registeredClients.applicationId}
          from ${registeredClients} where ${lte(registeredClients.unusedUntil, now)} limit ${limit})`,
    ),
    // The status is a literal, because a parameter would keep SQLite from using the index of delivered rows.
    outbox: deleteSome(
      outbox,
      and(sql`${outbox.status} = 'delivered'`, lt(outbox.createdAt, now - DELIVERED_RETENTION)),
    ),
    // The row itself is kept, because it records since when the account has had its present address.
    previous: db
      .update(addressChanges)
      .set({ previous: '' })
      .where(
        sql`rowid in (select rowid from ${addressChanges} where ${and(
          lt(addressChanges.createdAt, now - PREVIOUS_RETENTION),
          sql`${addressChanges.previous} <> ''`,
        )} limit ${limit})`,
      ),
    // An expired code is useless and is cleared (spec/storage#passcodes).
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
 * Counts the abandoned interactions among the rows that are about to be deleted. They have no row in the audit log,
 * because anyone can begin any number of them (spec/storage#failed-requests). They are counted by the hour in which
 * they ended. Addresses of unregistered clients get no row of their own, as in `failedRequestsUpsert`.
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

/** Deletes log rows from before a time, of all tenants, at most `limit` of each kind (spec/storage#retention). */
export async function deleteOldLogs(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<{ logs: number; serviceLogs: number; failedRequests: number }> {
  const deleteSome = (
    table: typeof logs | typeof serviceLogs | typeof failedRequests,
    time: typeof logs.createdAt | typeof serviceLogs.createdAt | typeof failedRequests.hour,
  ) =>
    db
      .delete(table)
      // With the condition on the tenant, the index of the newest rows can be used: a query that runs once a minute
      // needs no index of its own.
      .where(
        sql`rowid in (select rowid from ${table} where ${table.tenantId} in (select ${tenants.id} from ${tenants})
          and ${lt(time, before)} limit ${limit})`,
      )
      .returning({ deleted: sql`1`.as('deleted') })

  const deleted = await sendTogether(db, {
    logs: deleteSome(logs, logs.createdAt),
    serviceLogs: deleteSome(serviceLogs, serviceLogs.createdAt),
    failedRequests: deleteSome(failedRequests, failedRequests.hour),
  })
  return {
    logs: deleted.logs.length,
    serviceLogs: deleted.serviceLogs.length,
    failedRequests: deleted.failedRequests.length,
  }
}
