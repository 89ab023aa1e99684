import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountUser } from '../../application/sessions/account-session.ts'
import { BODY_MAX_BYTES } from '../../contract/body-limit.ts'
import { type ErrorCode, refuse } from '../../contract/errors.ts'
import { PICTURE_MAX_BYTES, PICTURE_PATH } from '../../contract/experience/user-assets.ts'
import { isFormRequest, readForm } from '../../contract/form-body.ts'
import { INTENT_FIELD } from '../../contract/interactions/interaction.ts'
import { RefusalError, refuseWith } from '../../contract/refused.ts'
import { buildReturnUrl, completesTask } from '../../domain/account/account-link.ts'
import { isSameOrigin } from '../../domain/same-origin.ts'
import { renderErrorPage } from '../pages/error-pages.ts'
import { redirectTo } from '../redirect.ts'
import { sealAccountCookie } from './cookies.ts'
import type { FormResult } from './page.ts'
import { findFormAction, showAccountPage } from './pages.ts'
import { findFormProblem } from './problem.ts'
import { completeStep } from './recovery.ts'
import { renderAccountPage } from './render.tsx'
import { beginSignIn } from './sign-in.ts'
import { openSubmission, type Submission } from './submission.ts'
import { openVisit } from './visit.ts'

type Refuse = (c: Context, status: 403 | 413 | 415) => Promise<Response>

/**
 * Checks that a form was sent from one of our own pages (spec/interaction#same-origin), that it contains a file only on
 * the picture page, and that it is not too large.
 */
export function formGuard(refuse: Refuse): MiddlewareHandler[] {
  const onError = (c: Context) => refuse(c, 413)
  const formLimit = bodyLimit({ maxSize: BODY_MAX_BYTES, onError })
  // The limit allows for the picture and the multipart boundaries.
  const uploadLimit = bodyLimit({ maxSize: PICTURE_MAX_BYTES + BODY_MAX_BYTES, onError })
  // The picture page also has a form without a file, to which the usual limit applies.
  const takesFile = (c: Context) => c.req.path === PICTURE_PATH && !isFormRequest(c.req.raw)
  return [
    async (c, next) => {
      if (c.req.method !== 'POST') return next()
      if (!isSameOrigin(c.req.raw)) return refuse(c, 403)
      const isExpected = takesFile(c)
        ? /^multipart\/form-data\s*;/i.test(c.req.header('content-type') ?? '')
        : isFormRequest(c.req.raw)
      return isExpected ? next() : refuse(c, 415)
    },
    (c, next) => (takesFile(c) ? uploadLimit : formLimit)(c, next),
  ]
}

/** Reads the fields of a form and, on the picture page, its file. */
export async function readFormFields(request: Request): Promise<Pick<Submission, 'form' | 'file'>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart/i.test(type)) return { form: await readForm(request), file: null }
  const body = await request.arrayBuffer()
  const parts = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
  if (!parts) return refuseWith('guard.invalid_input')
  const form = new URLSearchParams()
  let file: File | null = null
  for (const [name, value] of parts.entries()) {
    if (typeof value === 'string') form.append(name, value)
    else file = value
  }
  return { form, file }
}

/**
 * Runs a form's action and redirects with 303: to the same page, to the provider if the user has to sign in again, or
 * to the application that linked to the task.
 */
export async function handleAccountForm(
  dependencies: Dependencies,
  submission: Submission,
): Promise<Response> {
  const action = findFormAction(submission.url.pathname, intentOf(submission))
  if (!action) return renderErrorPage(dependencies, submission, refuse('guard.invalid_input'))
  const signedIn = await (await openVisit(dependencies, submission)).readUser()
  const { open, keepAudit, countChange } = openSubmission(dependencies, submission, signedIn)
  try {
    await countChange()
    const result = await action(open)
    keepAudit()
    return result instanceof Response
      ? result
      : await respondWithResult(dependencies, submission, signedIn, result)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    keepAudit(error)
    return respondToRejectedForm(dependencies, submission, { error, signedIn })
  }
}

const intentOf = ({ form }: Submission): string => form.get(INTENT_FIELD) ?? ''

