import { isUnlocked } from '../counters.ts'
import type { Database } from '../database.ts'
import { addressKey, consumeAttempts, type LimitCircumstances } from '../rate-limits.ts'
import { attemptVerificationCode, isGuessable, type VerificationCodeAttempt } from './verification-codes.ts'

/**
 * Counts an attempt at a code if there is a code to guess, because wrong attempts are limited per day
 * (spec/accounts#code-try-limits).
 */
export function codeAttempt(
  db: Database,
  tenantId: string,
  codeToTry: VerificationCodeAttempt,
  circumstances: LimitCircumstances,
) {
  const { owner, address } = codeToTry
  const { type, value } = address
  const name = { by: type, value } as const
  const isOfReset = 'uid' in owner && owner.type === 'ForgotPassword'
  const limit = isOfReset ? 'resetTriesPerAddress' : 'codeTriesPerAddress'
  const key = addressKey(tenantId, limit, { ...circumstances, name })
  return {
    consumed: consumeAttempts(db, tenantId, [{ limit, name }], {
      ...circumstances,
      condition: isGuessable(tenantId, codeToTry),
    }),
    attempt: attemptVerificationCode(db, tenantId, {
      ...codeToTry,
      condition: isUnlocked(tenantId, key, circumstances.limits[limit], circumstances.now),
    }),
  }
}
