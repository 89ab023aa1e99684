/** A browser in which the policy asks for no second factor for some days (spec/accounts#remembered-browser). */
import { DAY } from '../../contract/time.ts'
import type { SubmitOutcome } from '../interactions/submit.ts'

/** Epoch milliseconds. */
export type Remembrance = { at: number; until: number }

/** Of a sign-in at `at` whose user wishes it: only where a second factor was proved in it, or set up. */
export function remembranceOf(
  outcome: SubmitOutcome,
  { isWished, rememberDays, at }: { isWished: boolean; rememberDays: number; at: number },
): Remembrance | null {
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
