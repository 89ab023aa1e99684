import { refuseWith } from '../../contract/refused.ts'
import { type AddressType, isSameAddress } from '../../domain/account/address-rules.ts'
import {
  addressColumns,
  addressOf,
  givesUndo,
  insertAddressChangeIf,
  isReplacing,
} from '../../storage/account/address-changes.ts'
import { newChangeId } from '../../storage/account/undoable-addresses.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import { datedProfile, updateUserIf } from '../../storage/users/user-changes.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import type { FactorChange, FactorDependencies } from '../factors/factor-change.ts'
import { addressChanged, sendTold, userUpdated } from '../hooks/account-events.ts'
import { requireStillProven } from '../sessions/recent-proof.ts'
import { asTaken } from './uniqueness-refusal.ts'

/** Null removes the address; else it was proved. `also`: what else has to hold. */
type Wanted = { type: AddressType; value: string | null; isProven: Condition; also?: readonly Condition[] }

/**
 * A new address in place of the old one, whose owner is told and can undo it for three days (spec/account-centre#undo). An old address
 * that was never verified may be a stranger's, one of the last 30 days that of a thief: they are told, and undo nothing.
 */
export async function setOwnAddress(
  dependencies: Pick<FactorDependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, signedIn: { user, token }, message, audit, background }: FactorChange,
  { type, value, isProven, also = [] }: Wanted,
): Promise<void> {
  const { db } = dependencies
  const now = dependencies.now()
  const userId = user.id
  const { value: previous, isVerified } = addressOf(user, type)
  const isSame = isSameAddress(previous, value)
  const isStillProven = allOf(isProven, isUnrevoked(tenantId, user))
  const record = { id: newChangeId(), previous: isVerified ? previous : null, userId, type, now }
  const condition = allOf(
    isStillProven,
    isReplacing(tenantId, userId, { type, from: previous, to: value, now }),
    ...also,
  )
  const occasion = { tenantId, userId, applicationId: token.clientId, message, now }
  const replaced = {
    type,
    informed: value === null ? [] : [value],
    ...(record.previous !== null && {
      undo: { id: record.id, address: record.previous, condition: givesUndo(tenantId, record) },
    }),
  }
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    outbox: isSame ? { hooks: [userUpdated(occasion)] } : addressChanged(replaced, occasion),
    statements: {
      record: isSame ? undefined : insertAddressChangeIf(db, tenantId, condition, record),
      changed: updateUserIf(db, tenantId, condition, userId, datedProfile(addressColumns(type, value), now)),
    },
  }).catch(asTaken)
  if (changed.length === 0) {
    await requireStillProven(dependencies, isStillProven)
    refuseWith('request.changed_meanwhile')
  }
  sendTold(dependencies, { tenantId, userId, outboxIds, background })
}
