/**
 * The submit of an interaction (spec/interaction#submit): one outcome or one refusal. Pure: `lookupsFor` names the
 * accounts to fetch, `decideSubmit` decides about them.
 */
import { type Refusal, refuse } from '../contract/errors.ts'
import type { Profile } from '../contract/identifiers.ts'
import type { Interaction, Proof, SocialProfile } from '../contract/interaction.ts'
import { isRefusal } from '../contract/refused.ts'
import { type Account, withoutCase } from './accounts.ts'
import { accountBy, type SubmitFacts } from './submit-facts.ts'
import { canSignInWith, completedProfile, profileProblem } from './submit-profile.ts'
import { refusesWithoutTerms } from './terms.ts'

/** Columns to write. The password is plain, the caller hashes it. Identities are added to the stored ones. */
export type NewUser = {
  username?: string
  email?: string
  phone?: string
  emailVerified?: true
  phoneVerified?: true
  password?: string
  identities?: Record<string, { userId: string; details: SocialProfile }>
  name?: string
  avatar?: string
}

/** Addresses of the account that the interaction has proved and that did not count as verified. */
type Verified = Pick<NewUser, 'emailVerified' | 'phoneVerified'>

export type SubmitOutcome =
  | { kind: 'register'; user: NewUser }
  /** `changes` may be empty. */
  | { kind: 'signIn'; userId: string; changes: NewUser }
  /** The caller checks `user.same_password`, which needs the hash. */
  | { kind: 'resetPassword'; userId: string; password: string; verified: Verified }

export type Decision = {
  /** Saved when it is another object than the given one: the account is pinned even if the rest is refused (spec/interaction#pinned-account). */
  interaction: Interaction
  outcome: SubmitOutcome | Refusal
}

export function decideSubmit(interaction: Interaction, facts: SubmitFacts): Decision {
  switch (interaction.event) {
    case 'Register':
      return { interaction, outcome: register(interaction, facts) }
    case 'SignIn':
      return withProvenAccount(interaction, facts, (account) => signIn(interaction, account, facts))
    case 'ForgotPassword':
      // Also in a record from before other proofs were refused: who knows a password or owns a social account must not
      // take the account from the owner of its address (spec/interaction#account-of-submit).
      return interaction.proofs.some(({ kind }) => kind === 'account' || kind === 'social')
        ? { interaction, outcome: refuse('session.verification_failed') }
        : withProvenAccount(interaction, facts, (account) => resetPassword(interaction, account))
  }
}

// --- The three events -------------------------------------------------------------------------------------

function register(interaction: Interaction, facts: SubmitFacts): SubmitOutcome | Refusal {
  const problem = profileProblem(interaction, null, facts)
  if (problem) return problem
  const profile = completedProfile(interaction, null, facts)
  if (isRefusal(profile)) return profile
  if (!canSignInWith(profile)) return refuse('user.missing_profile')
  const disagreement = refusesWithoutTerms(interaction, facts.experience)
  if (disagreement) return disagreement
  return { kind: 'register', user: columnsFor(interaction, profile, null, facts) }
}

function signIn(interaction: Interaction, account: Account, facts: SubmitFacts): SubmitOutcome | Refusal {
  const problem = profileProblem(interaction, account, facts)
  if (problem) return problem
  const profile = completedProfile(interaction, account, facts)
  if (isRefusal(profile)) return profile
  const disagreement = refusesWithoutTerms(interaction, facts.experience)
  if (disagreement) return disagreement
  const changes = { ...columnsFor(interaction, profile, account, facts), ...verifiedBy(interaction, account) }
  return { kind: 'signIn', userId: account.id, changes }
}

function resetPassword(interaction: Interaction, account: Account): SubmitOutcome | Refusal {
  const { profile } = interaction
  if (!profile?.password) return refuse('user.new_password_required_in_profile')
  return {
    kind: 'resetPassword',
    userId: account.id,
    password: profile.password,
    verified: verifiedBy(interaction, account),
  }
}

// --- Step A: which account (spec/interaction#account-of-submit) --------------------------------------------

function withProvenAccount(
  interaction: Interaction,
  facts: SubmitFacts,
  decide: (account: Account) => SubmitOutcome | Refusal,
): Decision {
  const account = provenAccount(interaction, facts)
  if (isRefusal(account)) return { interaction, outcome: account }
  const pinned =
    interaction.accountId === account.id ? interaction : { ...interaction, accountId: account.id }
  return { interaction: pinned, outcome: decide(account) }
}

