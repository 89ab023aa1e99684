import { loginSecond } from '../domain/revocation.ts'
import type { SubmitOutcome } from '../domain/submit.ts'
import { randomId } from '../storage/ids.ts'
import { clearFailuresInARow } from '../storage/rate-limits.ts'
import { forgetOldestBrowsers, trustBrowserIf } from '../storage/trusted-browsers.ts'
import { updateUserIf } from '../storage/user-changes.ts'
import { comparePassword } from './account-password.ts'
import { registrationEffects } from './registration.ts'
import type { EffectContext, EffectDependencies, SubmitEffects } from './submit-effect.ts'
import { userColumnsOf } from './user-columns.ts'

export async function effectsOf(
  dependencies: EffectDependencies,
  context: EffectContext,
  outcome: SubmitOutcome,
): Promise<SubmitEffects | 'samePassword'> {
  switch (outcome.kind) {
    case 'register':
      return registrationEffects(dependencies, context, outcome)
    case 'signIn':
      return signIn(dependencies, context, outcome)
    case 'resetPassword':
      return passwordReset(dependencies, context, outcome)
  }
}

async function signIn(
  { db, now }: EffectDependencies,
  { tenantId, condition, at, accounts, signsInWith, newAgreement }: EffectContext,
  { userId, changes }: Extract<SubmitOutcome, { kind: 'signIn' }>,
): Promise<SubmitEffects> {
  const account = accounts.find(({ id }) => id === userId)
  const signedInAt = now()
  const termsAgreement = newAgreement(account?.termsAgreement ?? null)
  const values = {
    ...(await userColumnsOf(changes)),
    ...(termsAgreement && { termsAgreement }),
    addIdentities: changes.identities,
    lastSignInAt: signedInAt,
  }
  return {
    userId,
    revokedAt: undefined,
    termsAgreement,
    result: { login: { accountId: userId, ts: loginSecond(account ?? { revokedAt: null }, at) } },
    statements: {
      user: updateUserIf(db, tenantId, condition, userId, values),
      browser: trustBrowserIf(db, tenantId, condition, { ...signsInWith, userId, now: signedInAt }),
      olderBrowsers: forgetOldestBrowsers(db, tenantId, userId),
    },
  }
}

async function passwordReset(
  { db, now }: EffectDependencies,
  { tenantId, condition, accounts }: EffectContext,
  { userId, password, verified }: Extract<SubmitOutcome, { kind: 'resetPassword' }>,
): Promise<SubmitEffects | 'samePassword'> {
  const account = accounts.find(({ id }) => id === userId)
  if (account?.passwordEncrypted && (await comparePassword(account, password)).ok) return 'samePassword'
  const revokedAt = now()
  const values = { ...(await userColumnsOf({ password, ...verified })), revokedAt }
  return {
    userId,
    revokedAt,
    result: { reset: randomId() },
    statements: {
      user: updateUserIf(db, tenantId, condition, userId, values),
      failures: clearFailuresInARow(db, tenantId, userId, condition),
    },
  }
}
