import { afterEach, describe, expect, it, vi } from 'vitest'
import { newMember } from '../kit/clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  isResume,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import { outcomeOf } from '../kit/clients/interaction-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { openRacingApp } from '../kit/racing-app.ts'
import { storeAccount } from '../kit/stored-account.ts'
import { storeMember } from '../kit/stored-session.ts'
import { openTestApp } from '../kit/test-app.ts'

/** Submissions that finish the authorization (spec/interaction#direct-response). */

const app = openTestApp()

afterEach(() => {
  vi.restoreAllMocks()
})

const isCode = (row: { model_name: string }) => row.model_name === 'AuthorizationCode'

/** Returns the provider's rows of a user. */
async function rowsOf(username: string): Promise<{ model_name: string }[]> {
  const { results } = await app.env.DB.prepare(
    `select model_name from oidc_model_instances
      where account_id = (select id from users where username = ?) and model_name <> 'Interaction'`,
  )
    .bind(username)
    .all<{ model_name: string }>()
  return results
}

const lastSignInOf = (username: string) =>
  app.env.DB.prepare('select last_sign_in_at from users where username = ?').bind(username).first()

/** Proves the password in a new interaction of a browser. */
async function proven(
  client: CookieClient,
  username: string,
  parameters: Record<string, string> = { prompt: 'login' },
) {
  const request = await authorizationRequest(parameters)
  const headers = { Interaction: await openSignInPage(client, request) }
  const body = { event: 'SignIn', identifier: { username, password: PASSWORD } }
  expect((await client.send('PUT', '/api/interaction', body, headers)).status).toBe(204)
  const submit = (more: Record<string, string> = {}, browser = client) =>
    browser.send('POST', '/api/interaction/submit', undefined, { ...headers, ...more })
  return { request, uid: headers.Interaction, submit }
}

