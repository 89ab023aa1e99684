import type { Interaction } from '../../contract/interactions/interaction.ts'
import { domainOfAddress } from '../../contract/organisations/domains.ts'
import { listRequiredLookups, secondFactorFacts } from '../../domain/interactions/submit-facts.ts'
import { automaticDomainsQuery } from '../../storage/organisations/domain-members.ts'
import { passkeyOwnersQuery } from '../../storage/passkeys/passkey-offers.ts'
import { existingPasskeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { AttemptToCount } from '../../storage/rate-limits.ts'
import { accountsQuery, credentialAdditionsQuery, toAccount } from '../../storage/users/users.ts'
import { type AttemptDependencies, createTenantAttemptLimiter } from '../attempts.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  collectHistories,
  enrolledFactorQueries,
  memberPolicies,
  policyFacts,
  policyQueries,
} from '../factors/policies.ts'
import type { PreparedAuthorization, SubmittedLogin } from './authorization.ts'
import type { InteractionCall } from './interaction-call.ts'

export type StoredSubmitFacts = Awaited<ReturnType<typeof readSubmitFacts>>

/**
 * Reads the accounts, roles and connectors on which a submission depends, in the round trip that reads the interaction.
 */
export async function readSubmitFacts(
  dependencies: AttemptDependencies & Pick<Dependencies, 'social'>,
  { open, tenantId, ip, place, trustedBrowser }: InteractionCall,
  { asksForPasskeys, prepareAuthorization }: ReadOptions,
) {
  const { db } = dependencies
  const tenantSettings = await dependencies.tenantSettings.get(tenantId)
  const { accountExistence, newSignInNotices, rememberAccounts, secondFactor } = tenantSettings
  const { passkeys: passkeySettings } = tenantSettings
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const { now } = attempts.circumstances
  const stored = await open.peek()
  const targets = await socialTargets(dependencies, tenantId, stored)
  const proven = stored?.proofs.flatMap((proof) => (proof.kind === 'passkey' ? proof.credentialId : [])) ?? []
  const lookups = stored ? listRequiredLookups(stored, targets) : []
  const rememberRule = { days: secondFactor.rememberDays, now }
  const browser = await trustedBrowser()
  const mayOwnPasskeys =
    passkeySettings.enabled && asksForPasskeys && stored?.event === 'SignIn' && lookups.length > 0
  // A password reset does not sign the user in.
  const authorization =
    stored && stored.event !== 'ForgotPassword' ? await prepareAuthorization(provenUserId(stored)) : null
  const queries = {
    accounts: accountsQuery(db, tenantId, lookups),
    ...enrolledFactorQueries(dependencies, tenantId, {
      browser,
      rule: rememberRule,
      lookups: stored?.event === 'SignIn' ? lookups : [],
    }),
    ...policyQueries(
      dependencies,
      { tenantId, open },
      { event: stored?.event, lookups, judged: { browser, ofTenant: secondFactor.policy } },
    ),
    passkeys: proven.length > 0 ? existingPasskeysQuery(db, tenantId, proven) : undefined,
    passkeyOwners: mayOwnPasskeys ? [passkeyOwnersQuery(db, tenantId, lookups)] : [],
    additions:
      stored?.event === 'ForgotPassword' && lookups.length > 0
        ? [credentialAdditionsQuery(db, tenantId, lookups)]
        : [],
    // A password reset neither proves an address of the account nor signs the user in.
    automaticDomains:
      stored && stored.event !== 'ForgotPassword'
        ? automaticDomainsQuery(db, tenantId, { lookups, addressDomains: addressDomainsOf(stored) })
        : undefined,
    consumed: attempts.count(stored ? submitAttempts(stored, ip) : []),
  }
  const { row, results, furtherResults } = await open.readWith(queries, {
    further: authorization?.statements,
    endedCode: 'session.already_submitted',
  })
  const { accounts: accountRows, holdings, remembered, passkeys, consumed, defaultRoles } = results
  const policies = policyFacts(secondFactor.policy, results)
  return {
    row,
    targets,
    accountRows,
    accounts: accountRows.map(toAccount),
    passkeys: passkeys.map(({ id }) => id),
    accountExistence,
    newSignInNotices,
    rememberAccounts,
    secondFactor: secondFactorFacts(tenantSettings, {
      policies,
      request: row.params,
      holdings,
      remembered,
      risk: { now, here: place(), histories: collectHistories(results) },
    }),
    browser,
    rememberRule,
    limitRefusal: attempts.refusal(consumed),
    refund: (outcome: 'accepted' | 'refused') => attempts.refund(consumed, { outcome }),
    organizationPolicies: memberPolicies(results.organizationPolicies),
    defaultRoles,
    automaticDomains: results.automaticDomains,
    passkeyOwners: results.passkeyOwners,
    additions: results.additions,
    /** Finishes the authorization with this login, or returns null if the browser has to resume it. */
    finish: async (login: SubmittedLogin) => (await authorization?.finish(furtherResults, login)) ?? null,
  }
}

/** Returns the domains of the addresses that the interaction may add to an account. */
const addressDomainsOf = ({ proofs, profile }: Interaction): string[] => {
  const addresses = [
    profile?.email,
    ...proofs.map((proof) => (proof.kind === 'email' ? proof.value : undefined)),
    ...proofs.map((proof) => (proof.kind === 'social' ? proof.profile.email : undefined)),
  ]
  return [...new Set(addresses.flatMap((address) => (address ? domainOfAddress(address) : [])))]
}

type ReadOptions = {
  asksForPasskeys: boolean
  prepareAuthorization(userId: string | undefined): Promise<PreparedAuthorization>
}

/** Returns the account that the user has proven to own, if that is already known. */
const provenUserId = ({ accountId, proofs }: Interaction): string | undefined =>
  accountId ?? proofs.flatMap((proof) => ('userId' in proof ? proof.userId : []))[0]

/**
 * Returns the attempts to count for a submission. A plain sign-in is not counted: it neither creates an account nor
 * hashes a password, and it does not reveal whether a name is taken (spec/accounts#submit-limits).
 */
function submitAttempts({ event, profile = {} }: Interaction, ip: string | undefined): AttemptToCount[] {
  return [
    ...(profile.username || profile.password ? [{ limit: 'submitsPerNetwork' as const, ip }] : []),
    ...(event === 'Register' ? [{ limit: 'registrationsPerNetwork' as const, ip }] : []),
  ]
}

/** Returns the installed social connectors by id. They are read only if the interaction has a social proof. */
async function socialTargets(
  { social }: Pick<Dependencies, 'social'>,
  tenantId: string,
  interaction: Interaction | null,
) {
  if (!interaction?.proofs.some(({ kind }) => kind === 'social')) return {}
  return Object.fromEntries((await social.get(tenantId)).map((connector) => [connector.id, connector]))
}
