import { and, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ABANDONED_INTERACTION } from '../contract/failed-requests.ts'
import { ID_LENGTH } from '../contract/ids.ts'
import { DAY, HOUR } from '../contract/time.ts'
import { UNDO_LIFETIME, UNDO_MIN_ADDRESS_AGE } from '../domain/account/address-rules.ts'
import { VERIFICATION_CODE_LIFETIME } from '../domain/codes/verification-codes.ts'
import { noPreviousSecret } from './applications/application-secrets.ts'
import { runInOneBatch } from './batches.ts'
import type { Database } from './database.ts'
import { lacksGrant } from './interactions/oidc-models.ts'
import { firstLogId, TIMED_ID_MARK } from './log-ids.ts'
import { readScannedRows } from './scanned-rows.ts'
import { BROWSER_RETENTION } from './sessions/trusted-browsers.ts'
import {
  addressChanges,
  applications,
  counters,
  failedRequests,
  formerIdentifiers,
  invitations,
  logs,
  oidcModelInstances,
  organizationInvitations,
  outbox,
  passcodes,
  registeredClients,
  registrationTokens,
  serviceLogs,
  signInPlaces,
  tenants,
  trustedBrowsers,
} from './tables.ts'

/**
 * The time for which codes are kept. They are kept after they expire, so that operators can find out why a code did not
 * work.
 */
export const VERIFICATION_CODE_RETENTION = DAY
/**
 * The time for which sign-in places are kept. They are kept as long as trusted browsers, so that an account that was
 * unused for some months is not treated as new.
 */
export const PLACE_RETENTION = BROWSER_RETENTION
/**
 * The time for which previous addresses are kept. An undo also reverts changes before the one that it undoes, even if
 * they can no longer be undone on their own.
 */
export const PREVIOUS_RETENTION = 2 * UNDO_LIFETIME
/**
 * The time for which addresses that users only asked to add are kept: for the longest grace period of a deletion,
 * because the erasure that follows needs them.
 */
export const REQUESTED_RETENTION = 90 * DAY
/**
 * The time for which invitations are stored after they expire, so that inviters see what became of them. Our choice.
 */
export const INVITATION_RETENTION = 30 * DAY
/** The time for which delivered rows are kept, so that operators can check whether a delivery succeeded. */
export const DELIVERED_RETENTION = 7 * DAY

type Deleted = {
  oidcModelInstances: number
  withoutGrant: number
  passcodes: number
  counters: number
  outbox: number
}

/**
 * Deletes expired rows of all tenants, and codes and tokens whose grant is gone, at most `limit` of each kind
 * (spec/storage#sweeps). The next scheduled run continues. Each run examines only a portion of the largest tables.
 */
