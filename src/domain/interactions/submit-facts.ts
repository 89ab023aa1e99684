import type { Experience } from '../../contract/experience/experience.ts'
import type { IdentifierType } from '../../contract/interactions/identifiers.ts'
import type { Interaction, Proof } from '../../contract/interactions/interaction.ts'
import type { AccountExistence, TenantSettings } from '../../contract/tenants/settings.ts'
import { acceptedFactors, type EnrolledFactors, type SecondFactorFacts } from '../factors/second-factor.ts'
import type { PolicyFacts, RiskFacts } from '../factors/second-factor-policy.ts'
import { type Account, type AccountLookup, matchesLookup } from './accounts.ts'
import { requestsTwoFactors, requiresMultipleFactors } from './authentication.ts'
import type { TermsSettings } from './terms.ts'

export type SubmitFacts = {
  experience: Pick<Experience, 'signIn' | 'signUp' | 'passkeys'> & TermsSettings
  accountExistence: AccountExistence
  secondFactor: SecondFactorFacts
  /** The accounts that match `listRequiredLookups`. */
  accounts: readonly Account[]
  /** The credential ids of the proved passkeys that still exist. */
  passkeys: readonly string[]
  /** Targets by connector id. Connectors that have been removed or are no longer offered are left out. */
  targets: Readonly<Record<string, { target: string; syncProfile: boolean }>>
}

type LoadedFactorFacts = {
  policies: PolicyFacts
  request: Record<string, unknown>
  holdings: readonly EnrolledFactors[]
  /** The ids of the accounts for which the browser is remembered. */
  remembered: readonly Pick<EnrolledFactors, 'userId'>[]
  risk?: RiskFacts
}

export const secondFactorFacts = (
  settings: Pick<TenantSettings, 'secondFactor' | 'passkeys'>,
  { policies, request, holdings, remembered, risk }: LoadedFactorFacts,
): SecondFactorFacts => ({
  ...policies,
  requestsTwoFactors: requestsTwoFactors(request),
  factors: acceptedFactors(settings),
  maxDeferrals: settings.secondFactor.putOffs,
  holdings,
  remembered: requiresMultipleFactors(request) ? [] : remembered.map(({ userId }) => userId),
  risk,
})

/** Returns lookups for the accounts that the decision needs (spec/interaction#account-of-submit). */
export function listRequiredLookups(
  interaction: Interaction,
  targets: SubmitFacts['targets'],
): AccountLookup[] {
  const { proofs, profile = {} } = interaction
  const lookups = [
    ...proofs.flatMap((proof) => lookupsOf(proof, targets)),
    ...profileIdentifierTypes.flatMap((by) => lookupOf(by, profile[by])),
  ]
  return [...new Map(lookups.map((lookup) => [JSON.stringify(lookup), lookup])).values()]
}

/** The types of identifiers, in the order in which they are checked (spec/interaction#profile-of-submit). */
export const profileIdentifierTypes = ['username', 'email', 'phone'] as const

function lookupsOf(proof: Proof, targets: SubmitFacts['targets']): AccountLookup[] {
  switch (proof.kind) {
    case 'account':
    case 'passkey':
      return [{ by: 'id', value: proof.userId }]
    case 'totp':
    case 'backupCode':
    case 'emailFactor':
    case 'phoneFactor':
      return []
    case 'email':
    case 'phone':
      return [{ by: proof.kind, value: proof.value }]
    case 'social': {
      const { id, email, phone } = proof.profile
      const connector = targets[proof.connectorId]
      return [
        ...(connector ? [{ by: 'identity' as const, target: connector.target, value: id }] : []),
        // These accounts are needed to find the related account (spec/interaction#related-user) and to complete the
        // profile (spec/interaction#social-fill-in).
        ...lookupOf('phone', phone),
        ...lookupOf('email', email),
      ]
    }
  }
}

function lookupOf(by: IdentifierType, value: string | undefined): AccountLookup[] {
  return value ? [{ by, value }] : []
}

export function findByLookup(lookup: AccountLookup, { accounts }: SubmitFacts): Account | undefined {
  return accounts.find((account) => matchesLookup(account, lookup))
}
