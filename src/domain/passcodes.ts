/** Verification codes (contract 3): what a try of one comes to. */
import { type Refusal, refuse } from '../contract/errors.ts'

/** Where a code is sent. */
export type Address = { type: 'email' | 'phone'; value: string }

export const PASSCODE_LIFETIME = 600_000 // ms, contract 3
export const PASSCODE_TRIES = 10 // contract 3

/** A code after it was tried. `tryCount` is one above `PASSCODE_TRIES` once a dead code was tried again. */
export type CheckedPasscode = {
  email: string | null
  phone: string | null
  consumed: boolean
  tryCount: number
  createdAt: number
}

/** In the order of contract 3. `given` is the address that the code is said to have been sent to. */
export function refusesPasscode(
  tried: CheckedPasscode | undefined,
  given: Address,
  now: number,
): Refusal | null {
  if (!tried) return refuse('verification_code.not_found')
  if (tried[given.type] !== given.value) return refuse(`verification_code.${given.type}_mismatch`)
  if (tried.consumed) return null
  if (tried.createdAt + PASSCODE_LIFETIME < now) return refuse('verification_code.expired')
  if (tried.tryCount > PASSCODE_TRIES) return refuse('verification_code.exceed_max_try')
  return refuse('verification_code.code_mismatch')
}
