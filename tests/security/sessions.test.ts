import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../src/contract/time.ts'
import { newMember } from '../kit/clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  RESUMED,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import { beginInteraction, outcomeOf } from '../kit/clients/interaction-client.ts'
import { openRacingApp } from '../kit/racing-app.ts'
import { storeMember } from '../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { atTokenEndpoint, type ClientApplication, codeGrant, newArrival, newClient } from './parties.ts'

let app: TestApp
let client: ClientApplication
beforeAll(async () => {
  app = openTestApp()
  client = await newClient(app, 'SPA')
})

const session = (browser: CookieClient) => browser.cookies.get('_session')?.value
const isSignedIn = async (browser: CookieClient) => {
  const { headers } = await browser.get((await authorizationRequest({ prompt: 'none' })).url)
  return new URL(headers.get('location') ?? '', ORIGIN).searchParams.has('code')
}
const signOut = async (browser: CookieClient) => {
  const question = await (await browser.get('/oidc/session/end', { accept: 'text/html' })).text()
  const xsrf = /name="xsrf" value="(\w+)"/.exec(question)?.[1] ?? ''
  return browser.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
}

describe('a session', () => {
  it('[OIDC-3.1.2.1-2] gets a new id with every sign-in, which prevents session fixation', async () => {
    const { client: browser, username } = await storeMember(app)
    const first = session(browser)
    expect(first).toMatch(/^[\w-]{22,}$/) // at least 128 bits
    const again = await openSignInPage(browser, await authorizationRequest({ prompt: 'login' }))
    await resumeAuthorization(browser, await signIn(browser, again, username))
    const second = session(browser)
    expect(second).not.toBe(first)

    const thief = newCookieClient(app)
    for (const [name, cookie] of browser.cookies) thief.cookies.set(name, cookie)
    expect(await isSignedIn(thief)).toBe(true)
    thief.cookies.set('_session', { value: first ?? '', path: '/' })
    expect(await isSignedIn(thief)).toBe(false)
  })

  it.each(['', '__Secure-'])(
    'cannot be started with cookies that have the prefix "%s", which sibling hosts can set',
    async (prefix) => {
      const production = openTestApp({ ENVIRONMENT: 'production' })
      const attacker = newCookieClient(production)
      const { id, redirectUri } = await newClient(production, 'SPA')
      const uid = await openSignInPage(
        attacker,
        await authorizationRequest({ ...RESUMED, client_id: id, redirect_uri: redirectUri }),
      )
      const { redirectTo } = (await (await registerAccount(attacker, uid, freshName())).json()) as {
        redirectTo: string
      }
      const victim = newCookieClient(production)
      for (const [name, cookie] of attacker.cookies) {
        if (!name.startsWith('__Host-')) victim.cookies.set(name, cookie)
      }
      const sealed = attacker.cookies.get(`__Host-_interaction_${uid}`)
      if (sealed) victim.cookies.set(`${prefix}_interaction_${uid}`, sealed)
      const refused = await victim.get(redirectTo)
      expect([refused.status, [...victim.cookies.keys()].join()]).toEqual([
        400,
        expect.not.stringContaining('_session'),
      ])
      expect((await attacker.get(redirectTo)).status).toBe(303)
    },
  )

  it('[ASVS-7.2.4] is not shared with an attacker who planted cookies in the browser', async () => {
    const attacker = newCookieClient(app)
    await openSignInPage(attacker, await authorizationRequest())
    const victim = newCookieClient(app)
    for (const [name, cookie] of attacker.cookies) victim.cookies.set(name, cookie)
    const uid = await openSignInPage(victim, await authorizationRequest())
    await resumeAuthorization(victim, await registerAccount(victim, uid, freshName()))
    expect(await isSignedIn(victim)).toBe(true)
    expect(await isSignedIn(attacker)).toBe(false)
    expect(session(victim)).not.toBe(session(attacker))
  })

  it('[ASVS-7.2.4-2] is replaced when another user signs in with the same browser', async () => {
    const { client: browser } = await storeMember(app)
    const first = session(browser)
    const uid = await openSignInPage(browser, await authorizationRequest({ prompt: 'login' }))
    const { redirectTo } = (await (await registerAccount(browser, uid, freshName())).json()) as {
      redirectTo: string
    }
    // This page signs the first user out, automatically or with a button.
    const page = await (await browser.get(redirectTo, { accept: 'text/html' })).text()
    const xsrf = /name="xsrf" value="([\w-]+)"/.exec(page)?.[1] ?? ''
    const left = await browser.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    const back = await browser.get(left.headers.get('location') ?? '')
    expect(back.headers.get('location')).toContain('code=')
    expect(session(browser)).not.toBe(first)
    const thief = newCookieClient(app)
    for (const [name, cookie] of browser.cookies) thief.cookies.set(name, cookie)
    thief.cookies.set('_session', { value: first ?? '', path: '/' })
    expect(await isSignedIn(thief)).toBe(false)
  })

  it('[ASVS-7.4.1] ends when the user signs out, even for copies of its cookie', async () => {
    const { client: browser } = await storeMember(app)
    const cookies = new Map(browser.cookies)
    await signOut(browser)
    const back = newCookieClient(app)
    for (const [name, cookie] of cookies) back.cookies.set(name, cookie)
    expect(await isSignedIn(back)).toBe(false)
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('[ASVS-7.4.1-5] is not restored by a concurrent sign-in if it was ended elsewhere', async () => {
    let end = async () => 0
    const { app: racing, meanwhile } = openRacingApp(() => end())
    const { client: browser, username, userId } = await newMember(racing)
    const elsewhere = await newMember(app, { username })
    const sessions = async () => (await (await elsewhere.call('GET', '/sessions')).json()) as { id: string }[]
    const [other] = (await sessions()).filter((each) => !Reflect.get(each, 'isCurrent'))
    end = async () => (await elsewhere.call('DELETE', `/sessions/${other?.id}`)).status
    const request = await authorizationRequest({ prompt: 'login consent', scope: 'openid offline_access' })
    const submitted = await signIn(browser, await openSignInPage(browser, request), username)
    const { redirectTo } = (await submitted.json()) as { redirectTo: string }

    const { answer, changed } = await meanwhile(2, () => browser.get(redirectTo))
    expect([changed, answer.status, answer.headers.get('location')]).toEqual([204, 400, null])
    expect(await sessions()).toHaveLength(1)
    expect(await isSignedIn(browser)).toBe(false)
    const { results } = await app.env.DB.prepare(
      `select 1 from oidc_model_instances where account_id = ? and model_name = 'AuthorizationCode'
        and consumed_at is null`,
    )
      .bind(userId)
      .all()
    expect(results).toEqual([])
  })

  it('[ASVS-7.4.1-2] invalidates its tokens when it ends', async () => {
    const arrived = await newArrival(app, client)
    const { tokens } = await atTokenEndpoint(app, codeGrant(client, arrived))
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await app.fetch('/oidc/me', { headers })).status).toBe(200)
    await signOut(arrived.browser)
    expect((await app.fetch('/oidc/me', { headers })).status).toBe(401)
  })

  it('[OIDC-16.18] expires after 14 days without use', async () => {
    const { client: browser, userId } = await storeMember(app)
    const response = await browser.get((await authorizationRequest()).url)
    const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith('_session='))
    const expires = Date.parse(/expires=([^;]+)/i.exec(line ?? '')?.[1] ?? '')
    const days = (expires - Date.now()) / DAY
    expect(days).toBeGreaterThan(13.9)
    expect(days).toBeLessThanOrEqual(14)

    // The row in the database expires, regardless of the browser's clock.
    const cookies = new Map(browser.cookies)
    const isSignedInLater = async (later: number) => {
      await app.env.DB.prepare(
        `update oidc_model_instances set expires_at = expires_at - ?1,
           payload = json_set(payload, '$.exp', json_extract(payload, '$.exp') - ?1 / 1000)
         where model_name = 'Session' and account_id = ?2`,
      )
        .bind(later, userId)
        .run()
      const back = newCookieClient(app)
      for (const [name, cookie] of cookies) back.cookies.set(name, cookie)
      return isSignedIn(back)
    }
    expect(await isSignedInLater(13.9 * DAY)).toBe(true)
    // Using the session has restarted the 14 days.
    expect(await isSignedInLater(13.9 * DAY)).toBe(true)
    // A minute is added, because clocks may differ by some seconds (spec/provider#clock-tolerance).
    expect(await isSignedInLater(14 * DAY + 60_000)).toBe(false)
  })
})

