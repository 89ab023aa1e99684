import type { Refusal } from '../../contract/errors.ts'
import { checkVerificationCode, type VerifiedAddress } from '../../domain/codes/verification-codes.ts'
import {
  attemptVerificationCode,
  type CodeStore,
  createVerificationCode,
  prepareVerificationCodeAttempt,
  randomVerificationCode,
} from './verification-codes.ts'

/**
 * Creates a code for POST /verification-codes. The caller sends it as a message of type `Generic`. Returns null if a
 * newer code was created at the same time.
 */
export async function createGenericCode(
  store: CodeStore,
  tenantId: string,
  address: VerifiedAddress,
  now: number,
): Promise<string | null> {
  const code = randomVerificationCode()
  const isNewest = await createVerificationCode(store, tenantId, {
    owner: { generic: address },
    address,
    code,
    now,
  })
  return isNewest ? code : null
}

/**
 * Checks a code for POST /verification-codes/verify. Returns null if the code is correct, which consumes it, or else an
 * error `verification_code.*`.
 */
export async function verifyGenericCode(
  { db, seals }: CodeStore,
  tenantId: string,
  { address, code, now }: { address: VerifiedAddress; code: string; now: number },
): Promise<Refusal | null> {
  const attempt = await prepareVerificationCodeAttempt(seals, tenantId, {
    owner: { generic: address },
    address,
    code,
    now,
  })
  const [codeRow] = await attemptVerificationCode(db, tenantId, attempt)
  return checkVerificationCode(codeRow, address, now)
}
