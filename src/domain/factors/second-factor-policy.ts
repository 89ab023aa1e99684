/** What policies ask of one sign-in: the strictest of them (spec/accounts#second-factor-policy). */
import type {
  AddedSecondFactorPolicy,
  RiskRule,
  SecondFactorPolicy,
} from '../../contract/tenants/settings.ts'
import type { SignInPlace } from './sign-in-place.ts'
import { riskRulesOf, type SignInHistory } from './sign-in-risk.ts'

/** What is asked whatever the sign-in, the weakest first; `voluntary`: a factor may be set up, and nobody is asked. */
export const demands = ['none', 'voluntary', 'ifEnrolled', 'prompt', 'required'] as const
export type Demand = (typeof demands)[number]

/** What `adaptive` asks of an unusual sign-in comes on top (ADR-0091). */
const demandBy: Record<SecondFactorPolicy, Demand> = {
  off: 'none',
  adaptive: 'voluntary',
  optional: 'ifEnrolled',
  prompt: 'prompt',
  required: 'required',
}

const stricterOf = (one: Demand, other: Demand): Demand =>
  demands.indexOf(one) < demands.indexOf(other) ? other : one

/** Whether an application or a role asks for less than before. */
export const asksForLess = (before: AddedPolicy, after: AddedPolicy): boolean =>
  (before.rememberDays === 0 && after.rememberDays !== 0) || isWeaker(before.policy, after.policy)

/** `adaptive` looks at each sign-in, so no other policy asks for all that it asks for. */
function isWeaker(before: AddedSecondFactorPolicy | null, after: AddedSecondFactorPolicy | null): boolean {
  if (before === null || before === after) return false
  if (before === 'adaptive' || after === null) return true
  return stricterOf(demandBy[before], demandBy[after]) !== demandBy[after]
}

export const strictestDemand = (policies: readonly SecondFactorPolicy[]): Demand =>
  policies.map((policy) => demandBy[policy]).reduce(stricterOf, 'none')

/** Whose policies count. */
export type PolicyFacts = {
  /** Of the tenant, of the application and, for a registration, of the roles that every new user gets. */
  common: readonly SecondFactorPolicy[]
  /** Of the roles that the accounts have. */
  ofRoles: readonly { userId: string; policy: SecondFactorPolicy }[]
  neverRemembered?: NeverRemembered
}

/** What an application or a role asks for beside the tenant. */
export type AddedPolicy = { policy: AddedSecondFactorPolicy | null; rememberDays: number | null }

/** The accounts for which no browser is remembered, whatever the tenant says (spec/accounts#never-remembered). */
type NeverRemembered = { all: boolean; userIds: readonly string[] }

export const isNeverRemembered = (
  account: { id: string } | null,
  { neverRemembered }: { neverRemembered?: NeverRemembered | undefined },
): boolean =>
  neverRemembered !== undefined &&
  (neverRemembered.all || (account !== null && neverRemembered.userIds.includes(account.id)))

/** Of an account; `null` is one that is being registered. */
export const policiesFor = (account: { id: string } | null, { common, ofRoles }: PolicyFacts) => [
  ...common,
  ...ofRoles.flatMap(({ userId, policy }) => (userId === account?.id ? policy : [])),
]

/** Where nobody is ever asked, nobody sets a factor up or shows one. */
export const mayBeAsked = (policies: readonly SecondFactorPolicy[]): boolean =>
  policies.some((policy) => policy !== 'off')

/**
 * A request for two factors makes one required wherever it may be asked for. Elsewhere it asks who has one: a change of
 * credentials may need it (spec/accounts#recent-verification).
 */
export function demandFor(
  account: { id: string } | null,
  { asksForTwoFactors, ...facts }: PolicyFacts & { asksForTwoFactors: boolean },
): Demand {
  const policies = policiesFor(account, facts)
  if (!asksForTwoFactors) return strictestDemand(policies)
  return mayBeAsked(policies) ? 'required' : 'ifEnrolled'
}

/** By what sign-ins are unusual; absent where no policy is `adaptive`, and for what is no sign-in. */
export type RiskFacts = {
  now: number
  here: SignInPlace
  histories: readonly SignInHistory[]
}

/** Whether the places of an account count, and are kept. */
export const isAdaptive = (account: { id: string } | null, facts: PolicyFacts): boolean =>
  policiesFor(account, facts).includes('adaptive')

/** Why a sign-in of the account is unusual; by no rule, and where no policy asks for that, it is not. */
export function risksOf(
  account: { id: string; revokedAt: number | null },
  { risk, ...facts }: PolicyFacts & { risk?: RiskFacts | undefined },
): RiskRule[] {
  const history = risk?.histories.find(({ userId }) => userId === account.id)
  if (!risk || !history || !isAdaptive(account, facts)) return []
  return riskRulesOf({ ...risk, history, revokedAt: account.revokedAt })
}

/** When what the account has was added; undefined where that was not read. */
export const agesOf = ({ id }: { id: string }, risk: RiskFacts | undefined) => {
  const added = risk?.histories.find(({ userId }) => userId === id)?.added
  return risk && added ? { added, now: risk.now } : undefined
}

/** A change of credentials is asked for what an unusual sign-in would be (spec/accounts#recent-verification). */
export const assumingUnusual = ({ common, ofRoles }: PolicyFacts): PolicyFacts => ({
  common: common.map(worst),
  ofRoles: ofRoles.map(({ userId, policy }) => ({ userId, policy: worst(policy) })),
})

const worst = (policy: SecondFactorPolicy): SecondFactorPolicy =>
  policy === 'adaptive' ? 'optional' : policy
