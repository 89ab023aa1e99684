/** The outcome of an attempt at a verification code (spec/accounts#code-check). */
import { type Refusal, refuse } from '../../contract/errors.ts'

export type VerifiedAddress = { type: 'email' | 'phone'; value: string }

export const PASSCODE_LIFETIME = 600_000 // ms, spec/limits#codes
export const PASSCODE_TRIES = 10 // spec/limits#codes

/** A code after an attempt. `tryCount` is one above `PASSCODE_TRIES` after an attempt at a code that is used up. */
export type CheckedPasscode = {
  email: string | null
  phone: string | null
  consumed: boolean
  tryCount: number
  createdAt: number
}

/** In the order of spec/accounts#code-check. `given` is the address that the client names. */
export function refusesPasscode(
  checked: CheckedPasscode | undefined,
  given: VerifiedAddress,
  now: number,
): Refusal | null {
  if (!checked) return refuse('verification_code.not_found')
  if (checked[given.type] !== given.value) return refuse(`verification_code.${given.type}_mismatch`)
  if (checked.consumed) return null
  if (checked.createdAt + PASSCODE_LIFETIME < now) return refuse('verification_code.expired')
  if (checked.tryCount > PASSCODE_TRIES) return refuse('verification_code.exceed_max_try')
  return refuse('verification_code.code_mismatch')
}

/** Since when whoever enters the code has proved to read the messages of the address, in epoch milliseconds. */
export const sentAt = (checked: CheckedPasscode | undefined): number => checked?.createdAt ?? 0
