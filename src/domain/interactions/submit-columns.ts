/**
 * Determines what submitting an interaction writes, which is step D of the submission
 * (spec/interaction#submit-effects).
 */
import type { Profile } from '../../contract/interactions/identifiers.ts'
import {
  type AddressFactor,
  addressFactors,
  type Interaction,
  type SocialProfile,
} from '../../contract/interactions/interaction.ts'
import { type Account, toAsciiLowerCase } from './accounts.ts'
import type { SubmitFacts } from './submit-facts.ts'

/**
 * The columns to write. The password is plain text, and the caller hashes it. The identity is added to the stored
 * identities, none of which has the same target.
 */
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

export function selectColumnsToWrite(
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

/**
 * Returns the types of the account's addresses to which codes were sent and verified in this interaction. Addresses
 * that are new in the profile are left out.
 */
export const provenChannels = ({ proofs }: Interaction, account: Account): AddressFactor[] =>
  addressFactors.filter((kind) => {
    const address = account[kind]
    return (
      address !== null &&
      proofs.some(
        (proof) => proof.kind === kind && toAsciiLowerCase(proof.value) === toAsciiLowerCase(address),
      )
    )
  })

/** The columns for addresses that this interaction has verified and that were not verified before. */
export type VerifiedColumns = Pick<NewUser, 'emailVerified' | 'phoneVerified'>

/**
 * Returns the columns for newly verified addresses. An address is verified by a code, or by a social account whose
 * provider vouches for it (spec/accounts#verified-addresses).
 */
export function newlyVerifiedColumns(
  { proofs }: Interaction,
  { email, phone, emailVerified, phoneVerified }: Account,
): VerifiedColumns {
  const isProven = (kind: 'email' | 'phone', value: string | null) =>
    value !== null &&
    proofs.some((proof) => {
      const proven =
        proof.kind === kind ? proof.value : proof.kind === 'social' ? proof.profile[kind] : undefined
      return proven !== undefined && toAsciiLowerCase(proven) === toAsciiLowerCase(value)
    })
  return {
    ...(!emailVerified && isProven('email', email) && { emailVerified: true }),
    ...(!phoneVerified && isProven('phone', phone) && { phoneVerified: true }),
  }
}
