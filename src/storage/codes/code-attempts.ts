import { isUnlocked } from '../counters.ts'
import type { Database } from '../database.ts'
import { addressKey, consumeAttempts, type LimitCircumstances } from '../rate-limits.ts'
import { attemptPasscode, isGuessable, type PasscodeAttempt } from './passcodes.ts'

/** Consumes an attempt at a code, if there is one to guess: wrong ones are counted by the day (spec/accounts#code-try-limits). */
export function codeAttempt(
  db: Database,
  tenantId: string,
  tried: PasscodeAttempt,
  given: LimitCircumstances,
) {
  const { owner, address } = tried
  const { type, value } = address
  const name = { by: type, value } as const
  const isOfReset = 'uid' in owner && owner.type === 'ForgotPassword'
  const limit = isOfReset ? 'resetTriesPerAddress' : 'codeTriesPerAddress'
  const key = addressKey(tenantId, limit, { ...given, name })
  return {
    consumed: consumeAttempts(db, tenantId, [{ limit, name }], {
      ...given,
      condition: isGuessable(tenantId, tried),
    }),
    attempt: attemptPasscode(db, tenantId, {
      ...tried,
      condition: isUnlocked(tenantId, key, given.limits[limit], given.now),
    }),
  }
}
