import { DEMO_APP_ID } from '../src/contract/product.ts'
import type { House } from './house.ts'
import {
  type Authorization,
  authorization,
  freshName,
  newVisitor,
  PASSWORD,
  redeem,
  register,
  resume,
  signIn,
  type Visitor,
} from './visitor.ts'

/** Somebody who is signed in to an application, and what that application can do for them. */
export type Member = {
  visitor: Visitor
  username: string
  userId: string
  request: Authorization
  token: string
  /** Under /api/me, with the application's access token. */
  call(method: string, path?: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

export const ALL_SCOPES = 'openid profile email phone custom_data identities'

type Wanted = {
  clientId?: string
  redirectUri?: string
  scope?: string
  username?: string
  visitor?: Visitor
}

/** A new user; or, by their name, one who is there, in another browser or once more in theirs. */
export async function newMember(house: House, wanted: Wanted = {}): Promise<Member> {
  const { clientId = DEMO_APP_ID, redirectUri, scope = ALL_SCOPES, username = freshName() } = wanted
  const visitor = wanted.visitor ?? newVisitor(house)
  const request = await authorization({
    client_id: clientId,
    scope,
    ...(redirectUri ? { redirect_uri: redirectUri } : {}),
  })
  const back = await comeBack(visitor, request, wanted, username)
  const answer = await redeem(house, request, back.searchParams.get('code') ?? '', clientId)
  const { access_token: token = '', id_token: idToken = '' } = (await answer.json()) as Record<string, string>
  const { sub: userId } = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string
  }
  return { visitor, username, userId, request, token, call: asBearer(house, token) }
}

async function comeBack(
  visitor: Visitor,
  request: Authorization,
  { username }: Wanted,
  name: string,
): Promise<URL> {
  const first = await visitor.get(request.url)
  const location = new URL(first.headers.get('location') ?? '', 'http://localhost:8787')
  const uid = location.searchParams.get('interaction')
  if (!uid) return location
  return resume(
    visitor,
    username ? await signIn(visitor, uid, name, PASSWORD) : await register(visitor, uid, name),
  )
}

export function asBearer(house: House, token: string): Member['call'] {
  return (method, path = '', body, headers = {}) =>
    house.fetch(`/api/me${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
}