describe('a submission that finishes the authorization', () => {
  it('responds with a code for the application, a new session, and no resume cookie', async () => {
    const { client, username } = await storeMember(app)
    const before = client.cookies.get('_session')?.value
    const { request, uid, submit } = await proven(client, username)
    const response = await submit()
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { redirectTo } = (await response.json()) as { redirectTo: string }
    const back = new URL(redirectTo)
    expect([
      back.origin + back.pathname,
      back.searchParams.get('state'),
      back.searchParams.get('iss'),
    ]).toEqual([request.redirectUri, request.state, `${ORIGIN}/oidc`])
    expect(client.cookies.get('_session')?.value).not.toBe(before)
    expect([...client.cookies.keys()].filter((name) => name.includes('resume'))).toEqual([])
    expect((await redeemCode(app, request, back.searchParams.get('code') ?? '')).status).toBe(200)

    const { results } = await app.env.DB.prepare(
      "select json_extract(payload, '$.keys') as keys from logs where json_extract(payload, '$.interactionId') = ?",
    )
      .bind(uid)
      .all<{ keys: string }>()
    expect(results.map(({ keys }) => keys)).toContain('Interaction.End Interaction.SignIn.Submit')
    // The old session ends with the sign-in.
    const thief = newCookieClient(app)
    for (const [name, cookie] of client.cookies) thief.cookies.set(name, cookie)
    thief.cookies.set('_session', { value: before ?? '', path: '/' })
    const silent = await thief.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(silent.headers.get('location')).toContain('error=login_required')
  })

  it('writes nothing in another browser or from another site', async () => {
    const { username } = await storeAccount()
    const { submit } = await proven(newCookieClient(app), username)
    expect((await outcomeOf(await submit({}, newCookieClient(app)))).slice(0, 2)).toEqual([
      400,
      'session.not_found',
    ])
    expect((await submit({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await submit({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect(await rowsOf(username)).toEqual([])
    expect((await submit()).status).toBe(200)
  })

  it('yields one code, however often it is sent', async () => {
    const { username } = await storeAccount()
    const client = newCookieClient(app)
    const { submit } = await proven(client, username)
    const cookies = new Map(client.cookies)
    const responses = await Promise.all([submit(), submit(), submit()])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    for (const response of responses) {
      if (response.status === 409) expect(response.headers.getSetCookie().join()).not.toContain('_session')
    }
    for (const [name, cookie] of cookies) client.cookies.set(name, cookie)
    expect((await outcomeOf(await submit())).slice(0, 2)).toEqual([409, 'session.already_submitted'])
    expect((await rowsOf(username)).filter(isCode)).toHaveLength(1)
  })

  it('writes nothing if the account is revoked between its reads and its batch', async () => {
    const { username } = await storeAccount()
    const { app: racing, meanwhile } = openRacingApp(async () => {
      const { meta } = await app.env.DB.prepare('update users set revoked_at = ? where username = ?')
        .bind(Date.now(), username)
        .run()
      return meta.changes
    })
    const { submit } = await proven(newCookieClient(racing), username)
    const { answer, changed } = await meanwhile(2, () => submit())
    expect([changed, ...(await outcomeOf(answer)).slice(0, 2)]).toEqual([
      1,
      400,
      'session.verification_failed',
    ])
    expect(answer.headers.getSetCookie().join()).not.toContain('_session')
    expect(await rowsOf(username)).toEqual([])
  })

  it('writes nothing, not even about the user, if the session of the browser ends between its reads and its batch', async () => {
    let end = async () => 0
    const { app: racing, meanwhile } = openRacingApp(() => end())
    const { client, username, userId } = await newMember(racing)
    const elsewhere = await newMember(app, { username })
    const sessions = async () =>
      (await (await elsewhere.call('GET', '/sessions')).json()) as { id: string; isCurrent: boolean }[]
    const other = (await sessions()).find(({ isCurrent }) => !isCurrent)
    end = async () => (await elsewhere.call('DELETE', `/sessions/${other?.id}`)).status
    const { submit } = await proven(client, username)
    const before = await lastSignInOf(username)
    const count = await sessionCount(userId)
    const { answer, changed } = await meanwhile(2, () => submit())
    expect([changed, ...(await outcomeOf(answer)).slice(0, 2)]).toEqual([
      204,
      404,
      'session.verification_session_not_found',
    ])
    expect(await lastSignInOf(username)).toEqual(before)
    expect(await sessionCount(userId)).toBe(count - 1)
  })

  const sessionCount = async (userId: string) =>
    (
      await app.env.DB.prepare(
        "select count(*) as count from oidc_model_instances where account_id = ? and model_name = 'Session'",
      )
        .bind(userId)
        .first<{ count: number }>()
    )?.count ?? 0

  it('leaves the code in no log line and no audit entry', async () => {
    const lines: unknown[] = []
    for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, name).mockImplementation((...line) => void lines.push(line))
    const client = newCookieClient(app)
    const request = await authorizationRequest()
    const submitted = await registerAccount(client, await openSignInPage(client, request), freshName())
    const { redirectTo } = (await submitted.json()) as { redirectTo: string }
    const code = new URL(redirectTo).searchParams.get('code') ?? ''
    expect(code).toMatch(/^[\w-]{22,}$/)
    const { results } = await app.env.DB.prepare('select * from logs').all()
    for (const written of [lines, results]) {
      expect(written.length).toBeGreaterThan(0)
      expect(JSON.stringify(written)).not.toContain(code)
    }
  })
})

describe('a submission leaves the authorization to the resume', () => {
  it.each([
    ['the application wants the response as a form', { response_mode: 'form_post' }],
    ['the request asks for a consent', { prompt: 'login consent' }],
  ] as const)('if %s', async (_, parameters) => {
    const { username } = await storeAccount()
    const client = newCookieClient(app)
    const { submit } = await proven(client, username, parameters)
    const { redirectTo } = (await (await submit()).json()) as { redirectTo: string }
    expect(isResume(redirectTo)).toBe(true)
    expect(await rowsOf(username)).toEqual([])
    expect((await outcomeOf(await submit())).slice(0, 2)).toEqual([409, 'session.already_submitted'])
    expect((await client.get(redirectTo)).headers.getSetCookie().join()).toContain('_session=')
  })

  it('if a user registers, and the request names a resource', async () => {
    const operator = await newOperator(app)
    const resource = `https://orders.example/${freshName()}`
    expect((await operator.send('POST', '/resources', { name: 'Orders', indicator: resource })).ok).toBe(true)
    const client = newCookieClient(app)
    const request = await authorizationRequest({ resource })
    const submitted = await registerAccount(client, await openSignInPage(client, request), freshName())
    expect(isResume(((await submitted.clone().json()) as { redirectTo: string }).redirectTo)).toBe(true)
    expect((await resumeAuthorization(client, submitted)).searchParams.has('code')).toBe(true)
  })

  it('if another user is signed in, whose applications have to be signed out first', async () => {
    const { client } = await storeMember(app)
    const { username } = await storeAccount()
    const submitted = await signIn(
      client,
      await openSignInPage(client, await authorizationRequest({ prompt: 'login' })),
      username,
    )
    expect(isResume(((await submitted.clone().json()) as { redirectTo: string }).redirectTo)).toBe(true)
    expect((await resumeAuthorization(client, submitted)).searchParams.has('code')).toBe(false)
  })
})
