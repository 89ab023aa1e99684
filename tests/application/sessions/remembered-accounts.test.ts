import { parseSetCookie } from 'cookie'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  readRememberedBrowser,
  sealRememberedBrowser,
} from '../../../src/application/sessions/remembered-accounts.ts'
import type { BootData } from '../../../src/contract/interactions/boot.ts'
import { RETURNING_PATH } from '../../../src/contract/sessions/remembered-accounts.ts'
import { DAY_SECONDS } from '../../../src/contract/time.ts'
import { createSeals } from '../../../src/storage/seal.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  PASSWORD,
  PRODUCTION_ORIGIN,
  RESUMED,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the accounts that a browser remembers (spec/accounts#remembered-account). */
const app = openTestApp({}, { hasCalmDatabase: true })
const seals = createSeals(app.env.ROOT_SECRET ?? '')
const COOKIE = '_returning'
let operator: Operator

beforeAll(async () => {
  await setExperience(app, {
    methods: everyMethod,
    signUp: { identifiers: ['username'], password: true, verify: false },
  })
  operator = await newOperator(app)
})
afterAll(() => setTenantSettings(app, {}))

/** Registers a user with an e-mail address, and returns a browser that remembers the account and has no session. */
async function newReturning(client = newCookieClient(app), at: TestApp = app) {
  const username = freshName()
  const { uid } = await beginInteraction(at, client, RESUMED)
  const submitted = await registerAccount(client, uid, username)
  expect(submitted.status).toBe(200)
  const email = freshEmail()
  await app.env.DB.prepare('update users set primary_email = ?, email_verified = 1 where username = ?')
    .bind(email, username)
    .run()
  const { id: userId } = (await app.env.DB.prepare('select id from users where username = ?')
    .bind(username)
    .first<{ id: string }>()) as { id: string }
  return { client, username, email, userId, submitted }
}

/** Returns a browser with only what the other one remembers. */
function withoutSession(client: CookieClient, at: TestApp = app): CookieClient {
  const browser = newCookieClient(at)
  for (const [name, cookie] of client.cookies) if (name.endsWith(COOKIE)) browser.cookies.set(name, cookie)
  return browser
}

const rememberedIn = (client: CookieClient, tenantId = 'default') =>
  readRememberedBrowser({ seals, now: Date.now }, tenantId, client.cookies.get(COOKIE)?.value)

/** Starts a sign-in, and returns the path to which the provider leads, and its page. */
async function openFirstPage(client: CookieClient, parameters: Record<string, string> = {}) {
  const { url } = await authorizationRequest(parameters)
  const location = new URL((await client.get(url)).headers.get('location') ?? '', app.origin)
  const answer = await client.get(location.pathname + location.search)
  const html = answer.status === 200 ? await answer.text() : ''
  return {
    path: location.pathname,
    uid: location.searchParams.get('interaction') ?? '',
    html,
    boot: bootIn(html),
  }
}

const bootIn = (html: string): Partial<BootData> =>
  JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}')

async function openAccount(client: CookieClient) {
  const { uid, boot } = await openFirstPage(client)
  const call = (method: string, path: string, body?: unknown) =>
    client.send(method, `/api/interaction${path}`, body, { Interaction: uid })
  const [account] = boot.accounts ?? []
  const opened = await call('POST', `/accounts/${account?.id}`)
  return { call, account, status: opened.status, identifier: (await opened.json()) as Record<string, string> }
}

describe('the cookie of remembered accounts', () => {
  it('is sealed, HttpOnly, bound to the host, and kept for thirty days', async () => {
    const production = openTestApp({ ENVIRONMENT: 'production' })
    const { submitted, username, userId } = await newReturning(newCookieClient(production), production)
    const line = submitted.headers.getSetCookie().find((each) => each.includes(COOKIE)) ?? ''
    expect(production.origin).toBe(PRODUCTION_ORIGIN)
    expect(parseSetCookie(line)).toMatchObject({
      name: '__Host-_returning',
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'lax',
      maxAge: 30 * DAY_SECONDS,
    })
    expect(line).not.toMatch(/domain/i)
    for (const secret of [username, userId]) expect(decodeURIComponent(line)).not.toContain(secret)
  })

  it('is set only after a completed sign-in, and contains no identifier beyond the mask', async () => {
    const client = newCookieClient(app)
    const { uid, call } = await beginInteraction(app, client)
    await call('PUT', '', { event: 'Register', profile: { username: freshName(), password: PASSWORD } })
    expect(client.cookies.has(COOKIE)).toBe(false)
    await registerAccount(client, uid, freshName())
    const remembered = await rememberedIn(client)
    expect(remembered).toEqual({
      accounts: [
        {
          id: expect.any(String),
          userId: expect.any(String),
          identifier: { type: 'username', mask: 'user****' },
          method: { kind: 'password' },
          at: expect.any(Number),
        },
      ],
      applications: ['demo-app'],
    })
  })

  it('means nothing for another tenant', async () => {
    const { client } = await newReturning()
    expect((await rememberedIn(client)).accounts).toHaveLength(1)
    expect((await rememberedIn(client, 'other')).accounts).toEqual([])
  })

  it('is ignored if it is damaged', async () => {
    const { client } = await newReturning()
    const browser = withoutSession(client)
    const { value = '' } = browser.cookies.get(COOKIE) ?? {}
    browser.cookies.set(COOKIE, { value: `${value.slice(0, -2)}AA`, path: '/' })
    expect((await openFirstPage(browser)).path).toBe('/sign-in')
  })
})

