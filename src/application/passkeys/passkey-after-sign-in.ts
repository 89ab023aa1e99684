import type { PasskeyAttestation, PasskeyCreation } from '../../contract/passkeys/passkeys.ts'
import { allOf } from '../../storage/conditions.ts'
import { firstUseOf } from '../../storage/interactions/single-use.ts'
import { singleUseKey } from '../../storage/passkeys/passkey-creation.ts'
import type { Dependencies } from '../dependencies.ts'
import { finishedSignIn } from '../interactions/finished-sign-in.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { addPasskey } from './new-passkey.ts'
import { CHALLENGE_LIFETIME, conditionalLabel, openChallenge } from './passkey-challenge.ts'
import { passkeyCreation } from './passkey-creation.ts'

/** A passkey for the user of a finished sign-in, which is good for one (ADR-0083). */
type OfferDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'tenantSettings' | 'experience' | 'deliveries'
>

/** POST /interaction/passkeys/options */
export async function passkeyCreationAfterSignIn(
  dependencies: OfferDependencies,
  call: InteractionCall,
  creation: PasskeyCreation,
) {
  const { owner, present, requires } = await finishedSignIn(dependencies, call)
  requires(creation)
  const isConditional = creation === 'conditional'
  return passkeyCreation(dependencies, { ...owner, isConditional }, { present, purpose: 'signIn' })
}

/** POST /interaction/passkeys */
export async function addPasskeyAfterSignIn(
  dependencies: OfferDependencies,
  call: InteractionCall,
  attestation: PasskeyAttestation,
): Promise<void> {
  const audit = call.audit.begin('Interaction.Passkey.Create')
  const { owner, isFinished, key, requires } = await finishedSignIn(dependencies, call)
  const { tenantId, user } = owner
  audit.add({ userId: user.id })
  // What was asked for unseen is in the seal of its challenge.
  const asked = conditionalLabel(tenantId, user.id, owner.place)
  const isConditional = (await openChallenge(dependencies, asked, attestation.response)) !== null
  const condition = allOf(isFinished, requires(isConditional ? 'conditional' : 'offer'))
  const expiresAt = dependencies.now() + CHALLENGE_LIFETIME
  const use = firstUseOf(dependencies.db, { ...singleUseKey(key), payload: {}, expiresAt })
  const { origin, message, background } = call
  const addition = { attestation, origin, condition, use, audit, message, background }
  await addPasskey(dependencies, { ...owner, isConditional }, addition)
}
