/**
 * Decides whether a sign-in needs more than its first proof, and which factors qualify (ADR-0082,
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
import { type Account, toAsciiLowerCase } from '../interactions/accounts.ts'
import { parseResetChannels } from '../passwords/password-reset.ts'
import { LOW_BACKUP_CODE_COUNT } from './backup-codes.ts'
import type { Demand, PolicyFacts, RiskFacts } from './second-factor-policy.ts'

/** The second factors of an account, apart from its addresses. */
export type EnrolledFactors = {
  userId: string
  totp: boolean
  backupCodes: number
  passkeys: number
  /** The number of times that the account has deferred setting up a factor. */
  deferrals: number
}

export type SecondFactorFacts = PolicyFacts & {
  requestsTwoFactors: boolean
  /** The kinds of factors that the tenant accepts. */
  factors: readonly SecondFactorKind[]
  /** The number of times that an account may defer setting up a factor under the policy `prompt`. */
  maxDeferrals: number
  /** The enrolled factors of the accounts that the submission concerns. */
  holdings: readonly EnrolledFactors[]
  /**
   * The ids of the accounts for which this browser is remembered. The list is empty if the request requires more than
   * one factor.
   */
  remembered?: readonly string[]
  risk?: RiskFacts | undefined
}

export type Factor = SecondFactorKind | 'backupCode'

/** Returns the kinds of factors that the tenant accepts. Passkeys are accepted only if they are enabled. */
export const acceptedFactors = ({
  secondFactor: { factors },
  passkeys,
}: Pick<TenantSettings, 'secondFactor' | 'passkeys'>): SecondFactorKind[] =>
  factors.filter((factor) => factor !== 'passkey' || passkeys.enabled)

/**
 * Returns the kinds of factors that are accepted for an account. Administrators whom the tenant requires to have a
 * factor can always use an authenticator app, and no codes that are sent to an address, because these depend on a
 * connector that only administrators can repair (spec/accounts#administrators-policy).
 */
export const factorsFor = (
  account: { id: string } | null,
  { factors, administrators = [] }: Pick<SecondFactorFacts, 'factors' | 'administrators'>,
): readonly SecondFactorKind[] =>
  account && administrators.includes(account.id)
    ? ['totp', ...factors.filter((factor) => factor === 'passkey')]
    : factors

/**
 * The order in which factors are offered: phishing-resistant ones first, and email last, because the email provider
 * could read the code.
 */
const offerRank: Record<SecondFactorKind, number> = { passkey: 1, totp: 2, phone: 3, email: 4 }

export const getEnrolledFactors = ({ id }: Account, { holdings }: SecondFactorFacts): EnrolledFactors =>
  holdings.find(({ userId }) => userId === id) ?? { userId: id, ...NO_FACTORS }

/** The facts of an account that has no second factors apart from its addresses. */
export const NO_FACTORS = { totp: false, backupCodes: 0, passkeys: 0, deferrals: 0 }

/**
 * Returns the factors with which the account can prove a second factor in this sign-in (spec/accounts#second-factors).
 * Backup codes are a fallback for another factor, so they are left out if there is none.
 */
export function listAvailableFactors(
  account: Account,
  holding: EnrolledFactors,
  { factors }: Pick<SecondFactorFacts, 'factors'>,
  interaction: Interaction,
): Factor[] {
  const has: Record<SecondFactorKind, boolean> = {
    passkey: holding.passkeys > 0,
    totp: holding.totp,
    phone: account.phoneVerified && isIndependent('phone', account, interaction),
    email: account.emailVerified && isIndependent('email', account, interaction),
  }
  const usable = [...new Set(factors)]
    .filter((factor) => has[factor])
    .sort((a, b) => offerRank[a] - offerRank[b])
  return usable.length > 0 && holding.backupCodes > 0 ? [...usable, 'backupCode'] : usable
}

/**
 * Returns the address to which a second-factor code may be sent in this sign-in. Returns null if the address does not
 * qualify as a second factor.
 */
