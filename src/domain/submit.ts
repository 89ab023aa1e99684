/**
 * The submit of an interaction (contract 2.4 to 2.7): from what was proved and asked for to one outcome or one
 * refusal. Nothing here reads or writes: `lookupsFor` says which accounts to fetch, `submit` decides over them.
 */
import { type Refusal, refuse } from '../contract/errors.ts'
import type { SignInExperience, SignUp } from '../contract/experience.ts'
import type { IdentifierType, MissingProfileItem, Profile } from '../contract/identifiers.ts'
import type { Interaction, Proof, SocialProfile } from '../contract/interaction.ts'
import { isRefusal } from '../contract/refused.ts'
import type { AccountExistence } from '../contract/settings.ts'
import { type Account, type AccountLookup, matches } from './accounts.ts'

export type SubmitFacts = {
  experience: Pick<SignInExperience, 'signUp'>
  accountExistence: AccountExistence
  /** The answers to `lookupsFor`. */
  accounts: readonly Account[]
  /** By connector id; a connector removed meanwhile is not there. */
  targets: Readonly<Record<string, { target: string; syncProfile: boolean }>>
}

/** Columns to write. The password is plain: the caller hashes it. Identities are added to those already there. */
export type NewUser = {
  username?: string
  email?: string
  phone?: string
  password?: string
  identities?: Record<string, { userId: string; details: SocialProfile }>
  name?: string
  avatar?: string
}

export type Outcome =
  | { kind: 'register'; user: NewUser }
  /** Changes may be empty: nothing but the sign-in itself to record. */
  | { kind: 'signIn'; userId: string; changes: NewUser }
  /** The caller judges `user.same_password`, for which it takes the hash. */
  | { kind: 'resetPassword'; userId: string; password: string }

export type Decision = {
  /** To be saved when it is another object than came in: step A pins the account even if the rest is refused (contract 2.4.6). */
  interaction: Interaction
  outcome: Outcome | Refusal
}

/** Which accounts must be known to decide this submit. */
export function lookupsFor(interaction: Interaction, targets: SubmitFacts['targets']): AccountLookup[] {
  const { proofs, profile = {} } = interaction
  const lookups = [
    ...proofs.flatMap((proof) => lookupsOf(proof, targets)),
    ...nameTypes.flatMap((by) => lookupOf(by, profile[by])),
  ]
  return [...new Map(lookups.map((lookup) => [JSON.stringify(lookup), lookup])).values()]
}

/** Decides a submit (contract 2.4 to 2.7). */
export function submit(interaction: Interaction, facts: SubmitFacts): Decision {
  switch (interaction.event) {
    case 'Register':
      return { interaction, outcome: register(interaction, facts) }
    case 'SignIn':
      return withProvenAccount(interaction, facts, (account) => signIn(interaction, account, facts))
    case 'ForgotPassword':
      return withProvenAccount(interaction, facts, (account) => resetPassword(interaction, account))
  }
}

/** In the order in which they are judged (contract 2.5). */
const nameTypes = ['username', 'email', 'phone'] as const

function lookupsOf(proof: Proof, targets: SubmitFacts['targets']): AccountLookup[] {
  switch (proof.kind) {
    case 'account':
      return [{ by: 'id', value: proof.userId }]
    case 'email':
    case 'phone':
      return [{ by: proof.kind, value: proof.value }]
    case 'social': {
      const { id, email, phone } = proof.profile
      const connector = targets[proof.connectorId]
      return [
        ...(connector ? [{ by: 'identity' as const, target: connector.target, value: id }] : []),
        // For the related account (2.4.3) and for the fill-in (2.6.3).
        ...lookupOf('phone', phone),
        ...lookupOf('email', email),
      ]
    }
  }
}

function lookupOf(by: IdentifierType, value: string | undefined): AccountLookup[] {
  return value ? [{ by, value }] : []
}

