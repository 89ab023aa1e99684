/**
 * Determines what the policies require of a sign-in. The strictest policy applies (spec/accounts#second-factor-policy).
 */
import type {
  AddedSecondFactorPolicy,
  RiskRule,
  SecondFactorPolicy,
} from '../../contract/tenants/settings.ts'
import type { SignInPlace } from './sign-in-place.ts'
import { findMatchingRiskRules, type SignInHistory } from './sign-in-risk.ts'

/**
 * The requirements that are the same for every sign-in, weakest first. With `voluntary`, users may set up a factor but
 * are not asked to.
 */
export const demands = ['none', 'voluntary', 'ifEnrolled', 'prompt', 'required'] as const
export type Demand = (typeof demands)[number]

/** The demand of each policy. In addition, `adaptive` requires a factor for unusual sign-ins (ADR-0091). */
const demandOfPolicy: Record<SecondFactorPolicy, Demand> = {
  off: 'none',
  adaptive: 'voluntary',
  optional: 'ifEnrolled',
  prompt: 'prompt',
  required: 'required',
}

const stricterOf = (one: Demand, other: Demand): Demand =>
  demands.indexOf(one) < demands.indexOf(other) ? other : one

/** Checks whether a change makes the policy of an application or role less strict. */
export const isLoosened = (before: AddedPolicy, after: AddedPolicy): boolean =>
  (before.rememberDays === 0 && after.rememberDays !== 0) || isWeaker(before.policy, after.policy)

/**
 * Checks whether one policy is weaker than another. `adaptive` examines every sign-in, so replacing it with any other
 * policy weakens it.
 */
function isWeaker(before: AddedSecondFactorPolicy | null, after: AddedSecondFactorPolicy | null): boolean {
  if (before === null || before === after) return false
  if (before === 'adaptive' || after === null) return true
  return stricterOf(demandOfPolicy[before], demandOfPolicy[after]) !== demandOfPolicy[after]
}

export const strictestDemand = (policies: readonly SecondFactorPolicy[]): Demand =>
  policies.map((policy) => demandOfPolicy[policy]).reduce(stricterOf, 'none')

/** The policies that may apply to a sign-in. */
export type PolicyFacts = {
  /** The policies of the tenant and the application and, for a registration, of the roles that every new user gets. */
  common: readonly SecondFactorPolicy[]
  /** The policies of the accounts' roles, and of the organisation for which they are about to act. */
  ofAccounts: readonly { userId: string; policy: SecondFactorPolicy }[]
  /** The ids of the accounts that need a factor because the tenant requires one of all administrators. */
  administrators?: readonly string[]
  neverRemembered?: NeverRemembered
}

/** The policy of an application or role, which is added to the tenant's policy. */
export type AddedPolicy = { policy: AddedSecondFactorPolicy | null; rememberDays: number | null }

/**
 * The accounts for which no browser is remembered, whatever the tenant's setting is (spec/accounts#never-remembered).
 */
type NeverRemembered = { all: boolean; userIds: readonly string[] }

export const isNeverRemembered = (
  account: { id: string } | null,
  { neverRemembered }: { neverRemembered?: NeverRemembered | undefined },
): boolean =>
  neverRemembered !== undefined &&
  (neverRemembered.all || (account !== null && neverRemembered.userIds.includes(account.id)))

/** Returns the policies for an account, or for a registration if `account` is null. */
export const getPolicies = (account: { id: string } | null, { common, ofAccounts }: PolicyFacts) => [
  ...common,
  ...ofAccounts.flatMap(({ userId, policy }) => (userId === account?.id ? policy : [])),
]

/** Checks whether any policy applies. If none does, second factors are neither set up nor verified. */
export const hasSecondFactorPolicy = (policies: readonly SecondFactorPolicy[]): boolean =>
  policies.some((policy) => policy !== 'off')

/**
 * Returns what the policies demand of an account. If the request asks for two factors, every account to which a policy
 * applies needs a factor. Without a policy, only users who have a factor need it, because a change of credentials may
 * require it (spec/accounts#recent-verification).
 */
export function getDemand(
  account: { id: string } | null,
  { requestsTwoFactors, ...facts }: PolicyFacts & { requestsTwoFactors: boolean },
): Demand {
  const policies = getPolicies(account, facts)
  if (!requestsTwoFactors) return strictestDemand(policies)
  return hasSecondFactorPolicy(policies) ? 'required' : 'ifEnrolled'
}

/**
 * The data from which unusual sign-ins are detected. Absent if no policy is `adaptive`, and for events other than a
 * sign-in.
 */
export type RiskFacts = {
  now: number
  here: SignInPlace
  histories: readonly SignInHistory[]
}

/** Checks whether an `adaptive` policy applies to an account. Sign-in locations are stored only for such accounts. */
export const isAdaptive = (account: { id: string } | null, facts: PolicyFacts): boolean =>
  getPolicies(account, facts).includes('adaptive')

/**
 * Returns the reasons why a sign-in is unusual. The list is empty if no rule matches, or if no `adaptive` policy
 * applies.
 */
export function findRisks(
  account: { id: string; revokedAt: number | null },
  { risk, ...facts }: PolicyFacts & { risk?: RiskFacts | undefined },
): RiskRule[] {
  const history = risk?.histories.find(({ userId }) => userId === account.id)
  if (!risk || !history || !isAdaptive(account, facts)) return []
  return findMatchingRiskRules({ ...risk, history, revokedAt: account.revokedAt })
}

/** Returns when the account's factors were added, or undefined if these times were not loaded. */
export const getFactorAges = ({ id }: { id: string }, risk: RiskFacts | undefined) => {
  const added = risk?.histories.find(({ userId }) => userId === id)?.added
  return risk && added ? { added, now: risk.now } : undefined
}

/**
 * Returns the policies as they apply to an unusual sign-in. A change of credentials requires the same factors
 * (spec/accounts#recent-verification).
 */
export const assumeUnusualSignIn = ({
  common,
  ofAccounts,
  administrators = [],
}: PolicyFacts): PolicyFacts => ({
  administrators,
  common: common.map(assumeUnusual),
  ofAccounts: ofAccounts.map(({ userId, policy }) => ({ userId, policy: assumeUnusual(policy) })),
})

const assumeUnusual = (policy: SecondFactorPolicy): SecondFactorPolicy =>
  policy === 'adaptive' ? 'optional' : policy
