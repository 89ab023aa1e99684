import { refuseWith } from '../../contract/refused.ts'
import { type AddressType, undoTakesBackSince } from '../../domain/account/address-rules.ts'
import { addressOf, openAddressChange, ownerOfChange } from '../../storage/account/address-changes.ts'
import { readTogether } from '../../storage/batches.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { changeOfLink } from './undo-link.ts'

/** What a link of a notice undoes (spec/account-centre#undo). */
export type UndoableChange = {
  id: string
  createdAt: number
  userId: string
  user: UserRow
  type: AddressType
  previous: string
  /** What the change has put in its place; null where it was removed. */
  present: string | null
  /** Whether the password goes, because the address resets it. */
  resets: boolean
  /** What was added to the account from then on goes. */
  since: number
  passkeys: readonly string[]
}

/** In one round trip. A link that is too old, was used, or is not of this tenant looks alike. */
export async function readUndo(
  { db, seals, now, experience }: Pick<Dependencies, 'db' | 'seals' | 'now' | 'experience'>,
  tenantId: string,
  sealed: string,
): Promise<UndoableChange> {
  const id = await changeOfLink({ seals }, tenantId, sealed)
  if (id === null) return refuseWith('user.undo_link_invalid')
  const { changes, held } = await readTogether(db, {
    changes: openAddressChange(db, tenantId, id, now()),
    held: passkeysQuery(db, tenantId, ownerOfChange(tenantId, id)),
  })
  const [found] = changes
  if (!found) return refuseWith('user.undo_link_invalid')
  const { change, user } = found
  const since = undoTakesBackSince({ changedAt: change.createdAt, createdAt: user.createdAt })
  const passkeys = held.filter(({ createdAt }) => createdAt >= since).map((passkey) => passkey.id)
  const { forgotPassword } = await experience.get(tenantId)
  const resets = user.passwordEncrypted !== null && forgotPassword[change.type]
  return { ...change, user, present: addressOf(user, change.type).value, resets, since, passkeys }
}
