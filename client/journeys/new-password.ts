import type { FormJourney } from '../reactions/reactions.ts'
import { validateNewPassword } from './new-password-problems.ts'
import { findFirstProblem } from './problems.ts'
import { getReactionToFailure } from './reaction-table.ts'
import { submitAndReact } from './submit.ts'

/**
 * Sends the password with PATCH profile, then submits. Whether this completes a registration or a password reset
 * depends on the interaction's event (spec/interaction#flow-reset).
 */
export const setPassword: FormJourney = async ({ api, form, boot }) => {
  const problem = findFirstProblem(validateNewPassword(form, boot))
  if (problem) return problem

  const completed = await api.completeProfile({ password: form.newPassword })
  return completed.ok ? submitAndReact(api, boot) : getReactionToFailure(completed.error, boot)
}
