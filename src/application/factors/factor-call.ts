import type { Interaction } from '../../contract/interactions/interaction.ts'
import { refuseWith } from '../../contract/refused.ts'
import { acceptedFactors, type Factor, factorsFor } from '../../domain/factors/second-factor.ts'
import { getPolicies, hasSecondFactorPolicy } from '../../domain/factors/second-factor-policy.ts'
import { requestsTwoFactors } from '../../domain/interactions/authentication.ts'
import type { FactorOwner } from '../../storage/factors/factors.ts'
import type { AttemptToCount } from '../../storage/rate-limits.ts'
import { type AttemptDependencies, createTenantAttemptLimiter } from '../attempts.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { type PolicyRows, policyFacts, policyQueries } from './policies.ts'

/**
 * Prepares a request about a second factor of the pinned account. Returns the queries to run together with those of the
 * interaction, and the checks to make afterwards.
 */
export async function prepareFactorCall(
  dependencies: AttemptDependencies,
  call: Pick<InteractionCall, 'tenantId' | 'open'>,
  factor: Factor,
) {
  const { tenantId, open } = call
  const settings = await dependencies.tenantSettings.get(tenantId)
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const before = await open.peek()
  const accepted = acceptedFactors(settings)
  const isAmong = (factors: readonly Factor[]) =>
    [...factors, 'backupCode', ...(before?.addressChallenge ?? [])].includes(factor)
  // Only the policies, which are not loaded yet, tell whether the account is that of an administrator.
  const isPossible = isAmong(settings.administratorsNeedSecondFactor ? [...accepted, 'totp'] : accepted)
  const owner = isPossible ? pinnedOwner(tenantId, before) : null
  const lookups = owner ? [{ by: 'id' as const, value: owner.userId }] : []
  const policies = policyQueries(dependencies, call, { event: 'SignIn', lookups })
  return {
    /**
     * The owner of the factor, or null if the request will be rejected. In that case, the factor is not read and no
     * attempt is counted.
     */
    owner,
    lookups,
    attempts,
    now: attempts.circumstances.now,
    count: (listFor: (userId: string) => AttemptToCount[]) =>
      owner ? attempts.count(listFor(owner.userId)) : [],
    policies,
    /**
     * Returns the owner of the factor. Throws if the factor is not accepted for the account, no policy requires one,
     * or no account is pinned.
     */
    ownerIn(
      { event }: Interaction,
      { params }: { params: Record<string, unknown> },
      policyRows: PolicyRows,
    ): FactorOwner {
      const account = owner && { id: owner.userId }
      const facts = policyFacts(settings.secondFactor.policy, policyRows)
      const isAsked = hasSecondFactorPolicy(getPolicies(account, facts)) || requestsTwoFactors(params)
      const isAccepted = isPossible && isAmong(factorsFor(account, { ...facts, factors: accepted }))
      if (!isAccepted || !isAsked || event !== 'SignIn') refuseWith('user.sign_in_method_not_enabled')
      return owner ?? refuseWith('session.identifier_not_found')
    },
  }
}

/**
 * Returns the owner of the pinned account. The account is pinned when the interaction is submitted and a second factor
 * is required, so the user has already provided a first proof (spec/interaction#pinned-account).
 */
function pinnedOwner(tenantId: string, interaction: Interaction | null): FactorOwner | null {
  const userId = interaction?.event === 'SignIn' ? interaction.accountId : undefined
  return userId === undefined ? null : { tenantId, userId }
}
