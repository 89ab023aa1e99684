import type { Context } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { SIGN_IN_TEST_COOKIE } from '../../contract/cookie-names.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { expireCookie } from '../cookies.ts'
import { pageAudit } from '../pages/page-audit.ts'
import { redirectTo } from '../redirect.ts'

type Returned = { connectorId: string; testId: string; query: URLSearchParams }

/** Where an operator reads what came back. The rest of the address is ours, whatever the provider or somebody else wrote. */
export const signInTestPage = (connectorId: string, testId?: string): string =>
  `/console/connectors/${encodeURIComponent(connectorId)}${testId === undefined ? '' : `?test=${testId}`}`

export const signInTestCookie = (request: Request): string | undefined =>
  requestCookies(request)[SIGN_IN_TEST_COOKIE]

/**
 * The answer of a provider to a test (spec/connectors#sign-in-test). In another browser than the one that began it nothing is read,
 * asked or used up; the console says so.
 */
export async function answerSignInTest(
  dependencies: Dependencies,
  c: Context<{ Variables: RequestFacts }>,
  { connectorId, testId, query }: Returned,
): Promise<Response> {
  const { tenantId, url, ip, requestId } = c.var
  const answer = (...cookies: string[]) => redirectTo(signInTestPage(connectorId, testId), 303, cookies)
  const cookie = signInTestCookie(c.req.raw)
  // Its schemas are many modules, which no other callback needs.
  const { finishSignInTest, readSignInTestCookie } = await import('../../application/social/sign-in-test.ts')
  if ((await readSignInTestCookie(dependencies, tenantId, cookie)) !== testId) return answer()
  const { trail, keepAudit } = pageAudit(dependencies, {
    tenantId,
    requestId,
    ip,
    request: c.req.raw,
    context: c.executionCtx,
    onAudited: (keys) => c.set('audited', keys),
  })
  const refused = await finishSignInTest(dependencies, {
    tenantId,
    connectorId,
    testId,
    data: Object.fromEntries(query),
    beginAudit: (about) => trail.begin('Management.SignInTest.Update', about),
  }).catch((error: unknown) => {
    keepAudit(error instanceof Error ? error : undefined)
    throw error
  })
  // Of another connector, or answered already.
  if (trail.keys().length === 0) return answer()
  keepAudit(refused ?? undefined)
  return answer(expireCookie(SIGN_IN_TEST_COOKIE, url))
}
