import type { SignInExperience } from '../contract/experience.ts'
import type { IdentifierType } from '../contract/identifiers.ts'
import type { Interaction, Proof } from '../contract/interaction.ts'
import type { AccountExistence } from '../contract/settings.ts'
import { type Account, type AccountLookup, matchesLookup } from './accounts.ts'
import type { TermsSettings } from './terms.ts'

export type SubmitFacts = {
  experience: Pick<SignInExperience, 'signUp'> & TermsSettings
  accountExistence: AccountExistence
  /** The answers to `lookupsFor`. */
  accounts: readonly Account[]
  /** By connector id; a connector that was removed meanwhile, or is no longer offered, is missing. */
  targets: Readonly<Record<string, { target: string; syncProfile: boolean }>>
}

/** The accounts that the decision needs (spec/interaction#account-of-submit). */
export function lookupsFor(interaction: Interaction, targets: SubmitFacts['targets']): AccountLookup[] {
  const { proofs, profile = {} } = interaction
  const lookups = [
    ...proofs.flatMap((proof) => lookupsOf(proof, targets)),
    ...nameTypes.flatMap((by) => lookupOf(by, profile[by])),
  ]
  return [...new Map(lookups.map((lookup) => [JSON.stringify(lookup), lookup])).values()]
}

/** In the order of the checks (spec/interaction#profile-of-submit). */
export const nameTypes = ['username', 'email', 'phone'] as const

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
        // For the related account (spec/interaction#related-user) and the fill-in (spec/interaction#social-fill-in).
        ...lookupOf('phone', phone),
        ...lookupOf('email', email),
      ]
    }
  }
}

function lookupOf(by: IdentifierType, value: string | undefined): AccountLookup[] {
  return value ? [{ by, value }] : []
}

export function accountBy(lookup: AccountLookup, { accounts }: SubmitFacts): Account | undefined {
  return accounts.find((account) => matchesLookup(account, lookup))
}
