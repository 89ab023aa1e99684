import type { Proof } from '../../contract/interactions/interaction.ts'
import { rateLimitName } from '../../domain/limits.ts'
import { refuseAboveAccountLimit } from '../account-limit.ts'
import type { CountedAttempt, VerificationDependencies } from '../counted-attempt.ts'
import type { InteractionCall } from './interaction-call.ts'

/**
 * Counts right proofs as well (spec/limits#account-floods): each is the first thing that an interaction leaves for longer
 * than its hour.
 */
export const withProofLimit = (
  dependencies: Pick<VerificationDependencies, 'floodLimits'>,
  { tenantId, ip }: Pick<InteractionCall, 'tenantId' | 'ip'>,
  attempt: CountedAttempt,
): CountedAttempt => ({
  ...attempt,
  async prove(interaction) {
    const proof = await attempt.prove(interaction)
    await refuseAboveAccountLimit(dependencies, 'proof', { tenantId, userId: ownerOf(proof), ip })
    return proof
  },
})

/** The account, or what stands for it before a submit looks it up: the address, or the account at a social provider. */
function ownerOf(proof: Proof): string {
  if ('userId' in proof) return proof.userId
  if (proof.kind === 'social') return JSON.stringify([proof.connectorId, proof.profile.id])
  return rateLimitName({ type: proof.kind, value: proof.value })
}
