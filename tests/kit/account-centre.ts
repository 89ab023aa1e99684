import { expect } from 'vitest'
import { AccountCookie } from '../../src/application/sessions/account-session.ts'
import { createSeals } from '../../src/storage/seal.ts'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  PASSWORD,
  registerAccount,
  resumeAuthorization,
  signIn,
} from './clients/cookie-client.ts'
import type { TestApp } from './test-app.ts'

/** A browser in which a user is signed in to the account centre. */
export type AccountVisitor = { client: CookieClient; username: string }

type VisitOptions = { path?: string; client?: CookieClient; username?: string; password?: string }

/** Signs in a new user or, with `username`, an existing one, either in a new browser or again in the given one. */
export async function visitAccount(app: TestApp, options: VisitOptions = {}): Promise<AccountVisitor> {
  const { path = '/account', client = newCookieClient(app), username = freshName() } = options
  const start = await client.get(path)
  expect(start.status).toBe(302)
  const page = await client.get(locationOf(start))
  const isNew = options.username === undefined
  const back = await proveSignIn(client, page, { ...options, username, isNew })
  const arrived = await client.get(back)
  expect([arrived.status, locationOf(arrived)]).toEqual([302, path])
  return { client, username }
}

export async function userIdOf(
  app: TestApp,
  { username }: Pick<AccountVisitor, 'username'>,
): Promise<string> {
  const id = await app.env.DB.prepare('select id from users where username = ?').bind(username).first('id')
  return String(id)
}

/** Signs in on the page to which a response redirects, and returns the callback URL. */
export async function proveSignIn(
  client: CookieClient,
  page: Response,
  { username, password = PASSWORD, isNew }: VisitOptions & { username: string; isNew?: boolean },
): Promise<string> {
  const first = new URL(locationOf(page), ORIGIN)
  const uid = first.searchParams.get('interaction')
  if (!uid) return first.pathname + first.search
  const submitted = isNew
    ? await registerAccount(client, uid, username, password)
    : await signIn(client, uid, username, password)
  const { pathname, search } = await resumeAuthorization(client, submitted)
  return pathname + search
}

export const locationOf = (response: Response): string => {
  const location = response.headers.get('location') ?? ''
  return location.startsWith(ORIGIN) ? location.slice(ORIGIN.length) : location
}

/**
 * Backdates the user's sign-in, both in the provider's session and in the cookie that was issued after the
 * sign-in.
 */
export async function ageSignIn(app: TestApp, client: CookieClient, seconds: number): Promise<void> {
  const seals = createSeals(app.env.ROOT_SECRET ?? '')
  const sealed = client.cookies.get('_account')?.value ?? ''
  const cookie = AccountCookie.parse(await seals.open('account/default', sealed))
  const value = await seals.seal('account/default', { ...cookie, signedInAt: cookie.signedInAt - seconds })
  client.cookies.set('_account', { value, path: '/' })
  await app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload, '$.loginTs', json_extract(payload, '$.loginTs') - ?)
     where model_name = 'Session' and uid = ?`,
  )
    .bind(seconds, cookie.sessionUid)
    .run()
}
