/** Decides whether an attempt to verify a code succeeds (spec/accounts#code-check). */
import { type Refusal, refuse } from '../../contract/errors.ts'
import { MINUTE } from '../../contract/time.ts'

export type VerifiedAddress = { type: 'email' | 'phone'; value: string }

export const VERIFICATION_CODE_LIFETIME = 10 * MINUTE // spec/limits#codes
export const MAX_VERIFICATION_CODE_TRIES = 10 // spec/limits#codes

/**
 * The state of a code after an attempt. If no attempts were left, `tryCount` is one more than
 * `MAX_VERIFICATION_CODE_TRIES`.
 */
export type CheckedVerificationCode = {
  email: string | null
  phone: string | null
  consumed: boolean
  tryCount: number
  createdAt: number
}

/**
 * Returns the reason why an attempt to verify a code fails, in the order of spec/accounts#code-check. `address` is the
 * address that the client has sent.
 */
export function checkVerificationCode(
  code: CheckedVerificationCode | undefined,
  address: VerifiedAddress,
  now: number,
): Refusal | null {
  if (!code) return refuse('verification_code.not_found')
  if (code[address.type] !== address.value) return refuse(`verification_code.${address.type}_mismatch`)
  if (code.consumed) return null
  if (code.createdAt + VERIFICATION_CODE_LIFETIME < now) return refuse('verification_code.expired')
  if (code.tryCount > MAX_VERIFICATION_CODE_TRIES) return refuse('verification_code.exceed_max_try')
  return refuse('verification_code.code_mismatch')
}

/**
 * Returns the time at which a code was sent, in epoch milliseconds. At that time, whoever enters the code had access to
 * messages to the address.
 */
export const getCodeSentTime = (code: CheckedVerificationCode | undefined): number => code?.createdAt ?? 0