async function respondWithResult(
  dependencies: Dependencies,
  submission: Submission,
  { user }: AccountUser,
  { page, cookies = [], message, values, ...result }: FormResult,
): Promise<Response> {
  const { url, link } = submission
  const intent = intentOf(submission)
  const isDone = completesTask(url.pathname, intent)
  if (page) {
    const response = await renderAccountPage(dependencies, submission, page, {
      flash: { message, values },
      isDone,
    })
    for (const cookie of cookies) response.headers.append('set-cookie', cookie)
    return response
  }
  if (link && isDone)
    return redirectTo(buildReturnUrl(link, { page: url.pathname, result: 'completed' }), 303, cookies)
  const step = await completeStep(dependencies, submission, { userId: user.id, intent })
  const to = step?.to ?? result.to ?? url.pathname
  const flash = { userId: user.id, path: new URL(to, url).pathname, message, values }
  const flashCookies = message
    ? [await sealAccountCookie(dependencies, submission, '_account_flash', flash)]
    : []
  // Keep the application's link, which was in the query of the first page.
  const search = link?.search ?? ''
  const nextUrl = to + (to.includes('?') ? search.replace('?', '&') : search)
  return redirectTo(nextUrl, 303, [...cookies, ...flashCookies, ...(step ? [step.cookie] : [])])
}

/**
 * The maximum length of the form data in a sealed cookie. We chose a value that allows for two other limits: browsers
 * limit a cookie to 4 kB, and proxies limit the size of response headers.
 */
const MAX_TYPED_LENGTH = 2048

/**
 * Returns the query of the page, for its part that is open, or only the link's if the query is too long for a cookie.
 */
const shortSearch = ({ url, link }: Submission): string =>
  url.search.length <= MAX_TYPED_LENGTH ? url.search : (link?.search ?? '')

/** The intents of buttons that are named “Save”. */
const savingIntents: readonly string[] = ['save', 'change', 'upload', 'changeRoles', 'savePolicy']

type RefusedForm = { error: Error; signedIn: AccountUser }

/**
 * Responds to a rejected form by showing the page again or asking the user to sign in again. Rethrows unexpected
 * errors.
 */
export async function respondToRejectedForm(
  dependencies: Dependencies,
  submission: Submission,
  { error, signedIn: { user, needsTwoFactors } }: RefusedForm,
): Promise<Response> {
  const typed = withoutSecrets(submission.form)
  if (error instanceof RefusalError && error.refusal.code === 'auth.insufficient_user_authentication') {
    const path = submission.url.pathname
    const response = await beginSignIn(dependencies, submission, {
      to: path + shortSearch(submission),
      proof: { needsTwoFactors, user },
    })
    const isLong = JSON.stringify(typed).length > MAX_TYPED_LENGTH
    const message = savingIntents.includes(intentOf(submission)) ? 'proved' : 'proved_again'
    const flash = { userId: user.id, path, message, ...(!isLong && { typed }) }
    response.headers.append(
      'set-cookie',
      await sealAccountCookie(dependencies, submission, '_account_flash', flash),
    )
    return response
  }
  const problem = await findFormProblem(dependencies, submission, error, fieldOf)
  if (!problem) throw error
  return showAccountPage(dependencies, submission, { problem, typed })
}

const fieldOf: Readonly<Partial<Record<ErrorCode, string>>> = {
  'user.username_already_in_use': 'username',
  'organization.already_member': 'email',
  'organization.domain_not_allowed': 'domain',
  'user.same_password': 'newPassword',
  'password.compromised': 'newPassword',
  'session.invalid_second_factor': 'totpCode',
  'verification_code.not_found': 'code',
  'verification_code.code_mismatch': 'code',
  'verification_code.expired': 'code',
  'verification_code.exceed_max_try': 'code',
}

/**
 * Returns a form's values without passwords, codes and values that the browser generated. Names with a dot belong to
 * the profile form. Spaces separate several values of one name, such as chosen roles.
 */
const withoutSecrets = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...new Set(form.keys())]
      .filter((name) => name.includes('.') || !/password|code|attestation/i.test(name))
      .map((name) => [name, form.getAll(name).filter(Boolean).join(' ')]),
  )
