import type { PasskeyAssertion } from '../../contract/passkeys/passkeys.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { addProof } from '../../domain/interactions/interaction.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { passkeyQuery } from '../../storage/passkeys/passkeys.ts'
import type { VerificationDependencies } from '../counted-attempt.ts'
import { factorCall } from '../factors/factor-call.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { refundAttempts } from '../refund-attempts.ts'
import { acceptPasskey } from './accept-passkey.ts'

/** One round trip reads the key beside the interaction, another records its use (spec/accounts#security-keys). */
export async function proveSecurityKey(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  assertion: PasskeyAssertion,
): Promise<void> {
  const { db } = dependencies
  const { tenantId, open, audit, ip, origin, background } = call
  const { owner: asked, now, consume, policies, ownerIn } = await factorCall(dependencies, call, 'passkey')
  const { row, found } = await open.rowAnd({
    ...policies,
    keys: asked ? passkeyQuery(db, tenantId, assertion.id) : undefined,
    consumed: consume(() => [{ limit: 'passkeyTriesPerNetwork', ip }]),
  })
  const before = await open.record(row)
  const entry = audit.begin(`Interaction.${before.event}.Identifier.SecurityKey.Submit`, {
    userId: asked?.userId,
  })
  const { userId } = ownerIn(before, row, found)
  const { consumed, keys } = found
  orRefuse(refusesAttempts(consumed, now))
  const [passkey] = keys
  if (passkey?.userId !== userId) return refuseWith('passkey.not_found')
  entry.add({ passkeyId: passkey.credentialId })
  const ceremony = { tenantId, uid: open.uid, origin, isSecondFactor: true }
  const proof = await acceptPasskey(dependencies, ceremony, { passkey, assertion, now })
  background(() => refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted' }))
  await open.save(addProof(before, proof))
}
