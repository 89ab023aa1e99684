import { readUndo, type UndoableChange, undoAddressChange } from '../../application/account/undo.ts'
import { UNDO_PARAM } from '../../application/account/undo-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { RefusalError } from '../../contract/refused.ts'
import { beginSignIn } from './begin-sign-in.ts'
import { accountCookie, forgetAccountCookie } from './cookies.ts'
import { type AccountForm, openForm } from './form-post.ts'
import { undoPage } from './undo-page.tsx'

/** Nobody has to be signed in, and nobody is afterwards: the way leads to a new password (spec/account-centre#undo). */
export async function answerUndo(dependencies: Dependencies, asked: AccountForm): Promise<Response> {
  const { tenantId } = asked
  const sealed = asked.form.get(UNDO_PARAM) ?? ''
  const { keepAudit, trail, ...received } = openForm(dependencies, asked)
  const beginAudit = ({ type, userId }: UndoableChange) =>
    trail.begin(`Account.${type === 'email' ? 'Email' : 'Phone'}.Undo`, { userId })
  try {
    const undone = await undoAddressChange(dependencies, { ...received, tenantId, sealed, beginAudit })
    keepAudit()
    return await leadOn(dependencies, asked, undone)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    keepAudit(error)
    if (!(error instanceof RefusalError)) throw error
    // A link that counts no more has no page.
    const change = await readUndo(dependencies, tenantId, sealed)
    return undoPage(dependencies, asked, { change, sealed, refusal: error.refusal })
  }
}

/** A password that no address resets is changed after the next sign-in. */
async function leadOn(
  dependencies: Dependencies,
  asked: AccountForm,
  { type, previous, resets, user }: UndoableChange,
): Promise<Response> {
  const to = !resets && user.passwordEncrypted !== null ? '/account/password' : '/account/sign-in'
  const hint = type === 'phone' ? `+${previous}` : previous
  const answer = await beginSignIn(dependencies, asked, { to, ...(resets && { resets: hint }) })
  const flash = { path: to, message: 'undone' }
  const cookies = [
    forgetAccountCookie(asked.url, '_account'),
    forgetAccountCookie(asked.url, '_account_hint'),
    await accountCookie(dependencies, asked, '_account_flash', flash),
  ]
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  return answer
}
