import { orRefuse, refuseWith } from '../../contract/refused.ts'
import type { FactorHolding } from '../../domain/factors/second-factor.ts'
import {
  refuseOldProof,
  refusesOwnLevel,
  refusesVerification,
  VERIFICATION_LIFETIME,
} from '../../domain/sessions/verification.ts'
import { isOperator } from '../../storage/access/administration.ts'
import { readTogether } from '../../storage/batches.ts'
import { isVerified, verificationQuery } from '../../storage/codes/verification-statuses.ts'
import { allOf, type Condition, isAlwaysTrue, not } from '../../storage/conditions.ts'
import { isAllowed } from '../../storage/factors/factors.ts'
import { levelQueries } from '../../storage/sessions/own-level.ts'
import type { Dependencies } from '../dependencies.ts'
import { isBuiltIn, type SignedInUser } from './access-token.ts'
import { needsTwoFactors } from './own-level.ts'

/**
 * Refuses a signed-in user who has not proved in the last ten minutes to be present: by a verification under this grant, or by
 * a sign-in that the application asked for; and one who has a second factor and has not signed in with it
 * (spec/accounts#recent-verification). Answers the condition of the change: a verification is good
 * until it is old, and a change of the password deletes it; and the user has not become an operator meanwhile, who
 * changes nothing here.
 */
export const requireRecentProof = async (...given: Parameters<typeof recentProof>): Promise<Condition> =>
  (await recentProof(...given)).isProven

/** The same, with what the user has of second factors. */
export async function recentProof(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  tenantId: string,
  { user, token, askedSignInAt, level, mayChangeCredentials }: SignedInUser,
): Promise<{ isProven: Condition; holding: FactorHolding | undefined }> {
  requireCredentialAccess({ mayChangeCredentials })
  const { db, now, tenantSettings } = dependencies
  const owner = { tenantId, userId: user.id, grantId: token.grantId }
  const isAskedRecently = refusesVerification(askedSignInAt, now()) === null
  const { verified, ...found } = await readTogether(db, {
    verified: verificationQuery(db, owner),
    ...levelQueries(db, tenantId, { userId: user.id, clientId: token.clientId }),
  })
  const needsTwo = needsTwoFactors(await tenantSettings.get(tenantId), user, found)
  if (needsTwo) orRefuse(refusesOwnLevel(level))
  const [holding] = found.holdings
  const isNoOperator = isBuiltIn(token) ? isAlwaysTrue : not(isOperator(tenantId, user.id))
  if (isAskedRecently) return { isProven: isNoOperator, holding }
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
  const { held } = await readTogether(db, { held: isAllowed(db, condition) })
  if (held.length === 0) orRefuse(refuseOldProof())
}
