import { MINUTE } from '../../src/contract/time.ts'
import { ApiProblem } from '../api/problem.ts'

/**
 * The maximum age of a sign-in for a protected change, in milliseconds (spec/management#operator-proof), minus five
 * minutes for filling in the form.
 */
export const MAX_SIGN_IN_AGE = 55 * MINUTE

/** Tells whether the API will accept this sign-in for a change that the user starts now. */
export const isRecentSignIn = (authTime: number | null, now = Date.now()): boolean =>
  authTime !== null && now - authTime < MAX_SIGN_IN_AGE

/**
 * Decides whether the console asks for confirmation before it removes a role. It asks if the role is the user's
 * `own`, because nobody else may be able to assign it again, and if the sign-in is `old`, because undoing the removal
 * would leave the page for a new sign-in. Returns null if the removal can be undone.
 */
export function chooseRemovalConfirmation(
  { isOwn, authTime }: { isOwn: boolean; authTime: number | null },
  now = Date.now(),
): 'own' | 'old' | null {
  if (isOwn) return 'own'
  return isRecentSignIn(authTime, now) ? null : 'old'
}

/**
 * Throws a problem with this message if the sign-in is too old for an undo. Otherwise, the call would leave the page
 * for a sign-in and return without having undone anything.
 */
export function requireStepUp(authTime: number | null, message: string): void {
  if (isRecentSignIn(authTime)) return
  throw new ApiProblem({ status: 403, code: 'auth.insufficient_user_authentication', message })
}