describe('a returning user', () => {
  it('is welcomed by the mask alone', async () => {
    const { client, username, email, userId } = await newReturning()
    const { path, html, boot } = await openFirstPage(withoutSession(client))
    expect(path).toBe(RETURNING_PATH)
    expect(html).toContain('Welcome back')
    expect(html).toContain('user****')
    for (const secret of [username, email, userId]) expect(html).not.toContain(secret)
    expect(boot.accounts).toEqual([
      { id: expect.any(String), type: 'username', mask: 'user****', way: 'password' },
    ])
  })

  it('signs in with the password of the sealed identifier', async () => {
    const { client, username } = await newReturning()
    const { call, status, identifier } = await openAccount(withoutSession(client))
    expect([status, identifier.type, identifier.value]).toEqual([200, 'username', 'user****'])
    expect(JSON.stringify(identifier)).not.toContain(username)
    const { account } = identifier
    const start = (password: string) =>
      call('PUT', '', { event: 'SignIn', identifier: { account, password } })
    expect((await start('wrong-password-1')).status).toBe(422)
    expect((await call('POST', '/submit')).status).toBe(404)
    expect((await start(PASSWORD)).status).toBe(204)
    expect((await call('POST', '/submit')).status).toBe(200)
  })

  it('has as many attempts as with the typed identifier', async () => {
    const { client, username } = await newReturning()
    const { call, identifier } = await openAccount(withoutSession(client))
    const attempt = async (named: Record<string, string | undefined>) =>
      (await call('PUT', '', { event: 'SignIn', identifier: { ...named, password: 'wrong-password-1' } }))
        .status
    const statuses = []
    for (let count = 0; count < 6; count++)
      statuses.push(await attempt({ account: identifier.account }), await attempt({ username }))
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429])
  })

  it('signs in with a code to the sealed address', async () => {
    const { client, email } = await newReturning()
    const browser = withoutSession(client)
    const first = await beginInteraction(app, browser)
    await first.start('SignIn')
    await first.prove({ email })
    expect((await first.submit()).status).toBe(200)
    const again = withoutSession(browser)
    const { call, account, identifier } = await openAccount(again)
    expect(account).toMatchObject({ mask: 'user****@example.com', way: 'code' })
    const sealed = { account: identifier.account }
    await call('PUT', '', { event: 'SignIn' })
    expect((await call('POST', '/verification/verification-code', sealed)).status).toBe(204)
    const verificationCode = await codeTo(app, { email })
    expect((await call('PATCH', '/identifiers', { ...sealed, verificationCode })).status).toBe(204)
    expect((await call('POST', '/submit')).status).toBe(200)
  })

  it('is not authenticated by the cookie or the sealed identifier', async () => {
    const { client } = await newReturning()
    const { call, identifier } = await openAccount(withoutSession(client))
    expect((await call('POST', '/submit')).status).toBe(404)
    expect(
      (await call('PUT', '', { event: 'SignIn', identifier: { account: identifier.account } })).status,
    ).toBe(400)
    await call('PUT', '', { event: 'SignIn' })
    expect((await call('POST', '/submit')).status).toBe(404)
  })

  it('cannot use a sealed identifier in another interaction', async () => {
    const { client } = await newReturning()
    const { identifier } = await openAccount(withoutSession(client))
    const other = await beginInteraction(app)
    const { account } = identifier
    const started = await other.call('PUT', '', {
      event: 'SignIn',
      identifier: { account, password: PASSWORD },
    })
    expect(started.status).toBe(400)
  })

  it('is welcomed in no other browser and from no cached page', async () => {
    const { client } = await newReturning()
    const fresh = openTestApp()
    const own = withoutSession(client, fresh)
    const welcome = await openFirstPage(own)
    expect(welcome.html).toContain('user****')
    const stranger = newCookieClient(fresh)
    const interactions = [
      { browser: own, uid: welcome.uid },
      { browser: stranger, uid: (await beginInteraction(fresh, stranger)).uid },
    ]
    // The second visit of each page comes from its template.
    for (const { browser, uid } of [...interactions, ...interactions])
      for (const path of ['/sign-in', '/register']) {
        const html = await (await browser.get(`${path}?interaction=${uid}`)).text()
        expect(html).not.toMatch(/user\*{4}|Welcome back/)
      }
    const { uid } = await beginInteraction(fresh, stranger)
    const redirected = await stranger.get(`${RETURNING_PATH}?interaction=${uid}`)
    expect(redirected.headers.get('location')).toBe(`/sign-in?interaction=${uid}`)
  })

  it.each([
    [{ login_hint: 'ada@example.com' }, '/sign-in'],
    [{ interaction_mode: 'signUp' }, '/register'],
    [{ interaction_mode: 'signIn' }, '/sign-in'],
    [{ prompt: 'login' }, RETURNING_PATH],
  ])('comes to the page that the application requests with %j', async (parameters, path) => {
    const { client } = await newReturning()
    expect((await openFirstPage(withoutSession(client), parameters as Record<string, string>)).path).toBe(
      path,
    )
  })

  it('can choose among several accounts, and remove each of them', async () => {
    const first = await newReturning()
    const second = await newReturning(first.client)
    const browser = withoutSession(second.client)
    const { html, boot, uid } = await openFirstPage(browser)
    expect(html).toContain('Choose an account')
    expect(boot.accounts).toHaveLength(2)
    const forget = (intent: Record<string, string>) =>
      browser.post(
        `${RETURNING_PATH}?interaction=${uid}`,
        { interaction: uid, intent: 'forget', ...intent },
        { origin: app.origin, 'sec-fetch-site': 'same-origin' },
      )
    const removed = await forget({ account: boot.accounts?.[0]?.id ?? '' })
    expect(removed.headers.get('location')).toBe(`${RETURNING_PATH}?interaction=${uid}`)
    expect((await rememberedIn(browser)).accounts.map(({ userId }) => userId)).toEqual([first.userId])
    await forget({ account: boot.accounts?.[1]?.id ?? '' })
    expect((await rememberedIn(browser)).accounts).toEqual([])
    expect((await openFirstPage(browser)).path).toBe('/sign-in')
  })

  it('cannot be removed by another site', async () => {
    const { client } = await newReturning()
    const browser = withoutSession(client)
    const { boot, uid } = await openFirstPage(browser)
    const answer = await browser.post(
      `${RETURNING_PATH}?interaction=${uid}`,
      { interaction: uid, intent: 'forget', account: boot.accounts?.[0]?.id ?? '' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    )
    expect(answer.status).toBe(403)
    expect((await rememberedIn(browser)).accounts).toHaveLength(1)
  })
})

