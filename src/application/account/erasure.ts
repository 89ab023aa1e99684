import { DAY, MINUTE } from '../../contract/time.ts'
import { ACCOUNT_DELETED, SYSTEM_ACTOR } from '../../domain/audit-actor.ts'
import {
  type AccountDeletion,
  deleteOldCancellations,
  findCancellationsToNotify,
  findDueDeletions,
  isCancellationNoticePending,
  isDeletionDue,
  markCancellationNotified,
} from '../../storage/account/account-deletions.ts'
import { eraseDeliveries, eraseIndexedRows, eraseMentions } from '../../storage/account/erasure-steps.ts'
import {
  continueErasure,
  type Erasure,
  endErasure,
  excludeNamesOfOthers,
  findDueErasures,
} from '../../storage/account/erasures.ts'
import { commitChange } from '../../storage/commit.ts'
import { logEvent } from '../../storage/event-log.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeUserUploads, type UploadRemovalResult } from '../experience/remove-uploads.ts'
import { cancellationEvents, eraseUser } from './deletion.ts'

/** The maximum number of accounts to delete in one scheduled run, each in a separate batch. The next run continues. */
const MAX_ACCOUNTS = 20

/**
 * Deletes accounts whose grace period is over. Users who have signed in since requesting the deletion are notified that
 * their accounts are kept (spec/accounts#deletion).
 */
async function deleteDueAccounts({
  db,
  now,
}: Pick<Dependencies, 'db' | 'now'>): Promise<{ deleted: number; canceled: number }> {
  const at = now()
  let canceled = 0
  for (const deletion of await findCancellationsToNotify(db, MAX_ACCOUNTS))
    if (await notifyOfCancellation(deletion)) canceled++
  let deleted = 0
  for (const deletion of await findDueDeletions(db, at, MAX_ACCOUNTS))
    if (await deleteOne(deletion)) deleted++
  await deleteOldCancellations(db, at - DAY)
  return { deleted, canceled }

  async function deleteOne({ tenantId, userId, origin }: AccountDeletion): Promise<boolean> {
    const key = ACCOUNT_DELETED
    const payload = { key, result: 'Success' as const, userId, actor: SYSTEM_ACTOR }
    const audit = { key, payload, createdAt: at }
    const condition = isDeletionDue({ tenantId, userId }, at)
    return (
      (await eraseUser({ db }, { tenantId, userId, condition, audit, url: origin, revokedAt: at })) !== null
    )
  }

  async function notifyOfCancellation(deletion: AccountDeletion): Promise<boolean> {
    const { tenantId, userId, origin, requestId, acceptLanguage } = deletion
    const key = 'Account.Deletion.Delete'
    const message = {
      tenantId,
      requestId,
      host: new URL(origin).host,
      acceptLanguage: acceptLanguage ?? undefined,
    }
    const { notified } = await commitChange(db, {
      tenantId,
      condition: isCancellationNoticePending(deletion),
      audit: { key, payload: { key, result: 'Success', userId }, createdAt: deletion.canceledAt ?? at },
      outbox: cancellationEvents(message, deletion, at),
      statements: { notified: markCancellationNotified(db, deletion, at) },
    })
    return notified.length > 0
  }
}

/** Deletes accounts whose grace period is over, and erases the remaining data of deleted users. */
export async function runErasures(dependencies: Parameters<typeof continueErasures>[0]): Promise<void> {
  const { deleted, canceled } = await deleteDueAccounts(dependencies)
  if (deleted + canceled > 0) logEvent('accounts_deleted', { deleted, kept: canceled })
  const erasures = await continueErasures(dependencies)
  if (erasures.ended + erasures.left > 0) logEvent('users_erased', erasures)
}

type StepDependencies = Pick<Dependencies, 'db' | 'now' | 'network' | 'tenantSettings'>

// The limits of one scheduled run. The next run continues where this one stopped.
const MAX_ERASURES = 10
const MAX_STEPS = 20
const MAX_TIME = 10_000 // ms
/** The delay before the next attempt if deliveries are pending or the storage provider for uploads fails. */
const WAIT = 10 * MINUTE

/** Erases the data that identifies deleted users (spec/storage#erasure). */
async function continueErasures(dependencies: StepDependencies): Promise<{ ended: number; left: number }> {
  const { db, now } = dependencies
  const startedAt = now()
  const due = await findDueErasures(db, startedAt, MAX_ERASURES)
  let ended = 0
  for (const erasure of due)
    if (now() - startedAt < MAX_TIME && (await advance(dependencies, erasure))) ended++
  return { ended, left: due.length - ended }
}

type Place = 'rows' | 'uploads' | 'outbox' | 'logs'

/** Continues one user's erasure. Returns true once all data has been erased. */
async function advance(dependencies: StepDependencies, storedErasure: Erasure): Promise<boolean> {
  const { db, now } = dependencies
  const erasure = await excludeNamesOfOthers(db, storedErasure)
  let { place, after, waits } = readPlace(erasure.place)
  const stop = async (nextAt: number) => {
    await continueErasure(db, erasure, { place: `${place}:${waits ? 1 : 0}:${after}`, nextAt })
    return false
  }
  for (let step = 0; step < MAX_STEPS; step++) {
    switch (place) {
      case 'rows':
        if (await eraseIndexedRows(db, erasure)) place = 'uploads'
        break
      case 'uploads': {
        const uploads: UploadRemovalResult = await removeUserUploads(dependencies, erasure)
        if (uploads === 'failing') return stop(now() + WAIT)
        if (uploads !== 'more') place = 'outbox'
        break
      }
      case 'outbox': {
        const { last, waiting } = await eraseDeliveries(db, erasure, after)
        waits ||= waiting > 0
        after = last ?? ''
        if (last !== null) break
        if (waits) {
          waits = false
          return stop(now() + WAIT)
        }
        place = 'logs'
        break
      }
      case 'logs': {
        const { last } = await eraseMentions(db, erasure, after)
        after = last ?? ''
        if (last !== null) break
        // Deliveries and requests in progress may have written more rows about the user since the first step.
        if (!(await eraseIndexedRows(db, erasure))) break
        await endErasure(db, erasure)
        return true
      }
    }
  }
  return stop(now())
}

/** Parses the progress of an erasure, in the format `{place}:{whether deliveries are pending}:{last id}`. */
function readPlace(text: string | null): { place: Place; after: string; waits: boolean } {
  const [, place, waits, after] = /^(rows|uploads|outbox|logs):([01]):(.*)$/.exec(text ?? '') ?? []
  return { place: (place as Place | undefined) ?? 'rows', waits: waits === '1', after: after ?? '' }
}
