/**
 * Decides the outcome of submitting an interaction (spec/interaction#submit). All functions are pure:
 * `listRequiredLookups` returns the accounts to load, and `decideSubmit` returns the outcome or an error.
 */
import { type Refusal, refuse } from '../../contract/errors.ts'
import type {
  AddressFactor,
  FactorProof,
  Interaction,
  Proof,
  ProvenEnrolment,
  SocialProfile,
} from '../../contract/interactions/interaction.ts'
import { isRefusal } from '../../contract/refused.ts'
import { checkFirstProof } from '../experience/experience-rules.ts'
import {
  decideFactor,
  type FactorOutcome,
  isDeferred,
  withAddressChallenge,
} from '../factors/factor-decision.ts'
import { checkEnrolment, factorsFor, isSecondFactor, provenEnrolment } from '../factors/second-factor.ts'
import { getDemand } from '../factors/second-factor-policy.ts'
import type { Account } from './accounts.ts'
import { isProfileProof, isStale, withoutStaleProofs } from './proofs.ts'
import {
  type NewUser,
  newlyVerifiedColumns,
  provenChannels,
  selectColumnsToWrite,
  type VerifiedColumns,
} from './submit-columns.ts'
import { findByLookup, type SubmitFacts } from './submit-facts.ts'
import { canSignInWith, fillProfile, findProfileProblem } from './submit-profile.ts'
import { checkTerms } from './terms.ts'

export type SubmitOutcome =
  | { kind: 'register'; user: NewUser; enrolment?: ProvenEnrolment | undefined; isDeferred?: true }
  /** The user signs in to an existing account. `changes` may be empty. */
  | {
      kind: 'signIn'
      userId: string
      changes: NewUser
      factor?: FactorOutcome | undefined
      /** Set if this submission uses up a deferral (spec/accounts#put-off). A registration has the same field. */
      isDeferred?: true
    }
  /**
   * The user resets the password of an account. The caller checks for `user.same_password`, which requires the stored
   * hash.
   */
  | {
      kind: 'resetPassword'
      userId: string
      password: string
      channels: AddressFactor[]
      verified: VerifiedColumns
    }

export type Decision = {
  /**
   * The interaction to save if it differs from the original object. The account stays pinned even if the rest is
   * rejected (spec/interaction#pinned-account).
   */
  interaction: Interaction
  outcome: SubmitOutcome | Refusal
}

export function decideSubmit(interaction: Interaction, facts: SubmitFacts): Decision {
  switch (interaction.event) {
    case 'Register':
      return { interaction, outcome: register(interaction, facts) }
    case 'SignIn':
      return withProvenAccount(interaction, facts, (current, account) => signIn(current, account, facts))
    case 'ForgotPassword':
      // Interaction records from older versions may contain proofs of other kinds. Knowing a password or owning a
      // social account must not be enough to take an account from the owner of its address
      // (spec/interaction#account-of-submit).
      return interaction.proofs.some(({ kind }) => kind !== 'email' && kind !== 'phone')
        ? { interaction, outcome: refuse('session.verification_failed') }
        : withProvenAccount(interaction, facts, resetPassword)
  }
}

// --- The three events -------------------------------------------------------------------------------------

function register(interaction: Interaction, facts: SubmitFacts): SubmitOutcome | Refusal {
  const problem = findProfileProblem(interaction, null, facts)
  if (problem) return problem
  const profile = fillProfile(interaction, null, facts)
  if (isRefusal(profile)) return profile
  if (!canSignInWith(profile)) return refuse('user.missing_profile')
  const disagreement = checkTerms(interaction, facts.experience)
  if (disagreement) return disagreement
  const demand = getDemand(null, facts.secondFactor)
  const { maxDeferrals: deferralsLeft, factors } = facts.secondFactor
  const withoutFactor = (attempt: Interaction) => checkEnrolment(attempt, { demand, deferralsLeft, factors })
  const refusal = withoutFactor(interaction)
  if (refusal) return refusal
  const enrolment = demand === 'none' ? undefined : provenEnrolment(interaction)
  const user = selectColumnsToWrite(interaction, profile, null, facts)
  return { kind: 'register', user, enrolment, ...deferralIn(interaction, withoutFactor) }
}

function signIn(submitted: Interaction, account: Account, facts: SubmitFacts): SubmitOutcome | Refusal {
  const interaction = withoutRemovedKeys(submitted, facts)
  // The factor is checked first, so that someone who knows only one factor learns nothing more about the account.
  const decide = (attempt: Interaction) => decideFactor(attempt, account, facts.secondFactor)
  const factor = decide(interaction)
  if (isRefusal(factor)) return factor
  const problem = findProfileProblem(interaction, account, facts)
  if (problem) return problem
  const profile = fillProfile(interaction, account, facts)
  if (isRefusal(profile)) return profile
  const disagreement = checkTerms(interaction, facts.experience)
  if (disagreement) return disagreement
  const changes = {
    ...selectColumnsToWrite(interaction, profile, account, facts),
    ...newlyVerifiedColumns(interaction, account),
  }
  return { kind: 'signIn', userId: account.id, changes, factor, ...deferralIn(interaction, decide) }
}

