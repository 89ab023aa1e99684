/**
 * Whether a sign-in needs more than its first proof, and which factors qualify (ADR-0082,
 * spec/accounts#second-factor-policy).
 */
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
import { parseResetChannels } from '../passwords/password-reset.ts'
import { FEW_BACKUP_CODES } from './backup-codes.ts'
import type { Demand, PolicyFacts, RiskFacts } from './second-factor-policy.ts'

/** The second factors of an account besides its addresses. */
export type FactorHolding = {
  userId: string
  totp: boolean
  backupCodes: number
  passkeys: number
  /** How often the account has put off setting up a factor. */
  deferrals: number
}

export type SecondFactorFacts = PolicyFacts & {
  asksForTwoFactors: boolean
  /** The kinds that the tenant accepts. */
  factors: readonly SecondFactorKind[]
  /** How often an account may put off what `prompt` asks for. */
  maxDeferrals: number
  /** The factors of the accounts in the submit. */
  holdings: readonly FactorHolding[]
  /** The accounts for which this browser is remembered, unless the request asks for more than one factor. */
  remembered?: readonly string[]
  risk?: RiskFacts | undefined
}

export type Factor = SecondFactorKind | 'backupCode'

/** Returns the kinds that the tenant accepts. Passkeys are accepted only if they are enabled. */
export const acceptedFactors = ({
  secondFactor: { factors },
  passkeys,
}: Pick<TenantSettings, 'secondFactor' | 'passkeys'>): SecondFactorKind[] =>
  factors.filter((factor) => factor !== 'passkey' || passkeys.enabled)

/**
 * The order in which factors are offered: phishing-resistant ones first, and last the one that a mail provider could
 * read.
 */
const orderOfOffer: readonly SecondFactorKind[] = ['passkey', 'totp', 'phone', 'email']

export const holdingOf = ({ id }: Account, { holdings }: SecondFactorFacts): FactorHolding =>
  holdings.find(({ userId }) => userId === id) ?? { userId: id, ...NO_FACTORS }

/** The facts for an account without second factors of its own. */
export const NO_FACTORS = { totp: false, backupCodes: 0, passkeys: 0, deferrals: 0 }

/**
 * Returns the ways in which the account can prove a second factor in this sign-in (spec/accounts#second-factors).
 * Backup codes replace another factor, so they are missing if there is no other.
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
    phone: account.phoneVerified && isIndependent('phone', account, interaction),
    email: account.emailVerified && isIndependent('email', account, interaction),
  }
  const usable = orderOfOffer.filter((factor) => factors.includes(factor) && has[factor])
  return usable.length > 0 && holding.backupCodes > 0 ? [...usable, 'backupCode'] : usable
}

/**
 * Returns the address to which a second-factor code may be sent in this sign-in, or null if it does not qualify as a
 * factor.
 */
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

/**
 * Checks that an address is not a second factor to itself: neither to a code sent there, nor to a password that was
 * reset with such a code.
 */
function isIndependent(
  channel: AddressFactor,
  account: Account,
  { proofs, afterReset, profile }: Interaction,
): boolean {
  const address = account[channel]
  if (address === null || parseResetChannels(afterReset, account.id).includes(channel)) return false
  return !proofs.some(
    (proof) =>
      proof.kind === channel &&
      // An address reported by the user's social account is proved by that account. If the account is only being
      // linked, the proof is for the address only.
      (proof.connectorId === undefined || proof.connectorId === profile?.connectorId) &&
      asciiLowerCase(proof.value) === asciiLowerCase(address),
  )
}

type SecondProof = FactorProof | (PasskeyProof & { isUserVerified: false })

/** Checks for a proof that adds to another one and does not identify an account by itself. */
export const isSecondFactor = (proof: Proof): proof is SecondProof =>
  isPresentKey(proof) || factorProofKinds.some((kind) => kind === proof.kind)

/** Checks for a passkey or security key without user verification: it proves that somebody is present, but not who. */
const isPresentKey = (proof: Proof) => proof.kind === 'passkey' && !proof.isUserVerified

const factorOfProof = {
  passkey: 'passkey',
  totp: 'totp',
  backupCode: 'backupCode',
  phoneFactor: 'phone',
  emailFactor: 'email',
} as const satisfies Record<SecondProof['kind'], Factor>

/**
 * Returns the authenticator app of the interaction if the user has proved that it works (spec/interaction#enrolment).
 */
export const provenEnrolment = ({ enrolment }: Interaction): ProvenEnrolment | undefined =>
  enrolment?.proven && { ...enrolment, proven: enrolment.proven }

/** Checks whether the account has proved one of these factors. */
export function isFactorProven(
  { proofs }: Interaction,
  { id }: Account,
  factors: readonly Factor[],
): boolean {
  return proofs.some(
    (proof) => isSecondFactor(proof) && factors.includes(factorOfProof[proof.kind]) && proof.userId === id,
  )
}

/**
 * Returns the number of backup codes left, if the user should soon create new ones. Without any codes, none can run
 * out.
 */
export const fewBackupCodes = ({ backupCodes: left }: FactorHolding) =>
  left > 0 && left <= FEW_BACKUP_CODES ? { backupCodesLeft: left } : {}

/**
 * A passkey with user verification combines possession with knowledge or biometrics
 * (spec/provider#authentication-levels).
 */
export const isUserVerifiedPasskey = ({ proofs }: Interaction, { id }: Account): boolean =>
  proofs.some((proof) => proof.kind === 'passkey' && proof.isUserVerified && proof.userId === id)

const asksToEnrol = (demand: Demand) => demand === 'prompt' || demand === 'required'

/** The requirement for an account without a factor. `factors` are the kinds that the tenant accepts. */
type EnrolmentFacts = Pick<SecondFactorFacts, 'factors'> & { demand: Demand; deferralsLeft: number }

/**
 * Decides about an account that has no factor or does not exist yet. Only an authenticator app can be set up during a
 * sign-in.
 */
export function checkEnrolment(
  interaction: Interaction,
  { demand, deferralsLeft, factors }: EnrolmentFacts,
): Refusal | null {
  if (!asksToEnrol(demand) || provenEnrolment(interaction)) return null
  const enrollable = factors.filter((factor) => factor === 'totp')
  const { event, profile } = interaction
  // The address of the new account will be a factor of its next sign-in, if no app can be set up.
  const hasAddress =
    event === 'Register' && addressFactors.some((channel) => profile?.[channel] && factors.includes(channel))
  if (hasAddress && enrollable.length === 0) return null
  if (demand === 'required') return refuse('user.second_factor_missing', { factors: enrollable })
  // Users are not asked for what cannot be set up here.
  const mayDefer = deferralsLeft > 0
  if (enrollable.length === 0 || (mayDefer && interaction.putsOffSecondFactor)) return null
  return refuse('user.second_factor_missing', {
    factors: enrollable,
    ...(mayDefer && { putOffsLeft: deferralsLeft }),
  })
}
