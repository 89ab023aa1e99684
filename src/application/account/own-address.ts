import { refuseWith } from '../../contract/refused.ts'
import { type AddressType, addressRemoval } from '../../domain/account/address-rules.ts'
import { addressOf, hasSomeAddress } from '../../storage/account/address-changes.ts'
import { hasSignInOption, toAccount } from '../../storage/users/users.ts'
import type { FactorChange, FactorDependencies } from '../factors/factor-change.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import { setOwnAddress } from './set-address.ts'

/** Where the account can do without it (spec/account-centre#addresses). */
export async function removeOwnAddress(
  dependencies: FactorDependencies,
  change: FactorChange,
  type: AddressType,
): Promise<void> {
  const { tenantId, signedIn } = change
  const { user } = signedIn
  if (addressOf(user, type).value === null) refuseWith('entity.not_found')
  const isProven = await requireRecentProof(dependencies, tenantId, signedIn)
  const removal = addressRemoval(type, toAccount(user), await dependencies.experience.get(tenantId))
  if (removal.kept === 'lastWay') return refuseWith('user.last_sign_in_method')
  if (removal.kept) return refuseWith('user.address_needed')
  // Two removals at the same time must not remove both of the last two.
  const also = [
    hasSignInOption(tenantId, user.id, removal.option),
    ...(removal.other ? [hasSomeAddress(tenantId, user.id, removal.other)] : []),
  ]
  await setOwnAddress(dependencies, change, { type, value: null, isProven, also })
}
