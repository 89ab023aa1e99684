/**
 * The outcomes of a sign-in regarding second factors where a policy requires them (spec/interaction#factor-of-submit).
 */
import { type Refusal, refuse } from '../../contract/errors.ts'
import {
  type AddressFactor,
  addressFactors,
  type Interaction,
  type ProvenEnrolment,
} from '../../contract/interactions/interaction.ts'
import { isRefusal } from '../../contract/refused.ts'
import { type Account, asciiLowerCase } from '../interactions/accounts.ts'
import { parseResetChannels } from '../passwords/password-reset.ts'
import { olderFactors, withOlderPasskeys } from './factor-age.ts'
import {
  checkEnrolment,
  type Factor,
  factorsOf,
  fewBackupCodes,
  holdingOf,
  isFactorProven,
  isUserVerifiedPasskey,
  NO_FACTORS,
  provenEnrolment,
  type SecondFactorFacts,
} from './second-factor.ts'
import { agesOf, demandFor, isNeverRemembered, risksOf } from './second-factor-policy.ts'

/** The basis on which a sign-in was accepted where a policy requires a second factor. */
export type FactorOutcome =
  | { kind: 'proven' }
  /** The browser was remembered, which proves nothing: the sign-in has only the factors that were proved. */
  | { kind: 'remembered' }
  /**
   * The account had no second factor. It receives the one from the enrolment, if any. `passkeys` is the number of
   * passkeys it had; there can be some if the tenant does not accept them as a factor.
   */
  | { kind: 'missing'; enrolment: ProvenEnrolment | undefined; passkeys: number }

type Row = readonly [applies: boolean, outcome: FactorOutcome | Refusal | undefined]

const firstOf = (rows: readonly Row[]) => rows.find(([applies]) => applies)?.[1]

/**
 * Decides whether an account that signs in needs a second factor: the first row that applies counts
 * (spec/interaction#factor-of-submit). Returns undefined if none is needed. An account without a factor may set one up
 * in the same interaction.
 */
export function decideFactor(
  interaction: Interaction,
  account: Account,
  facts: SecondFactorFacts,
): FactorOutcome | Refusal | undefined {
  const demand = demandFor(account, facts)
  const isVoluntary = demand === 'voluntary'
  const isUnusual = risksOf(account, facts).length > 0
  const established = isUnusual ? checkEstablishedFactors(interaction, account, facts) : {}
  // Once an older address has answered for the unusual sign-in, only the other policies still require a factor.
  const isRiskOpen = isUnusual && established.provenBy !== 'address'
  const mayRemember = !isNeverRemembered(account, facts)
  const holding = holdingOf(account, facts)
  const factors = factorsOf(account, holding, facts, interaction)
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

    // The sign-in is unusual, and a factor was added recently: an older factor or address is required
    // (spec/accounts#recent-factors).
    [established.refusal !== undefined, established.refusal],
    [established.provenBy === 'factor', { kind: 'proven' }],

    // A passkey with user verification is two factors in one (spec/provider#authentication-levels).
    [isUserVerifiedPasskey(interaction, account), undefined],

    // The sign-in is unusual, and the account has no factor: another address must be proved, or else the one that the
    // sign-in began with. Setting up a factor proves nothing, because whoever has the password could do it (ADR-0091).
    [
      hasNone && isUnusual && addresses.length > 0 && !isFactorProven(interaction, account, addresses),
      refuse('user.second_factor_required', { factors: addresses, mayRemember: false, unusual: true }),
    ],
    [
      hasNone && isUnusual && addresses.length === 0 && !isAddressProven(interaction, account),
      refuse('user.unusual_sign_in'),
    ],

    // The account has no factor, and `required` or `prompt` asks for one to be set up (spec/accounts#put-off).
    [hasNone && enrolmentRefusal !== null, enrolmentRefusal ?? undefined],
    // The tenant no longer accepts the account's app, so it is neither required nor replaced.
    [hasNone && holding.totp, undefined],
    // Only `adaptive` applies, the sign-in is usual, and nothing was set up.
    [hasNone && isVoluntary && !isUnusual && !enrolment, undefined],
    [hasNone, { kind: 'missing', enrolment, passkeys: holding.passkeys }],

    // The account has factors. A proof by the last backup code counts, even though the proof itself used it up.
    [isFactorProven(interaction, account, [...factors, 'backupCode']), { kind: 'proven' }],
    // Only `adaptive` applies, and it does not concern this sign-in.
    [isVoluntary && !isRiskOpen, undefined],
    // A remembered browser does not count in an unusual sign-in, because it may have been stolen.
    [!isRiskOpen && mayRemember && facts.remembered?.includes(account.id) === true, { kind: 'remembered' }],
    [
      true,
      refuse('user.second_factor_required', {
        factors,
        ...fewBackupCodes(holding),
        // If only `adaptive` applies, remembering the browser would never spare the user anything.
        ...((isVoluntary || !mayRemember) && { mayRemember: false }),
        ...(isRiskOpen && { unusual: true }),
      }),
    ],
  ])
}

