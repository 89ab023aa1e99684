import { isRefusal } from '../../contract/refused.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import { decideFactor } from '../../domain/factors/factor-decision.ts'
import type { SecondFactorFacts } from '../../domain/factors/second-factor.ts'
import { atWorst } from '../../domain/factors/second-factor-policy.ts'
import { secondFactorFacts } from '../../domain/interactions/submit-facts.ts'
import { toAccount, type UserRow } from '../../storage/users/users.ts'
import { policyFacts } from '../factors/second-factor-policies.ts'

/** Whether a change of credentials needs two factors of its user (spec/accounts#recent-verification). */

type FoundLevel = Omit<Parameters<typeof policyFacts>[1], 'defaultRoles'> &
  Pick<Parameters<typeof secondFactorFacts>[1], 'holdings'> & { asked: readonly { isAsked: number }[] }

/**
 * Where a sign-in with one factor would be asked for another one. An app or a passkey counts for the whole tenant: an application
 * that asks nobody does not change what opens another one. An address counts where a policy asks alone, since who signs in by it
 * has nothing else to prove.
 */
export function needsTwoFactors(
  settings: Pick<TenantSettings, 'secondFactor' | 'passkeys'>,
  user: UserRow,
  { holdings, asked, ...found }: FoundLevel,
): boolean {
  const facts = levelFacts(settings, { holdings, asked, ...found })
  const asks = (given: SecondFactorFacts) => {
    const outcome = decideFactor({ event: 'SignIn', proofs: [] }, toAccount(user), given)
    return isRefusal(outcome) && outcome.code === 'user.second_factor_required'
  }
  const kept = facts.factors.filter((factor) => factor === 'totp' || factor === 'passkey')
  return asks(facts) || (asked[0]?.isAsked === 1 && asks({ ...facts, common: ['optional'], factors: kept }))
}

/** Of a user who is there, beside any request. */
export function levelFacts(
  settings: Pick<TenantSettings, 'secondFactor' | 'passkeys'>,
  { holdings, ...found }: FoundLevel,
): SecondFactorFacts {
  const policies = atWorst(policyFacts(settings.secondFactor.policy, { ...found, defaultRoles: [] }))
  return secondFactorFacts(settings, { policies, request: {}, holdings, remembered: [] })
}
