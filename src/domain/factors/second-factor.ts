/** Whether a sign-in needs more than its first proof, and which (ADR-0082, spec/accounts#second-factor-policy). */
import { type Refusal, refuse } from '../../contract/errors.ts'
import {
  type AddressFactor,
  addressFactors,
  type FactorProof,
  factorProofKinds,
  type Interaction,
  type PasskeyProof,
  type Proof,
  type ProvenEnrolment,
} from '../../contract/interactions/interaction.ts'
import type { SecondFactorKind, TenantSettings } from '../../contract/tenants/settings.ts'
import type { VerifiedAddress } from '../codes/verification-codes.ts'
import { type Account, asciiLowerCase } from '../interactions/accounts.ts'
import { channelsOfReset } from '../passwords/password-reset.ts'
import { FEW_BACKUP_CODES } from './backup-codes.ts'
import type { Demand, PolicyFacts, RiskFacts } from './second-factor-policy.ts'

/** What an account has of second factors, beside its addresses. */
export type FactorHolding = {
  userId: string
  totp: boolean
  backupCodes: number
  passkeys: number
  /** How often it has put off having one. */
  deferrals: number
}

export type SecondFactorFacts = PolicyFacts & {
  asksForTwoFactors: boolean
  /** Which the tenant takes. */
  factors: readonly SecondFactorKind[]
  /** How often an account may put off what `prompt` asks for. */
  maxDeferrals: number
  /** Of the accounts of the submit. */
  holdings: readonly FactorHolding[]
  /** Accounts that this browser was remembered for, unless the request asks for more than one factor. */
  remembered?: readonly string[]
  risk?: RiskFacts | undefined
}

export type Factor = SecondFactorKind | 'backupCode'

/** Which kinds the tenant takes: passkeys only where it has any. */
export const takenFactors = ({
  secondFactor: { factors },
  passkeys,
}: Pick<TenantSettings, 'secondFactor' | 'passkeys'>): SecondFactorKind[] =>
  factors.filter((factor) => factor !== 'passkey' || passkeys.enabled)

/** In the order in which they are offered: what resists phishing first, what a provider of mail could read last. */
const offered: readonly SecondFactorKind[] = ['passkey', 'totp', 'phone', 'email']

export const holdingOf = ({ id }: Account, { holdings }: SecondFactorFacts): FactorHolding =>
  holdings.find(({ userId }) => userId === id) ?? { userId: id, ...NO_FACTORS }

/** Of an account without a second factor of its own. */
export const NO_FACTORS = { totp: false, backupCodes: 0, passkeys: 0, deferrals: 0 }

/**
 * In which ways the account can prove a second factor in this sign-in (spec/accounts#second-factors). Backup codes stand in
 * for another factor, and are none where there is no other.
 */
export function factorsOf(
  account: Account,
  holding: FactorHolding,
  { factors }: Pick<SecondFactorFacts, 'factors'>,
  interaction: Interaction,
): Factor[] {
  const has: Record<SecondFactorKind, boolean> = {
    passkey: holding.passkeys > 0,
    totp: holding.totp,
    phone: account.phoneVerified && isFurther('phone', account, interaction),
    email: account.emailVerified && isFurther('email', account, interaction),
  }
  const usable = offered.filter((factor) => factors.includes(factor) && has[factor])
  return usable.length > 0 && holding.backupCodes > 0 ? [...usable, 'backupCode'] : usable
}

/** The address to which a code of this sign-in may go; null where it is no factor of the account here. */
export function factorAddress(
  channel: AddressFactor,
  account: Account,
  interaction: Interaction,
): VerifiedAddress | null {
  const value = account[channel]
  const holding = { userId: account.id, ...NO_FACTORS }
  const isFactor = factorsOf(account, holding, { factors: [channel] }, interaction).length > 0
  return isFactor && value !== null ? { type: channel, value } : null
}

