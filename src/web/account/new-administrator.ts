import { readIdentifier } from '../../../client/journeys/identifiers.ts'
import { newPasswordProblems } from '../../../client/journeys/new-password-problems.ts'
import { registerTermsProblems } from '../../../client/journeys/terms-problems.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import type { Identifier } from '../../contract/interactions/identifiers.ts'
import { refuseWith } from '../../contract/refused.ts'
import { namesWithPassword } from '../../domain/access/administrator-account.ts'
import { FieldProblem } from './visit.ts'

/** What the form of a new administrator says, checked as the page of a registration checks it; a problem is said at its field. */
export async function newAdministratorIn(
  given: URLSearchParams,
  boot: BootData,
): Promise<{ identifier: Identifier; password: string }> {
  const accepted = namesWithPassword(boot.experience)
  // The page has no such form.
  if (accepted.length === 0) return refuseWith('user.sign_in_method_not_enabled')
  const form = Object.fromEntries(given)
  const read = await readIdentifier({ form, boot, accepted, purpose: 'new' })
  const problems = {
    ...(read.kind === 'problem' && { identifier: read.message }),
    ...newPasswordProblems(form, boot),
    ...registerTermsProblems(form, boot),
  }
  for (const [field, problem] of Object.entries(problems)) throw new FieldProblem(field, problem)
  if (read.kind === 'problem') throw new FieldProblem('identifier', read.message)
  return { identifier: read.identifier, password: form.newPassword ?? '' }
}
