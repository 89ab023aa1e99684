/**
 * Decides whether a user who signs in should create a passkey (spec/accounts#passkey-offer). All functions are pure.
 */

import type { Proof } from '../../contract/interactions/interaction.ts'
import type { PasskeyAbility, PasskeyCreation } from '../../contract/passkeys/passkeys.ts'
import { DAY } from '../../contract/time.ts'
import { factorsOf, holdingOf, type SecondFactorFacts } from '../factors/second-factor.ts'
import { mayBeAsked, policiesFor } from '../factors/second-factor-policy.ts'
import type { Account } from '../interactions/accounts.ts'
import { essentialLevels } from '../interactions/authentication.ts'

/** How long, in milliseconds, users who put off the offer do not see it again: thirty days. Our choice. */
const OFFER_INTERVAL = 30 * DAY

/** How often users can put off the offer until they no longer see it. Our choice. */
const MAX_OFFERS = 3

export type OfferFacts = {
  credentialIds: readonly string[]
  deferrals: number
  /** In epoch milliseconds. */
  deferredAt: number | null
}

/** The facts for a user who has just registered. */
export const NO_OFFERS: OfferFacts = { credentialIds: [], deferrals: 0, deferredAt: null }

type FinishedSignIn = {
  /** The methods by which the sign-in was proved (RFC 8176). */
  amr: readonly string[]
  /** The parameters of the application's request. */
  request: Record<string, unknown>
  /** Whether the account would be asked for a passkey as a second factor, once it has one. */
  isSecondFactor: boolean
  /**
   * Whether the account has a factor that the tenant accepts, whatever the policies of this sign-in, because other
   * sign-ins may require it.
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
    factorsOf(account, holdingOf(account, facts), facts, {
      event: 'SignIn',
      proofs: firstProofs(account, proven.amr),
    }).length > 0,
})

/**
 * Describes the sign-in of an account that was registered in the same batch, which has only what it was registered
 * with.
 */
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
  facts.factors.includes('passkey') && mayBeAsked(policiesFor(account, facts))

/** Returns the address whose code was the only factor of a sign-in, because that address is not another factor. */
function firstProofs({ email, phone }: Account, amr: readonly string[]): Proof[] {
  const provenAt = 0 // the sign-in was already accepted
  if (amr.includes('sms')) return phone === null ? [] : [{ kind: 'phone', value: phone, provenAt }]
  return amr.includes('otp') && email !== null ? [{ kind: 'email', value: email, provenAt }] : []
}

/**
 * Returns the ways to create a passkey that the browser may try, in this order. Users who have a passkey are left
 * alone.
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
 * Checks whether a passkey may be created; called both when it is offered and when it is created. A passkey is two
 * factors in one, so a sign-in with one factor cannot create one for an account that has a second factor.
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
 * Checks whether a passkey may be created silently, for a password that the browser filled in or is about to save. If
 * the request asks for more than a session, the application wants a proof, so nothing else is created unnoticed. Nor is
 * a second factor created that the user would not know about.
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
