import type { Context } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { SIGN_IN_TEST_COOKIE } from '../../contract/cookie-names.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { expireCookie } from '../cookies.ts'
import { createPageAudit } from '../pages/page-audit.ts'
import { redirectTo } from '../redirect.ts'

type TestCallback = { connectorId: string; testId: string; query: URLSearchParams }

/**
 * Returns the path of the console page that shows the test's result to the operator. These ids are the only part of
 * the callback that the path contains.
 */
export const signInTestPath = (connectorId: string, testId?: string): string =>
  `/console/connectors/${encodeURIComponent(connectorId)}${testId === undefined ? '' : `?test=${testId}`}`

export const findSignInTestCookie = (request: Request): string | undefined =>
  requestCookies(request)[SIGN_IN_TEST_COOKIE]

/**
 * Handles a provider's response to a sign-in test (spec/connectors#sign-in-test). If another browser started the test,
 * nothing is read, requested or used up, and the console explains this.
 */
export async function handleSignInTest(
  dependencies: Dependencies,
  c: Context<{ Variables: RequestFacts }>,
  { connectorId, testId, query }: TestCallback,
): Promise<Response> {
  const { tenantId, url, ip, requestId } = c.var
  const respond = (...cookies: string[]) => redirectTo(signInTestPath(connectorId, testId), 303, cookies)
  const cookie = findSignInTestCookie(c.req.raw)
  // Loaded on demand, because this module imports many others that ordinary callbacks do not need.
  const { finishSignInTest, readSignInTestCookie } = await import('../../application/social/sign-in-test.ts')
  if ((await readSignInTestCookie(dependencies, tenantId, cookie)) !== testId) return respond()
  const { trail, keepAudit } = createPageAudit(dependencies, {
    tenantId,
    requestId,
    ip,
    request: c.req.raw,
    context: c.executionCtx,
    onAudited: (keys) => c.set('audited', keys),
  })
  const refusal = await finishSignInTest(dependencies, {
    tenantId,
    connectorId,
    testId,
    data: Object.fromEntries(query),
    beginAudit: (about) => trail.begin('Management.SignInTest.Update', about),
  }).catch((error: unknown) => {
    keepAudit(error instanceof Error ? error : undefined)
    throw error
  })
  // The test is for another connector or has already been completed.
  if (trail.keys().length === 0) return respond()
  keepAudit(refusal ?? undefined)
  return respond(expireCookie(SIGN_IN_TEST_COOKIE, url))
}
