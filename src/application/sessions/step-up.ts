import type { Refusal } from '../../contract/errors.ts'
import { isRefusal, refuseWith, throwIfRefused } from '../../contract/refused.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import { decideFactor } from '../../domain/factors/factor-decision.ts'
import type { EnrolledFactors, SecondFactorFacts } from '../../domain/factors/second-factor.ts'
import { assumeUnusualSignIn } from '../../domain/factors/second-factor-policy.ts'
import { secondFactorFacts } from '../../domain/interactions/submit-facts.ts'
import {
  checkOperatorSignIn,
  checkTwoFactors,
  checkVerification,
  refuseOldProof,
  VERIFICATION_LIFETIME,
} from '../../domain/sessions/verification.ts'
import { isOperator } from '../../storage/access/administration.ts'
import { readTogether } from '../../storage/batches.ts'
import { isRecentlyVerified, verificationQuery } from '../../storage/codes/verification-statuses.ts'
import { ALWAYS_TRUE, allOf, type Condition, not } from '../../storage/conditions.ts'
import { conditionQuery } from '../../storage/factors/factors.ts'
import { userQuery } from '../../storage/interactions/oidc-reads.ts'
import { requiredLevelQueries } from '../../storage/sessions/step-up.ts'
import { toAccount, type UserRow } from '../../storage/users/users.ts'
import type { Principal } from '../access/management-token.ts'
import type { Dependencies } from '../dependencies.ts'
import { policyFacts } from '../factors/policies.ts'
import { isBuiltInToken, type SignedInUser } from './access-token.ts'

/**
 * Requires a recent verification: in the last ten minutes, the user must have been verified under this grant, or have
 * signed in because the application requested a recent sign-in. Users with a second factor must have signed in with it
 * (spec/accounts#recent-verification). Returns the condition for the change: the verification has not expired or been
 * deleted by a password change, and the user has not become an operator, who may not make such changes here.
 */
export const requireStepUp = async (
  dependencies: StepUpStore,
  tenantId: string,
  signedIn: SignedInUser,
): Promise<Condition> => (await readStepUp(dependencies, tenantId, signedIn)).isProven

/** Requires a recent verification like `requireStepUp`, and also returns the user's second factors. */
export async function readStepUp(
  dependencies: StepUpStore,
  tenantId: string,
  { user, token, freshSignInAt, level, mayChangeCredentials }: SignedInUser,
): Promise<{ isProven: Condition; holding: EnrolledFactors | undefined }> {
  requireCredentialAccess({ mayChangeCredentials })
  const { db, now, tenantSettings } = dependencies
  const owner = { tenantId, userId: user.id, grantId: token.grantId }
  const isFreshSignIn = checkVerification(freshSignInAt, now()) === null
  const { verified, ...levelRows } = await readTogether(db, {
    verified: verificationQuery(db, owner),
    ...requiredLevelQueries(db, tenantId, { userId: user.id, clientId: token.clientId }),
  })
  const needsTwo = needsTwoFactors(await tenantSettings.get(tenantId), user, levelRows)
  if (needsTwo) throwIfRefused(checkTwoFactors(level))
  const [holding] = levelRows.holdings
  const isNoOperator = isBuiltInToken(token) ? ALWAYS_TRUE : not(isOperator(tenantId, user.id))
  if (isFreshSignIn) return { isProven: isNoOperator, holding }
  throwIfRefused(checkVerification(verified[0]?.createdAt, now(), { needsTwo }))
  return { isProven: allOf(isRecentlyVerified(owner, now() - VERIFICATION_LIFETIME), isNoOperator), holding }
}

/**
 * Rejects operators who use an application of the tenant. Otherwise, anyone who may register applications could change
 * the credentials of more powerful operators. Also call this before checking a password or a code.
 */
export function requireCredentialAccess({
  mayChangeCredentials,
}: Pick<SignedInUser, 'mayChangeCredentials'>): void {
  if (!mayChangeCredentials) refuseWith('user.account_centre_required')
}

