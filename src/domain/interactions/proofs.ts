import type { Profile } from '../../contract/interactions/identifiers.ts'
import type { Interaction, Proof } from '../../contract/interactions/interaction.ts'
import type { Account } from './accounts.ts'

/**
 * Checks whether a proof is older than the last revocation of its account and therefore no longer counts (ADR-0143,
 * spec/accounts#revocation). No other code compares the two.
 */
export const isStale = ({ provenAt }: Proof, { revokedAt }: Account): boolean =>
  revokedAt !== null && provenAt <= revokedAt

/** Removes stale proofs before decisions about the account, such as its second factors and its missing profile. */
export function withoutStaleProofs(interaction: Interaction, account: Account): Interaction {
  const proofs = interaction.proofs.filter((proof) => !isStale(proof, account))
  return proofs.length === interaction.proofs.length ? interaction : { ...interaction, proofs }
}

/**
 * Checks for a proof of a part of the profile. It proves what the account receives, not whose account it is
 * (spec/interaction#profile-proofs).
 */
export function isProfileProof(proof: Proof, profile: Profile): boolean {
  switch (proof.kind) {
    case 'account':
    case 'passkey':
    case 'totp':
    case 'backupCode':
    case 'emailFactor':
    case 'phoneFactor':
      return false
    case 'email':
    case 'phone':
      return proof.value === profile[proof.kind]
    case 'social':
      return proof.connectorId === profile.connectorId
  }
}
