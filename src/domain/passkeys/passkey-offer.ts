/** Decides whether to offer a passkey to a user who signs in (spec/accounts#passkey-offer). All functions are pure. */

import type { Proof } from '../../contract/interactions/interaction.ts'
import type { PasskeyAbility, PasskeyCreation } from '../../contract/passkeys/passkeys.ts'
import { DAY } from '../../contract/time.ts'
import {
  factorsFor,
  getEnrolledFactors,
  listAvailableFactors,
  type SecondFactorFacts,
} from '../factors/second-factor.ts'
import { getPolicies, hasSecondFactorPolicy } from '../factors/second-factor-policy.ts'
import type { Account } from '../interactions/accounts.ts'
import { essentialLevels } from '../interactions/authentication.ts'

/** The time for which users who have deferred the offer do not see it, in milliseconds. We chose thirty days. */
const OFFER_INTERVAL = 30 * DAY

/** The number of times that users can defer the offer before we stop showing it. We chose the value. */
const MAX_OFFERS = 3

export type OfferFacts = {
  credentialIds: readonly string[]
  deferrals: number
  /** The time at which the user last deferred the offer, in epoch milliseconds. */
  deferredAt: number | null
}

/** The facts for a user who has just registered. */
export const NO_OFFERS: OfferFacts = { credentialIds: [], deferrals: 0, deferredAt: null }

type FinishedSignIn = {
  /** The authentication methods of the sign-in (RFC 8176). */
  amr: readonly string[]
  /** The parameters of the application's authorization request. */
  request: Record<string, unknown>
  /** True if sign-ins to the account would require a new passkey as a second factor. */
  isSecondFactor: boolean
  /**
   * True if the account has a factor that the tenant accepts. The policies of this sign-in need not require the factor,
   * because the policies of other sign-ins may.
   */
  hasFactor: boolean
}

type ProvenSignIn = Pick<FinishedSignIn, 'amr' | 'request'>

/** Describes the sign-in of an existing account. */
export const describeSignIn = (
  account: Account,
  facts: SecondFactorFacts,
  proven: ProvenSignIn,
): FinishedSignIn => ({
  ...proven,
  isSecondFactor: isAcceptedAsFactor(account, facts),
  hasFactor:
    listAvailableFactors(
      account,
      getEnrolledFactors(account, facts),
      { factors: factorsFor(account, facts) },
      { event: 'SignIn', proofs: firstProofs(account, proven.amr) },
    ).length > 0,
})

/** Describes the first sign-in of an account that is still being registered. It has no second factor yet. */
export const describeRegistration = (
  id: string,
  facts: SecondFactorFacts,
  proven: ProvenSignIn,
): FinishedSignIn => ({
  ...proven,
  isSecondFactor: isAcceptedAsFactor({ id }, facts),
  hasFactor: false,
})

const isAcceptedAsFactor = (account: { id: string }, facts: SecondFactorFacts) =>
  facts.factors.includes('passkey') && hasSecondFactorPolicy(getPolicies(account, facts))

/**
 * Returns a proof of the address whose code was the only factor of the sign-in. This address cannot be a second factor
 * as well.
 */
function firstProofs({ email, phone }: Account, amr: readonly string[]): Proof[] {
  const provenAt = 0 // arbitrary: the sign-in was already accepted
  if (amr.includes('sms')) return phone === null ? [] : [{ kind: 'phone', value: phone, provenAt }]
  return amr.includes('otp') && email !== null ? [{ kind: 'email', value: email, provenAt }] : []
}

/**
 * Returns the ways in which the browser may try to create a passkey, in order. Users who already have a passkey get no
 * offer.
 */
export function allowedCreations(
  signIn: FinishedSignIn,
  facts: OfferFacts,
  { abilities, now }: { abilities: readonly PasskeyAbility[]; now: number },
): PasskeyCreation[] {
  return (['conditional', 'offer'] as const).filter(
    (creation) =>
      abilities.includes(creation) &&
      mayCreatePasskey(creation, signIn, facts) &&
      (creation === 'conditional' || mayOffer(facts, now)),
  )
}

/**
 * Checks whether a passkey may be created. The check is made when the passkey is offered and again when it is created.
 * A passkey counts as two factors, so a sign-in with one factor must not create one for an account that has a second
 * factor.
 */
export function mayCreatePasskey(
  creation: PasskeyCreation,
  signIn: FinishedSignIn,
  facts: Pick<OfferFacts, 'credentialIds'>,
): boolean {
  if (signIn.hasFactor && !signIn.amr.includes('mfa')) return false
  return creation === 'offer' || mayCreateSilently(signIn, facts)
}

/**
 * Checks whether a passkey may be created silently, after the browser has filled in or saved a password. This is not
 * allowed if the request demands a step-up, because the application then expects a proof rather than a new credential.
 * Nor is it allowed if the passkey would become a second factor that the user does not know about.
 */
const mayCreateSilently = (
  { amr, request, isSecondFactor }: FinishedSignIn,
  { credentialIds }: Pick<OfferFacts, 'credentialIds'>,
): boolean => credentialIds.length === 0 && amr.includes('pwd') && !isSecondFactor && !asksForStepUp(request)

const mayOffer = ({ credentialIds, deferrals, deferredAt }: OfferFacts, now: number): boolean =>
  credentialIds.length === 0 &&
  deferrals < MAX_OFFERS &&
  (deferredAt === null || deferredAt + OFFER_INTERVAL <= now)

const asksForStepUp = ({ acr_values, max_age, prompt, claims }: Record<string, unknown>): boolean =>
  acr_values !== undefined ||
  max_age !== undefined ||
  (typeof prompt === 'string' && prompt.split(' ').includes('login')) ||
  essentialLevels(claims).length > 0
