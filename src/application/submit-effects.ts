import { resetNameOf } from '../domain/password-reset.ts'
import type { SubmitOutcome } from '../domain/submit.ts'
import { randomId } from '../storage/ids.ts'
import { clearFailuresInARow } from '../storage/rate-limits.ts'
import { updateUserIf } from '../storage/user-changes.ts'
import { comparePassword } from './account-password.ts'
import { registrationEffects } from './registration.ts'
import { signInEffects } from './sign-in-effects.ts'
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
      return signInEffects(dependencies, context, outcome)
    case 'resetPassword':
      return passwordReset(dependencies, context, outcome)
  }
}

async function passwordReset(
  { db, now }: EffectDependencies,
  { tenantId, condition, accounts }: EffectContext,
  { userId, password, channels, verified }: Extract<SubmitOutcome, { kind: 'resetPassword' }>,
): Promise<SubmitEffects | 'samePassword'> {
  const account = accounts.find(({ id }) => id === userId)
  if (account?.passwordEncrypted && (await comparePassword(account, password)).ok) return 'samePassword'
  const revokedAt = now()
  const values = { ...(await userColumnsOf({ password, ...verified })), revokedAt }
  return {
    userId,
    revokedAt,
    result: { reset: resetNameOf({ userId, channels }, randomId()) },
    statements: {
      user: updateUserIf(db, tenantId, condition, userId, values),
      failures: clearFailuresInARow(db, tenantId, userId, condition),
    },
  }
}
