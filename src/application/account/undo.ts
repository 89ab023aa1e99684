import { refuseWith } from '../../contract/refused.ts'
import { type AddressType, undoCutoff } from '../../domain/account/address-rules.ts'
import { nextRevocationTime } from '../../domain/sessions/revocation.ts'
import {
  addressChangeOwner,
  addressColumns,
  getUserAddress,
  openAddressChangeQuery,
  undoStatements,
} from '../../storage/account/address-changes.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import { updateUserIf, withProfileUpdateTime } from '../../storage/users/user-changes.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { FactorChange, FactorDependencies } from '../factors/manage.ts'
import { addressChangedEvents, removedFactorEvents } from '../hooks/events.ts'
import { finishRevocation, logoutEvents } from '../sessions/revoke.ts'
import { readUndoLink } from './undo-link.ts'
import { rethrowAsConflict } from './uniqueness-refusal.ts'

type Undo = Pick<FactorChange, 'tenantId' | 'message' | 'background'> & {
  sealed: string
  url: string
  beginAudit(change: UndoableChange): FactorChange['audit']
}

/**
 * Restores the old address, removes everything that was added to the account after the address change, and ends all
 * sessions. If the restored address can be used to reset the password, the password is removed, too, because whoever
 * changed the address may know it.
 */
export async function undoAddressChange(
  dependencies: FactorDependencies,
  { tenantId, sealed, url, message, beginAudit, background }: Undo,
): Promise<UndoableChange> {
  const { db } = dependencies
  const change = await readUndo(dependencies, tenantId, sealed)
  const { user, userId, type, previous, resets, since } = change
  const audit = beginAudit(change)
  const now = dependencies.now()
  const { condition, ...ends } = undoStatements(db, tenantId, { change, now })
  const revocation = { tenantId, userId, revokedAt: nextRevocationTime(user, now) }
  const columns = {
    ...addressColumns(type, previous),
    ...(resets && { passwordEncrypted: null, passwordEncryptionMethod: null }),
    revokedAt: revocation.revokedAt,
  }
  // The address that is about to be removed also receives the notice, so it does not say where the owner is.
  const owner = { tenantId, userId }
  const context = { ...owner, message: { ...message, caller: undefined }, now }
  const notifications = {
    ...addressChangedEvents({ type, informed: [previous], from: change.present, to: previous }, context),
    hooksBefore: removedFactorEvents(context, since, change.passkeys),
  }
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    outbox: { ...notifications, logouts: logoutEvents(revocation, url) },
    statements: {
      ...ends,
      changed: updateUserIf(db, tenantId, condition, userId, withProfileUpdateTime(columns, now)),
    },
  }).catch(rethrowAsConflict)
  if (changed.length === 0) return refuseWith('user.undo_link_invalid')
  finishRevocation(dependencies, { ...revocation, outboxIds, hasNotice: true, background })
  return change
}

/** An address change that can be undone with the link in a notice (spec/account-centre#undo). */
export type UndoableChange = {
  id: string
  createdAt: number
  userId: string
  user: UserRow
  type: AddressType
  previous: string
  /** The address that replaced the previous one, or null if it was removed. */
  present: string | null
  /** True if undoing the change removes the password. It does if the restored address can reset the password. */
  resets: boolean
  /** Everything that was added to the account from this time on is removed. */
  since: number
  passkeys: readonly string[]
}

/**
 * Reads an address change in one round trip. The error is the same whether the link is expired, used or from another
 * tenant.
 */
export async function readUndo(
  { db, seals, now, experience }: Pick<Dependencies, 'db' | 'seals' | 'now' | 'experience'>,
  tenantId: string,
  sealed: string,
): Promise<UndoableChange> {
  const id = await readUndoLink({ seals }, tenantId, sealed)
  if (id === null) return refuseWith('user.undo_link_invalid')
  const { changes, owned } = await readTogether(db, {
    changes: openAddressChangeQuery(db, tenantId, id, now()),
    owned: passkeysQuery(db, tenantId, addressChangeOwner(tenantId, id)),
  })
  const [row] = changes
  if (!row) return refuseWith('user.undo_link_invalid')
  const { change, user } = row
  const since = undoCutoff({ changedAt: change.createdAt, createdAt: user.createdAt })
  const passkeys = owned.filter(({ createdAt }) => createdAt >= since).map((passkey) => passkey.id)
  const { forgotPassword } = await experience.get(tenantId)
  const resets = user.passwordEncrypted !== null && forgotPassword[change.type]
  return { ...change, user, present: getUserAddress(user, change.type).value, resets, since, passkeys }
}
