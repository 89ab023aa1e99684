import type { Passkey, PasskeyPurpose } from '../../contract/passkeys/passkeys.ts'
import { allOf } from '../../storage/conditions.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import { addPasskey, type PasskeyAddition } from './new-passkey.ts'
import { passkeyCreation } from './passkey-creation.ts'

/** What users do with their own passkeys (spec/management#account-passkeys). */
type PasskeyDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'tenantSettings' | 'experience' | 'deliveries'
>

type Caller = { tenantId: string; signedIn: SignedInUser }

export const ownPasskeys = (
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, signedIn }: Caller,
): Promise<Passkey[]> => passkeysQuery(db, tenantId, signedIn.user.id).all()

/** Refused without a recent proof, as the creation itself will be. */
export async function ownPasskeyCreation(
  dependencies: PasskeyDependencies,
  { purpose, ...caller }: Caller & { purpose: PasskeyPurpose },
) {
  const { tenantId, signedIn } = caller
  await requireRecentProof(dependencies, tenantId, signedIn)
  const present = await ownPasskeys(dependencies, caller)
  return passkeyCreation(dependencies, ownerOf(caller), { present, purpose })
}

export async function addOwnPasskey(
  dependencies: PasskeyDependencies,
  { tenantId, signedIn, ...addition }: Caller & Omit<PasskeyAddition, 'condition'>,
): Promise<Passkey> {
  const isProven = await requireRecentProof(dependencies, tenantId, signedIn)
  const condition = allOf(isProven, isUnrevoked(tenantId, signedIn.user))
  return addPasskey(dependencies, ownerOf({ tenantId, signedIn }), {
    ...addition,
    condition,
    applicationId: signedIn.token.clientId,
  })
}

const ownerOf = ({ tenantId, signedIn: { user, token } }: Caller) => ({
  tenantId,
  user,
  place: token.grantId,
})
