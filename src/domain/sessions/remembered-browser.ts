/**
 * A remembered browser, in which the policy requires no second factor for a number of days
 * (spec/accounts#remembered-browser).
 */
import { DAY } from '../../contract/time.ts'
import type { SubmitOutcome } from '../interactions/submit.ts'

/** The start and end of the period, in epoch milliseconds. */
export type RememberedPeriod = { at: number; until: number }

/**
 * Returns the period for which to remember the browser. Returns null if the user did not choose to be remembered, or if
 * the sign-in at `at` has neither proved nor set up a second factor.
 */
export function getRememberedPeriod(
  outcome: SubmitOutcome,
  { isWished, rememberDays, at }: { isWished: boolean; rememberDays: number; at: number },
): RememberedPeriod | null {
  if (!isWished || rememberDays === 0 || !provesFactor(outcome)) return null
  return { at, until: at + rememberDays * DAY }
}

function provesFactor(outcome: SubmitOutcome): boolean {
  switch (outcome.kind) {
    case 'register':
      return outcome.enrolment !== undefined
    case 'signIn':
      return outcome.factor?.kind === 'missing'
        ? outcome.factor.enrolment !== undefined
        : outcome.factor?.kind === 'proven'
    case 'resetPassword':
      return false
  }
}
