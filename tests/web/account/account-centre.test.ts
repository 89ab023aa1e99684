import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type AccountVisitor,
  ageSignIn,
  locationOf,
  proveSignIn,
  userIdOf,
  visitAccount,
} from '../../kit/account-centre.ts'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  PASSWORD,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { compressedSize } from '../../kit/compressed-size.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { someOf } from '../../kit/sweep.ts'
import { openTenant } from '../../kit/tenant-fixture.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import { atTokenEndpoint, codeGrant, newArrival, newClient } from '../../security/parties.ts'

/** Tests who can see the pages of an account and what their forms change (spec/account-centre). */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})

const pages = [
  '/account',
  '/account/profile',
  '/account/sign-in',
  '/account/password',
  '/account/browsers',
  '/account/identities',
  '/account/sessions',
  '/account/applications',
  '/account/activity',
  '/account/not-me',
  '/account/data',
]

/** Returns the ids that the forms of a page contain. */
async function idsOn(client: CookieClient, path: string): Promise<string[]> {
  const html = await (await client.get(path)).text()
  return [...html.matchAll(/name="id" value="([^"]+)"/g)].map(([, id = '']) => id)
}

const isSignedIn = async (client: CookieClient) => (await client.get('/account')).status === 200
const statusOf = async (answer: Promise<Response>) => (await answer).status

/**
 * Signs the user in with another browser. Returns that browser and the id of its session, read from the first
 * browser's sessions page.
 */
async function openOtherSession(visitor: AccountVisitor): Promise<[other: AccountVisitor, id: string]> {
  const other = await storeVisitor(app, { username: visitor.username })
  const [id = ''] = await idsOn(visitor.client, '/account/sessions')
  return [other, id]
}

/** Returns a shared visitor, for tests that change nothing and end no session. */
let shared: Promise<AccountVisitor> | undefined
const reader = () => {
  shared ??= storeVisitor(app)
  return shared
}

