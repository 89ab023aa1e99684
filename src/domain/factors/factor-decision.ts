/** What a sign-in is decided on, and by what it is refused, where a policy asks (spec/interaction#factor-of-submit). */
import { type Refusal, refuse } from '../../contract/errors.ts'
import {
  type AddressFactor,
  addressFactors,
  type Interaction,
  type ProvenEnrolment,
} from '../../contract/interactions/interaction.ts'
import { isRefusal } from '../../contract/refused.ts'
import { type Account, asciiLowerCase } from '../interactions/accounts.ts'
import { channelsOfReset } from '../passwords/password-reset.ts'
import { olderFactors, withOlderPasskeys } from './factor-age.ts'
import {
  type Factor,
  factorsOf,
  fewCodes,
  holdingOf,
  isFactorProven,
  isUserVerifiedPasskey,
  NO_FACTORS,
  provenEnrolment,
  refusesWithoutEnrolment,
  type SecondFactorFacts,
} from './second-factor.ts'
import { agesOf, demandFor, isNeverRemembered, risksOf } from './second-factor-policy.ts'

/** What a sign-in was decided on, where a policy asks. */
export type FactorOutcome =
  | { kind: 'proven' }
  /** By the browser, which proves nothing: the sign-in has the factors that were shown. */
  | { kind: 'remembered' }
  /**
   * The account had no second factor, and gets that of the enrolment, if any. `passkeys` is how many it had: some only where the
   * tenant takes none as a factor.
   */
  | { kind: 'missing'; enrolment: ProvenEnrolment | undefined; passkeys: number }

type Row = readonly [applies: boolean, outcome: FactorOutcome | Refusal | undefined]

const firstOf = (rows: readonly Row[]) => rows.find(([applies]) => applies)?.[1]

/**
 * Decides whether an account that signs in needs a second factor: the first row that applies (spec/interaction#factor-of-submit).
 * Undefined: none is needed. An account without a factor may set one up in the same interaction.
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
  // Once an older address has answered for the unusual sign-in, only the other policies ask.
  const asksForRisk = isUnusual && established.provenBy !== 'address'
  const mayRemember = !isNeverRemembered(account, facts)
  const holding = holdingOf(account, facts)
  const factors = factorsOf(account, holding, facts, interaction)
  const hasNone = factors.length === 0
  const addresses = addressesOf(account, interaction)
  const enrolment = provenEnrolment(interaction)
  const enrolmentRefusal = refusesWithoutEnrolment(interaction, {
    demand,
    deferralsLeft: facts.maxDeferrals - holding.deferrals,
    factors: facts.factors,
  })
  return firstOf([
    // No policy asks this account (spec/accounts#second-factor-policy).
    [demand === 'none', undefined],

    // Unusual, and a factor was added lately: an older factor or address answers, and is asked for (spec/accounts#recent-factors).
    [established.refusal !== undefined, established.refusal],
    [established.provenBy === 'factor', { kind: 'proven' }],

    // A passkey that verified its user is two factors in one (spec/provider#authentication-levels).
    [isUserVerifiedPasskey(interaction, account), undefined],

    // Unusual, and no factor: a further address answers, else the one that the sign-in began with. To set a factor up proves
    // nothing, because whoever has the password could do it (ADR-0091).
    [
      hasNone && isUnusual && addresses.length > 0 && !isFactorProven(interaction, account, addresses),
      refuse('user.second_factor_required', { factors: addresses, mayRemember: false, unusual: true }),
    ],
    [
      hasNone && isUnusual && addresses.length === 0 && !isAddressProven(interaction, account),
      refuse('user.unusual_sign_in'),
    ],

    // No factor, and `required` or `prompt` wants one to be set up (spec/accounts#put-off).
    [hasNone && enrolmentRefusal !== null, enrolmentRefusal ?? undefined],
    // The tenant no longer takes the app of the account, which is neither asked for nor replaced.
    [hasNone && holding.totp, undefined],
    // Only `adaptive` asks, the sign-in is usual, and nothing was set up.
    [hasNone && isVoluntary && !isUnusual && !enrolment, undefined],
    [hasNone, { kind: 'missing', enrolment, passkeys: holding.passkeys }],

    // The account has factors. Its last backup code is used up by its own proof, so the code counts although none is left.
    [isFactorProven(interaction, account, [...factors, 'backupCode']), { kind: 'proven' }],
    // Only `adaptive` asks, and not for this sign-in.
    [isVoluntary && !asksForRisk, undefined],
    // An unusual sign-in does not count the browser: the one that is remembered may have been stolen.
    [!asksForRisk && mayRemember && facts.remembered?.includes(account.id) === true, { kind: 'remembered' }],
    [
      true,
      refuse('user.second_factor_required', {
        factors,
        ...fewCodes(holding),
        // Where nothing but `adaptive` asks, a browser that is remembered is never asked less.
        ...((isVoluntary || !mayRemember) && { mayRemember: false }),
        ...(asksForRisk && { unusual: true }),
      }),
    ],
  ])
}

/**
 * An unusual sign-in of an account some of whose factors were added lately, and that has an older one: that one is asked for, else
 * an older address, whatever the tenant takes (spec/accounts#recent-factors). Empty where the age of factors decides nothing.
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
  // Nothing is older: what was added lately counts, or its owner would be locked out.
  if (established.length === 0) return {}
  const candidates = isByFactor ? factors : [...factors, ...addresses]
  const counted = withOlderPasskeys(interaction, ages)
  const isAllEstablished = established.length === candidates.length
  if (isAllEstablished && counted.proofs.length === interaction.proofs.length) return {}
  if (isUserVerifiedPasskey(counted, account)) return {}
  // The last backup code is used up by its own proof, and nothing says any more when it was made.
  const usedUp: Factor[] = isByFactor && holding.backupCodes === 0 ? ['backupCode'] : []
  if (isFactorProven(counted, account, [...established, ...usedUp]))
    return { provenBy: isByFactor ? 'factor' : 'address' }
  const mayRemember =
    isByFactor && demandFor(account, facts) !== 'voluntary' && !isNeverRemembered(account, facts)
  return {
    refusal: refuse('user.second_factor_required', {
      factors: established,
      ...(established.includes('backupCode') && fewCodes(holding)),
      ...(!mayRemember && { mayRemember: false }),
      unusual: true,
    }),
  }
}

/** Beside what proves the first factor, whatever the tenant takes. */
function addressesOf(account: Account, interaction: Interaction): Factor[] {
  const holding = { userId: account.id, ...NO_FACTORS }
  return factorsOf(account, holding, { factors: addressFactors }, interaction)
}

/** By a code: that of the first proof, or of the reset that this sign-in follows. */
const isAddressProven = ({ proofs, afterReset }: Interaction, account: Account): boolean =>
  addressFactors.some((channel) => {
    const address = account[channel]
    return (
      address !== null &&
      (channelsOfReset(afterReset, account.id).includes(channel) ||
        proofs.some(
          (proof) =>
            proof.kind === channel &&
            proof.connectorId === undefined &&
            asciiLowerCase(proof.value) === asciiLowerCase(address),
        ))
    )
  })

/** The interaction, to which addresses a refusal that asks for a factor allows codes beside the kinds that the tenant takes. */
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

/** Whether it is decided on the statement that the user sets a factor up another time: such a submit counts (spec/accounts#put-off). */
export const isDeferred = (
  interaction: Interaction,
  decide: (interaction: Interaction) => FactorOutcome | Refusal | null | undefined,
): boolean =>
  interaction.putsOffSecondFactor === true &&
  isRefusal(decide({ ...interaction, putsOffSecondFactor: undefined }))
