import { DEMO_APP_ID } from '../../../src/contract/product.ts'
import type { TestApp } from '../test-app.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  PASSWORD,
  type PreparedAuthorization,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from './cookie-client.ts'

/** A user who is signed in to an application, and the calls that the application can make. */
export type Member = {
  client: CookieClient
  username: string
  userId: string
  token: string
  /** Makes a call under /api/me with the application's access token. */
  call(method: string, path?: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

export const ALL_SCOPES = 'openid profile email phone custom_data identities'

/** The server to call: the Worker in a test, or a running server. */
type Site = Pick<TestApp, 'origin' | 'fetch'>

type MemberOptions = {
  clientId?: string
  redirectUri?: string
  scope?: string
  username?: string
  client?: CookieClient
  /** Additional parameters for the authorization request. */
  parameters?: Record<string, string>
}

/** Signs in a new user or, with `username`, an existing one, either in a new browser or again in the given one. */
export async function newMember(
  app: Site,
  options: MemberOptions = {},
): Promise<Member & { request: PreparedAuthorization }> {
  const {
    clientId = DEMO_APP_ID,
    redirectUri = `${app.origin}/demo-app`,
    scope = ALL_SCOPES,
    username = freshName(),
  } = options
  const client = options.client ?? newCookieClient(app)
  const request = await authorizationRequest({
    client_id: clientId,
    scope,
    redirect_uri: redirectUri,
    ...options.parameters,
  })
  const back = await comeBack(client, request, options, username)
  const answer = await redeemCode(app, request, back.searchParams.get('code') ?? '', clientId)
  const { access_token: token = '', id_token: idToken = '' } = (await answer.json()) as Record<string, string>
  const { sub: userId } = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string
  }
  return { client, username, userId, request, token, call: asBearer(app, token) }
}

async function comeBack(
  client: CookieClient,
  request: PreparedAuthorization,
  { username }: MemberOptions,
  name: string,
): Promise<URL> {
  const first = await client.get(request.url)
  const location = new URL(first.headers.get('location') ?? '', 'http://localhost:8787')
  const uid = location.searchParams.get('interaction')
  if (!uid) return location
  return resumeAuthorization(
    client,
    username ? await signIn(client, uid, name, PASSWORD) : await registerAccount(client, uid, name),
  )
}

export function asBearer(app: Site, token: string): Member['call'] {
  return (method, path = '', body, headers = {}) =>
    app.fetch(`/api/me${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
}