/**
 * Throws if a change had no effect because the verification or the account was no longer valid. If this function
 * returns, another part of the condition was false.
 */
export async function requireCurrentProof(
  { db }: Pick<Dependencies, 'db'>,
  condition: Condition,
): Promise<void> {
  const { isProven } = await readTogether(db, { isProven: conditionQuery(db, condition) })
  if (isProven.length === 0) throwIfRefused(refuseOldProof())
}

/**
 * Requires an operator to have signed in within the last hour, and with a second factor if the operator has one. Called
 * before changes to other users' credentials, roles or sign-in options (spec/management#operator-proof). Takes one
 * round trip. Applications that act on their own behalf need no proof.
 */
export async function requireOperatorStepUp(
  dependencies: StepUpStore,
  operator: { tenantId: string; principal: Principal },
): Promise<void> {
  throwIfRefused(await findOperatorStepUpRefusal(dependencies, operator))
}

/**
 * Returns the error for an operator whose sign-in is too old or too weak, otherwise null. Used by calls that return
 * less data instead of failing.
 */
export async function findOperatorStepUpRefusal(
  { db, now, tenantSettings }: StepUpStore,
  { tenantId, principal }: { tenantId: string; principal: Principal },
): Promise<Refusal | null> {
  if (principal.type === 'app') return null
  const { users, ...levelRows } = await readTogether(db, {
    users: userQuery(db, tenantId, principal.id),
    ...requiredLevelQueries(db, tenantId, { userId: principal.id, clientId: principal.clientId }),
  })
  const [operator] = users
  if (!operator) refuseWith('auth.unauthorized')
  // An operator who was promoted within a session may have no factor yet. Signing in again leads to setting one up.
  const refusals = ['user.second_factor_required', 'user.second_factor_missing']
  const needsTwo = needsTwoFactors(await tenantSettings.get(tenantId), operator, levelRows, refusals)
  return checkOperatorSignIn(principal, now(), { needsTwo })
}

type StepUpStore = Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>

type LevelRows = Omit<Parameters<typeof policyFacts>[1], 'defaultRoles'> &
  Pick<Parameters<typeof secondFactorFacts>[1], 'holdings'> & { asked: readonly { isAsked: number }[] }

/**
 * Checks whether a credential change requires two factors (spec/accounts#recent-verification). It does if a sign-in
 * with one factor would have to be completed with a second factor. An authenticator app or a passkey is required in the
 * whole tenant, even by applications whose policy does not require a second factor. An address is required only if a
 * policy asks for a second factor, because users who sign in with the address may have no other factor.
 */
export function needsTwoFactors(
  settings: Pick<TenantSettings, 'secondFactor' | 'passkeys'>,
  user: UserRow,
  rows: LevelRows,
  refusals: readonly string[] = ['user.second_factor_required'],
): boolean {
  const facts = userFactorFacts(settings, rows)
  const asks = (factorFacts: SecondFactorFacts) => {
    const outcome = decideFactor({ event: 'SignIn', proofs: [] }, toAccount(user), factorFacts)
    return isRefusal(outcome) && refusals.includes(outcome.code)
  }
  const factors = facts.factors.filter((factor) => factor === 'totp' || factor === 'passkey')
  return asks(facts) || (rows.asked[0]?.isAsked === 1 && asks({ ...facts, common: ['optional'], factors }))
}

/** Returns an existing user's second-factor facts, independent of any authorization request. */
export function userFactorFacts(
  settings: Pick<TenantSettings, 'secondFactor' | 'passkeys'>,
  { holdings, ...policyRows }: LevelRows,
): SecondFactorFacts {
  const policies = assumeUnusualSignIn(
    policyFacts(settings.secondFactor.policy, { ...policyRows, defaultRoles: [] }),
  )
  return secondFactorFacts(settings, { policies, request: {}, holdings, remembered: [] })
}
