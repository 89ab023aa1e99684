import { refuseWith } from '../../contract/refused.ts'
import { revocationAfter } from '../../domain/sessions/revocation.ts'
import { addressColumns, undoing } from '../../storage/account/address-changes.ts'
import { commitChange } from '../../storage/commit.ts'
import { datedProfile, updateUserIf } from '../../storage/users/user-changes.ts'
import type { FactorChange, FactorDependencies } from '../factors/factor-change.ts'
import { addressChanged, takenBack } from '../hooks/account-events.ts'
import { afterRevocation, logoutsOf } from '../sessions/revocation.ts'
import { readUndo, type UndoableChange } from './read-undo.ts'
import { asTaken } from './uniqueness-refusal.ts'

type Undo = Pick<FactorChange, 'tenantId' | 'message' | 'background'> & {
  sealed: string
  url: string
  beginAudit(change: UndoableChange): FactorChange['audit']
}

/**
 * The old address is that of the account again, what was added with the change is gone, and nobody is signed in any more. Whoever has made the change may know the
 * password: where the address can reset it, it counts no more.
 */
export async function undoAddressChange(
  dependencies: FactorDependencies,
  { tenantId, sealed, url, message, beginAudit, background }: Undo,
): Promise<UndoableChange> {
  const { db, deliveries } = dependencies
  const change = await readUndo(dependencies, tenantId, sealed)
  const { user, userId, type, previous, resets, since } = change
  const audit = beginAudit(change)
  const now = dependencies.now()
  const { condition, ...ends } = undoing(db, tenantId, { change, now })
  const revocation = { tenantId, userId, revokedAt: revocationAfter(user, now) }
  const columns = {
    ...addressColumns(type, previous),
    ...(resets && { passwordEncrypted: null, passwordEncryptionMethod: null }),
    revokedAt: revocation.revokedAt,
  }
  // Told to the address that goes, too.
  const owner = { tenantId, userId }
  const occasion = { ...owner, message, now }
  const told = {
    ...addressChanged({ type, informed: [previous] }, occasion),
    hooksBefore: takenBack(occasion, since, change.passkeys),
  }
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    outbox: { ...told, logouts: logoutsOf(revocation, url) },
    statements: {
      ...ends,
      changed: updateUserIf(db, tenantId, condition, userId, datedProfile(columns, now)),
    },
  }).catch(asTaken)
  if (changed.length === 0) return refuseWith('user.undo_link_invalid')
  background(() => afterRevocation(dependencies, revocation, outboxIds))
  background(() => deliveries.sendNotices({ tenantId, userId }))
  return change
}
