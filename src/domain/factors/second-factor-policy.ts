/** What the policies require of one sign-in; the strictest one counts (spec/accounts#second-factor-policy). */
import type {
  AddedSecondFactorPolicy,
  RiskRule,
  SecondFactorPolicy,
} from '../../contract/tenants/settings.ts'
import type { SignInPlace } from './sign-in-place.ts'
import { matchingRiskRules, type SignInHistory } from './sign-in-risk.ts'

/**
 * The requirements that do not depend on the sign-in, weakest first. With `voluntary`, a factor may be set up, but
 * nobody is asked for one.
 */
export const demands = ['none', 'voluntary', 'ifEnrolled', 'prompt', 'required'] as const
export type Demand = (typeof demands)[number]

/** The demands of the policies. What `adaptive` requires of unusual sign-ins comes on top (ADR-0091). */
const demandOfPolicy: Record<SecondFactorPolicy, Demand> = {
  off: 'none',
  adaptive: 'voluntary',
  optional: 'ifEnrolled',
  prompt: 'prompt',
  required: 'required',
}

const stricterOf = (one: Demand, other: Demand): Demand =>
  demands.indexOf(one) < demands.indexOf(other) ? other : one

/** Checks whether an application or a role becomes less strict. */
export const isLessStrict = (before: AddedPolicy, after: AddedPolicy): boolean =>
  (before.rememberDays === 0 && after.rememberDays !== 0) || isWeaker(before.policy, after.policy)

/** `adaptive` examines every sign-in, so no other policy covers everything that it requires. */
function isWeaker(before: AddedSecondFactorPolicy | null, after: AddedSecondFactorPolicy | null): boolean {
  if (before === null || before === after) return false
  if (before === 'adaptive' || after === null) return true
  return stricterOf(demandOfPolicy[before], demandOfPolicy[after]) !== demandOfPolicy[after]
}

export const strictestDemand = (policies: readonly SecondFactorPolicy[]): Demand =>
  policies.map((policy) => demandOfPolicy[policy]).reduce(stricterOf, 'none')

/** The policies that apply. */
export type PolicyFacts = {
  /** The policies of the tenant, of the application and, for a registration, of every new user's roles. */
  common: readonly SecondFactorPolicy[]
  /** The policies of the accounts' roles. */
  ofRoles: readonly { userId: string; policy: SecondFactorPolicy }[]
  neverRemembered?: NeverRemembered
}

/** What an application or a role requires in addition to the tenant. */
export type AddedPolicy = { policy: AddedSecondFactorPolicy | null; rememberDays: number | null }

/** The accounts for which no browser is remembered, whatever the tenant's setting (spec/accounts#never-remembered). */
type NeverRemembered = { all: boolean; userIds: readonly string[] }

export const isNeverRemembered = (
  account: { id: string } | null,
  { neverRemembered }: { neverRemembered?: NeverRemembered | undefined },
): boolean =>
  neverRemembered !== undefined &&
  (neverRemembered.all || (account !== null && neverRemembered.userIds.includes(account.id)))

/** Returns the policies for an account, or for a registration if it is null. */
export const policiesFor = (account: { id: string } | null, { common, ofRoles }: PolicyFacts) => [
  ...common,
  ...ofRoles.flatMap(({ userId, policy }) => (userId === account?.id ? policy : [])),
]

/** Checks whether any policy applies. If none does, nobody sets up or proves a second factor. */
export const mayBeAsked = (policies: readonly SecondFactorPolicy[]): boolean =>
  policies.some((policy) => policy !== 'off')

/**
 * A request for two factors makes one required wherever policies can require one. Elsewhere it applies to users who
 * have one, because a change of credentials may need it (spec/accounts#recent-verification).
 */
export function demandFor(
  account: { id: string } | null,
  { asksForTwoFactors, ...facts }: PolicyFacts & { asksForTwoFactors: boolean },
): Demand {
  const policies = policiesFor(account, facts)
  if (!asksForTwoFactors) return strictestDemand(policies)
  return mayBeAsked(policies) ? 'required' : 'ifEnrolled'
}

/** The facts that make a sign-in unusual. Absent if no policy is `adaptive`, and for anything other than a sign-in. */
export type RiskFacts = {
  now: number
  here: SignInPlace
  histories: readonly SignInHistory[]
}

/** Checks whether the places of an account matter and are stored. */
export const isAdaptive = (account: { id: string } | null, facts: PolicyFacts): boolean =>
  policiesFor(account, facts).includes('adaptive')

/**
 * Returns why a sign-in of the account is unusual. The list is empty if no rule applies, or no policy considers risks.
 */
export function risksOf(
  account: { id: string; revokedAt: number | null },
  { risk, ...facts }: PolicyFacts & { risk?: RiskFacts | undefined },
): RiskRule[] {
  const history = risk?.histories.find(({ userId }) => userId === account.id)
  if (!risk || !history || !isAdaptive(account, facts)) return []
  return matchingRiskRules({ ...risk, history, revokedAt: account.revokedAt })
}

/** Returns when the account's factors were added, or undefined if that was not loaded. */
export const agesOf = ({ id }: { id: string }, risk: RiskFacts | undefined) => {
  const added = risk?.histories.find(({ userId }) => userId === id)?.added
  return risk && added ? { added, now: risk.now } : undefined
}

/** A change of credentials requires what an unusual sign-in would (spec/accounts#recent-verification). */
export const assumingUnusual = ({ common, ofRoles }: PolicyFacts): PolicyFacts => ({
  common: common.map(assumeUnusual),
  ofRoles: ofRoles.map(({ userId, policy }) => ({ userId, policy: assumeUnusual(policy) })),
})

const assumeUnusual = (policy: SecondFactorPolicy): SecondFactorPolicy =>
  policy === 'adaptive' ? 'optional' : policy
