import { CEREMONY_TIMEOUT_MS, type PasskeyAssertion } from '../../contract/passkeys/passkeys.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { addProof } from '../../domain/interactions/interaction.ts'
import { passkeyQuery, passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { AttemptDependencies, VerificationDependencies } from '../attempts.ts'
import type { Dependencies } from '../dependencies.ts'
import { prepareFactorCall } from '../factors/factor-call.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { createChallenge, secondFactorLabel } from './challenge.ts'
import { requirePasskeyDomain, toCredentialDescriptors } from './create.ts'
import { acceptPasskey } from './sign-in.ts'

/**
 * Returns the request options for a passkey or security key of the pinned account. A touch is enough: user verification
 * is not required (spec/accounts#security-keys).
 */
export async function createSecurityKeyRequestOptions(
  dependencies: AttemptDependencies & Pick<Dependencies, 'seals'>,
  call: InteractionCall,
) {
  const { tenantId, open } = call
  const { owner, policies, ownerIn } = await prepareFactorCall(dependencies, call, 'passkey')
  const { row, results } = await open.readWith({
    ...policies,
    keys: owner ? passkeysQuery(dependencies.db, tenantId, owner.userId) : undefined,
  })
  ownerIn(await open.record(row), row, results)
  return {
    challenge: await createChallenge(dependencies, secondFactorLabel(tenantId, open.uid)),
    rpId: await requirePasskeyDomain(dependencies, tenantId),
    timeout: CEREMONY_TIMEOUT_MS,
    userVerification: 'discouraged' as const,
    allowCredentials: toCredentialDescriptors(results.keys),
  }
}

/**
 * Verifies a security key as a second factor. The key is read in the round trip that reads the interaction, and its use
 * is recorded in another (spec/accounts#security-keys).
 */
export async function proveSecurityKey(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  assertion: PasskeyAssertion,
): Promise<void> {
  const { db } = dependencies
  const { tenantId, open, audit, ip, origin, background } = call
  const { owner, attempts, now, count, policies, ownerIn } = await prepareFactorCall(
    dependencies,
    call,
    'passkey',
  )
  const { row, results } = await open.readWith({
    ...policies,
    keys: owner ? passkeyQuery(db, tenantId, assertion.id) : undefined,
    consumed: count(() => [{ limit: 'passkeyTriesPerNetwork', ip }]),
  })
  const before = await open.record(row)
  const entry = audit.begin(`Interaction.${before.event}.Identifier.SecurityKey.Submit`, {
    userId: owner?.userId,
  })
  const { userId } = ownerIn(before, row, results)
  const { consumed, keys } = results
  throwIfRefused(attempts.refusal(consumed))
  const [passkey] = keys
  if (passkey?.userId !== userId) return refuseWith('passkey.not_found')
  entry.add({ passkeyId: passkey.credentialId })
  const ceremony = { tenantId, uid: open.uid, origin, isSecondFactor: true }
  const proof = await acceptPasskey(dependencies, ceremony, { passkey, assertion, now })
  background(() => attempts.refund(consumed))
  await open.save(addProof(before, proof))
}
