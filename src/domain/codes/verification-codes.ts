/** The outcome of an attempt at a verification code (spec/accounts#code-check). */
import { type Refusal, refuse } from '../../contract/errors.ts'
import { MINUTE } from '../../contract/time.ts'

export type VerifiedAddress = { type: 'email' | 'phone'; value: string }

export const VERIFICATION_CODE_LIFETIME = 10 * MINUTE // spec/limits#codes
export const MAX_VERIFICATION_CODE_TRIES = 10 // spec/limits#codes

/** A code after an attempt. `tryCount` is one above `MAX_VERIFICATION_CODE_TRIES` after an attempt at a code that is used up. */
export type CheckedVerificationCode = {
  email: string | null
  phone: string | null
  consumed: boolean
  tryCount: number
  createdAt: number
}

/** In the order of spec/accounts#code-check. `address` is what the client names. */
export function refusesVerificationCode(
  checked: CheckedVerificationCode | undefined,
  address: VerifiedAddress,
  now: number,
): Refusal | null {
  if (!checked) return refuse('verification_code.not_found')
  if (checked[address.type] !== address.value) return refuse(`verification_code.${address.type}_mismatch`)
  if (checked.consumed) return null
  if (checked.createdAt + VERIFICATION_CODE_LIFETIME < now) return refuse('verification_code.expired')
  if (checked.tryCount > MAX_VERIFICATION_CODE_TRIES) return refuse('verification_code.exceed_max_try')
  return refuse('verification_code.code_mismatch')
}

/** Since when whoever enters the code has proved to read the messages of the address, in epoch milliseconds. */
export const sentAt = (checked: CheckedVerificationCode | undefined): number => checked?.createdAt ?? 0
