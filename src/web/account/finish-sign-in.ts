import type { Dependencies } from '../../application/dependencies.ts'
import { readAccessToken } from '../../application/sessions/access-token.ts'
import { isRecord } from '../../contract/is-record.ts'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { formClient } from '../in-process.ts'
import { accountCookie } from './cookies.ts'
import { forgetFlow, openFlow } from './flow-cookies.ts'
import { type Asked, CALLBACK, redirectTo } from './redirect.ts'
import { declined, startAgain } from './refused-sign-in.ts'

/** Calls the provider of this Worker. */
type CallProvider = (request: Request) => Response | Promise<Response>

/** The provider's answer. A code is redeemed in this Worker and leads back to the page that was asked for. */
export async function finishSignIn(
  dependencies: Dependencies,
  asked: Asked,
  callProvider: CallProvider,
): Promise<Response> {
  const { tenantId, url, request } = asked
  const flow = await openFlow(dependencies, asked)
  if (!flow) return startAgain(dependencies, asked)
  const code = url.searchParams.get('code')
  if (code === null) return declined(dependencies, asked, flow)

  const answer = await formClient(request, callProvider).fetch('/oidc/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: ACCOUNT_APP_ID,
      code,
      code_verifier: flow.verifier,
      redirect_uri: url.origin + CALLBACK,
    }),
  })
  if (answer.status >= 500) refuseWith('server.unavailable')
  const tokens: unknown = await answer.json()
  if (!isRecord(tokens) || typeof tokens.access_token !== 'string') return startAgain(dependencies, asked)
  const owner = await readAccessToken(dependencies.db, tenantId, tokens.access_token, dependencies.now())
  if (owner.kind !== 'user' || owner.token.sessionUid === undefined) return startAgain(dependencies, asked)

  const { accountId: userId, sessionUid, grantId, iat, extra } = owner.token
  const session = { userId, sessionUid, grantId, signedInAt: extra?.auth_time ?? iat }
  const cookies = await Promise.all([
    accountCookie(dependencies, asked, '_account', session),
    accountCookie(dependencies, asked, '_account_hint', { idToken: String(tokens.id_token) }),
  ])
  return redirectTo(flow.to, 302, [...cookies, forgetFlow(url, flow)])
}