describe('a remembered account ends', () => {
  it.each([
    ['deletion', (userId: string) => operator.send('DELETE', `/users/${userId}`)],
    [
      'suspension',
      (userId: string) => operator.send('PATCH', `/users/${userId}/is-suspended`, { isSuspended: true }),
    ],
  ])('with the %s of the account', async (_, end) => {
    const { client, userId } = await newReturning()
    const browser = withoutSession(client)
    expect((await end(userId)).ok).toBe(true)
    expect((await openFirstPage(browser)).path).toBe('/sign-in')
    expect((await rememberedIn(browser)).accounts).toEqual([])
  })

  it('with a change of its identifier, on the first page, with a sentence', async () => {
    const { client, userId } = await newReturning()
    const browser = withoutSession(client)
    const { boot, uid } = await openFirstPage(browser)
    await app.env.DB.prepare('update users set username = ? where id = ?')
      .bind(`other_${userId}`, userId)
      .run()
    const path = `${RETURNING_PATH}?interaction=${uid}`
    const answer = await browser.post(
      path,
      { interaction: uid, account: boot.accounts?.[0]?.id ?? '' },
      { origin: app.origin, 'sec-fetch-site': 'same-origin' },
    )
    expect(answer.headers.get('location')).toBe(`/sign-in?interaction=${uid}`)
    const page = await (await browser.get(`/sign-in?interaction=${uid}`)).text()
    expect(page).toContain('This browser no longer remembers that account.')
    expect((await rememberedIn(browser)).accounts).toEqual([])
  })

  it('with a sign-out in this browser, and no other account does', async () => {
    const first = await newReturning()
    const client = first.client
    const { uid } = await beginInteraction(app, client, { prompt: 'login' })
    const second = freshName()
    await resumeAuthorization(client, await registerAccount(client, uid, second))
    expect((await rememberedIn(client)).accounts).toHaveLength(2)
    const html = await (await client.get('/oidc/session/end', { accept: 'text/html' })).text()
    const xsrf = /name="xsrf" value="([^"]*)"/.exec(html)?.[1] ?? ''
    await client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' }, { origin: app.origin })
    expect((await rememberedIn(client)).accounts.map(({ userId }) => userId)).toEqual([first.userId])
  })
})

