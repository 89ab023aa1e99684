import type { Dependencies } from '../../application/dependencies.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { RefusalError } from '../../contract/refused.ts'
import { beginSignIn } from './begin-sign-in.ts'
import { accountCookie } from './cookies.ts'
import type { AccountForm } from './form-post.ts'
import { refusalText } from './refusal-text.ts'
import { showAccountPage } from './show-page.ts'
import { FieldProblem, type Post } from './visit.ts'

/** Sealed into a cookie, of which browsers keep 4 kB, and as much of an answer as servers in between let through. Ours. */
const MOST_TYPED = 2048

type Refused = { error: Error; signedIn: Post['signedIn'] }

/** The page again, or the way to a fresh proof. What is no refusal is thrown again. */
export async function answerRefusal(
  dependencies: Dependencies,
  asked: AccountForm,
  { error, signedIn: { user, needsTwoFactors } }: Refused,
): Promise<Response> {
  if (error instanceof FieldProblem) {
    const { field, message } = error
    const problem = { field, message, status: 422 }
    return showAccountPage(dependencies, asked, { problem, typed: withoutSecrets(asked.form) })
  }
  if (!(error instanceof RefusalError)) throw error
  const { code, status } = error.refusal
  const { url, form } = asked
  const typed = withoutSecrets(form)
  if (code === 'auth.insufficient_user_authentication') {
    const path = url.pathname
    const answer = await beginSignIn(dependencies, asked, {
      to: path + (asked.link?.search ?? ''),
      proof: { needsTwoFactors },
    })
    const kept = JSON.stringify(typed).length > MOST_TYPED ? {} : { typed }
    const flash = { userId: user.id, path, message: 'proved', ...kept }
    answer.headers.append('set-cookie', await accountCookie(dependencies, asked, '_account_flash', flash))
    return answer
  }
  const message = await refusalText(dependencies, asked, error.refusal)
  const field = fieldOf[code] ?? null
  return showAccountPage(dependencies, asked, { problem: { field, message, status }, typed })
}

/** Where a refusal is said; others stand above the form. */
const fieldOf: Readonly<Partial<Record<ErrorCode, string>>> = {
  'user.username_already_in_use': 'username',
  'user.same_password': 'newPassword',
  'password.compromised': 'newPassword',
  'session.invalid_second_factor': 'totpCode',
  'verification_code.not_found': 'code',
  'verification_code.code_mismatch': 'code',
  'verification_code.expired': 'code',
  'verification_code.exceed_max_try': 'code',
}

/** What is typed into a form is kept, but for passwords, codes and what browsers make. A name with a dot is of the profile. */
const withoutSecrets = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].filter(([name]) => name.includes('.') || !/password|code|attestation/i.test(name)),
  )