export function factorAddress(
  channel: AddressFactor,
  account: Account,
  interaction: Interaction,
): VerifiedAddress | null {
  const value = account[channel]
  const holding = { userId: account.id, ...NO_FACTORS }
  const isFactor = listAvailableFactors(account, holding, { factors: [channel] }, interaction).length > 0
  return isFactor && value !== null ? { type: channel, value } : null
}

/**
 * Checks whether an address is independent of the first factor: the first factor was neither a code sent to this
 * address nor a password that was reset through it.
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
      // If the address comes from the social account with which the user signs in, that account is the first factor. If
      // the social account is only being linked, the address itself is the first factor.
      (proof.connectorId === undefined || proof.connectorId === profile?.connectorId) &&
      toAsciiLowerCase(proof.value) === toAsciiLowerCase(address),
  )
}

type SecondProof = FactorProof | (PasskeyProof & { isUserVerified: false })

/**
 * Checks whether a proof is a second factor, which must accompany another proof because it does not identify an
 * account.
 */
export const isSecondFactor = (proof: Proof): proof is SecondProof =>
  isPresentKey(proof) || factorProofKinds.some((kind) => kind === proof.kind)

/**
 * Checks whether a passkey or security key was used without user verification. Such a proof shows that someone is
 * present, but not who it is.
 */
const isPresentKey = (proof: Proof) => proof.kind === 'passkey' && !proof.isUserVerified

const factorOfProof = {
  passkey: 'passkey',
  totp: 'totp',
  backupCode: 'backupCode',
  phoneFactor: 'phone',
  emailFactor: 'email',
} as const satisfies Record<SecondProof['kind'], Factor>

/**
 * Returns the authenticator app that is being set up in the interaction, if the user has confirmed it with a code
 * (spec/interaction#enrolment).
 */
export const provenEnrolment = ({ enrolment }: Interaction): ProvenEnrolment | undefined =>
  enrolment?.proven && { ...enrolment, proven: enrolment.proven }

/** Checks whether the user has proved one of these factors of the account. */
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
 * Returns the number of backup codes left if the user should create new ones soon. Users without any codes are not
 * warned.
 */
export const lowBackupCodes = ({ backupCodes: left }: EnrolledFactors) =>
  left > 0 && left <= LOW_BACKUP_CODE_COUNT ? { backupCodesLeft: left } : {}

/**
 * Checks whether the account was proved with a passkey and user verification. Such a proof counts as two factors:
 * possession, and knowledge or biometrics (spec/provider#authentication-levels).
 */
export const hasUserVerifiedPasskey = ({ proofs }: Interaction, { id }: Account): boolean =>
  proofs.some((proof) => proof.kind === 'passkey' && proof.isUserVerified && proof.userId === id)

const asksToEnrol = (demand: Demand) => demand === 'prompt' || demand === 'required'

/**
 * The facts that determine whether an account without a factor has to set one up. `factors` are the kinds that the
 * tenant accepts.
 */
type EnrolmentFacts = Pick<SecondFactorFacts, 'factors'> & { demand: Demand; deferralsLeft: number }

/**
 * Checks whether an account that has no factor, or is only being registered, has to set one up. Only an authenticator
 * app can be set up during a sign-in.
 */
export function checkEnrolment(
  interaction: Interaction,
  { demand, deferralsLeft, factors }: EnrolmentFacts,
): Refusal | null {
  if (!asksToEnrol(demand) || provenEnrolment(interaction)) return null
  const enrollable = factors.filter((factor) => factor === 'totp')
  const { event, profile } = interaction
  // If no app can be set up, the address of the new account becomes its second factor, starting with the next sign-in.
  const hasAddress =
    event === 'Register' && addressFactors.some((channel) => profile?.[channel] && factors.includes(channel))
  if (hasAddress && enrollable.length === 0) return null
  if (demand === 'required') return refuse('user.second_factor_missing', { factors: enrollable })
  // Users are asked only for factors that can be set up during a sign-in.
  const mayDefer = deferralsLeft > 0
  if (enrollable.length === 0 || (mayDefer && interaction.putsOffSecondFactor)) return null
  return refuse('user.second_factor_missing', {
    factors: enrollable,
    ...(mayDefer && { putOffsLeft: deferralsLeft }),
  })
}
