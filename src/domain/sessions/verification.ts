/** The step-up verification of signed-in users (spec/accounts#recent-verification). */

import { type Refusal, refuse } from '../../contract/errors.ts'
import { HOUR, MINUTE } from '../../contract/time.ts'
import { type AuthenticationLevel, reachesLevel } from '../interactions/authentication.ts'

export const VERIFICATION_LIFETIME = 10 * MINUTE
/** The maximum age of the sign-in behind a token for a built-in resource (spec/provider#allowed-resources). */
const OPERATOR_SIGN_IN_LIFETIME = HOUR // ms

/** Returns an error if the user's newest proof is too old for a step-up. `provenAt` is in epoch milliseconds. */
export function checkVerification(
  provenAt: number | undefined,
  now: number,
  { needsTwo = false }: { needsTwo?: boolean } = {},
): Refusal | null {
  const isRecent = provenAt !== undefined && provenAt + VERIFICATION_LIFETIME >= now
  if (isRecent) return null
  return needsTwo ? refuseWeakProof() : refuseOldProof()
}

/**
 * Returns an error if the sign-in behind the token used only one factor, although the user has a second factor. `level`
 * is the level of the sign-in.
 */
export const checkTwoFactors = (level: string | undefined): Refusal | null =>
  reachesLevel(level, TWO_FACTORS) ? null : refuseWeakProof()

/**
 * Returns an error if the sign-in behind an operator's token is too old or too weak to change the credentials of
 * others. Times are in epoch milliseconds.
 */
export function checkOperatorSignIn(
  { signedInAt, level }: { signedInAt: number | undefined; level: string | undefined },
  now: number,
  { needsTwo }: { needsTwo: boolean },
): Refusal | null {
  const isRecent = signedInAt !== undefined && signedInAt + OPERATOR_SIGN_IN_LIFETIME >= now
  if (isRecent && (!needsTwo || checkTwoFactors(level) === null)) return null
  return needsTwo ? refuseWeakProof(OPERATOR_SIGN_IN_LIFETIME) : refuseOldProof(OPERATOR_SIGN_IN_LIFETIME)
}

/** Returns an error with the challenge of RFC 9470, which states how recent the sign-in has to be. */
export const refuseOldProof = (lifetime = VERIFICATION_LIFETIME): Refusal =>
  refuse('auth.insufficient_user_authentication', { maxAge: lifetime / 1000 })

const refuseWeakProof = (lifetime = VERIFICATION_LIFETIME): Refusal =>
  refuse('auth.insufficient_user_authentication', { maxAge: lifetime / 1000, acrValues: TWO_FACTORS })

const TWO_FACTORS = 'urn:vestibule:acr:2fa' satisfies AuthenticationLevel
