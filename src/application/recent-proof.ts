import { orRefuse } from '../contract/refused.ts'
import type { FactorHolding } from '../domain/second-factor.ts'
import {
  refuseOldProof,
  refusesOwnLevel,
  refusesVerification,
  VERIFICATION_LIFETIME,
} from '../domain/verification.ts'
import { readTogether } from '../storage/batches.ts'
import { type Condition, isAlwaysTrue } from '../storage/conditions.ts'
import { isAllowed } from '../storage/factors.ts'
import { levelQueries } from '../storage/own-level.ts'
import { isVerified, verificationQuery } from '../storage/verification-statuses.ts'
import type { SignedInUser } from './access-token.ts'
import type { Dependencies } from './dependencies.ts'
import { needsTwoFactors } from './own-level.ts'

/**
 * Refuses a signed-in user who has not proved in the last ten minutes to be present: by a verification under this grant, or by
 * a sign-in that the application asked for; and one who has a second factor and has not signed in with it
 * (spec/accounts#recent-verification). Answers the condition of the change: a verification is good
 * until it is old, and a change of the password deletes it.
 */
export const requireRecentProof = async (...given: Parameters<typeof recentProof>): Promise<Condition> =>
  (await recentProof(...given)).isProven

/** The same, with what the user has of second factors. */
export async function recentProof(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  tenantId: string,
  { user, token, askedSignInAt, level }: SignedInUser,
): Promise<{ isProven: Condition; holding: FactorHolding | undefined }> {
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
  if (isAskedRecently) return { isProven: isAlwaysTrue, holding }
  orRefuse(refusesVerification(verified[0]?.createdAt, now(), { needsTwo }))
  return { isProven: isVerified(owner, now() - VERIFICATION_LIFETIME), holding }
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