export async function deleteExpired(db: Database, now: number, limit: number): Promise<Deleted> {
  const scannedRows = await readScannedRows(db, now, limit)
  const expiredModels = scannedRows('oidcModelInstances', lte(oidcModelInstances.expiresAt, now))
  const deleteRows = (table: SQLiteTable, rows: SQL) =>
    db
      .delete(table)
      .where(sql`rowid in ${rows}`)
      .returning({ deleted: sql`1`.as('deleted') })
  const deleteSome = (table: SQLiteTable, condition: SQL | undefined) =>
    deleteRows(table, sql`(select rowid from ${table} where ${condition} limit ${limit})`)

  const deleted = await runInOneBatch(db, {
    abandoned: abandonedCount(db, expiredModels),
    oidcModelInstances: deleteRows(oidcModelInstances, expiredModels),
    // This is also how the codes and tokens of erased users are deleted.
    withoutGrant: deleteRows(oidcModelInstances, scannedRows('oidcModelInstances', lacksGrant)),
    passcodes: deleteSome(passcodes, lt(passcodes.createdAt, now - VERIFICATION_CODE_RETENTION)),
    counters: deleteRows(counters, scannedRows('counters', lte(counters.expiresAt, now))),
    // A change is kept as long as it can be undone or as an undo of a later change can revert it.
    addressChanges: deleteSome(
      addressChanges,
      lt(addressChanges.createdAt, now - UNDO_MIN_ADDRESS_AGE - UNDO_LIFETIME),
    ),
    formerIdentifiers: deleteSome(
      formerIdentifiers,
      and(sql`${formerIdentifiers.wasHeld} = 0`, lt(formerIdentifiers.createdAt, now - REQUESTED_RETENTION)),
    ),
    trustedBrowsers: deleteRows(
      trustedBrowsers,
      scannedRows('trustedBrowsers', lt(trustedBrowsers.lastSeenAt, now - BROWSER_RETENTION)),
    ),
    signInPlaces: deleteSome(signInPlaces, lt(signInPlaces.signedInAt, now - PLACE_RETENTION)),
    invitations: deleteSome(invitations, lt(invitations.expiresAt, now - INVITATION_RETENTION)),
    organizationInvitations: deleteSome(
      organizationInvitations,
      lt(organizationInvitations.expiresAt, now - INVITATION_RETENTION),
    ),
    registrationTokens: deleteSome(registrationTokens, lte(registrationTokens.expiresAt, now)),
    // Registered clients that were never used (spec/storage#registration). Their dependent rows are deleted by the
    // database.
    unusedClients: db.delete(applications).where(
      sql`(${applications.tenantId}, ${applications.id}) in (select ${registeredClients.tenantId}, ${registeredClients.applicationId}
          from ${registeredClients} where ${lte(registeredClients.unusedUntil, now)} limit ${limit})`,
    ),
    previousSecrets: db
      .update(applications)
      .set(noPreviousSecret)
      .where(
        sql`rowid in (select rowid from ${applications} where ${lte(applications.previousSecretExpiresAt, now)} limit ${limit})`,
      ),
    // The status is a literal, because SQLite cannot use the index of delivered rows if it is a parameter.
    outbox: deleteSome(
      outbox,
      and(sql`${outbox.status} = 'delivered'`, lt(outbox.createdAt, now - DELIVERED_RETENTION)),
    ),
    // Only the previous address is cleared. The row remains, because it records since when the account has had its
    // current address.
    previous: db
      .update(addressChanges)
      .set({ previous: '' })
      .where(
        sql`rowid in (select rowid from ${addressChanges} where ${and(
          lt(addressChanges.createdAt, now - PREVIOUS_RETENTION),
          sql`${addressChanges.previous} <> ''`,
        )} limit ${limit})`,
      ),
    // Expired codes are cleared because they can no longer be used (spec/storage#passcodes).
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
    withoutGrant: deleted.withoutGrant.length,
    passcodes: deleted.passcodes.length,
    counters: deleted.counters.length,
    outbox: deleted.outbox.length,
  }
}

/**
 * Counts abandoned interactions among the rows that are about to be deleted, by the hour in which they ended. Such
 * interactions have no audit rows, because anyone can start any number of them (spec/storage#failed-requests).
 * Unregistered clients are not counted separately, as in `failedRequestsUpsert`.
 */
const abandonedCount = (db: Database, deletedRows: SQL) =>
  db.run(sql`insert into ${failedRequests} (tenant_id, hour, application_id, endpoint, error, count)
    select ended.tenant_id, ended.expires_at - ended.expires_at % ${HOUR},
      iif(length(ended.client) <= ${ID_LENGTH} and ended.client not like 'https:%', ended.client, ''), 'interaction', ${ABANDONED_INTERACTION}, count(*)
    from (select tenant_id, id, expires_at, coalesce(payload ->> '$.params.client_id', '') as client
      from ${oidcModelInstances} where model_name = 'Interaction' and rowid in ${deletedRows}) as ended
    where not exists (select 1 from ${logs} where ${logs.tenantId} = ended.tenant_id and ${logs.interactionId} = ended.id)
    group by 1, 2, 3
    on conflict do update set count = count + excluded.count`)

/**
 * Deletes log rows of all tenants that are older than this time, at most `limit` of each kind (spec/storage#retention).
 */
export async function deleteOldLogs(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<{ logs: number; serviceLogs: number; failedRequests: number }> {
  const deleteSome = (table: typeof logs | typeof serviceLogs | typeof failedRequests, isOld: SQL) =>
    db
      .delete(table)
      // The condition on the tenant lets SQLite use the primary key or the index of the newest rows, so this query needs
      // no other index although it runs once a minute.
      .where(
        sql`rowid in (select rowid from ${table} where ${table.tenantId} in (select ${tenants.id} from ${tenants})
          and ${isOld} limit ${limit})`,
      )
      .returning({ deleted: sql`1`.as('deleted') })

  const deleted = await runInOneBatch(db, {
    logs: [
      deleteSome(logs, sql`${logs.id} >= ${TIMED_ID_MARK} and ${logs.id} < ${firstLogId(before)}`),
      deleteSome(logs, sql`${logs.id} < '${sql.raw(TIMED_ID_MARK)}' and ${lt(logs.createdAt, before)}`),
    ],
    serviceLogs: deleteSome(serviceLogs, lt(serviceLogs.createdAt, before)),
    failedRequests: deleteSome(failedRequests, lt(failedRequests.hour, before)),
  })
  return {
    logs: deleted.logs.length,
    serviceLogs: deleted.serviceLogs.length,
    failedRequests: deleted.failedRequests.length,
  }
}
