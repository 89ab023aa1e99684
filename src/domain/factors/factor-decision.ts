/** Decides whether a sign-in satisfies the second-factor policies (spec/interaction#factor-of-submit). */
import { type Refusal, refuse } from '../../contract/errors.ts'
import {
  type AddressFactor,
  addressFactors,
  type Interaction,
  type ProvenEnrolment,
} from '../../contract/interactions/interaction.ts'
import { isRefusal } from '../../contract/refused.ts'
import type { SecondFactorKind } from '../../contract/tenants/settings.ts'
import { type Account, toAsciiLowerCase } from '../interactions/accounts.ts'
import { parseResetChannels } from '../passwords/password-reset.ts'
import { olderFactors, withOlderPasskeys } from './factor-age.ts'
import {
  checkEnrolment,
  type Factor,
  factorsFor,
  getEnrolledFactors,
  hasUserVerifiedPasskey,
  isFactorProven,
  listAvailableFactors,
  lowBackupCodes,
  NO_FACTORS,
  provenEnrolment,
  type SecondFactorFacts,
} from './second-factor.ts'
import { findRisks, getDemand, getFactorAges, isNeverRemembered } from './second-factor-policy.ts'

/** The way in which a sign-in was accepted under a policy that requires a second factor. */
export type FactorOutcome =
  | { kind: 'proven' }
  /** The browser is remembered. It is not a factor, so only the user's proofs determine the level of the sign-in. */
  | { kind: 'remembered' }
  /**
   * The account had no second factor. If `enrolment` is set, the app that was set up becomes one. `passkeys` is the
   * number of the account's passkeys, which can be above 0 if the tenant does not accept passkeys as a factor.
   */
  | { kind: 'missing'; enrolment: ProvenEnrolment | undefined; passkeys: number }

type Row = readonly [applies: boolean, outcome: FactorOutcome | Refusal | undefined]

const firstOf = (rows: readonly Row[]) => rows.find(([applies]) => applies)?.[1]

/**
 * Decides whether an account that signs in needs a second factor. Returns the outcome of the first row of the decision
 * table that applies, or undefined if no factor is needed (spec/interaction#factor-of-submit). An account without a
 * factor may set one up in the same interaction.
 */
export function decideFactor(
  interaction: Interaction,
  account: Account,
  tenantFacts: SecondFactorFacts,
): FactorOutcome | Refusal | undefined {
  const facts = { ...tenantFacts, factors: factorsFor(account, tenantFacts) }
  const demand = getDemand(account, facts)
  const isVoluntary = demand === 'voluntary'
  const isUnusual = findRisks(account, facts).length > 0
  const established = isUnusual ? checkEstablishedFactors(interaction, account, facts) : {}
  // Proving an older address resolves the risk, so that only the other policies can still require a factor.
  const isRiskOpen = isUnusual && established.provenBy !== 'address'
  const mayRemember = !isNeverRemembered(account, facts)
  const holding = getEnrolledFactors(account, facts)
  const factors = listAvailableFactors(account, holding, facts, interaction)
  const hasNone = factors.length === 0
  const addresses = addressesOf(account, interaction)
  const enrolment = provenEnrolment(interaction)
  const enrolmentRefusal = checkEnrolment(interaction, {
    demand,
    deferralsLeft: facts.maxDeferrals - holding.deferrals,
    factors: facts.factors,
  })
  return firstOf([
    // No policy applies to this account (spec/accounts#second-factor-policy).
    [demand === 'none', undefined],

    // The sign-in is unusual and a factor was added recently, so an older factor or address is required
    // (spec/accounts#recent-factors).
    [established.refusal !== undefined, established.refusal],
    [established.provenBy === 'factor', { kind: 'proven' }],

    // A passkey with user verification is two factors in one (spec/provider#authentication-levels).
    [hasUserVerifiedPasskey(interaction, account), undefined],

    // The sign-in is unusual, and the account has no factor. Another address must be proved, or, if there is none, the
    // address with which the sign-in began. Setting up a factor is not enough, because anyone with the password could
    // do it (ADR-0091).
    [
      hasNone && isUnusual && addresses.length > 0 && !isFactorProven(interaction, account, addresses),
      refuse('user.second_factor_required', { factors: addresses, mayRemember: false, unusual: true }),
    ],
    [
      hasNone && isUnusual && addresses.length === 0 && !isAddressProven(interaction, account),
      refuse('user.unusual_sign_in'),
    ],

    // The account has no factor, and `required` or `prompt` asks the user to set one up (spec/accounts#put-off).
    [hasNone && enrolmentRefusal !== null, enrolmentRefusal ?? undefined],
    // The account has an authenticator app, but the tenant no longer accepts apps. The app is neither required nor
    // replaced.
    [hasNone && holding.totp, undefined],
    // Only `adaptive` applies, the sign-in is not unusual, and no factor was set up.
    [hasNone && isVoluntary && !isUnusual && !enrolment, undefined],
    [hasNone, { kind: 'missing', enrolment, passkeys: holding.passkeys }],

    // The user has proved one of the account's factors. The last backup code counts as well, although it is now used
    // up.
    [isFactorProven(interaction, account, [...factors, 'backupCode']), { kind: 'proven' }],
    // Only `adaptive` applies, and the sign-in is not unusual.
    [isVoluntary && !isRiskOpen, undefined],
    // The browser is remembered. An unusual sign-in ignores this, because the browser may have been stolen.
    [!isRiskOpen && mayRemember && facts.remembered?.includes(account.id) === true, { kind: 'remembered' }],
    [
      true,
      refuse('user.second_factor_required', {
        factors,
        ...lowBackupCodes(holding),
        // Remembering the browser has no benefit if only `adaptive` applies.
        ...((isVoluntary || !mayRemember) && { mayRemember: false }),
        ...(isRiskOpen && { unusual: true }),
      }),
    ],
  ])
}

