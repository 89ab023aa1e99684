/** Proofs from before a revocation prove nothing any more (ADR-0143, spec/accounts#revocation). */
import type { Interaction, Proof } from '../../contract/interactions/interaction.ts'
import type { Account } from './accounts.ts'

/** The only place where a proof of any kind is compared with the revocations of the account that it is to open. */
export const isStale = ({ provenAt }: Proof, { revokedAt }: Account): boolean =>
  revokedAt !== null && provenAt <= revokedAt

/** Decisions about the account, such as its second factors and its missing profile, are made without stale proofs. */
export function withoutStaleProofs(interaction: Interaction, account: Account): Interaction {
  const proofs = interaction.proofs.filter((proof) => !isStale(proof, account))
  return proofs.length === interaction.proofs.length ? interaction : { ...interaction, proofs }
}