/** Removes proofs of security keys that the user has since deleted. They no longer count as a second factor. */
const withoutRemovedKeys = (interaction: Interaction, { passkeys }: SubmitFacts): Interaction => ({
  ...interaction,
  proofs: interaction.proofs.filter(
    (proof) => proof.kind !== 'passkey' || proof.isUserVerified || passkeys.includes(proof.credentialId),
  ),
})

const deferralIn = (...attempt: Parameters<typeof isDeferred>) =>
  isDeferred(...attempt) ? { isDeferred: true as const } : {}

function resetPassword(interaction: Interaction, account: Account): SubmitOutcome | Refusal {
  const { profile } = interaction
  if (!profile?.password) return refuse('user.new_password_required_in_profile')
  return {
    kind: 'resetPassword',
    userId: account.id,
    password: profile.password,
    channels: provenChannels(interaction, account),
    verified: newlyVerifiedColumns(interaction, account),
  }
}

// --- Step A: find the account (spec/interaction#account-of-submit) -----------------------------------------

function withProvenAccount(
  interaction: Interaction,
  facts: SubmitFacts,
  decide: (interaction: Interaction, account: Account) => SubmitOutcome | Refusal,
): Decision {
  const account = provenAccount(interaction, facts)
  if (isRefusal(account)) return { interaction, outcome: account }
  const fresh = withoutStaleProofs(interaction, account)
  const pinned = fresh.accountId === account.id ? fresh : { ...fresh, accountId: account.id }
  const outcome = decide(pinned, account)
  const accepted = factorsFor(account, facts.secondFactor)
  return { interaction: withAddressChallenge(pinned, outcome, accepted), outcome }
}

function provenAccount(interaction: Interaction, facts: SubmitFacts): Account | Refusal {
  const { proofs, profile = {}, accountId } = interaction
  const owners: Account[] = []
  for (const proof of proofs) {
    if (isSecondFactor(proof) || isProfileProof(proof, profile)) continue
    const owner = ownerOf(interaction, proof, facts)
    if (isRefusal(owner)) return owner
    owners.push(owner)
  }
  const [owner, ...others] = owners
  if (!owner) return refuse('session.identifier_not_found')

  const isContested = others.some(({ id }) => id !== owner.id) || (accountId && accountId !== owner.id)
  return isContested ? refuse('session.verification_failed') : owner
}

type FirstProof = Exclude<Proof, FactorProof>

function ownerOf(interaction: Interaction, proof: FirstProof, facts: SubmitFacts): Account | Refusal {
  const problem =
    interaction.event === 'SignIn' ? checkFirstProof(facts.experience, interaction, proof) : null
  if (problem) return problem
  const owner = findOwner(proof, facts)
  if (isRefusal(owner)) return owner
  if (isStale(proof, owner)) return refuse('session.verification_failed')
  return owner.isSuspended ? refuse('user.suspended') : owner
}

function findOwner(proof: FirstProof, facts: SubmitFacts): Account | Refusal {
  switch (proof.kind) {
    case 'account':
      return findByLookup({ by: 'id', value: proof.userId }, facts) ?? refuse('user.user_not_exist')
    case 'passkey':
      // A passkey that has been removed must no longer be accepted for signing in.
      if (!facts.passkeys.includes(proof.credentialId)) return refuse('passkey.not_found')
      return findByLookup({ by: 'id', value: proof.userId }, facts) ?? refuse('user.user_not_exist')
    case 'email':
    case 'phone':
      return (
        findByLookup({ by: proof.kind, value: proof.value }, facts) ??
        refuse('user.user_not_exist', { identifier: proof.value })
      )
    case 'social': {
      const connector = facts.targets[proof.connectorId]
      if (!connector) return refuse('entity.not_found')
      return (
        findByLookup({ by: 'identity', target: connector.target, value: proof.profile.id }, facts) ??
        refuse('user.identity_not_exist', relatedUser(proof.profile, facts))
      )
    }
  }
}

/**
 * Returns the address with which the user seems to have an account already: the social account's phone number, or else
 * its email address (spec/interaction#related-user). Returns nothing if the tenant hides which accounts exist
 * (spec/accounts#hidden-existence).
 */
function relatedUser(profile: SocialProfile, facts: SubmitFacts) {
  if (facts.accountExistence === 'hidden') return {}
  for (const type of ['phone', 'email'] as const) {
    const value = profile[type]
    if (value && findByLookup({ by: type, value }, facts)) return { relatedUser: { type, value } }
  }
  return {}
}

/**
 * Keeps only the proofs on which the outcome is based: second factors if one was required and proved, and a new
 * authenticator app if the outcome stores it. Other proofs do not affect the level of the sign-in
 * (spec/provider#authentication-levels).
 */
export const withDecisiveProofs = (interaction: Interaction, outcome: SubmitOutcome): Interaction => ({
  ...interaction,
  enrolment: writtenEnrolment(outcome),
  proofs: hasProvenFactor(outcome)
    ? interaction.proofs
    : interaction.proofs.filter((proof) => !isSecondFactor(proof)),
})

const hasProvenFactor = (outcome: SubmitOutcome) =>
  outcome.kind === 'signIn' && outcome.factor?.kind === 'proven'

function writtenEnrolment(outcome: SubmitOutcome): ProvenEnrolment | undefined {
  if (outcome.kind === 'register') return outcome.enrolment
  return outcome.kind === 'signIn' && outcome.factor?.kind === 'missing'
    ? outcome.factor.enrolment
    : undefined
}
