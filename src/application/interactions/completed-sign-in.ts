import type { Experience } from '../../contract/experience/experience.ts'
import { isNeverRemembered } from '../../domain/factors/second-factor-policy.ts'
import type { Account } from '../../domain/interactions/accounts.ts'
import { type Decision, type SubmitOutcome, withDecisiveProofs } from '../../domain/interactions/submit.ts'
import { describeSignIn, type RememberedAccount } from '../../domain/sessions/remembered-accounts.ts'
import { randomId } from '../../storage/ids.ts'
import type { StoredSubmitFacts } from './submit-facts.ts'

/** A completed sign-in, as the browser may remember it (spec/accounts#remembered-account). */
export type CompletedSignIn = RememberedAccount & {
  applicationId: string
  /** The change to whether the browser remembers the account. */
  remembrance: 'add' | 'remove' | 'keep'
}

type Facts = Pick<StoredSubmitFacts, 'row' | 'secondFactor' | 'rememberRule' | 'rememberAccounts'>

export const completedSignIn = ({
  experience,
  decision,
  outcome,
  signedIn,
  userId,
  at,
  ...facts
}: Facts & {
  experience: Experience
  decision: Decision
  outcome: SubmitOutcome
  signedIn: Account | undefined
  userId: string
  at: number
}): CompletedSignIn => ({
  ...describeSignIn(
    withDecisiveProofs(decision.interaction, outcome),
    signedIn ?? identifiersOf(outcome),
    experience,
  ),
  id: randomId(),
  userId,
  at,
  applicationId: facts.row.clientId,
  remembrance: remembranceOf(signedIn, facts),
})

/**
 * An application that remembers no browser changes nothing for the others. A role applies to its members everywhere.
 */
function remembranceOf(
  signedIn: Account | undefined,
  { rememberAccounts, rememberRule, secondFactor }: Omit<Facts, 'row'>,
): CompletedSignIn['remembrance'] {
  const mayRemember = rememberRule.days > 0 && !isNeverRemembered(signedIn ?? null, secondFactor)
  if (rememberAccounts && mayRemember) return 'add'
  return signedIn && secondFactor.neverRemembered?.userIds.includes(signedIn.id) ? 'remove' : 'keep'
}

/** Returns the identifiers of a new account. */
function identifiersOf(outcome: SubmitOutcome) {
  const { username = null, email = null, phone = null } = outcome.kind === 'register' ? outcome.user : {}
  return { username, email, phone }
}
