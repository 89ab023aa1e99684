/** Recent verification of a signed-in user (spec/accounts#recent-verification). */
import { type Refusal, refuse } from '../contract/errors.ts'

export const VERIFICATION_LIFETIME = 600_000 // ms

/** `createdAt` of the newest verification, in epoch milliseconds. */
export function refusesVerification(createdAt: number | undefined, now: number): Refusal | null {
  if (createdAt === undefined) return refuse('session.verification_session_not_found', undefined, 400)
  return createdAt + VERIFICATION_LIFETIME < now
    ? refuse('session.verification_failed', undefined, 422)
    : null
}