function accountBy(lookup: AccountLookup, { accounts }: SubmitFacts): Account | undefined {
  return accounts.find((account) => matches(account, lookup))
}

// --- The three events -------------------------------------------------------------------------------------

function register(interaction: Interaction, facts: SubmitFacts): Outcome | Refusal {
  const problem = profileProblem(interaction, null, facts)
  if (problem) return problem
  const profile = completedProfile(interaction, null, facts)
  if (isRefusal(profile)) return profile
  if (!isWayIn(profile)) return refuse('user.missing_profile')
  return { kind: 'register', user: columnsFor(interaction, profile, null, facts) }
}

function signIn(interaction: Interaction, account: Account, facts: SubmitFacts): Outcome | Refusal {
  const problem = profileProblem(interaction, account, facts)
  if (problem) return problem
  const profile = completedProfile(interaction, account, facts)
  if (isRefusal(profile)) return profile
  return { kind: 'signIn', userId: account.id, changes: columnsFor(interaction, profile, account, facts) }
}

function resetPassword({ profile }: Interaction, account: Account): Outcome | Refusal {
  if (!profile?.password) return refuse('user.new_password_required_in_profile')
  return { kind: 'resetPassword', userId: account.id, password: profile.password }
}

// --- Step A: which account (contract 2.4) -----------------------------------------------------------------

