import type { PasskeyAttestation } from '../../contract/passkeys/passkeys.ts'
import { RefusalError } from '../../contract/refused.ts'
import { refusePasskey } from '../../domain/passkeys/passkeys.ts'
import type { NewPasskey } from '../../storage/passkeys/passkeys.ts'
import type { Dependencies } from '../dependencies.ts'
import { conditionalLabel, creationLabel, keyCreationLabel, openChallenge } from './passkey-challenge.ts'
import { domainOf, type PasskeyOwner } from './passkey-creation.ts'

/** What the browser has created, verified; refuses anything else. */
export async function verifiedPasskey(
  dependencies: Pick<Dependencies, 'now' | 'seals' | 'tenantSettings'>,
  { tenantId, user, place, isConditional = false }: PasskeyOwner,
  { attestation, origin }: { attestation: PasskeyAttestation; origin: string },
): Promise<NewPasskey> {
  const rpId = await domainOf(dependencies, tenantId)
  const opens = async (labelFor: typeof creationLabel) =>
    (await openChallenge(dependencies, labelFor(tenantId, user.id, place), attestation.response)) !== null
  const isSecondFactor = !isConditional && (await opens(keyCreationLabel))
  if (!isSecondFactor && !(await opens(isConditional ? conditionalLabel : creationLabel)))
    throw new RefusalError(refusePasskey('challenge'))
  const { verifiedAttestation } = await import('../../outbound/passkeys/webauthn.ts')
  const created = await verifiedAttestation(attestation, {
    ...{ origin, rpId, needsPresence: !isConditional },
    needsUser: !isConditional && !isSecondFactor,
  })
  if (!created) throw new RefusalError(refusePasskey('signature'))
  const { transports = [] } = attestation.response
  return { ...created, userId: user.id, rpId, transports, createdAt: dependencies.now(), isSecondFactor }
}
