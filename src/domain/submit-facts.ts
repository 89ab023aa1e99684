/** What deciding a submit needs to know, and which accounts have to be fetched for it (contract 2.4 to 2.6). */
import type { SignInExperience } from '../contract/experience.ts'
import type { IdentifierType } from '../contract/identifiers.ts'
import type { Interaction, Proof } from '../contract/interaction.ts'
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

/** Which accounts must be known to decide this submit. */
export function lookupsFor(interaction: Interaction, targets: SubmitFacts['targets']): AccountLookup[] {
  const { proofs, profile = {} } = interaction
  const lookups = [
    ...proofs.flatMap((proof) => lookupsOf(proof, targets)),
    ...nameTypes.flatMap((by) => lookupOf(by, profile[by])),
  ]
  return [...new Map(lookups.map((lookup) => [JSON.stringify(lookup), lookup])).values()]
}

/** In the order in which they are judged (contract 2.5). */
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

export function accountBy(lookup: AccountLookup, { accounts }: SubmitFacts): Account | undefined {
  return accounts.find((account) => matches(account, lookup))
}