describe('no account is remembered', () => {
  it.each([
    ['the setting is off', { rememberAccounts: false }],
    ['no browser is remembered', { secondFactor: { policy: 'off', rememberDays: 0 } }],
  ] as const)('if %s, and the cookie is deleted', async (_, settings) => {
    await setTenantSettings(app, {})
    const { client } = await newReturning()
    await setTenantSettings(app, settings)
    const strict = openTestApp({}, { hasCalmDatabase: true })
    const browser = withoutSession(client, strict)
    expect((await openFirstPage(browser)).path).toBe('/sign-in')
    expect(browser.cookies.has(COOKIE)).toBe(false)
    const { client: another } = await newReturning(newCookieClient(strict), strict)
    expect((await rememberedIn(another)).accounts).toEqual([])
    await setTenantSettings(app, {})
  })

  it('if the application remembers no browser', async () => {
    await setTenantSettings(app, {})
    const created = await operator.send('POST', '/applications', {
      name: 'Vault',
      type: 'SPA',
      rememberDays: 0,
      oidcClientMetadata: { redirectUris: [`${app.origin}/demo-app`] },
    })
    const { id } = (await created.json()) as { id: string }
    const { client, username } = await newReturning()
    const browser = withoutSession(client)
    const before = await rememberedIn(browser)
    expect((await openFirstPage(browser, { client_id: id })).path).toBe('/sign-in')
    // A sign-in there changes nothing: another application still welcomes the account.
    const { uid } = await beginInteraction(app, browser, { client_id: id })
    expect((await signIn(browser, uid, username)).status).toBe(200)
    expect(await rememberedIn(browser)).toMatchObject({
      accounts: [{ at: before.accounts[0]?.at }],
      applications: ['demo-app'],
    })
    expect((await openFirstPage(withoutSession(browser))).path).toBe(RETURNING_PATH)
  })

  it('if a role of the account remembers no browser, and the account is removed', async () => {
    const { client, username, userId } = await newReturning()
    const role = { name: freshName(), description: 'Staff', rememberDays: 0 }
    const { id } = (await (await operator.send('POST', '/roles', role)).json()) as { id: string }
    await operator.send('POST', `/roles/${id}/users`, { userIds: [userId] })
    const browser = withoutSession(client)
    const { uid } = await beginInteraction(app, browser)
    expect((await signIn(browser, uid, username)).status).toBe(200)
    expect((await rememberedIn(browser)).accounts).toEqual([])
  })
})

describe('the line that names the application', () => {
  const newApplication = async (more: object = {}) => {
    const created = await operator.send('POST', '/applications', {
      name: 'Payroll <Pro> 給与',
      type: 'SPA',
      oidcClientMetadata: {
        redirectUris: [`${app.origin}/demo-app`],
        logoUri: 'https://cdn.example.com/p.png',
      },
      ...more,
    })
    return ((await created.json()) as { id: string }).id
  }
  const lineIn = (html: string) => /<aside class="application".*?<\/aside>/s.exec(html)?.[0]

  it('is on the pages of a sign-in, until somebody has signed in to the application with this browser', async () => {
    const client_id = await newApplication()
    const browser = newCookieClient(app)
    const { html, uid } = await openFirstPage(browser, { client_id })
    expect(lineIn(html)).toBe(
      '<aside class="application" aria-label="Payroll &#60;Pro&#62; &#32102;&#19982;"><img src="https://cdn.example.com/p.png" alt="" width="20" height="20">' +
        '<p>You&#8217;re signing in to <bdi>Payroll &#60;Pro&#62; &#32102;&#19982;</bdi></p></aside>',
    )
    await registerAccount(browser, uid, freshName())
    const again = withoutSession(browser)
    expect(lineIn((await openFirstPage(again, { client_id, login_hint: 'ada' })).html)).toBeUndefined()
    const stranger = await openFirstPage(newCookieClient(app), { client_id })
    expect(lineIn(stranger.html)).toBeDefined()
  })

  it('names no application of an earlier visitor, although their pages come from one template', async () => {
    const names = ['Alpha', 'Beta', 'Alpha']
    for (const name of names) {
      const client_id = await newApplication({ name })
      const { html } = await openFirstPage(newCookieClient(app), { client_id })
      expect(lineIn(html)).toContain(`<bdi>${name}</bdi>`)
    }
    expect(lineIn((await openFirstPage(newCookieClient(app))).html)).toBeUndefined()
  })
})

it('a list with nothing in it deletes the cookie', async () => {
  const nothing = { accounts: [], applications: [] }
  expect(await sealRememberedBrowser({ seals }, 'default', nothing)).toMatchObject({ maxAgeSeconds: 0 })
})
