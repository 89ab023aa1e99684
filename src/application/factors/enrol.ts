import type { Experience } from '../../contract/experience/experience.ts'
import type { Interaction, ProvenEnrolment } from '../../contract/interactions/interaction.ts'
import { refuseWith } from '../../contract/refused.ts'
import { factorsFor } from '../../domain/factors/second-factor.ts'
import { getPolicies, hasSecondFactorPolicy } from '../../domain/factors/second-factor-policy.ts'
import { totpUri } from '../../domain/factors/totp.ts'
import { putEnrolment } from '../../domain/interactions/interaction.ts'
import { allOf, type Condition } from '../../storage/conditions.ts'
import type { Database } from '../../storage/database.ts'
import {
  createBackupCodes,
  type FactorOwner,
  hasNoOtherTotp,
  insertTotpIf,
  replaceBackupCodesIf,
  totpLabel,
} from '../../storage/factors/factors.ts'
import { findMatchingTotpStep, generateTotpSecret } from '../../storage/factors/totp.ts'
import { userQuery } from '../../storage/interactions/oidc-reads.ts'
import { hasAtMostPasskeys } from '../../storage/passkeys/passkeys.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { AttemptDependencies } from '../attempts.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { policyFacts, policyQueries } from './policies.ts'

type EnrolmentDependencies = AttemptDependencies & Pick<Dependencies, 'seals' | 'experience'>

/** The secret of an authenticator app, as text and as the URI that the QR code contains. */
export type TotpSetup = { secret: string; address: string }

/** Starts setting up an authenticator app, for POST /interaction/factors/totp (spec/interaction#enrolment). */
export async function beginTotpEnrolment(
  dependencies: EnrolmentDependencies,
  call: InteractionCall,
): Promise<TotpSetup> {
  const { db, tenantSettings } = dependencies
  const { tenantId, open, audit, message } = call
  const { secondFactor } = await tenantSettings.get(tenantId)
  const { accountId, event } = (await open.peek()) ?? {}
  const lookups = accountId === undefined ? [] : [{ by: 'id' as const, value: accountId }]
  const { row, results } = await open.readWith({
    users: accountId === undefined ? [] : [userQuery(db, tenantId, accountId)],
    ...policyQueries(dependencies, call, { event, lookups }),
  })
  const before = await open.record(row)
  audit.begin(`Interaction.${before.event}.Factor.Totp.Create`)
  const [user] = results.users
  const facts = { ...policyFacts(secondFactor.policy, results), factors: secondFactor.factors }
  const isOffered =
    hasSecondFactorPolicy(getPolicies(user ?? null, facts)) &&
    factorsFor(user ?? null, facts).includes('totp')
  if (!isOffered || before.event === 'ForgotPassword') refuseWith('user.sign_in_method_not_enabled')
  if (!user && before.event === 'SignIn') refuseWith('session.identifier_not_found')

  const account = user ? totpAccountName(user) : nameIn(before)
  // The factor belongs to the account at the tenant, whatever organisation the user acts for.
  const experience = await dependencies.experience.get(tenantId)
  const invitation = createTotpSetup(experience, { host: message.host, account })
  await open.save(putEnrolment(before, { secret: invitation.secret }))
  return invitation
}

/**
 * Verifies the new app's first code and returns the backup codes, for PUT /interaction/factors/totp. Wrong codes are
 * not counted, because guessing a code is pointless for a caller who has the secret.
 */
export async function proveTotp(
  { now, seals }: EnrolmentDependencies,
  { tenantId, open, audit }: InteractionCall,
  code: string,
): Promise<string[]> {
  const before = await open.record(await open.row())
  audit.begin(`Interaction.${before.event}.Factor.Totp.Verify`)
  const { enrolment } = before
  if (!enrolment) return refuseWith('session.verification_session_not_found')
  const step = await findMatchingTotpStep(enrolment.secret, code, now())
  if (step === null) return refuseWith('session.invalid_second_factor')
  const { codes, digests } = await createBackupCodes(seals, tenantId)
  await open.save(putEnrolment(before, { secret: enrolment.secret, proven: { step, digests } }))
  return codes
}

type Listing = { host: string; account: string | null | undefined }

/**
 * Returns the setup data for an authenticator app. Creates a new secret unless one is passed in. The app shows the
 * brand name, or else the host, and the account name.
 */
export function createTotpSetup(
  { branding }: Pick<Experience, 'branding'>,
  { host, account }: Listing,
  secret = generateTotpSecret(),
): TotpSetup {
  const issuer = branding.name ?? host
  return { secret, address: totpUri({ secret, issuer, account: account ?? issuer }) }
}

/** Returns the account name that an authenticator app shows. */
export const totpAccountName = ({ username, primaryEmail, primaryPhone }: UserRow) =>
  username ?? primaryEmail ?? primaryPhone

/** Returns the account name of a user who is still registering. */
const nameIn = ({ profile }: Interaction) => profile?.username ?? profile?.email ?? profile?.phone

/**
 * Returns the statements with which a submission stores the authenticator app that was set up in its interaction
 * (spec/interaction#enrolment).
 */
export const enrolmentStatements = (
  db: Database,
  owner: FactorOwner,
  condition: Condition,
  { enrolment, secret, now }: { enrolment: ProvenEnrolment; secret: string; now: number },
) => ({
  totp: insertTotpIf(db, owner, condition, { secret, step: enrolment.proven.step, now }),
  backupCodes: replaceBackupCodesIf(db, owner, condition, { digests: enrolment.proven.digests, now }),
})

/**
 * Requires that the account has no second factor besides the app that this submission adds. If two browsers set up an
 * app for the same account concurrently, the first app is kept and the second sign-in fails.
 */
export const hasNoOtherFactor = (
  owner: FactorOwner,
  { secret, passkeys }: { secret: string | undefined; passkeys: number },
): Condition => allOf(hasNoOtherTotp(owner, secret ?? null), hasAtMostPasskeys(owner, passkeys))

export const sealTotpSecret = (
  { seals }: Pick<Dependencies, 'seals'>,
  { tenantId, userId }: FactorOwner,
  { secret }: ProvenEnrolment,
): Promise<string> => seals.seal(totpLabel(tenantId, userId), secret)
