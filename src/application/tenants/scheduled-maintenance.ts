import { DAY, HOUR } from '../../contract/time.ts'
import { sealPlainSecrets } from '../../storage/applications/application-secrets.ts'
import { logEvent } from '../../storage/event-log.ts'
import { deleteExpired, deleteOldLogs } from '../../storage/expired.ts'
import { readDeliveryBacklog } from '../../storage/hooks/backlog.ts'
import { resealSecrets } from '../../storage/reseal.ts'
import { sweepMissedRevokedRows } from '../../storage/sessions/oidc-revocation.ts'
import { runErasures } from '../account/erasure.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeUnusedPictures } from '../experience/remove-unused-pictures.ts'
import { recheckDomains } from '../organisations/domain-check.ts'
import { continueDeletions } from './delete.ts'

/**
 * The number of rows per table and batch, and the number of batches per run. With these values, statements and runs
 * stay short, but one run can delete the 30,000 rows per table that a load of 500 requests per second creates between
 * two runs.
 */
const SWEEP_ROWS = 2_000
const SWEEP_ROUNDS = 20
/** The time limit in milliseconds. A slow run ends before the next run begins, which then continues the work. */
const SWEEP_TIME = 40_000

/**
 * The age of the revocations that a sweep repeats, for users whose rows were not deleted after the response. Our
 * choice.
 */
const REVOKED_WITHIN = HOUR // ms

/** Runs every minute: first sends the deliveries that are due, then deletes expired rows (spec/storage#sweeps). */
export async function runScheduledMaintenance({
  db,
  seals,
  settings,
  now,
  deliveries,
  interactions,
  publicDocuments,
  network,
  tenantSettings,
}: Pick<
  Dependencies,
  | 'db'
  | 'seals'
  | 'settings'
  | 'now'
  | 'deliveries'
  | 'interactions'
  | 'publicDocuments'
  | 'network'
  | 'tenantSettings'
>): Promise<void> {
  // Deliveries come first, because receivers are waiting for them.
  const deliveryCounts = await deliveries.sendDue()
  logEvent('outbox_swept', { ...deliveryCounts, ...(await readDeliveryBacklog(db, now())) })
  await sweepMissedRevokedRows(db, { since: now() - REVOKED_WITHIN, limit: SWEEP_ROWS })
  const days = settings.logRetentionDays
  const startedAt = now()
  // All rounds examine the same portion of the scanned tables, which depends on the time (spec/storage#scanned-tables).
  for (let round = 0; round < SWEEP_ROUNDS && now() - startedAt < SWEEP_TIME; round++) {
    const deleted = {
      ...(await deleteExpired(db, startedAt, SWEEP_ROWS)),
      ...(days > 0 && (await deleteOldLogs(db, { before: now() - days * DAY, limit: SWEEP_ROWS }))),
    }
    logEvent('expired_rows_deleted', deleted)
    if (Object.values(deleted).every((count) => count < SWEEP_ROWS)) break
  }
  await runErasures({ db, now, network, tenantSettings })
  const ended = await continueDeletions({ db, now, interactions, publicDocuments, network, tenantSettings })
  if (ended.deleted + ended.left > 0) logEvent('tenants_deleted', ended)
  const pictures = await removeUnusedPictures({ db, seals, now })
  if (pictures > 0) logEvent('unused_pictures_removed', { pictures })
  const sealed = await sealPlainSecrets(db, seals)
  if (sealed > 0) logEvent('secrets_sealed', { sealed })
  const domains = await recheckDomains({ db, now, settings, network })
  if (domains.checked > 0) logEvent('domains_checked', domains)
  // Resealing comes last: nothing depends on it, and a value that cannot be decrypted must not prevent the other steps.
  if (settings.rootSecretPrevious) logEvent('resealed', await resealSecrets(db, seals))
}