function withProvenAccount(
  interaction: Interaction,
  facts: SubmitFacts,
  decide: (account: Account) => Outcome | Refusal,
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

/** What proves something in the profile says what the account is to have, not whose it is (contract 2.4.1). */
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

/** The account this person seems to have already, by phone before e-mail (contract 2.4.3), unless that is hidden (decision 17). */
function relatedUser(profile: SocialProfile, facts: SubmitFacts) {
  if (facts.accountExistence === 'hidden') return {}
  for (const type of ['phone', 'email'] as const) {
    const value = profile[type]
    if (value && accountBy({ by: type, value }, facts)) return { relatedUser: { type, value } }
  }
  return {}
}

// --- Step B: may the account have this profile (contract 2.5) ---------------------------------------------

function profileProblem(
  interaction: Interaction,
  account: Account | null,
  facts: SubmitFacts,
): Refusal | null {
  const { profile = {} } = interaction
  return (
    unprovenPart(interaction, profile) ??
    (account && partAlreadyThere(profile, account)) ??
    nameInUse(profile, facts) ??
    identityInUse(interaction, profile, facts)
  )
}

function unprovenPart({ proofs }: Interaction, { email, phone, connectorId }: Profile): Refusal | null {
  const isProven = (kind: 'email' | 'phone', value: string) =>
    proofs.some((proof) => proof.kind === kind && proof.value === value)

  if (email && !isProven('email', email)) return refuse('session.verification_session_not_found')
  if (phone && !isProven('phone', phone)) return refuse('session.verification_session_not_found')
  if (connectorId && !socialProof(proofs, connectorId)) {
    return refuse('session.connector_session_not_found', undefined, 404) // contract 1.4: at submit, not 400
  }
  return null
}

function socialProof(proofs: readonly Proof[], connectorId: string) {
  return proofs.find((proof) => proof.kind === 'social' && proof.connectorId === connectorId)
}

function partAlreadyThere(profile: Profile, account: Account): Refusal | null {
  for (const type of nameTypes) {
    if (profile[type] && account[type]) return refuse(`user.${type}_exists_in_profile`)
  }
  return profile.password && hasPasswordOrIdentity(account) ? refuse('user.password_exists_in_profile') : null
}

/** A social identity counts as a password (contract 11.5). */
function hasPasswordOrIdentity({ hasPassword, identities }: Account): boolean {
  return hasPassword || Object.keys(identities).length > 0
}

function nameInUse(profile: Profile, facts: SubmitFacts): Refusal | null {
  for (const type of nameTypes) {
    const value = profile[type]
    if (value && accountBy({ by: type, value }, facts)) return refuse(`user.${type}_already_in_use`)
  }
  return null
}

function identityInUse(
  { proofs }: Interaction,
  { connectorId }: Profile,
  facts: SubmitFacts,
): Refusal | null {
  const proof = connectorId ? socialProof(proofs, connectorId) : undefined
  if (proof?.kind !== 'social') return null
  const connector = facts.targets[proof.connectorId]
  if (!connector) return refuse('entity.not_found')
  const owner = accountBy({ by: 'identity', target: connector.target, value: proof.profile.id }, facts)
  return owner ? refuse('user.identity_already_in_use') : null
}

// --- Step C: is anything missing (contract 2.6) -----------------------------------------------------------

/** The profile with what the social account can add to it, or what is still missing. */
function completedProfile(
  { event, proofs, profile = {} }: Interaction,
  account: Account | null,
  facts: SubmitFacts,
): Profile | Refusal {
  const missing = missingItems(facts.experience.signUp, profile, account)
  if (missing.length === 0) return profile

  const social = proofs.find((proof) => proof.kind === 'social')?.profile
  // Not phone after e-mail: a taken e-mail address is refused even if the phone could be used.
  for (const type of ['email', 'phone'] as const) {
    const value = social?.[type]
    const rest = missing.filter((item) => item !== type && item !== 'emailOrPhone')
    if (!value || rest.length === missing.length) continue

    if (accountBy({ by: type, value }, facts)) {
      const isShown = event === 'SignIn'
      return refuse('user.missing_profile', {
        missingProfile: missing,
        ...(isShown && { registeredSocialIdentity: { [type]: value } }),
      })
    }
    return rest.length > 0
      ? refuse('user.missing_profile', { missingProfile: rest })
      : { ...profile, [type]: value }
  }
  return refuse('user.missing_profile', { missingProfile: missing })
}

function missingItems(
  { identifiers, password }: SignUp,
  profile: Profile,
  account: Account | null,
): MissingProfileItem[] {
  const needsPassword =
    password && !(account && hasPasswordOrIdentity(account)) && !profile.password && !profile.connectorId
  const names = missingName(identifiers, (type) => !profile[type] && !account?.[type])
  return needsPassword ? ['password', ...names] : names
}

/** One at a time: a username first, then an address, of which any will do. */
function missingName(
  asked: readonly IdentifierType[],
  isUnknown: (type: IdentifierType) => boolean,
): MissingProfileItem[] {
  if (asked.includes('username') && isUnknown('username')) return ['username']
  const addresses = (['email', 'phone'] as const).filter((type) => asked.includes(type))
  if (!addresses.every(isUnknown)) return []
  return addresses.length === 2 ? ['emailOrPhone'] : addresses
}

/**
 * The safety net of registration (contract 2.6.5). Ours: a username without a password is no way in either. It
 * can only arrive here when the settings change between the profile and its submit.
 */
function isWayIn({ username, email, phone, connectorId, password }: Profile): boolean {
  return Boolean(email || phone || connectorId || (username && password))
}

// --- Step D: what is written (contract 2.7) ---------------------------------------------------------------

function columnsFor(
  { proofs }: Interaction,
  { username, email, phone, password, connectorId }: Profile,
  account: Account | null,
  { targets }: SubmitFacts,
): NewUser {
  const social = proofs.find((proof) => proof.kind === 'social')
  const connector = social && targets[social.connectorId]
  const joins = social !== undefined && social.connectorId === connectorId
  const copiesNames = account ? connector?.syncProfile : joins

  return {
    ...(social && copiesNames && social.profile.name && { name: social.profile.name }),
    ...(social && copiesNames && social.profile.avatar && { avatar: social.profile.avatar }),
    ...(username && { username }),
    ...(email && { email }),
    ...(phone && { phone }),
    ...(password && { password }),
    ...(connector &&
      joins && {
        identities: { [connector.target]: { userId: social.profile.id, details: social.profile } },
      }),
  }
}