/**
 * Checks an unusual sign-in of an account that has both recently added factors and older ones. It requires an older
 * factor or, if there is none, an older address, whatever the tenant accepts (spec/accounts#recent-factors). Returns an
 * empty object if the age of the factors makes no difference.
 */
function checkEstablishedFactors(
  interaction: Interaction,
  account: Account,
  facts: SecondFactorFacts,
): { provenBy?: 'factor' | 'address'; refusal?: Refusal } {
  const ages = getFactorAges(account, facts.risk)
  if (!ages) return {}
  const holding = getEnrolledFactors(account, facts)
  const factors = listAvailableFactors(account, holding, facts, interaction)
  const addresses = addressesOf(account, interaction)
  const older = olderFactors(factors, ages)
  const isByFactor = older.length > 0
  const established = isByFactor ? older : olderFactors(addresses, ages)
  // Accounts without older factors and addresses may use recent ones. Otherwise, their owners would be locked out.
  if (established.length === 0) return {}
  const candidates = isByFactor ? factors : [...factors, ...addresses]
  const counted = withOlderPasskeys(interaction, ages)
  const isAllEstablished = established.length === candidates.length
  if (isAllEstablished && counted.proofs.length === interaction.proofs.length) return {}
  if (hasUserVerifiedPasskey(counted, account)) return {}
  // Verifying the last backup code uses it up, so its age is no longer known.
  const usedUp: Factor[] = isByFactor && holding.backupCodes === 0 ? ['backupCode'] : []
  if (isFactorProven(counted, account, [...established, ...usedUp]))
    return { provenBy: isByFactor ? 'factor' : 'address' }
  const mayRemember =
    isByFactor && getDemand(account, facts) !== 'voluntary' && !isNeverRemembered(account, facts)
  return {
    refusal: refuse('user.second_factor_required', {
      factors: established,
      ...(established.includes('backupCode') && lowBackupCodes(holding)),
      ...(!mayRemember && { mayRemember: false }),
      unusual: true,
    }),
  }
}

/**
 * Returns the account's addresses, including types that the tenant does not accept, but not the address with which the
 * first factor was proved.
 */
function addressesOf(account: Account, interaction: Interaction): Factor[] {
  const holding = { userId: account.id, ...NO_FACTORS }
  return listAvailableFactors(account, holding, { factors: addressFactors }, interaction)
}

/**
 * Checks whether a code to one of the account's addresses was verified, either in this sign-in or in the password reset
 * before it.
 */
const isAddressProven = ({ proofs, afterReset }: Interaction, account: Account): boolean =>
  addressFactors.some((channel) => {
    const address = account[channel]
    return (
      address !== null &&
      (parseResetChannels(afterReset, account.id).includes(channel) ||
        proofs.some(
          (proof) =>
            proof.kind === channel &&
            proof.connectorId === undefined &&
            toAsciiLowerCase(proof.value) === toAsciiLowerCase(address),
        ))
    )
  })

/**
 * Records the address types that an error asks the user to prove although they are not accepted as factors of the
 * account, so that codes can be sent to those addresses.
 */
export function withAddressChallenge(
  interaction: Interaction,
  outcome: object,
  accepted: readonly SecondFactorKind[],
): Interaction {
  if (!isRefusal(outcome) || outcome.code !== 'user.second_factor_required') return interaction
  const factors: unknown = outcome.data?.factors
  const isNamed = (factor: AddressFactor) => Array.isArray(factors) && factors.includes(factor)
  const addressChallenge = addressFactors.filter((factor) => isNamed(factor) && !accepted.includes(factor))
  const isSame = (interaction.addressChallenge ?? []).join() === addressChallenge.join()
  return isSame ? interaction : { ...interaction, addressChallenge }
}

/**
 * Checks whether the sign-in is accepted only because the user defers setting up a factor. Only such a submission
 * counts as a deferral (spec/accounts#put-off).
 */
export const isDeferred = (
  interaction: Interaction,
  decide: (interaction: Interaction) => FactorOutcome | Refusal | null | undefined,
): boolean =>
  interaction.putsOffSecondFactor === true &&
  isRefusal(decide({ ...interaction, putsOffSecondFactor: undefined }))
