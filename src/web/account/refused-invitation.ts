import type { Dependencies } from '../../application/dependencies.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { RefusalError } from '../../contract/refused.ts'
import type { Problem } from './draw-page.ts'
import type { AccountForm } from './form-post.ts'
import { invitationPage } from './invitation-page.tsx'
import type { GivenInvitation } from './make-administrator.ts'
import { refusalText } from './refusal-text.ts'
import { FieldProblem } from './visit.ts'

type Refused = Pick<GivenInvitation, 'token' | 'invitation'> & { error: Error }

/** Why it was refused, in the form again. A link that was used meanwhile has no page. */
export async function refusedInvitation(
  dependencies: Dependencies,
  asked: AccountForm,
  { error, ...given }: Refused,
): Promise<Response> {
  const problem = await problemOf(dependencies, asked, error)
  if (!problem) throw error
  return invitationPage(dependencies, asked, { ...given, problem, typed: asked.form.get('identifier') ?? '' })
}

async function problemOf(
  dependencies: Dependencies,
  asked: AccountForm,
  error: Error,
): Promise<Problem | null> {
  if (error instanceof FieldProblem) return { field: error.field, message: error.message, status: 422 }
  if (!(error instanceof RefusalError) || error.refusal.code === 'user.invitation_invalid') return null
  const { code, status } = error.refusal
  return {
    field: fieldOf[code] ?? null,
    message: await refusalText(dependencies, asked, error.refusal),
    status,
  }
}

const fieldOf: Readonly<Partial<Record<ErrorCode, string>>> = {
  'user.username_already_in_use': 'identifier',
  'user.email_already_in_use': 'identifier',
  'password.compromised': 'newPassword',
}
