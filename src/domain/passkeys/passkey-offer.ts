/** Whether a user who signs in is to make a passkey (spec/accounts#passkey-offer). Pure. */

import type { Proof } from '../../contract/interactions/interaction.ts'
import type { PasskeyAbility, PasskeyCreation } from '../../contract/passkeys/passkeys.ts'
import { DAY } from '../../contract/time.ts'
import { factorsOf, holdingOf, type SecondFactorFacts } from '../factors/second-factor.ts'
import { mayBeAsked, policiesFor } from '../factors/second-factor-policy.ts'
import type { Account } from '../interactions/accounts.ts'
import { essentialLevels } from '../interactions/authentication.ts'

/** Milliseconds: who has put it off is asked again after thirty days. Ours. */
const OFFER_PAUSE = 30 * DAY

/** Who has put it off so often is not asked any more. Ours. */
const MAX_OFFERS = 3

export type OfferFacts = {
  credentialIds: readonly string[]
  deferrals: number
  /** Epoch milliseconds. */
  deferredAt: number | null
}

/** Of a user who has just been registered. */
export const NEVER_ASKED: OfferFacts = { credentialIds: [], deferrals: 0, deferredAt: null }

type FinishedSignIn = {
  /** How it was proved (RFC 8176). */
  amr: readonly string[]
  /** The parameters of the request of the application. */
  request: Record<string, unknown>
  /** Whether the account would be asked for a passkey after its password, once it has one. */
  isSecondFactor: boolean
  /** Whether the account has one that the tenant takes, whatever the policies of this sign-in: others may ask for it. */
  hasFactor: boolean
}

type Proven = Pick<FinishedSignIn, 'amr' | 'request'>

/** Of an account that is there. */
export const signInOf = (account: Account, facts: SecondFactorFacts, proven: Proven): FinishedSignIn => ({
  ...proven,
  isSecondFactor: isTakenAsFactor(account, facts),
  hasFactor:
    factorsOf(account, holdingOf(account, facts), facts, {
      event: 'SignIn',
      proofs: firstProofs(account, proven.amr),
    }).length > 0,
})

/** Of one that was registered in the same batch: it has what it was registered with. */
export const registrationOf = (id: string, facts: SecondFactorFacts, proven: Proven): FinishedSignIn => ({
  ...proven,
  isSecondFactor: isTakenAsFactor({ id }, facts),
  hasFactor: false,
})

const isTakenAsFactor = (account: { id: string }, facts: SecondFactorFacts) =>
  facts.factors.includes('passkey') && mayBeAsked(policiesFor(account, facts))

/** The address whose code was the one factor of a sign-in is no other one. */
function firstProofs({ email, phone }: Account, amr: readonly string[]): Proof[] {
  const provenAt = 0 // the sign-in was accepted already
  if (amr.includes('sms')) return phone === null ? [] : [{ kind: 'phone', value: phone, provenAt }]
  return amr.includes('otp') && email !== null ? [{ kind: 'email', value: email, provenAt }] : []
}

/** The ways to make one that the browser may try, in this order. Users who have a passkey are left alone. */
export function creationsAfter(
  signIn: FinishedSignIn,
  facts: OfferFacts,
  { abilities, now }: { abilities: readonly PasskeyAbility[]; now: number },
): PasskeyCreation[] {
  return (['conditional', 'offer'] as const).filter(
    (creation) =>
      abilities.includes(creation) &&
      mayCreate(creation, signIn, facts) &&
      (creation === 'conditional' || mayOffer(facts, now)),
  )
}

/**
 * Decided where a creation is offered, and again where it is made. A passkey is two factors in one: of an account that has a
 * second factor, a sign-in with one factor makes none.
 */
export function mayCreate(
  creation: PasskeyCreation,
  signIn: FinishedSignIn,
  facts: Pick<OfferFacts, 'credentialIds'>,
): boolean {
  if (signIn.hasFactor && !signIn.amr.includes('mfa')) return false
  return creation === 'offer' || mayCreateSilently(signIn, facts)
}

/**
 * Without a question, for a password that the browser has filled in or is about to keep. A request for more than a session wants
 * a proof: nothing is made beside it unseen. Nor is a second factor, of which its user would not know.
 */
const mayCreateSilently = (
  { amr, request, isSecondFactor }: FinishedSignIn,
  { credentialIds }: Pick<OfferFacts, 'credentialIds'>,
): boolean => credentialIds.length === 0 && amr.includes('pwd') && !isSecondFactor && !asksForStepUp(request)

const mayOffer = ({ credentialIds, deferrals, deferredAt }: OfferFacts, now: number): boolean =>
  credentialIds.length === 0 &&
  deferrals < MAX_OFFERS &&
  (deferredAt === null || deferredAt + OFFER_PAUSE <= now)

const asksForStepUp = ({ acr_values, max_age, prompt, claims }: Record<string, unknown>): boolean =>
  acr_values !== undefined ||
  max_age !== undefined ||
  (typeof prompt === 'string' && prompt.split(' ').includes('login')) ||
  essentialLevels(claims).length > 0