describe('a page in the account centre', () => {
  it.each(someOf(env.TEST_SWEEP, pages, 4))(
    'redirects to the provider and, after the sign-in, back to its own path without the query: %s',
    async (path) => {
      const { client: other, username } = await reader()
      const client = newCookieClient(app)
      for (const [name, cookie] of other.cookies)
        if (!name.startsWith('_account')) client.cookies.set(name, cookie)
      const redirect = await client.get(`${path}?to=https://evil.example/&return_to=https://evil.example/`)
      const { pathname, searchParams } = new URL(locationOf(redirect), ORIGIN)
      expect([redirect.status, pathname]).toEqual([302, '/oidc/auth'])
      expect(Object.fromEntries(searchParams)).toMatchObject({
        client_id: 'account-centre',
        redirect_uri: `${ORIGIN}/account/callback`,
        code_challenge_method: 'S256',
      })
      const back = await proveSignIn(client, await client.get(locationOf(redirect)), { username })
      const callback = await client.get(back)
      expect(locationOf(callback)).toMatch(new RegExp(`^${path}\\?`))
      expect(await statusOf(client.get(path))).toBe(200)
    },
  )

  it.each(pages)('needs one database round trip, and is at most 14 kB in size: %s', async (path) => {
    const { client } = await reader()
    await client.get(path)
    app.trips()
    const answer = await client.get(path)
    expect(app.trips()).toEqual({ awaited: 1, afterwards: 0 })
    const html = await answer.text()
    expect(compressedSize(html)).toBeLessThanOrEqual(14_000)
    expect(html).not.toContain('<script')
    expect(html).not.toContain('rel="stylesheet"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('is at most 14 kB in size, even with a hundred sessions in a language with long phrases', async () => {
    const { client, username } = await storeVisitor(app)
    const { results } = await app.env.DB.prepare('select name from pragma_table_info(?)')
      .bind('oidc_model_instances')
      .all<{ name: string }>()
    const copiedColumns = results
      .map(({ name }) => name)
      .filter((name) => !['id', 'uid', 'payload'].includes(name))
    await app.env.DB.prepare(
      `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 99)
       insert into oidc_model_instances (id, payload, ${copiedColumns.join(', ')})
       select hex(randomblob(16)), json_set(payload, '$.uid', hex(randomblob(11)), '$.loginTs', json_extract(payload, '$.loginTs') + n,
         '$.visit.city', 'Town ' || hex(randomblob(4)), '$.visit.country', 'FR'), ${copiedColumns.join(', ')}
       from oidc_model_instances, counted
       where model_name = 'Session' and account_id = (select id from users where username = ?)`,
    )
      .bind(username)
      .run()
    const html = await (await client.get('/account/sessions?ui_locales=th')).text()
    expect(html).toContain('lang="th"')
    expect(html.split('Town ').length).toBeGreaterThan(99)
    expect(compressedSize(html)).toBeLessThanOrEqual(14_000)
  })

  it('results in a 404 if the tenant has disabled the account centre', async () => {
    const other = openTestApp({}, { hasCalmDatabase: true })
    await setTenantSettings(other, { accountCentre: { enabled: false } })
    const client = newCookieClient(other)
    const answers = await Promise.all(pages.map((path) => statusOf(client.get(path))))
    expect(new Set(answers)).toEqual(new Set([404]))
    // Invited administrators still use the callback to sign in. Without a sign-in in progress, it therefore
    // returns 400 instead of 404.
    expect(await statusOf(client.get('/account/callback'))).toBe(400)
    await setTenantSettings(other, { accountCentre: { enabled: true } })
  })

  it('responds to unknown paths and methods like other pages', async () => {
    const { client } = await storeVisitor(app)
    expect(await statusOf(client.get('/account/nowhere'))).toBe(404)
    const put = await client.send('PUT', '/account')
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})

const flowsOf = (client: CookieClient) =>
  [...client.cookies].filter(([name]) => name.startsWith('_account_flow'))

describe('the authorization response to the account centre', () => {
  const begin = async () => {
    const client = newCookieClient(app)
    const redirect = await client.get('/account')
    const username = freshName()
    const page = await client.get(locationOf(redirect))
    return { client, back: await proveSignIn(client, page, { username, isNew: true }) }
  }

  it('is accepted only in the browser that began the sign-in, which prevents login CSRF', async () => {
    const { back } = await begin()
    const victim = newCookieClient(app)
    expect(await statusOf(victim.get(back))).toBe(400)
    await victim.get('/account')
    expect(await statusOf(victim.get(back))).toBe(400)
    expect(await isSignedIn(victim)).toBe(false)
  })

  it('is accepted only once', async () => {
    const { client, back } = await begin()
    const [[name, flow] = []] = flowsOf(client)
    expect(await statusOf(client.get(back))).toBe(302)
    expect(flowsOf(client)).toEqual([])
    if (name && flow) client.cookies.set(name, flow)
    expect(await statusOf(client.get(back))).toBe(400)
  })

  it('is accepted in each of several tabs that began a sign-in concurrently', async () => {
    const client = newCookieClient(app)
    const pages = ['/account/sessions', '/account/data']
    const redirects = await Promise.all(pages.map((page) => client.get(page)))
    const [first, second] = await Promise.all(redirects.map((answer) => client.get(locationOf(answer))))
    if (!first || !second) throw new Error('unreachable')
    const username = freshName()
    const one = await client.get(await proveSignIn(client, second, { username, isNew: true }))
    const other = await client.get(await proveSignIn(client, first, { username }))
    expect([one, other].map(locationOf)).toEqual(pages.toReversed())
  })

  it('is accepted for the five newest sign-ins, whose cookies have at most eight kilobytes in total', async () => {
    const client = newCookieClient(app)
    const flowNames: string[] = []
    for (let count = 0; count < 7; count++) {
      await client.get('/account')
      flowNames.push(...flowsOf(client).flatMap(([name]) => (flowNames.includes(name) ? [] : name)))
    }
    expect(flowsOf(client).map(([name]) => name)).toEqual(flowNames.slice(-5))
    for (let count = 0; count < 5; count++) await client.get(`/account?before=${'a'.repeat(1_800)}`)
    const characters = flowsOf(client).reduce((sum, [, { value }]) => sum + value.length, 0)
    expect(characters).toBeGreaterThan(4_000)
    expect(characters).toBeLessThanOrEqual(8_192)
  })

  it('does not sign the user in without an authorization code', async () => {
    const { client, back } = await begin()
    const state = new URL(back, ORIGIN).searchParams.get('state') ?? ''
    const refused = await client.get(`/account/callback?error=access_denied&state=${state}`)
    expect([refused.status, client.cookies.has('_account')]).toEqual([400, false])
  })
})

describe('the account centre', () => {
  it.each([
    {
      how: 'suspended',
      act: (id: string) => operator.send('PATCH', `/users/${id}/is-suspended`, { isSuspended: true }),
    },
    { how: 'deleted', act: (id: string) => operator.send('DELETE', `/users/${id}`) },
    { how: 'signed out everywhere', act: (id: string) => operator.send('DELETE', `/users/${id}/sessions`) },
  ])('requires a new sign-in after the user was $how', async ({ act }) => {
    const visitor = await storeVisitor(app)
    const userId = await userIdOf(app, visitor)
    expect(await isSignedIn(visitor.client)).toBe(true)
    expect((await act(userId)).ok).toBe(true)
    for (const path of pages) {
      const answer = await visitor.client.get(path)
      expect([answer.status, new URL(locationOf(answer), ORIGIN).pathname]).toEqual([302, '/oidc/auth'])
    }
  })

  it('requires a new sign-in if the session was ended elsewhere or the cookie is from another tenant', async () => {
    const visitor = await storeVisitor(app)
    const [other, id] = await openOtherSession(visitor)
    const beta = await openTenant(app, 'account-beta')
    const stranger = newCookieClient(beta.site)
    for (const [name, cookie] of other.client.cookies) stranger.cookies.set(name, cookie)
    expect(await statusOf(stranger.get('/account'))).toBe(302)

    const ended = await visitor.client.post('/account/sessions', { intent: 'end', id })
    expect([ended.status, locationOf(ended)]).toEqual([303, '/account/sessions'])
    expect(await isSignedIn(other.client)).toBe(false)
    expect(await isSignedIn(visitor.client)).toBe(true)
  })

  it('requires a new sign-in after signing out, which also ends the session at the provider', async () => {
    const { client } = await storeVisitor(app)
    const oldCookies = new Map(client.cookies)
    await client.post('/account/email', { intent: 'send', identifier: 'left@example.com' })
    const out = await client.post('/account/sign-out', {})
    const accountCookies = [...client.cookies.keys()].filter((name) => /_account/.test(name))
    expect(accountCookies).toEqual([])
    const page = await (await client.get(locationOf(out), { accept: 'text/html' })).text()
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? ''
    expect(page).not.toContain('name="logout" value="no"')
    await client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    for (const [name, cookie] of oldCookies) client.cookies.set(name, cookie)
    expect(await isSignedIn(client)).toBe(false)
  })
})

describe('another user', () => {
  it('cannot end the user’s sessions or withdraw access from the user’s applications', async () => {
    const visitor = await storeVisitor(app)
    const [other, id] = await openOtherSession(visitor)
    const stranger = await storeVisitor(app)
    const refused = await stranger.client.post('/account/sessions', { intent: 'end', id })
    expect(refused.status).toBe(404)
    expect(await refused.text()).toContain('role="alert"')
    expect(await isSignedIn(other.client)).toBe(true)
    expect(
      await statusOf(stranger.client.post('/account/applications', { intent: 'withdraw', id: 'shop' })),
    ).toBe(404)
  })

  it('does not see messages meant for the browser’s previous user', async () => {
    const one = await storeVisitor(app)
    const typed = `typed-${freshName()}@example.com`
    const flashOf = () => one.client.cookies.get('_account_flash') ?? { value: '', path: '/' }
    await one.client.post('/account/profile', { intent: 'save', nickname: 'Zed' })
    const savedFlash = flashOf()
    await ageSignIn(app, one.client, 11 * 60)
    await one.client.post('/account/email', { intent: 'send', identifier: typed })
    const typedFlash = flashOf()
    expect(new Set([savedFlash.value, typedFlash.value, '']).size).toBe(3)
    const other = await storeVisitor(app)
    for (const [path, flash] of [
      ['/account/profile', savedFlash],
      ['/account/email', typedFlash],
    ] as const) {
      other.client.cookies.set('_account_flash', flash)
      const html = await (await other.client.get(path)).text()
      expect([html.includes('role="status"'), html.includes(typed)]).toEqual([false, false])
      expect(other.client.cookies.has('_account_flash')).toBe(false)
      // The message is shown to the user for whom it is meant.
      const back = await visitAccount(app, { username: one.username })
      back.client.cookies.set('_account_flash', flash)
      const own = await (await back.client.get(path)).text()
      expect([path, own.includes('role="status"')]).toEqual([path, true])
    }
  })
})

describe('a form in the account centre', () => {
  const foreign: { by: string; headers: Record<string, string>; status: number }[] = [
    { by: 'another origin', headers: { origin: 'https://evil.example' }, status: 403 },
    { by: 'a sandboxed frame', headers: { origin: 'null', 'sec-fetch-site': 'cross-site' }, status: 403 },
    { by: 'a sibling host', headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
    { by: 'a plain text body', headers: { 'content-type': 'text/plain' }, status: 415 },
  ]
  it.each(foreign)(
    'is rejected from another site or with an unexpected content type: $by',
    async ({ headers, status }) => {
      const visitor = await storeVisitor(app)
      const [other, id] = await openOtherSession(visitor)
      const forms: { path: string; form: Record<string, string> }[] = [
        { path: '/account/sessions', form: { intent: 'end', id } },
        { path: '/account/sessions', form: { intent: 'endOthers' } },
        { path: '/account/sign-out', form: {} },
      ]
      for (const { path, form } of forms)
        expect(await statusOf(visitor.client.post(path, form, headers))).toBe(status)
      expect(await isSignedIn(other.client)).toBe(true)
      expect(await isSignedIn(visitor.client)).toBe(true)
    },
  )

  it('redirects to the sign-in page if it is submitted without a session', async () => {
    const answer = await newCookieClient(app).post('/account/sessions', { intent: 'endOthers' })
    expect([answer.status, new URL(locationOf(answer), ORIGIN).pathname]).toEqual([303, '/oidc/auth'])
  })
})

describe('the sessions page', () => {
  it('ends all sessions except the current one, and confirms this once', async () => {
    const visitor = await storeVisitor(app)
    const others = await Promise.all(
      Array.from({ length: 2 }, () => storeVisitor(app, { username: visitor.username })),
    )
    expect(await idsOn(visitor.client, '/account/sessions')).toHaveLength(2)
    expect(await statusOf(visitor.client.post('/account/sessions', { intent: 'endOthers' }))).toBe(303)
    for (const { client } of others) expect(await isSignedIn(client)).toBe(false)
    const isConfirmed = async () =>
      (await (await visitor.client.get('/account/sessions')).text()).includes('role="status"')
    expect([await isConfirmed(), await isConfirmed()]).toEqual([true, false])
    expect(await idsOn(visitor.client, '/account/sessions')).toEqual([])
  })

  it('shows applications that outlast their session, and ends them with the other sessions', async () => {
    const application = await newClient(app, 'Native', { name: 'Pocket shop' })
    const scope = 'openid profile offline_access'
    const arrived = await newArrival(app, application, { scope })
    const { tokens } = await atTokenEndpoint(app, codeGrant(application, arrived))
    const { sub, username } = decodeJwt<{ username: string }>(tokens.id_token)
    await app.env.DB.prepare(
      "delete from oidc_model_instances where model_name = 'Session' and account_id = ?",
    )
      .bind(sub)
      .run()
    const visitor = await storeVisitor(app, { username })
    const page = async () => (await visitor.client.get('/account/sessions')).text()
    expect(await page()).toContain('Pocket shop')
    expect(await statusOf(visitor.client.post('/account/sessions', { intent: 'endOthers' }))).toBe(303)
    expect(await page()).not.toContain('Pocket shop')
    const form = {
      grant_type: 'refresh_token',
      client_id: application.id,
      refresh_token: tokens.refresh_token ?? '',
    }
    expect((await atTokenEndpoint(app, form)).tokens.error).toBe('invalid_grant')
  })

  it('shows the browser and operating system of each session', async () => {
    const visitor = await storeVisitor(app)
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const plainApp = openTestApp({}, { hasCalmDatabase: true })
    const inFirefox: TestApp = {
      ...plainApp,
      fetch: (path, init) => {
        const headers = new Headers(init?.headers)
        headers.set('user-agent', userAgent)
        return plainApp.fetch(path, { ...init, headers })
      },
    }
    await visitAccount(inFirefox, { username: visitor.username })
    expect(await (await visitor.client.get('/account/sessions')).text()).toContain('Firefox on Linux')
  })
})

describe('the profile page', () => {
  it('saves changes and, if the username is taken or invalid, keeps the typed values', async () => {
    const visitor = await storeVisitor(app)
    const { username: usedName } = await storeVisitor(app)
    const save = (form: Record<string, string>) =>
      visitor.client.post('/account/profile', { intent: 'save', ...form })
    for (const { username, status } of [
      { username: usedName, status: 422 },
      { username: '1st', status: 422 },
      { username: '', status: 422 },
    ]) {
      const refused = await save({ name: 'Grace <b>', username })
      const html = await refused.text()
      expect([username, refused.status]).toEqual([username, status])
      expect(html).toMatch(/id="username"[^>]*aria-invalid="true"/)
      expect(html).toContain('value="Grace &lt;b&gt;"')
    }
    const fresh = freshName()
    const saved = await save({ name: 'Grace', username: fresh })
    expect([saved.status, locationOf(saved)]).toEqual([303, '/account/profile'])
    const html = await (await visitor.client.get('/account/profile?edit=name')).text()
    expect(html).toContain('value="Grace"')
    expect(html).toContain(`value="${fresh}"`)

    await ageSignIn(app, visitor.client, 11 * 60)
    const redirect = await save({ name: 'Grace', username: freshName() })
    expect([redirect.status, locationOf(redirect)]).toEqual([303, expect.stringContaining('/oidc/auth?')])
    expect(await (await visitor.client.get('/account')).text()).toContain(fresh)
    expect(locationOf(await save({ name: 'Ada', username: fresh }))).toBe('/account/profile')
  })
})

it('the picture page exists only while there is a picture, or storage for one', async () => {
  const { client, username } = await storeVisitor(app)
  const isLinked = async () =>
    (await (await client.get('/account/profile')).text()).includes('/account/picture')
  expect([await statusOf(client.get('/account/picture')), await isLinked()]).toEqual([404, false])
  await app.env.DB.prepare('update users set avatar = ? where username = ?')
    .bind('https://pictures.example/ada.png', username)
    .run()
  expect([await statusOf(client.get('/account/picture')), await isLinked()]).toEqual([200, true])
  const removed = await client.post('/account/picture', { intent: 'remove' })
  expect([removed.status, locationOf(removed)]).toEqual([303, '/account/profile'])
  expect([await statusOf(client.get('/account/picture')), await isLinked()]).toEqual([404, false])
})

describe('a user whose role requires a second factor', () => {
  it('needs it on pages that change credentials, even if the tenant’s own policy requires none', async () => {
    const { client, username } = await storeVisitor(app)
    expect(await statusOf(client.get('/account/password'))).toBe(200)
    const userId = await userIdOf(app, { username })
    await app.env.DB.prepare(
      "insert into totp_factors (tenant_id, user_id, secret, created_at) values ('default', ?, 'not sealed', 1)",
    )
      .bind(userId)
      .run()
    const role = { name: freshName(), description: '', secondFactorPolicy: 'optional' }
    const { id } = (await (await operator.send('POST', '/roles', role)).json()) as { id: string }
    await operator.send('POST', `/users/${userId}/roles`, { roleIds: [id] })

    const redirect = await client.get('/account/password')
    const parameters = new URL(locationOf(redirect), ORIGIN).searchParams
    expect([redirect.status, parameters.get('acr_values')]).toEqual([302, 'urn:vestibule:acr:2fa'])
    expect(await statusOf(client.get('/account'))).toBe(200)
  })
})

describe('a new password', () => {
  const NEXT = 'another-horse-8'
  const change = (client: CookieClient, newPassword = NEXT) =>
    client.post('/account/password', { intent: 'change', newPassword, confirmPassword: newPassword })

  it('ends the user’s other sessions, and errors are shown next to its field', async () => {
    const visitor = await storeVisitor(app)
    const other = await storeVisitor(app, { username: visitor.username })
    const short = await change(visitor.client, 'short')
    const html = await short.text()
    expect([short.status, /id="newPassword"[^>]*aria-invalid="true"/.test(html)]).toEqual([422, true])
    expect(html).not.toContain('"short"')
    const same = await change(visitor.client, PASSWORD)
    expect(same.status).toBe(422)
    const changed = await change(visitor.client)
    expect([changed.status, locationOf(changed)]).toEqual([303, '/account/password'])
    expect([await isSignedIn(visitor.client), await isSignedIn(other.client)]).toEqual([true, false])
    await visitAccount(app, { username: visitor.username, password: NEXT })
  })

  it('requires a sign-in within the last ten minutes, and the page asks for one if necessary', async () => {
    const visitor = await storeVisitor(app)
    await ageSignIn(app, visitor.client, 11 * 60)
    expect(await isSignedIn(visitor.client)).toBe(true)
    for (const redirect of [await visitor.client.get('/account/password'), await change(visitor.client)]) {
      const { pathname, searchParams } = new URL(locationOf(redirect), ORIGIN)
      expect([pathname, searchParams.get('max_age')]).toEqual(['/oidc/auth', '600'])
    }
    // The provider asks for the password again and redirects back.
    await visitAccount(app, { path: '/account/password', ...visitor })
    const page = await visitor.client.get('/account/password')
    expect(await page.text()).toContain('role="status"')
    expect(locationOf(await change(visitor.client))).toBe('/account/password')
  })
})
