import {
  CEREMONY_TIMEOUT,
  MOST_PASSKEYS,
  PASSKEY_ALGORITHMS,
  type Passkey,
  type PasskeyPurpose,
} from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import { passkeyUser } from '../../domain/passkeys/passkeys.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { conditionalLabel, creationLabel, keyCreationLabel, newChallenge } from './passkey-challenge.ts'

/**
 * `place` is where the user was proved: a challenge of another place does not open, nor one that was made for the other way of
 * creation. A `conditional` one may come without user presence and verification (WebAuthn §5.1.3).
 */
export type PasskeyOwner = { tenantId: string; user: UserRow; place: string; isConditional?: boolean }

const labels = { signIn: creationLabel, secondFactor: keyCreationLabel }

/** A security key as second factor needs neither room for names nor a PIN. */
const selections = {
  signIn: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  conditional: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  secondFactor: { residentKey: 'discouraged', requireResidentKey: false, userVerification: 'discouraged' },
} as const

/** What a browser creates a passkey from. The authenticators that `present` names have one already. */
export async function passkeyCreation(
  dependencies: Pick<Dependencies, 'now' | 'seals' | 'tenantSettings' | 'experience'>,
  { tenantId, user, place, isConditional = false }: PasskeyOwner,
  { present, purpose }: { present: readonly Passkey[]; purpose: PasskeyPurpose },
) {
  const labelFor = isConditional ? conditionalLabel : labels[purpose]
  const rpId = await domainOf(dependencies, tenantId)
  if (present.length >= MOST_PASSKEYS) refuseWith('passkey.limit_reached', { max: MOST_PASSKEYS })
  const { branding } = await dependencies.experience.get(tenantId)
  return {
    challenge: await newChallenge(dependencies, labelFor(tenantId, user.id, place)),
    rp: { id: rpId, name: branding.name ?? rpId },
    user: passkeyUser(user),
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    excludeCredentials: present.map(({ id, transports }) => ({
      id,
      type: 'public-key' as const,
      transports,
    })),
    timeout: CEREMONY_TIMEOUT,
    attestation: 'none' as const,
    authenticatorSelection: isConditional ? selections.conditional : selections[purpose],
  }
}

/** The domain of the tenant's passkeys, where they are enabled. */
export async function domainOf(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
): Promise<string> {
  const { passkeys } = await tenantSettings.get(tenantId)
  return passkeys.enabled && passkeys.rpId !== null
    ? passkeys.rpId
    : refuseWith('user.sign_in_method_not_enabled')
}
