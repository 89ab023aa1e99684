import {
  type AccountDeletion,
  dueDeletions,
  forgetCanceled,
  isDue,
  isUntold,
  markTold,
  untoldCancellations,
} from '../../storage/account/account-deletions.ts'
import { commitChange } from '../../storage/commit.ts'
import { logEvent } from '../../storage/event-log.ts'
import type { Dependencies } from '../dependencies.ts'
import { cancellationEvents } from './cancel-deletion.ts'
import { continueErasures } from './continue-erasures.ts'
import { eraseUser } from './erase-user.ts'

/** Of one scheduled run, each a batch of its own; the next run goes on. */
const MOST = 20
const DAY = 24 * 60 * 60 * 1000 // ms

/** Accounts whose days of grace are over are deleted, and users who signed in are told that theirs stay (spec/accounts#deletion). */
export async function deleteDueAccounts({
  db,
  now,
}: Pick<Dependencies, 'db' | 'now'>): Promise<{ deleted: number; kept: number }> {
  const at = now()
  let kept = 0
  for (const deletion of await untoldCancellations(db, MOST)) if (await tellKept(deletion)) kept++
  let deleted = 0
  for (const deletion of await dueDeletions(db, at, MOST)) if (await deleteOne(deletion)) deleted++
  await forgetCanceled(db, at - DAY)
  return { deleted, kept }

  async function deleteOne({ tenantId, userId, origin }: AccountDeletion): Promise<boolean> {
    const key = 'Account.Delete'
    const audit = { key, payload: { key, result: 'Success' as const, userId }, createdAt: at }
    const condition = isDue({ tenantId, userId }, at)
    return (
      (await eraseUser({ db }, { tenantId, userId, condition, audit, url: origin, revokedAt: at })) !== null
    )
  }

  async function tellKept(deletion: AccountDeletion): Promise<boolean> {
    const { tenantId, userId, origin, requestId, acceptLanguage } = deletion
    const key = 'Account.Deletion.Delete'
    const message = {
      tenantId,
      requestId,
      host: new URL(origin).host,
      acceptLanguage: acceptLanguage ?? undefined,
    }
    const { told } = await commitChange(db, {
      tenantId,
      condition: isUntold(deletion),
      audit: { key, payload: { key, result: 'Success', userId }, createdAt: deletion.canceledAt ?? at },
      outbox: cancellationEvents(message, deletion, at),
      statements: { told: markTold(db, deletion, at) },
    })
    return told.length > 0
  }
}

/** Accounts that are due, and what is left of deleted users. */
export async function runErasures(dependencies: Parameters<typeof continueErasures>[0]): Promise<void> {
  const accounts = await deleteDueAccounts(dependencies)
  if (accounts.deleted + accounts.kept > 0) logEvent('accounts_deleted', accounts)
  const erasures = await continueErasures(dependencies)
  if (erasures.ended + erasures.left > 0) logEvent('users_erased', erasures)
}
