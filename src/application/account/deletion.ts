import type { HookActor } from '../../contract/hooks/hooks.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import type { AccountCentreSettings } from '../../contract/tenants/settings.ts'
import { DAY } from '../../contract/time.ts'
import { UNDO_LIFETIME } from '../../domain/account/address-rules.ts'
import { nextRevocationTime } from '../../domain/sessions/revocation.ts'
import { refuseOldProof } from '../../domain/sessions/verification.ts'
import { remainingOwnerPrecondition } from '../../storage/access/administration.ts'
import {
  cancelDeletion,
  isDeletionPending,
  requestDeletionIf,
} from '../../storage/account/account-deletions.ts'
import { digestUserId, erasureStatements } from '../../storage/account/erasures.ts'
import { hasNoUndoableChange, undoDeadlineQuery } from '../../storage/account/undoable-addresses.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import type { NewLog } from '../../storage/logs.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import { updateUserIf } from '../../storage/users/user-changes.ts'
import { isUnrevoked, removeUser } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit.ts'
import { createNotice } from '../connectors/notices.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { finishRevocation, logoutEvents } from '../sessions/revoke.ts'
import { requireStepUp } from '../sessions/step-up.ts'

type Message = Parameters<typeof createNotice>[0]

type Request = {
  tenantId: string
  signedIn: SignedInUser
  message: Message
  url: string
  audit: AuditEntry
  background(task: () => Promise<unknown>): void
}

/**
 * Deletes the account of a user who has recently been verified. All sessions end immediately. If there is a grace
 * period, the account is deleted at its end unless the user signs in before then (spec/accounts#deletion). In the
 * result, `dueAt` is the time of the deletion, or null if the account has already been deleted.
 */
export async function requestOwnDeletion(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries' | 'tenantSettings'>,
  { tenantId, signedIn, message, url, audit, background }: Request,
): Promise<{ dueAt: number | null }> {
  const { db, now, tenantSettings } = dependencies
  const isProven = await requireStepUp(dependencies, tenantId, signedIn)
  const { accountCentre } = await tenantSettings.get(tenantId)
  const { user } = signedIn
  const preconditions = [remainingOwnerPrecondition(tenantId, user.id)]
  const owner = { tenantId, userId: user.id }
  const at = now()
  const revocation = { ...owner, revokedAt: nextRevocationTime(user, at) }
  const { revokedAt } = revocation
  const isShort = accountCentre.deletionGraceDays * DAY < UNDO_LIFETIME
  const [undo] = isShort ? await undoDeadlineQuery(db, tenantId, user.id, at) : []
  const dueAt = computeDeletionDueAt(accountCentre, { now: at, undo })
  const condition = allOf(
    isProven,
    isUnrevoked(tenantId, user),
    ...(isShort ? [hasNoUndoableChange(tenantId, user.id, dueAt ?? at)] : []),
  )
  if (dueAt === null) {
    const deletion = { ...revocation, condition, preconditions, audit: audit.success(), url }
    const erased = await eraseUser(dependencies, deletion)
    if (!erased) throwIfRefused(refuseOldProof())
    finishRevocation(dependencies, { ...revocation, outboxIds: erased?.outboxIds ?? [], background })
    return { dueAt: null }
  }
  const { origin } = new URL(url)
  const { requestId, acceptLanguage = null } = message
  const notice = createNotice(message, {
    userId: user.id,
    type: 'DeletionRequested',
    reaches: 'formerAddresses',
    now: at,
    aboutAt: dueAt,
  })
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    preconditions,
    audit: audit.success(),
    outbox: {
      notice,
      logouts: logoutEvents(revocation, url),
      hooksBefore: [{ event: 'User.DeletionRequested', userId: user.id, now: at }],
    },
    statements: {
      deletion: requestDeletionIf(
        db,
        {
          ...owner,
          requestedAt: at,
          dueAt,
          origin,
          requestId,
          acceptLanguage: acceptLanguage?.slice(0, 256) ?? null,
        },
        condition,
      ),
      // This statement must come last, because the other statements read the user's previous state.
      changed: updateUserIf(db, tenantId, condition, user.id, { revokedAt }),
    },
  })
  if (changed.length === 0) throwIfRefused(refuseOldProof())
  finishRevocation(dependencies, { ...revocation, outboxIds, hasNotice: true, background })
  return { dueAt }
}

/**
 * Returns the queries for the facts that determine the date of a deletion, so that a page can add them to its batch.
 */
export const deletionDateQueries = (
  db: Dependencies['db'],
  tenantId: string,
  userId: string,
  now: number,
) => ({
  undo: undoDeadlineQuery(db, tenantId, userId, now),
})

/**
 * Returns the time at which a deletion requested now would take effect, or null if it would do so immediately. An
 * account is not deleted while an address change can still be undone.
 */
export function computeDeletionDueAt(
  { deletionGraceDays: days }: Pick<AccountCentreSettings, 'deletionGraceDays'>,
  { now, undo }: { now: number; undo: { at: number | null } | undefined },
): number | null {
  const earliest = days === 0 ? null : now + days * DAY
  return undo?.at ? Math.max(earliest ?? 0, undo.at) : earliest
}

type Cancellation = {
  tenantId: string
  userId: string
  message: Message
  audit: AuditEntry
  actor: HookActor
}

/** Cancels a user's deletion on behalf of an operator. Returns a function that sends the notifications. */
export async function cancelUserDeletion(
  { db, now, deliveries }: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, userId, message, audit, actor }: Cancellation,
): Promise<() => Promise<void>> {
  const owner = { tenantId, userId }
  const at = now()
  const { canceled, outboxIds } = await commitChange(db, {
    tenantId,
    condition: isDeletionPending(owner),
    audit: audit.success(),
    outbox: cancellationEvents(message, { ...owner, actor }, at),
    statements: { canceled: cancelDeletion(db, owner, at) },
  })
  if (canceled.length === 0) refuseWith('entity.not_found')
  return async () => {
    await deliveries.sendNotices(owner)
    await deliveries.send(tenantId, outboxIds)
  }
}

export const cancellationEvents = (
  message: Message,
  { userId, actor }: { userId: string; actor?: HookActor },
  now: number,
) => ({
  notice: createNotice(message, {
    userId,
    type: 'DeletionCanceled',
    reaches: 'formerAddresses',
    now,
  }),
  hooksBefore: [{ event: 'User.DeletionCanceled' as const, userId, actor, now }],
})

type Deletion = Guarded & {
  tenantId: string
  userId: string
  condition: Condition
  audit: NewLog
  /** A URL of the tenant. Its origin is that of the issuer that applications know. */
  url: string
  revokedAt: number
  /** The operator who deletes the user. Undefined if the user requested it. */
  actor?: HookActor | undefined
}

/**
 * Deletes a user if a condition holds, otherwise returns null. Scheduled maintenance later erases the data that
 * identifies the user (spec/storage#erasure).
 */
export async function eraseUser(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, userId, condition, preconditions, audit, url, revokedAt, actor }: Deletion,
): Promise<{ outboxIds: string[] } | null> {
  const digest = await digestUserId(tenantId, userId)
  const { deleted, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    preconditions,
    audit,
    statements: {
      ...erasureStatements(db, { tenantId, userId, digest, now: revokedAt, condition }),
      deleted: removeUser(db, tenantId, userId, condition),
    },
    outbox: {
      logouts: logoutEvents({ userId, revokedAt }, url),
      hooksBefore: [{ event: 'User.Deleted', userId, actor, now: revokedAt }],
    },
  })
  return deleted.length > 0 ? { outboxIds } : null
}