/**
 * Handles an unusual sign-in of an account that has recently added factors as well as an older one. The older factor is
 * required, or else an older address, whatever the tenant accepts (spec/accounts#recent-factors). Returns an empty
 * object if the age of factors makes no difference.
 */
function checkEstablishedFactors(
  interaction: Interaction,
  account: Account,
  facts: SecondFactorFacts,
): { provenBy?: 'factor' | 'address'; refusal?: Refusal } {
  const ages = agesOf(account, facts.risk)
  if (!ages) return {}
  const holding = holdingOf(account, facts)
  const factors = factorsOf(account, holding, facts, interaction)
  const addresses = addressesOf(account, interaction)
  const older = olderFactors(factors, ages)
  const isByFactor = older.length > 0
  const established = isByFactor ? older : olderFactors(addresses, ages)
  // If nothing is older, the recent factors count, because otherwise the owner would be locked out.
  if (established.length === 0) return {}
  const candidates = isByFactor ? factors : [...factors, ...addresses]
  const counted = withOlderPasskeys(interaction, ages)
  const isAllEstablished = established.length === candidates.length
  if (isAllEstablished && counted.proofs.length === interaction.proofs.length) return {}
  if (isUserVerifiedPasskey(counted, account)) return {}
  // The last backup code is used up by its own proof, and its age is no longer known.
  const usedUp: Factor[] = isByFactor && holding.backupCodes === 0 ? ['backupCode'] : []
  if (isFactorProven(counted, account, [...established, ...usedUp]))
    return { provenBy: isByFactor ? 'factor' : 'address' }
  const mayRemember =
    isByFactor && demandFor(account, facts) !== 'voluntary' && !isNeverRemembered(account, facts)
  return {
    refusal: refuse('user.second_factor_required', {
      factors: established,
      ...(established.includes('backupCode') && fewBackupCodes(holding)),
      ...(!mayRemember && { mayRemember: false }),
      unusual: true,
    }),
  }
}

/** Returns the account's addresses other than the one that proved the first factor, whatever the tenant accepts. */
function addressesOf(account: Account, interaction: Interaction): Factor[] {
  const holding = { userId: account.id, ...NO_FACTORS }
  return factorsOf(account, holding, { factors: addressFactors }, interaction)
}

/** Checks for a code to an address: that of the first proof, or of the password reset that this sign-in follows. */
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
            asciiLowerCase(proof.value) === asciiLowerCase(address),
        ))
    )
  })

/**
 * Records which addresses may receive codes, beyond the kinds that the tenant accepts, if a refusal asks for such
 * codes.
 */
export function withAddressChallenge(
  interaction: Interaction,
  outcome: object,
  { factors: tenantFactors }: Pick<SecondFactorFacts, 'factors'>,
): Interaction {
  if (!isRefusal(outcome) || outcome.code !== 'user.second_factor_required') return interaction
  const factors: unknown = outcome.data?.factors
  const isNamed = (factor: AddressFactor) => Array.isArray(factors) && factors.includes(factor)
  const addressChallenge = addressFactors.filter(
    (factor) => isNamed(factor) && !tenantFactors.includes(factor),
  )
  const isSame = (interaction.addressChallenge ?? []).join() === addressChallenge.join()
  return isSame ? interaction : { ...interaction, addressChallenge }
}

/**
 * Checks whether the decision depends on the user putting off the factor; only such a submit is counted
 * (spec/accounts#put-off).
 */
export const isDeferred = (
  interaction: Interaction,
  decide: (interaction: Interaction) => FactorOutcome | Refusal | null | undefined,
): boolean =>
  interaction.putsOffSecondFactor === true &&
  isRefusal(decide({ ...interaction, putsOffSecondFactor: undefined }))
