import { resetNameOf, resetTakesBackSince } from '../domain/password-reset.ts'
import type { SubmitOutcome } from '../domain/submit.ts'
import { randomId } from '../storage/ids.ts'
import { clearFailuresInARow } from '../storage/rate-limits.ts'
import { type Additions, type TakenBack, takeBackSince } from '../storage/taken-back.ts'
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
  { tenantId, condition, accounts, additions }: EffectContext,
  { userId, password, channels, verified }: Extract<SubmitOutcome, { kind: 'resetPassword' }>,
): Promise<SubmitEffects | 'samePassword'> {
  const account = accounts.find(({ id }) => id === userId)
  if (account?.passwordEncrypted && (await comparePassword(account, password)).ok) return 'samePassword'
  const revokedAt = now()
  const since = resetTakesBackSince({ at: revokedAt, createdAt: account?.createdAt ?? revokedAt })
  const { deletion: _staysRequested, ...removed } = takeBackSince(
    db,
    { owner: { tenantId, userId }, since },
    condition,
    revokedAt,
  )
  const values = { ...(await userColumnsOf({ password, ...verified })), revokedAt }
  return {
    userId,
    revokedAt,
    result: { reset: resetNameOf({ userId, channels }, randomId()) },
    takenBack: takenBackOf(
      additions.find((held) => held.userId === userId),
      since,
    ),
    statements: {
      ...removed,
      user: updateUserIf(db, tenantId, condition, userId, values),
      failures: clearFailuresInARow(db, tenantId, userId, condition),
    },
  }
}

function takenBackOf(additions: Additions | undefined, since: number): TakenBack {
  const idsOf = (kind: 'passkeys' | 'identities' | 'totp') =>
    (additions?.[kind] ?? []).filter(({ at }) => at >= since).map(({ id }) => id)
  return {
    since,
    passkeys: idsOf('passkeys'),
    identities: idsOf('identities'),
    hasTotp: idsOf('totp').length > 0,
  }
}