/** An address is no second factor to itself: neither to a code that was sent there, nor to a password that was reset by one. */
function isFurther(
  channel: AddressFactor,
  account: Account,
  { proofs, afterReset, profile }: Interaction,
): boolean {
  const address = account[channel]
  if (address === null || channelsOfReset(afterReset, account.id).includes(channel)) return false
  return !proofs.some(
    (proof) =>
      proof.kind === channel &&
      // What the user's social account reports is proved by it; one that is only being linked proves the address alone.
      (proof.connectorId === undefined || proof.connectorId === profile?.connectorId) &&
      asciiLowerCase(proof.value) === asciiLowerCase(address),
  )
}

type SecondProof = FactorProof | (PasskeyProof & { isUserVerified: false })

/** A proof that adds to another one and names no account by itself. */
export const isSecondFactor = (proof: Proof): proof is SecondProof =>
  isPresentKey(proof) || factorProofKinds.some((kind) => kind === proof.kind)

/** A passkey or a security key whose user was present, and may be anybody. */
const isPresentKey = (proof: Proof) => proof.kind === 'passkey' && !proof.isUserVerified

const factorOfProof = {
  passkey: 'passkey',
  totp: 'totp',
  backupCode: 'backupCode',
  phoneFactor: 'phone',
  emailFactor: 'email',
} as const satisfies Record<SecondProof['kind'], Factor>

/** An authenticator app that was shown to work (spec/interaction#enrolment). */
export const provenEnrolment = ({ enrolment }: Interaction): ProvenEnrolment | undefined =>
  enrolment?.proven && { ...enrolment, proven: enrolment.proven }

/** By one of these. */
export function isFactorProven(
  { proofs }: Interaction,
  { id }: Account,
  factors: readonly Factor[],
): boolean {
  return proofs.some(
    (proof) => isSecondFactor(proof) && factors.includes(factorOfProof[proof.kind]) && proof.userId === id,
  )
}

/** That the user needs new ones soon. None are none that could run out. */
export const fewCodes = ({ backupCodes: left }: FactorHolding) =>
  left > 0 && left <= FEW_BACKUP_CODES ? { backupCodesLeft: left } : {}

/** A passkey whose user was verified is something that is had, and known or of the body (spec/provider#authentication-levels). */
export const isUserVerifiedPasskey = ({ proofs }: Interaction, { id }: Account): boolean =>
  proofs.some((proof) => proof.kind === 'passkey' && proof.isUserVerified && proof.userId === id)

const asksToEnrol = (demand: Demand) => demand === 'prompt' || demand === 'required'

/** What is asked of an account without a factor: `factors` are those that the tenant takes. */
type EnrolmentFacts = Pick<SecondFactorFacts, 'factors'> & { demand: Demand; deferralsLeft: number }

/** Of an account that has no factor, or is not made yet. An authenticator app is what a sign-in can set up. */
export function refusesWithoutEnrolment(
  interaction: Interaction,
  { demand, deferralsLeft, factors }: EnrolmentFacts,
): Refusal | null {
  if (!asksToEnrol(demand) || provenEnrolment(interaction)) return null
  const enrollable = factors.filter((factor) => factor === 'totp')
  const { event, profile } = interaction
  // A new account whose address is a factor of its next sign-in, where no app is taken.
  const hasAddress =
    event === 'Register' && addressFactors.some((by) => profile?.[by] && factors.includes(by))
  if (hasAddress && enrollable.length === 0) return null
  if (demand === 'required') return refuse('user.second_factor_missing', { factors: enrollable })
  // Nobody is asked for what cannot be set up here.
  const mayDefer = deferralsLeft > 0
  if (enrollable.length === 0 || (mayDefer && interaction.putsOffSecondFactor)) return null
  return refuse('user.second_factor_missing', {
    factors: enrollable,
    ...(mayDefer && { putOffsLeft: deferralsLeft }),
  })
}
