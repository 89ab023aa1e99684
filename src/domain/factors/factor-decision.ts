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

/** Of an account that signs in. One without a factor may set one up in the same interaction. */
export function decideFactor(
  interaction: Interaction,
  account: Account,
  facts: SecondFactorFacts,
): FactorOutcome | Refusal | undefined {
  const demand = demandFor(account, facts)
  if (demand === 'none') return undefined
  const isUnusual = risksOf(account, facts).length > 0
  const byOlder = isUnusual ? checkEstablishedFactors(interaction, account, facts) : undefined
  if (byOlder === 'factor') return { kind: 'proven' }
  if (byOlder && byOlder !== 'address') return byOlder
  if (isUserVerifiedPasskey(interaction, account)) return undefined
  const holding = holdingOf(account, facts)
  const factors = factorsOf(account, holding, facts, interaction)
  if (factors.length === 0) {
    const putOffsLeft = facts.maxDeferrals - holding.deferrals
    const refusal =
      (isUnusual ? refusesWithoutAddress(interaction, account) : null) ??
      refusesWithoutEnrolment(interaction, { demand, putOffsLeft, factors: facts.factors })
    if (refusal) return refusal
    const enrolment = provenEnrolment(interaction)
    const isAsked = isUnusual || demand !== 'voluntary'
    // An app that the tenant takes no more is neither asked for nor replaced.
    return holding.totp || !(isAsked || enrolment)
      ? undefined
      : { kind: 'missing', enrolment, passkeys: holding.passkeys }
  }
  // The last backup code is used up by its own proof.
  if (isFactorProven(interaction, account, [...factors, 'backupCode'])) return { kind: 'proven' }
  if (!isUnusual || byOlder === 'address') {
    if (demand === 'voluntary') return undefined
    if (facts.remembered?.includes(account.id) && !isNeverRemembered(account, facts))
      return { kind: 'remembered' }
  }
  // Where nothing but `adaptive` asks, a browser that is remembered is never asked less.
  const mayRemember =
    demand === 'voluntary' || isNeverRemembered(account, facts) ? { mayRemember: false } : {}
  // Behind an older address another policy asks.
  const why = isUnusual && byOlder !== 'address' ? { unusual: true } : {}
  return refuse('user.second_factor_required', { factors, ...fewCodes(holding), ...mayRemember, ...why })
}

/**
 * An unusual sign-in of an account some of whose factors were added lately, and that has an older one: that one is asked for, else
 * an older address, whatever the tenant takes (spec/accounts#recent-factors). Answers by what it is answered; undefined where
 * the age of factors decides nothing.
 */
function checkEstablishedFactors(
  interaction: Interaction,
  account: Account,
  facts: SecondFactorFacts,
): 'factor' | 'address' | Refusal | undefined {
  const ages = agesOf(account, facts.risk)
  if (!ages) return undefined
  const holding = holdingOf(account, facts)
  const factors = factorsOf(account, holding, facts, interaction)
  const older = olderFactors(factors, ages)
  const addresses = addressesOf(account, interaction)
  const by = older.length > 0 ? 'factor' : 'address'
  const asked: Factor[] = by === 'factor' ? older : olderFactors(addresses, ages)
  const counted = withOlderPasskeys(interaction, ages)
  const all = factors.length > 0 ? factors : addresses
  const isAllOlder = by === 'factor' || factors.length === 0 ? asked.length === all.length : false
  if (asked.length === 0 || (isAllOlder && counted.proofs.length === interaction.proofs.length))
    return undefined
  if (isUserVerifiedPasskey(counted, account)) return undefined
  // The last backup code is used up by its own proof, and nothing says any more when it was made.
  const usedUp: Factor[] = by === 'factor' && holding.backupCodes === 0 ? ['backupCode'] : []
  return isFactorProven(counted, account, [...asked, ...usedUp])
    ? by
    : refuse('user.second_factor_required', {
        factors: asked,
        ...(asked.includes('backupCode') && fewCodes(holding)),
        ...(by === 'address' || demandFor(account, facts) === 'voluntary' || isNeverRemembered(account, facts)
          ? { mayRemember: false }
          : {}),
        unusual: true,
      })
}

/** Beside what proves the first factor, whatever the tenant takes. */
function addressesOf(account: Account, interaction: Interaction): Factor[] {
  const holding = { userId: account.id, totp: false, backupCodes: 0, passkeys: 0, deferrals: 0 }
  return factorsOf(account, holding, { factors: addressFactors }, interaction)
}

/**
 * An unusual sign-in of an account that has no factor: it shows an address of its own, whatever the tenant takes. Setting a
 * factor up proves nothing: whoever has the password could do it (ADR-0091).
 */
function refusesWithoutAddress(interaction: Interaction, account: Account): Refusal | null {
  const further = addressesOf(account, interaction)
  if (further.length === 0)
    return isAddressProven(interaction, account) ? null : refuse('user.unusual_sign_in')
  return isFactorProven(interaction, account, further)
    ? null
    : refuse('user.second_factor_required', { factors: further, mayRemember: false, unusual: true })
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
  { factors: taken }: Pick<SecondFactorFacts, 'factors'>,
): Interaction {
  if (!isRefusal(outcome) || outcome.code !== 'user.second_factor_required') return interaction
  const factors: unknown = outcome.data?.factors
  const isNamed = (factor: AddressFactor) => Array.isArray(factors) && factors.includes(factor)
  const asked = addressFactors.filter((factor) => isNamed(factor) && !taken.includes(factor))
  const isSame = (interaction.addressChallenge ?? []).join() === asked.join()
  return isSame ? interaction : { ...interaction, addressChallenge: asked }
}

/** Whether it is decided on the statement that the user sets a factor up another time: such a submit counts (spec/accounts#put-off). */
export const isDeferred = (
  interaction: Interaction,
  decide: (interaction: Interaction) => FactorOutcome | Refusal | null | undefined,
): boolean =>
  interaction.putsOffSecondFactor === true &&
  isRefusal(decide({ ...interaction, putsOffSecondFactor: undefined }))
