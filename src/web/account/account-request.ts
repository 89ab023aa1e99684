import type { Context } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { type ErrorCode, refuse } from '../../contract/errors.ts'
import { refuseWith } from '../../contract/refused.ts'
import { errorPage, failurePage } from '../pages/error-pages.ts'
import { beginSignIn } from './begin-sign-in.ts'
import type { AccountForm } from './form-post.ts'
import { wayBackFrom } from './unavailable.ts'
import { type AskedAccount, SignInNeeded } from './visit.ts'

/** The facts of the request come from the app around it, in place of bindings. */
export type AccountEnv = {
  Bindings: RequestFacts & { onAudited(keys: readonly string[]): void }
  Variables: Pick<AskedAccount, 'link'>
}

export const askedBy = (c: Context<AccountEnv>): AskedAccount => ({
  tenantId: c.env.tenantId,
  requestId: c.env.requestId,
  ip: c.env.ip,
  request: c.req.raw,
  url: c.env.url,
  link: c.get('link') ?? null,
})

export async function formOf(c: Context<AccountEnv>): Promise<AccountForm> {
  const { onAudited } = c.env
  return { ...askedBy(c), ...(await fieldsOf(c.req.raw)), onAudited, context: c.executionCtx }
}

/** The guard has let a file through on one page alone. */
async function fieldsOf(request: Request): Promise<Pick<AccountForm, 'form' | 'file'>> {
  const body = await request.arrayBuffer()
  const type = request.headers.get('content-type') ?? ''
  // Not text(): workerd takes this content type for binary data, and warns of it in the log.
  if (!/^multipart/i.test(type))
    return { form: new URLSearchParams(new TextDecoder().decode(body)), file: null }
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

const codes = {
  403: 'auth.forbidden',
  404: 'entity.not_found',
  405: 'guard.invalid_input',
  413: 'guard.invalid_input',
  415: 'guard.invalid_input',
} as const satisfies Record<number, ErrorCode>

export async function refusedPage(
  dependencies: Dependencies,
  c: Context<AccountEnv>,
  status: keyof typeof codes,
): Promise<Response> {
  const answer = await errorPage(dependencies, askedBy(c), refuse(codes[status], undefined, status))
  if (status === 405) answer.headers.set('allow', 'GET, HEAD, POST')
  return answer
}

const LONGEST_SEARCH = 2048

/** Where nobody is signed in, the page that was asked for waits. */
export async function answerAccountError(
  dependencies: Dependencies,
  c: Context<AccountEnv>,
  error: Error,
): Promise<Response> {
  const asked = askedBy(c)
  const { pathname, search } = asked.url
  const back = wayBackFrom(asked, error)
  if (back) return back
  // It travels in a cookie. A longer one is no link of an application, and not ours.
  const to = search.length > LONGEST_SEARCH ? pathname : pathname + search
  return error instanceof SignInNeeded
    ? beginSignIn(dependencies, asked, { to, proof: error.proof })
    : failurePage(dependencies, asked, error)
}
