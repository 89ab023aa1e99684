import type { Refusal } from '../../contract/errors.ts'
import { isRefusal, orRefuse, refuseWith } from '../../contract/refused.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import { decideFactor } from '../../domain/factors/factor-decision.ts'
import type { FactorHolding, SecondFactorFacts } from '../../domain/factors/second-factor.ts'
import { assumingUnusual } from '../../domain/factors/second-factor-policy.ts'
import { secondFactorFacts } from '../../domain/interactions/submit-facts.ts'
import {
  refuseOldProof,
  refusesOneFactor,
  refusesOperatorSignIn,
  refusesVerification,
  VERIFICATION_LIFETIME,
} from '../../domain/sessions/verification.ts'
import { isOperator } from '../../storage/access/administration.ts'
import { readTogether } from '../../storage/batches.ts'
import { isVerified, verificationQuery } from '../../storage/codes/verification-statuses.ts'
import { allOf, type Condition, isAlwaysTrue, not } from '../../storage/conditions.ts'
import { conditionQuery } from '../../storage/factors/factors.ts'
import { userQuery } from '../../storage/interactions/oidc-reads.ts'
import { requiredLevelQueries } from '../../storage/sessions/step-up.ts'
import { toAccount, type UserRow } from '../../storage/users/users.ts'
import type { Principal } from '../access/management-token.ts'
import type { Dependencies } from '../dependencies.ts'
import { policyFacts } from '../factors/policies.ts'
import { isBuiltIn, type SignedInUser } from './access-token.ts'

/**
 * Refuses a signed-in user who has not proved in the last ten minutes to be present: by a verification under this grant, or by
 * a sign-in that the application asked for; and one who has a second factor and has not signed in with it
 * (spec/accounts#recent-verification). Answers the condition of the change: a verification is good
 * until it is old, and a change of the password deletes it; and the user has not become an operator meanwhile, who
 * changes nothing here.
 */
export const requireStepUp = async (
  dependencies: StepUpStore,
  tenantId: string,
  signedIn: SignedInUser,
): Promise<Condition> => (await stepUpOf(dependencies, tenantId, signedIn)).isProven

/** The same, with the second factors that the user has. */
export async function stepUpOf(
  dependencies: StepUpStore,
  tenantId: string,
  { user, token, freshSignInAt, level, mayChangeCredentials }: SignedInUser,
): Promise<{ isProven: Condition; holding: FactorHolding | undefined }> {
  requireCredentialAccess({ mayChangeCredentials })
  const { db, now, tenantSettings } = dependencies
  const owner = { tenantId, userId: user.id, grantId: token.grantId }
  const isFreshSignIn = refusesVerification(freshSignInAt, now()) === null
  const { verified, ...levelRows } = await readTogether(db, {
    verified: verificationQuery(db, owner),
    ...requiredLevelQueries(db, tenantId, { userId: user.id, clientId: token.clientId }),
  })
  const needsTwo = needsTwoFactors(await tenantSettings.get(tenantId), user, levelRows)
  if (needsTwo) orRefuse(refusesOneFactor(level))
  const [holding] = levelRows.holdings
  const isNoOperator = isBuiltIn(token) ? isAlwaysTrue : not(isOperator(tenantId, user.id))
  if (isFreshSignIn) return { isProven: isNoOperator, holding }
  orRefuse(refusesVerification(verified[0]?.createdAt, now(), { needsTwo }))
  return { isProven: allOf(isVerified(owner, now() - VERIFICATION_LIFETIME), isNoOperator), holding }
}

/**
 * Refuses an operator who calls through an application of the tenant: whoever registers one must not get at the
 * credentials of those who are above them. Before a password or a code is taken as well.
 */
export function requireCredentialAccess({
  mayChangeCredentials,
}: Pick<SignedInUser, 'mayChangeCredentials'>): void {
  if (!mayChangeCredentials) refuseWith('user.account_centre_required')
}

/**
 * After a change that had no effect: refuses it if the proof, or the account behind it, ended before the batch. Else something
 * else of its condition did not hold.
 */
export async function requireStillProven(
  { db }: Pick<Dependencies, 'db'>,
  condition: Condition,
): Promise<void> {
  const { isProven } = await readTogether(db, { isProven: conditionQuery(db, condition) })
  if (isProven.length === 0) orRefuse(refuseOldProof())
}

/**
 * Before the credentials or the roles of others are changed, or what lets others in (spec/management#operator-proof): a user
 * who does it has signed in within the last hour, with two factors if the user has a second one. One round trip; an
 * application by itself proves nothing more.
 */
export async function requireOperatorStepUp(
  dependencies: StepUpStore,
  operator: { tenantId: string; principal: Principal },
): Promise<void> {
  orRefuse(await operatorStepUpRefusal(dependencies, operator))
}

/** The refusal of a caller who has not proved that, for what an answer shows. */
export async function operatorStepUpRefusal(
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
  const needsTwo = needsTwoFactors(await tenantSettings.get(tenantId), operator, levelRows)
  return refusesOperatorSignIn(principal, now(), { needsTwo })
}

type StepUpStore = Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>

type LevelRows = Omit<Parameters<typeof policyFacts>[1], 'defaultRoles'> &
  Pick<Parameters<typeof secondFactorFacts>[1], 'holdings'> & { asked: readonly { isAsked: number }[] }

/**
 * Whether a change of credentials needs two factors of its user (spec/accounts#recent-verification): where a sign-in with one would
 * be asked for another one. An app or a passkey counts for the whole tenant: an application
 * that asks nobody does not change what opens another one. An address counts where a policy asks alone, since who signs in by it
 * has nothing else to prove.
 */
export function needsTwoFactors(
  settings: Pick<TenantSettings, 'secondFactor' | 'passkeys'>,
  user: UserRow,
  rows: LevelRows,
): boolean {
  const facts = levelFacts(settings, rows)
  const asks = (factorFacts: SecondFactorFacts) => {
    const outcome = decideFactor({ event: 'SignIn', proofs: [] }, toAccount(user), factorFacts)
    return isRefusal(outcome) && outcome.code === 'user.second_factor_required'
  }
  const factors = facts.factors.filter((factor) => factor === 'totp' || factor === 'passkey')
  return asks(facts) || (rows.asked[0]?.isAsked === 1 && asks({ ...facts, common: ['optional'], factors }))
}

/** Of a user who is there, beside any request. */
export function levelFacts(
  settings: Pick<TenantSettings, 'secondFactor' | 'passkeys'>,
  { holdings, ...policyRows }: LevelRows,
): SecondFactorFacts {
  const policies = assumingUnusual(
    policyFacts(settings.secondFactor.policy, { ...policyRows, defaultRoles: [] }),
  )
  return secondFactorFacts(settings, { policies, request: {}, holdings, remembered: [] })
}
