import type { Profile } from '../../contract/interactions/identifiers.ts'
import type { Proof } from '../../contract/interactions/interaction.ts'

/** A proof of a part of the profile proves what the account gets, not whose account it is (spec/interaction#profile-proofs). */
export function isOfProfile(proof: Proof, profile: Profile): boolean {
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