describe('a random value', () => {
  it('[ASVS-11.5.1] has at least 128 bits and is new every time', async () => {
    const drawn: string[] = []
    for (let time = 0; time < 2; time++) {
      const arrived = await newArrival(app, client, { scope: 'openid offline_access', prompt: 'consent' })
      const { tokens } = await atTokenEndpoint(app, codeGrant(client, arrived))
      drawn.push(arrived.code, tokens.access_token, tokens.refresh_token ?? '')
    }
    for (const value of drawn) expect(value).toMatch(/^[\w-]{22,}$/) // six bits per character
    expect(new Set(drawn).size).toBe(6)
  })
})

describe('cookies and identifiers', () => {
  it('cannot restart a finished interaction', async () => {
    const interaction = await beginInteraction(app)
    await interaction.start('Register', { profile: { username: freshName(), password: 'correct-horse-7' } })
    const cookies = new Map(interaction.client.cookies)
    expect((await interaction.submit()).status).toBe(200)
    for (const [name, cookie] of cookies) interaction.client.cookies.set(name, cookie)
    expect((await outcomeOf(await interaction.submit())).slice(0, 2)).toEqual([
      409,
      'session.already_submitted',
    ])
    const changed = await interaction.start('SignIn')
    expect((await outcomeOf(changed)).slice(0, 2)).toEqual([400, 'session.not_found'])
  })

  it('are rejected in any interaction other than their own', async () => {
    const first = await beginInteraction(app)
    const second = await beginInteraction(app)
    await first.start('SignIn')
    const stolen = first.client.cookies.get(`_interaction_${first.uid}`)
    second.client.cookies.set(`_interaction_${second.uid}`, stolen ?? { value: '', path: '/' })
    expect((await outcomeOf(await second.start('SignIn'))).slice(0, 2)).toEqual([400, 'session.not_found'])
  })

  it('start only one authorization if they are from a pushed request', async () => {
    const request = await authorizationRequest({ client_id: client.id, redirect_uri: client.redirectUri })
    const pushed = await app.fetch('/oidc/request', {
      method: 'POST',
      body: new URL(request.url, ORIGIN).searchParams,
    })
    expect(pushed.status).toBe(201)
    const { request_uri, expires_in } = (await pushed.json()) as { request_uri: string; expires_in: number }
    expect(expires_in).toBeLessThanOrEqual(60)
    const url = `/oidc/auth?${new URLSearchParams({ client_id: client.id, request_uri })}`
    const browser = newCookieClient(app)
    const uid = await openSignInPage(browser, { ...request, url })
    const back = await resumeAuthorization(browser, await registerAccount(browser, uid, freshName()))
    expect(back.searchParams.get('code')).toBeTruthy()
    const again = await browser.get(url, { accept: 'application/json' })
    expect(again.headers.get('location') ?? '').not.toContain('code=')
    const other = await newClient(app, 'SPA', { redirectUri: 'https://other.example/back' })
    const stolen = `/oidc/auth?${new URLSearchParams({ client_id: other.id, request_uri })}`
    const { headers } = await newCookieClient(app).get(stolen)
    expect(new URL(headers.get('location') ?? '').searchParams.get('error')).toMatch(/^invalid_request_/)
  })

  it('[OIDC-5.7] are random, and identifiers of accounts are unique in tokens', async () => {
    const ids = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const { tokens } = await atTokenEndpoint(app, codeGrant(client, await newArrival(app, client)))
        return decodeJwt(tokens.id_token).sub
      }),
    )
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[\da-z]{12}$/i)
  })
})
