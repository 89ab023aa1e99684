import { DAY, HOUR } from '../../contract/time.ts'

/**
 * The steps that a user takes after activity that somebody else may have caused, in order
 * (spec/account-centre#this-wasnt-me). The first ones lock out intruders, whether they sign in with the password or
 * with something that they added.
 */
export const recoverySteps = ['password', 'ways', 'sessions', 'applications'] as const
export type RecoveryStep = (typeof recoverySteps)[number]

/** The steps that the user can only mark as done, because nobody else can say what belongs to the user. */
export const markedSteps = ['ways', 'sessions', 'applications'] as const
export type MarkedStep = (typeof markedSteps)[number]

/** The progress of a user in one browser. */
export type RecoveryProgress = {
  userId: string
  startedAt: number
  /** The time at which each step was done, in epoch milliseconds. */
  doneAt: Partial<Record<RecoveryStep, number>>
  /** True if all steps were done when the page was last shown. */
  isFinished: boolean
}

/** Long enough to take all steps with a break in between. Our choice. */
export const RECOVERY_LIFETIME = DAY

/**
 * Checks whether a step that the user marks is done: if nothing is left to check, or if the user marked it after the
 * newest of what is left appeared. `newest` is null if nothing is left.
 */
export const isStepChecked = (newest: number | null, markedAt: number | undefined): boolean =>
  newest === null || (markedAt !== undefined && newest <= markedAt)

type PasswordFacts = {
  startedAt: number
  /** The time of the last reset of the password, in epoch milliseconds. */
  resetAt: number | null
  /** The time of the sign-in, in epoch seconds, and its methods (RFC 8176). */
  signIn: { at: number; methods: readonly string[] }
}

/**
 * Checks whether the user has reset the password. Whoever can sign in with the password after the reset knows the new
 * one, so nobody else has chosen it. The reset may precede the steps, because users who could no longer sign in had to
 * reset the password before they could open the page; a sign-in takes at most an hour.
 */
export const hasResetPassword = ({ startedAt, resetAt, signIn }: PasswordFacts): boolean =>
  resetAt !== null &&
  resetAt >= startedAt - HOUR &&
  Math.floor(resetAt / 1000) <= signIn.at &&
  signIn.methods.includes('pwd')
