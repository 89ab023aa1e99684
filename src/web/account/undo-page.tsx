import { UndoChange } from '../../../client/account/undo.tsx'
import { readUndo, type UndoableChange, undoAddressChange } from '../../application/account/undo.ts'
import { UNDO_PARAM } from '../../application/account/undo-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { maskIdentifier } from '../../domain/masking.ts'
import { deleteAccountCookie, sealAccountCookie } from './cookies.ts'
import { type FormProblem, findFormProblem } from './problem.ts'
import { renderAccountPage } from './render.tsx'
import { beginSignIn } from './sign-in.ts'
import { createSubmissionContext, type Submission } from './submission.ts'
import type { Visit } from './visit.ts'

/**
 * Shows the page of an undo link. The page only describes the change and does not undo it yet, because email scanners
 * also open links (spec/account-centre#undo).
 */
export function showUndo(dependencies: Dependencies, visit: Visit): Promise<Response> {
  return undoPage(dependencies, visit, { sealed: visit.url.searchParams.get(UNDO_PARAM) ?? '' })
}

/** Renders the page of an undo link. If the link is not valid, renders an error page. */
async function undoPage(
  dependencies: Dependencies,
  visit: Visit,
  { sealed, problem }: { sealed: string; problem?: FormProblem },
): Promise<Response> {
  const { type, previous, present, createdAt, resets } = await readUndo(dependencies, visit.tenantId, sealed)
  const body = (
    <UndoChange
      change={{ name: UNDO_PARAM, value: sealed }}
      changedAt={createdAt}
      previous={maskIdentifier({ type, value: previous })}
      current={present && maskIdentifier({ type, value: present })}
      resets={resets}
    />
  )
  const page = { title: 'undo_title', signedIn: null, isCard: true, body } as const
  return renderAccountPage(dependencies, visit, page, { problem })
}

/**
 * Undoes a change. Users need not be signed in for this, and it does not sign them in. Afterwards, the user sets a new
 * password (spec/account-centre#undo).
 */
export async function handleUndoForm(dependencies: Dependencies, submission: Submission): Promise<Response> {
  const { tenantId, request, form } = submission
  const sealed = form.get(UNDO_PARAM) ?? ''
  const { keepAudit, trail, ...context } = createSubmissionContext(dependencies, submission)
  const beginAudit = ({ type, userId }: UndoableChange) =>
    trail.begin(`Account.${type === 'email' ? 'Email' : 'Phone'}.Undo`, { userId })
  const undo = { ...context, tenantId, url: request.url, sealed, beginAudit }
  try {
    const undone = await undoAddressChange(dependencies, undo)
    keepAudit()
    return await signInAfterUndo(dependencies, submission, undone)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    keepAudit(error)
    const problem = await findFormProblem(dependencies, submission, error)
    if (!problem) throw error
    return undoPage(dependencies, submission, { sealed, problem })
  }
}

/**
 * Starts a sign-in after a change has been undone. It begins with a password reset. If there is no address for a reset,
 * the user changes the password after signing in.
 */
async function signInAfterUndo(
  dependencies: Dependencies,
  submission: Submission,
  { type, previous, resets, user }: UndoableChange,
): Promise<Response> {
  const { url } = submission
  const to = !resets && user.passwordEncrypted !== null ? '/account/password' : '/account/sign-in'
  const hint = type === 'phone' ? `+${previous}` : previous
  const response = await beginSignIn(dependencies, submission, { to, ...(resets && { resetAddress: hint }) })
  const cookies = [
    deleteAccountCookie('_account', url),
    deleteAccountCookie('_account_hint', url),
    await sealAccountCookie(dependencies, submission, '_account_flash', { path: to, message: 'undone' }),
  ]
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}
