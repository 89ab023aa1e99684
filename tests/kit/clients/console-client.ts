import { managementScopeNames } from '../../../src/contract/access/management-scopes.ts'
import { CONSOLE_APP_ID, MANAGEMENT_RESOURCE } from '../../../src/contract/product.ts'
import { newDpopKey } from '../dpop-key.ts'
import type { TestApp } from '../test-app.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  resumeAuthorization,
  signIn,
} from './cookie-client.ts'
import type { Operator } from './management-client.ts'

const redirectUri = `${ORIGIN}/console/`
const resource = MANAGEMENT_RESOURCE.indicator
const scope = ['openid', 'profile', 'email', ...managementScopeNames].join(' ')

/** A user who is signed in to the console, and the calls that the console makes with a DPoP-bound token. */
export type Administrator = {
  id: string
  /** The scopes of the token. */
  scopes: string[]
  send(method: string, path: string, body?: unknown): Promise<Response>
}

/** Creates a user with these roles and signs them in to the console. */
export async function newAdministrator(
  app: TestApp,
  operator: Operator,
  roleIds: readonly string[],
): Promise<Administrator> {
  const username = freshName()
  const created = await operator.send('POST', '/users', { username, password: PASSWORD })
  const { id } = (await created.json()) as { id: string }
  await operator.send('PUT', `/users/${id}/roles`, { roleIds })

  const browser = newCookieClient(app)
  const request = await authorizationRequest({
    client_id: CONSOLE_APP_ID,
    redirect_uri: redirectUri,
    scope,
    resource,
  })
  const uid = await openSignInPage(browser, request)
  const back = await resumeAuthorization(browser, await signIn(browser, uid, username))
  const key = await newDpopKey()
  const redeemed = await app.fetch('/oidc/token', {
    method: 'POST',
    headers: { DPoP: await key.prove('POST', '/oidc/token') },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CONSOLE_APP_ID,
      code: back.searchParams.get('code') ?? '',
      code_verifier: request.verifier,
      redirect_uri: redirectUri,
      resource,
    }),
  })
  const { access_token: token } = (await redeemed.json()) as { access_token: string }
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    scope?: string
  }
  return {
    id,
    scopes: claims.scope?.split(' ') ?? [],
    send: async (method, path, body) =>
      app.fetch(`/api${path}`, {
        method,
        headers: {
          authorization: `DPoP ${token}`,
          DPoP: await key.prove(method, `/api${path}`, token),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
