import type { InteractionEvent } from '../../contract/interactions/identifiers.ts'
import { readOrganizationPolicy } from '../../contract/organisations/policy.schema.ts'
import type { AddedSecondFactorPolicy, SecondFactorPolicy } from '../../contract/tenants/settings.ts'
import type { AddedPolicy, PolicyFacts } from '../../domain/factors/second-factor-policy.ts'
import type { AccountLookup } from '../../domain/interactions/accounts.ts'
import { rolesByNameQuery } from '../../storage/access/roles.ts'
import { enrolledFactorsQuery } from '../../storage/factors/factors.ts'
import {
  applicationPolicyQuery,
  rolePoliciesQuery,
  tenantPolicyQueries,
  type WithHistories,
} from '../../storage/factors/second-factor-policies.ts'
import { memberPoliciesQuery } from '../../storage/organisations/policies.ts'
import {
  type RememberRule,
  rememberedBrowserQuery,
  type TrustedBrowser,
} from '../../storage/sessions/trusted-browsers.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'

type PolicyLookup = {
  event: InteractionEvent | undefined
  lookups: readonly AccountLookup[]
  /**
   * The browser and the tenant's policy. Set if the queries should also read the sign-in history, which the policy
   * `adaptive` evaluates.
   */
  judged?: { browser: TrustedBrowser | null; ofTenant: SecondFactorPolicy }
}

/**
 * Returns the queries for all policies that may require a second factor. They run in the round trip that reads the
 * interaction.
 */
export const policyQueries = (
  { db, settings }: Pick<Dependencies, 'db' | 'settings'>,
  { tenantId, open }: Pick<InteractionCall, 'tenantId' | 'open'>,
  { event, lookups, judged }: PolicyLookup,
) => {
  const isSignIn = event === 'SignIn' && lookups.length > 0
  const key = judged && isSignIn ? { lookups, browserId: judged.browser?.id ?? null } : undefined
  return {
    applicationPolicies: applicationPolicyQuery(db, tenantId, open.clientId, key),
    rolePolicies: lookups.length > 0 ? [rolePoliciesQuery(db, tenantId, lookups, key)] : [],
    organizationPolicies:
      open.organization && isSignIn
        ? [memberPoliciesQuery(db, { tenantId, organizationId: open.organization.id }, lookups, key)]
        : [],
    tenantPolicies: key && judged ? tenantPolicyQueries(db, tenantId, judged.ofTenant, key) : [],
    // Users who register get these roles.
    defaultRoles: rolesByNameQuery(db, tenantId, event === 'Register' ? settings.userDefaultRoleNames : []),
  }
}

type HoldingLookup = {
  lookups: readonly AccountLookup[]
  browser: TrustedBrowser | null
  rule: RememberRule
}

/**
 * Returns two queries about the accounts that sign in: one for their enrolled factors, and one for the accounts for
 * which the browser is remembered.
 */
export const enrolledFactorQueries = (
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  { lookups, browser, rule }: HoldingLookup,
) => ({
  holdings: lookups.length > 0 ? [enrolledFactorsQuery(db, tenantId, lookups)] : [],
  remembered: lookups.length > 0 && browser ? [rememberedBrowserQuery(db, tenantId, browser, rule)] : [],
})

/** Collects the accounts' sign-in histories, which are part of each `adaptive` policy row. */
export const collectHistories = (rows: {
  applicationPolicies: readonly WithHistories[]
  rolePolicies: readonly WithHistories[]
  organizationPolicies: readonly WithHistories[]
  tenantPolicies: readonly WithHistories[]
}) =>
  [
    ...rows.applicationPolicies,
    ...rows.rolePolicies,
    ...rows.organizationPolicies,
    ...rows.tenantPolicies,
  ].flatMap(({ histories }) => histories ?? [])

type MemberPolicyRow = { userId: string; policy: unknown }

/** Returns the second-factor policy of an organisation for each of its members. */
export const memberPolicies = (rows: readonly MemberPolicyRow[]) =>
  rows.flatMap(({ userId, policy: stored }) => {
    const { secondFactor: policy } = readOrganizationPolicy(stored)
    return policy ? [{ userId, policy }] : []
  })

export type PolicyRows = {
  applicationPolicies: readonly AddedPolicy[]
  rolePolicies: readonly (AddedPolicy & { userId: string; isRequired: 0 | 1 })[]
  /** The policy of the organisation for which the accounts are about to act, for each of them that is a member. */
  organizationPolicies?: readonly MemberPolicyRow[]
  defaultRoles: readonly { secondFactorPolicy: AddedSecondFactorPolicy | null; rememberDays: number | null }[]
}

export const policyFacts = (
  ofTenant: SecondFactorPolicy,
  { applicationPolicies, rolePolicies, organizationPolicies = [], defaultRoles }: PolicyRows,
): PolicyFacts => ({
  common: [
    ofTenant,
    ...applicationPolicies.flatMap(({ policy }) => policy ?? []),
    ...defaultRoles.flatMap(({ secondFactorPolicy }) => secondFactorPolicy ?? []),
  ],
  ofAccounts: [
    ...rolePolicies.flatMap(({ userId, policy, isRequired }) => [
      ...(policy ? [{ userId, policy }] : []),
      ...(isRequired === 1 ? [{ userId, policy: 'required' as const }] : []),
    ]),
    ...memberPolicies(organizationPolicies),
  ],
  administrators: rolePolicies.flatMap(({ userId, isRequired }) => (isRequired === 1 ? [userId] : [])),
  neverRemembered: {
    all: [...applicationPolicies, ...defaultRoles].some(({ rememberDays }) => rememberDays === 0),
    userIds: rolePolicies.flatMap(({ userId, rememberDays }) => (rememberDays === 0 ? [userId] : [])),
  },
})
