import type { Profile } from '../../contract/interactions/identifiers.ts'
import type { Interaction, Proof } from '../../contract/interactions/interaction.ts'
import type { Account } from './accounts.ts'

/**
 * Checks whether a proof is older than the account's last revocation and therefore no longer counts (ADR-0143,
 * spec/accounts#revocation). No other code compares these times.
 */
export const isStale = ({ provenAt }: Proof, { revokedAt }: Account): boolean =>
  revokedAt !== null && provenAt <= revokedAt

/**
 * Removes stale proofs. Call this before decisions about the account, such as which second factors or profile items are
 * missing.
 */
export function withoutStaleProofs(interaction: Interaction, account: Account): Interaction {
  const proofs = interaction.proofs.filter((proof) => !isStale(proof, account))
  return proofs.length === interaction.proofs.length ? interaction : { ...interaction, proofs }
}

/**
 * Checks whether a proof belongs to a part of the profile. Such a proof shows that the account may receive this part,
 * but does not identify the account (spec/interaction#profile-proofs).
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
