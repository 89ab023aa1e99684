import { refuseWith } from '../../contract/refused.ts'
import { type AddressType, checkAddressRemoval, isSameAddress } from '../../domain/account/address-rules.ts'
import type { VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import {
  addressColumns,
  allowsUndo,
  getUserAddress,
  hasAddressOfType,
  hasOldOrNewAddress,
  insertAddressChangeIf,
} from '../../storage/account/address-changes.ts'
import { createNewAddressCode, newAddressCodeOwner } from '../../storage/account/new-address-codes.ts'
import { createUndoableChangeId } from '../../storage/account/undoable-addresses.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import { updateUserIf, withProfileUpdateTime } from '../../storage/users/user-changes.ts'
import { hasSignInOption, isUnrevoked, toAccount } from '../../storage/users/users.ts'
import { countCodeSend } from '../codes/send.ts'
import { consumeCode } from '../codes/verify.ts'
import type { SendingDependencies } from '../connectors/deliver.ts'
import { sendCode } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import type { FactorChange, FactorDependencies } from '../factors/manage.ts'
import { addressChangedEvents, dispatchNotifications, userUpdatedEvents } from '../hooks/events.ts'
import { requireCurrentProof, requireStepUp } from '../sessions/step-up.ts'
import { rethrowAsConflict } from './uniqueness-refusal.ts'

/**
 * Users have to enter a verification code before a new address is added to their account. Only then do they learn
 * whether another account has the address, because this is revealed only to people who control the address
 * (spec/accounts#hidden-existence).
 */

type NewAddress = FactorChange & { address: VerifiedAddress; ip: string | undefined }

export async function sendNewAddressCode(
  dependencies: FactorDependencies & SendingDependencies & Pick<Dependencies, 'phrases'>,
  { tenantId, signedIn, address, ip, audit, message }: NewAddress,
): Promise<void> {
  await requireStepUp(dependencies, tenantId, signedIn)
  const { user } = signedIn
  const sender = { ip, proven: [{ by: 'id' as const, value: user.id }] }
  await countCodeSend(dependencies, tenantId, { address, sender })
  const request = { user, session: sessionOf(signedIn), address, now: dependencies.now() }
  const code = await createNewAddressCode(dependencies, tenantId, request)
  // If the code is null, a concurrent request has created a newer code and sends it.
  if (code === null) return
  audit.add(await sendCode(dependencies, message, { address, type: 'Generic', code }))
}

/** Verifies the code, and then adds the address to the account. */
export async function proveNewAddress(
  dependencies: FactorDependencies & Pick<Dependencies, 'settings'>,
  { code, ...change }: NewAddress & { code: string },
): Promise<void> {
  const { tenantId, signedIn, address } = change
  const isProven = await requireStepUp(dependencies, tenantId, signedIn)
  const owner = newAddressCodeOwner(sessionOf(signedIn), address)
  await consumeCode(dependencies, { tenantId, owner, address, code })
  await setOwnAddress(dependencies, change, { type: address.type, value: address.value, isProven })
}

/**
 * Returns the id of the session to which a code belongs. Codes from other sessions or for other purposes are rejected.
 */
const sessionOf = ({ token }: FactorChange['signedIn']) => token.sessionUid ?? token.grantId

/** Removes an address, unless the account needs it (spec/account-centre#addresses). */
export async function removeOwnAddress(
  dependencies: FactorDependencies,
  change: FactorChange,
  type: AddressType,
): Promise<void> {
  const { tenantId, signedIn } = change
  const { user } = signedIn
  if (getUserAddress(user, type).value === null) refuseWith('entity.not_found')
  const isProven = await requireStepUp(dependencies, tenantId, signedIn)
  const removal = checkAddressRemoval(type, toAccount(user), await dependencies.experience.get(tenantId))
  if (removal.obstacle === 'lastWay') return refuseWith('user.last_sign_in_method')
  if (removal.obstacle) return refuseWith('user.address_needed')
  // With these conditions, two concurrent requests cannot remove the last two addresses.
  const requirements = [
    hasSignInOption(tenantId, user.id, removal.option),
    ...(removal.other ? [hasAddressOfType(tenantId, user.id, removal.other)] : []),
  ]
  await setOwnAddress(dependencies, change, { type, value: null, isProven, requirements })
}

/**
 * The verified address to store, or null to remove the current one. `requirements` are additional conditions of the
 * change.
 */
type AddressSetting = {
  type: AddressType
  value: string | null
  isProven: Condition
  requirements?: readonly Condition[]
}

/**
 * Replaces or removes an address. The owner of the old address is notified and can undo the change for three days
 * (spec/account-centre#undo). There is no undo link if the old address was unverified, because it may belong to a
 * stranger, or if it was added in the last 30 days, because it may belong to a thief.
 */
async function setOwnAddress(
  dependencies: Pick<FactorDependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, signedIn: { user, token }, message, audit, background }: FactorChange,
  { type, value, isProven, requirements = [] }: AddressSetting,
): Promise<void> {
  const { db } = dependencies
  const now = dependencies.now()
  const userId = user.id
  const { value: previous, isVerified } = getUserAddress(user, type)
  const isSame = isSameAddress(previous, value)
  const isStillProven = allOf(isProven, isUnrevoked(tenantId, user))
  const record = { id: createUndoableChangeId(), previous: isVerified ? previous : null, userId, type, now }
  const condition = allOf(
    isStillProven,
    hasOldOrNewAddress(tenantId, userId, { type, from: previous, to: value, now }),
    ...requirements,
  )
  const context = { tenantId, userId, applicationId: token.clientId, message, now }
  const replaced = {
    type,
    informed: value === null ? [] : [value],
    from: previous,
    to: value,
    ...(record.previous !== null && {
      undo: { id: record.id, address: record.previous, condition: allowsUndo(tenantId, record) },
    }),
  }
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    outbox: isSame ? { hooks: [userUpdatedEvents(context)] } : addressChangedEvents(replaced, context),
    statements: {
      record: isSame ? undefined : insertAddressChangeIf(db, tenantId, condition, record),
      changed: updateUserIf(
        db,
        tenantId,
        condition,
        userId,
        withProfileUpdateTime(addressColumns(type, value), now),
      ),
    },
  }).catch(rethrowAsConflict)
  if (changed.length === 0) {
    await requireCurrentProof(dependencies, isStillProven)
    refuseWith('request.changed_meanwhile')
  }
  dispatchNotifications(dependencies, { tenantId, userId, outboxIds, background })
}
