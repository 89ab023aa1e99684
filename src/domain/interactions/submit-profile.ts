/**
 * Steps B and C of a submission check whether the account may have this profile, and whether anything is missing from
 * it.
 */
import { type Refusal, refuse } from '../../contract/errors.ts'
import type { SignUp } from '../../contract/experience/experience.ts'
import type { IdentifierType, MissingProfileItem, Profile } from '../../contract/interactions/identifiers.ts'
import type { Interaction, Proof } from '../../contract/interactions/interaction.ts'
import { isRefusal } from '../../contract/refused.ts'
import type { Account } from './accounts.ts'
import { findByLookup, profileIdentifierTypes, type SubmitFacts } from './submit-facts.ts'

/**
 * Returns an error if the account may not have this profile (spec/interaction#profile-of-submit). `account` is null for
 * a registration.
 */
export function findProfileProblem(
  interaction: Interaction,
  account: Account | null,
  facts: SubmitFacts,
): Refusal | null {
  const { profile = {} } = interaction
  return (
    unprovenPart(interaction, profile) ??
    (account && existingPart(profile, account)) ??
    nameInUse(profile, facts) ??
    identityInUse(interaction, account, facts)
  )
}

function unprovenPart({ proofs }: Interaction, { email, phone, connectorId }: Profile): Refusal | null {
  const isProven = (kind: 'email' | 'phone', value: string) =>
    proofs.some((proof) => proof.kind === kind && proof.value === value)

  if (email && !isProven('email', email)) return refuse('session.verification_session_not_found')
  if (phone && !isProven('phone', phone)) return refuse('session.verification_session_not_found')
  if (connectorId && !socialProof(proofs, connectorId)) {
    return refuse('session.connector_session_not_found', undefined, 404) // spec/errors#two-statuses
  }
  return null
}

function socialProof(proofs: readonly Proof[], connectorId: string) {
  return proofs.find((proof) => proof.kind === 'social' && proof.connectorId === connectorId)
}

function existingPart(profile: Profile, account: Account): Refusal | null {
  for (const type of profileIdentifierTypes) {
    if (profile[type] && account[type]) return refuse(`user.${type}_exists_in_profile`)
  }
  return profile.password && hasPasswordOrIdentity(account) ? refuse('user.password_exists_in_profile') : null
}

/** Checks for a password or a social identity, which counts as a password here (spec/interaction#profile-of-submit). */
function hasPasswordOrIdentity({ hasPassword, identities }: Account): boolean {
  return hasPassword || Object.keys(identities).length > 0
}

function nameInUse(profile: Profile, facts: SubmitFacts): Refusal | null {
  for (const type of profileIdentifierTypes) {
    const value = profile[type]
    if (value && findByLookup({ by: type, value }, facts)) return refuse(`user.${type}_already_in_use`)
  }
  return null
}

function identityInUse(
  { proofs, profile: { connectorId } = {} }: Interaction,
  account: Account | null,
  facts: SubmitFacts,
): Refusal | null {
  const proof = connectorId ? socialProof(proofs, connectorId) : undefined
  if (proof?.kind !== 'social') return null
  const connector = facts.targets[proof.connectorId]
  if (!connector) return refuse('entity.not_found')
  const owner = findByLookup({ by: 'identity', target: connector.target, value: proof.profile.id }, facts)
  // A second identity with the same target would replace the one with which the owner signs in.
  const isTargetTaken = account !== null && Object.hasOwn(account.identities, connector.target)
  return owner || isTargetTaken ? refuse('user.identity_already_in_use') : null
}

/**
 * Returns the profile, completed with data from the social account, or an error that names the missing items
 * (spec/interaction#missing-profile).
 */
export function fillProfile(
  { event, proofs, profile = {} }: Interaction,
  account: Account | null,
  facts: SubmitFacts,
): Profile | Refusal {
  const missing = missingItems(facts.experience.signUp, profile, account)
  if (missing.length === 0) return profile

  const social = proofs.find((proof) => proof.kind === 'social')?.profile
  // A taken email address is an error even if the user's phone number is still free.
  for (const type of ['email', 'phone'] as const) {
    const value = social?.[type]
    const rest = missing.filter((item) => item !== type && item !== 'emailOrPhone')
    if (!value || rest.length === missing.length) continue

    if (findByLookup({ by: type, value }, facts)) {
      // The address is unverified: only the social provider claims that it belongs to the user
      // (spec/accounts#hidden-existence).
      const isRevealed = event === 'SignIn' && facts.accountExistence !== 'hidden'
      return refuse('user.missing_profile', {
        missingProfile: missing,
        ...(isRevealed && { registeredSocialIdentity: { [type]: value } }),
      })
    }
    return rest.length > 0
      ? refuse('user.missing_profile', { missingProfile: rest })
      : { ...profile, [type]: value }
  }
  return refuse('user.missing_profile', { missingProfile: missing })
}

const addressItems: readonly unknown[] = [
  'email',
  'phone',
  'emailOrPhone',
] satisfies readonly MissingProfileItem[]

/** Checks whether a submission was rejected because, among other things, the account has no address. */
export function isAddressMissing(outcome: object): boolean {
  if (!isRefusal(outcome) || outcome.code !== 'user.missing_profile') return false
  const items: unknown = outcome.data?.missingProfile
  return Array.isArray(items) && items.some((item) => addressItems.includes(item))
}

/** Returns the experience without the addresses that accounts must have (spec/interaction#missing-profile). */
export const withoutRequiredAddresses = <E extends { signUp: SignUp }>(experience: E): E => ({
  ...experience,
  signUp: {
    ...experience.signUp,
    identifiers: experience.signUp.identifiers.filter((type) => type === 'username'),
  },
})

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

/** Returns the item to ask for next: first a username, then an address of either type. */
function missingName(
  identifiers: readonly IdentifierType[],
  isMissing: (type: IdentifierType) => boolean,
): MissingProfileItem[] {
  if (identifiers.includes('username') && isMissing('username')) return ['username']
  const addresses = (['email', 'phone'] as const).filter((type) => identifiers.includes(type))
  if (!addresses.every(isMissing)) return []
  return addresses.length === 2 ? ['emailOrPhone'] : addresses
}

/**
 * Checks whether a user who registers with this profile could sign in again (spec/interaction#missing-profile). A
 * username without a password is not enough. This combination occurs only if the settings change between adding the
 * profile and submitting the interaction.
 */
export function canSignInWith({ username, email, phone, connectorId, password }: Profile): boolean {
  return Boolean(email || phone || connectorId || (username && password))
}
