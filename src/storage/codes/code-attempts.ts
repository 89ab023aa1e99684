import { isCounterUnlocked } from '../counters.ts'
import type { Database } from '../database.ts'
import { addressKey, consumeAttempts, type LimitContext } from '../rate-limits.ts'
import {
  attemptVerificationCode,
  hasAttemptsLeft,
  type VerificationCodeAttempt,
} from './verification-codes.ts'

/**
 * Counts an attempt to enter a code towards the daily limit of wrong attempts (spec/accounts#code-try-limits). Nothing
 * is counted if no code exists.
 */
export function codeAttemptStatements(
  db: Database,
  tenantId: string,
  codeToTry: VerificationCodeAttempt,
  circumstances: LimitContext,
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
      condition: hasAttemptsLeft(tenantId, codeToTry),
    }),
    attempt: attemptVerificationCode(db, tenantId, {
      ...codeToTry,
      condition: isCounterUnlocked(tenantId, key, circumstances.limits[limit], circumstances.now),
    }),
  }
}
