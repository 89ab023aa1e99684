import type { Interaction } from '../../contract/interactions/interaction.ts'
import { refuseWith } from '../../contract/refused.ts'
import { type Factor, takenFactors } from '../../domain/factors/second-factor.ts'
import { mayBeAsked, policiesFor } from '../../domain/factors/second-factor-policy.ts'
import { asksForTwoFactors } from '../../domain/interactions/authentication.ts'
import type { FactorOwner } from '../../storage/factors/factors.ts'
import { type AttemptToCount, consumeAttempts } from '../../storage/rate-limits.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { type FoundPolicies, policyFacts, policyQueries } from './policies.ts'

type CallDependencies = Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>

/** A call about a second factor of the pinned account: what to read with its interaction, and who it is about then. */
export async function factorCall(
  dependencies: CallDependencies,
  call: Pick<InteractionCall, 'tenantId' | 'open'>,
  factor: Factor,
) {
  const { db, tenantSettings, settings } = dependencies
  const at = dependencies.now()
  const { tenantId, open } = call
  const ofTenant = await tenantSettings.get(tenantId)
  const { limits, secondFactor } = ofTenant
  const peeked = await open.peek()
  const taken: readonly Factor[] = [
    ...takenFactors(ofTenant),
    'backupCode',
    ...(peeked?.addressChallenge ?? []),
  ]
  const isTaken = taken.includes(factor)
  const owner = isTaken ? pinnedOwner(tenantId, peeked) : null
  const lookups = owner ? [{ by: 'id' as const, value: owner.userId }] : []
  const policies = policyQueries(dependencies, call, { event: 'SignIn', lookups })
  const given = { limits, environment: settings.environment, now: at }
  return {
    /** Null where the call is going to be refused: then nothing of the factor is read or counted. */
    owner,
    lookups,
    now: at,
    consume: (attempts: (userId: string) => AttemptToCount[]) =>
      owner ? consumeAttempts(db, tenantId, attempts(owner.userId), given) : [],
    policies,
    /** Refuses what the tenant does not take or nobody asks for, and a sign-in whose account no submit has named. */
    ownerIn(
      { event }: Interaction,
      { params }: { params: Record<string, unknown> },
      found: FoundPolicies,
    ): FactorOwner {
      const inForce = policiesFor(owner && { id: owner.userId }, policyFacts(secondFactor.policy, found))
      const isAsked = mayBeAsked(inForce) || asksForTwoFactors(params)
      if (!isTaken || !isAsked || event !== 'SignIn') refuseWith('user.sign_in_method_not_enabled')
      return owner ?? refuseWith('session.identifier_not_found')
    },
  }
}

/** Pinned by the submit that asked for the factor, and so only after a first proof (spec/interaction#pinned-account). */
function pinnedOwner(tenantId: string, interaction: Interaction | null): FactorOwner | null {
  const userId = interaction?.event === 'SignIn' ? interaction.accountId : undefined
  return userId === undefined ? null : { tenantId, userId }
}
