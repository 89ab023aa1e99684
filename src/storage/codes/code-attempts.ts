import { sql } from 'drizzle-orm'
import { keyOf } from '../counter-keys.ts'
import { isCounterExhausted, isCounterUnlocked } from '../counters.ts'
import type { Database } from '../database.ts'
import { consumeAttempts, type LimitContext } from '../rate-limits.ts'
import {
  attemptVerificationCode,
  hasAttemptsLeft,
  isRightCode,
  type VerificationCodeAttempt,
} from './verification-codes.ts'

/**
 * Tries a code, and counts a wrong attempt towards the limit of the address (spec/accounts#code-try-limits). Both happen
 * in one transaction, so a right code need not be counted in advance. While the address is locked, a right code counts,
 * too, and is rejected. Nothing is counted if no code exists.
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
  const key = keyOf(tenantId, limit, { name }, circumstances)
  return {
    consumed: consumeAttempts(db, tenantId, [{ limit, name }], {
      ...circumstances,
      condition: sql`(${hasAttemptsLeft(tenantId, codeToTry)}
        and (not ${isRightCode(tenantId, codeToTry)} or ${isCounterExhausted(tenantId, key, circumstances.limits[limit], circumstances.now)}))`,
    }),
    attempt: attemptVerificationCode(db, tenantId, {
      ...codeToTry,
      condition: isCounterUnlocked(tenantId, key, circumstances.limits[limit], circumstances.now),
    }),
  }
}
