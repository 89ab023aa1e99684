import { MINUTE } from '../../src/contract/time.ts'
import { ApiProblem } from '../api/problem.ts'

/** spec/management#operator-proof, with five minutes to type in. Milliseconds. */
export const MAX_SIGN_IN_AGE = 55 * MINUTE

/** The API accepts the sign-in for a change that is begun now. */
export const isRecentSignIn = (authTime: number | null, now = Date.now()): boolean =>
  authTime !== null && now - authTime < MAX_SIGN_IN_AGE

/**
 * The console asks before it removes an `own` role, because nobody may be able to give it back, and when the sign-in is `old`, because
 * undoing the removal would lead away from the page. Null where the removal can be undone.
 */
export function confirmationBeforeRemoving(
  { isOwn, authTime }: { isOwn: boolean; authTime: number | null },
  now = Date.now(),
): 'own' | 'old' | null {
  if (isOwn) return 'own'
  return isRecentSignIn(authTime, now) ? null : 'old'
}

/**
 * Before something is undone that the API asks a recent sign-in for: the call would leave the page for a sign-in, and come back
 * with nothing undone. `message` says so.
 */
export function requireStepUp(authTime: number | null, message: string): void {
  if (isRecentSignIn(authTime)) return
  throw new ApiProblem({ status: 403, code: 'auth.insufficient_user_authentication', message })
}