function provenAccount(interaction: Interaction, facts: SubmitFacts): Account | Refusal {
  const { proofs, profile = {}, accountId } = interaction
  const owners: Account[] = []
  for (const proof of proofs) {
    if (isOfProfile(proof, profile)) continue
    const owner = ownerOf(proof, facts)
    if (isRefusal(owner)) return owner
    owners.push(owner)
  }
  const [owner, ...others] = owners
  if (!owner) return refuse('session.identifier_not_found')

  const isContested = others.some(({ id }) => id !== owner.id) || (accountId && accountId !== owner.id)
  return isContested ? refuse('session.verification_failed') : owner
}

/** A proof of a part of the profile proves what the account gets, not whose account it is (spec/interaction#profile-proofs). */
function isOfProfile(proof: Proof, profile: Profile): boolean {
  switch (proof.kind) {
    case 'account':
      return false
    case 'email':
    case 'phone':
      return proof.value === profile[proof.kind]
    case 'social':
      return proof.connectorId === profile.connectorId
  }
}

function ownerOf(proof: Proof, facts: SubmitFacts): Account | Refusal {
  const owner = findOwner(proof, facts)
  return !isRefusal(owner) && owner.isSuspended ? refuse('user.suspended') : owner
}

function findOwner(proof: Proof, facts: SubmitFacts): Account | Refusal {
  switch (proof.kind) {
    case 'account': {
      const account = accountBy({ by: 'id', value: proof.userId }, facts)
      if (!account) return refuse('user.user_not_exist')
      const isStale = account.revokedAt !== null && proof.provenAt <= account.revokedAt
      return isStale ? refuse('session.verification_failed') : account
    }
    case 'email':
    case 'phone':
      return (
        accountBy({ by: proof.kind, value: proof.value }, facts) ??
        refuse('user.user_not_exist', { identifier: proof.value })
      )
    case 'social': {
      const connector = facts.targets[proof.connectorId]
      if (!connector) return refuse('entity.not_found')
      return (
        accountBy({ by: 'identity', target: connector.target, value: proof.profile.id }, facts) ??
        refuse('user.identity_not_exist', relatedUser(proof.profile, facts))
      )
    }
  }
}

/** The account that the user seems to have already, by phone before e-mail (spec/interaction#related-user), unless that is hidden (spec/accounts#hidden-existence). */
function relatedUser(profile: SocialProfile, facts: SubmitFacts) {
  if (facts.accountExistence === 'hidden') return {}
  for (const type of ['phone', 'email'] as const) {
    const value = profile[type]
    if (value && accountBy({ by: type, value }, facts)) return { relatedUser: { type, value } }
  }
  return {}
}

/** A code, or the address of a social account, whose provider vouches for it (spec/accounts#verified-addresses). */
function verifiedBy(
  { proofs }: Interaction,
  { email, phone, emailVerified, phoneVerified }: Account,
): Verified {
  const isProven = (kind: 'email' | 'phone', value: string | null) =>
    value !== null &&
    proofs.some((proof) => {
      const proven =
        proof.kind === kind ? proof.value : proof.kind === 'social' ? proof.profile[kind] : undefined
      return proven !== undefined && withoutCase(proven) === withoutCase(value)
    })
  return {
    ...(!emailVerified && isProven('email', email) && { emailVerified: true }),
    ...(!phoneVerified && isProven('phone', phone) && { phoneVerified: true }),
  }
}

// --- Step D: what is written (spec/interaction#submit-effects) ---------------------------------------------

function columnsFor(
  { proofs }: Interaction,
  { username, email, phone, password, connectorId }: Profile,
  account: Account | null,
  { targets }: SubmitFacts,
): NewUser {
  const social = proofs.find((proof) => proof.kind === 'social')
  const connector = social && targets[social.connectorId]
  const isLinked = social !== undefined && social.connectorId === connectorId
  const copiesNames = account ? connector?.syncProfile : isLinked

  return {
    ...(social && copiesNames && social.profile.name && { name: social.profile.name }),
    ...(social && copiesNames && social.profile.avatar && { avatar: social.profile.avatar }),
    ...(username && { username }),
    ...(email && { email }),
    ...(phone && { phone }),
    ...(password && { password }),
    ...(connector &&
      isLinked && {
        identities: { [connector.target]: { userId: social.profile.id, details: social.profile } },
      }),
  }
}
