import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  type PreparedAuthorization,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import { type ClientApplication, newClient } from '../../security/parties.ts'

/** Tests the consent page. A third party gets no account data before the user consents to the scopes on this page. */

const OURS = { origin: ORIGIN, 'sec-fetch-site': 'same-origin', accept: 'text/html' }
const PAGE = '/sign-in/consent'

let app: TestApp
let operator: Operator
let shop: ClientApplication
let orders: string
let roleId: string
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  shop = await newClient(app, 'SPA', { name: 'Shop <b>&amp;', custom: { isThirdParty: true } })
  orders = `https://orders.example/${freshName()}`
  const create = async (path: string, body: object) =>
    ((await (await operator.send('POST', path, body)).json()) as { id: string }).id
  const resource = await create('/resources', { name: 'Orders', indicator: orders })
  const read = await create(`/resources/${resource}/scopes`, { name: 'read', description: 'See your orders' })
  const write = await create(`/resources/${resource}/scopes`, { name: 'write', description: '' })
  roleId = await create('/roles', { name: freshName(), description: '', scopeIds: [read, write] })
})

type User = { browser: CookieClient; username: string; id: string }

/** Creates a user who is signed in to the demo application. */
async function newUser(): Promise<User> {
  const { client: browser, username, userId: id } = await storeMember(app, { scope: 'openid profile' })
  await operator.send('POST', `/users/${id}/roles`, { roleIds: [roleId] })
  return { browser, username, id }
}

/** Makes an authorization request, and returns the redirect URL and the interaction in it. */
async function ask(browser: CookieClient, parameters: Record<string, string> = {}, client = shop) {
  const request = await authorizationRequest({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    ...parameters,
  })
  const to = new URL((await browser.get(request.url)).headers.get('location') ?? '', ORIGIN)
  return { request, to, uid: to.searchParams.get('interaction') ?? '' }
}

const show = async (browser: CookieClient, to: URL) =>
  (await browser.get(to.pathname + to.search, { accept: 'text/html' })).text()

const decide = (browser: CookieClient, uid: string, decision?: string) =>
  browser.send('POST', '/api/interaction/consent', decision && { decision }, { Interaction: uid })

const allow = async (browser: CookieClient, uid: string) =>
  resumeAuthorization(browser, await decide(browser, uid, 'allow'))

const postForm = (browser: CookieClient, uid: string, form: Record<string, string>, headers = OURS) =>
  browser.post(`${PAGE}?interaction=${uid}`, { interaction: uid, ...form }, headers)

const consentsOf = async (userId: string) => {
  const { results } = await app.env.DB.prepare(
    "select resource, scope from consents where tenant_id = 'default' and user_id = ? order by rowid",
  )
    .bind(userId)
    .all()
  return results
}

// The page lists the requested scopes separately from those granted earlier.

const listed = (html: string) => entriesOf(mainOf(html).split('consent-granted')[0] ?? '')
const listedAsGranted = (html: string) => entriesOf(mainOf(html).split('consent-granted')[1] ?? '')
const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0] ?? ''
const entriesOf = (html: string) =>
  [...(/consent-list.*?(?:<form|$)/s.exec(html)?.[0] ?? '').matchAll(/<li>(.*?)(?=<\/li>|<ul>)/g)].map(
    ([, text = '']) => text.replaceAll(/<[^>]*>/g, ''),
  )

describe('a third party’s consent page', () => {
  it('[ASVS-10.7.2] names the application, its host, the account and the scopes', async () => {
    const { browser, username } = await newUser()
    const { to } = await ask(browser, { scope: 'openid email read write', resource: orders })
    expect(to.pathname).toBe(PAGE)
    await show(browser, to)
    app.trips()
    const html = await show(browser, to)
    expect(app.trips().awaited).toBe(1)
    expect(html).toContain('Shop &lt;b&gt;&amp;amp;</bdi>')
    expect(html).toContain('<bdi dir="ltr">shop.example</bdi>')
    expect(html).toContain(`You’re signed in as <bdi>${username}</bdi>`)
    expect(listed(html)).toEqual([
      'Know who you are',
      'See your email',
      'Use Orders on your behalf',
      'See your orders',
      'write',
    ])
    expect(html.match(/<h1/g)?.length).toBe(1)
  })

  it('[ASVS-10.7.1-2] cannot be skipped by submitting a form without a decision', async () => {
    const { browser, id } = await newUser()
    const { uid } = await ask(browser)
    const posted = await decide(browser, uid)
    expect([posted.status, await posted.json()]).toMatchObject([400, { code: 'guard.invalid_input' }])
    for (const decision of ['', 'yes']) {
      const answer = await postForm(browser, uid, { decision })
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('value="allow"')])
    }
    expect(await consentsOf(id)).toEqual([])
  })

  it('cannot be skipped with prompt=none before a decision or after Cancel', async () => {
    const { browser, id } = await newUser()
    const silently = async () => (await ask(browser, { prompt: 'none' })).to.searchParams
    expect(Object.fromEntries(await silently())).toMatchObject({ error: 'consent_required' })
    await resumeAuthorization(browser, await decide(browser, (await ask(browser)).uid, 'deny'))
    expect((await silently()).get('error')).toBe('consent_required')
    expect(await consentsOf(id)).toEqual([])
    await allow(browser, (await ask(browser)).uid)
    expect((await silently()).has('code')).toBe(true)
  })

  it('[ASVS-10.7.1-3] rejects a decision from another site, with or without JavaScript', async () => {
    const { browser, id } = await newUser()
    const { uid } = await ask(browser)
    const foreign = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site', accept: 'text/html' }
    expect((await postForm(browser, uid, { decision: 'allow' }, foreign)).status).toBe(403)
    const call = await browser.send(
      'POST',
      '/api/interaction/consent',
      { decision: 'allow' },
      { Interaction: uid, ...foreign },
    )
    expect(call.status).toBe(403)
    expect(await consentsOf(id)).toEqual([])
  })

  it('[ASVS-10.7.1-4] accepts a decision only for its own interaction and account', async () => {
    const one = await newUser()
    const other = await newUser()
    const { uid, to } = await ask(one.browser)
    // Another browser does not have the interaction's cookie.
    expect((await decide(other.browser, uid, 'allow')).status).toBe(400)

    // Another user has signed in with the same browser in the meantime.
    const login = await authorizationRequest({ prompt: 'login' })
    await resumeAuthorization(
      one.browser,
      await signIn(one.browser, await openSignInPage(one.browser, login), other.username),
    )
    for (const name of ['_session', '_session.sig']) {
      const cookie = other.browser.cookies.get(name)
      if (cookie) one.browser.cookies.set(name, cookie)
    }
    expect((await decide(one.browser, uid, 'allow')).status).toBe(400)
    expect((await one.browser.get(to.pathname + to.search, { accept: 'text/html' })).status).toBe(400)
    expect([await consentsOf(one.id), await consentsOf(other.id)]).toEqual([[], []])
  })

  it('can load its images even if custom CSS restricts image sources', async () => {
    const { browser, id } = await newUser()
    const oidcClientMetadata = { logoUri: 'https://shop.example/logo.png?v=1' }
    await operator.send('PATCH', `/applications/${shop.id}`, { oidcClientMetadata })
    await operator.send('PATCH', `/users/${id}`, { avatar: 'https://pictures.example/ann.png' })
    await operator.send('PATCH', '/sign-in-exp', { customCss: '.title { color: red }' })
    const { to } = await ask(browser)
    const answer = await browser.get(to.pathname + to.search, { accept: 'text/html' })
    await operator.send('PATCH', '/sign-in-exp', { customCss: null })
    expect(answer.headers.get('content-security-policy')).toContain(
      "img-src 'self' data: https://shop.example/logo.png https://pictures.example/ann.png;",
    )
  })

  it('cannot be shown in a frame', async () => {
    const { browser } = await newUser()
    const { to } = await ask(browser)
    const page = await browser.get(to.pathname + to.search)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

describe.each<{ how: string; answer(browser: CookieClient, uid: string, decision: string): Promise<URL> }>([
  {
    how: 'with JavaScript',
    answer: async (browser, uid, decision) =>
      resumeAuthorization(browser, await decide(browser, uid, decision)),
  },
  {
    how: 'without JavaScript',
    async answer(browser, uid, decision) {
      const posted = await postForm(browser, uid, { decision })
      expect(posted.status).toBe(303)
      const resumed = await browser.get(posted.headers.get('location') ?? '')
      return new URL(resumed.headers.get('location') ?? '', ORIGIN)
    },
  },
])('a decision $how', ({ answer }) => {
  const stateOf = ({ state }: PreparedAuthorization) => state

  it('returns access_denied with the state after Cancel, and grants nothing', async () => {
    const { browser, id } = await newUser()
    const { request, uid } = await ask(browser)
    const back = await answer(browser, uid, 'deny')
    expect(back.origin + back.pathname).toBe(shop.redirectUri)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: stateOf(request),
      iss: `${ORIGIN}/oidc`,
    })
    expect(await consentsOf(id)).toEqual([])
    expect((await ask(browser)).to.pathname).toBe(PAGE)
  })

  it('returns a code after Allow, but only once', async () => {
    const { browser, id } = await newUser()
    const { request, uid } = await ask(browser)
    const back = await answer(browser, uid, 'allow')
    expect([back.searchParams.get('state'), back.searchParams.has('code')]).toEqual([stateOf(request), true])
    expect(await consentsOf(id)).toEqual([
      { resource: '', scope: 'openid' },
      { resource: '', scope: 'profile' },
    ])
    expect((await decide(browser, uid, 'allow')).status).toBe(400)
  })
})

describe('a stored consent', () => {
  /** Signs the same user in with a new browser. */
  const elsewhere = async ({ username }: User, parameters: Record<string, string>) => {
    const browser = newCookieClient(app)
    const request = await authorizationRequest({
      client_id: shop.id,
      redirect_uri: shop.redirectUri,
      ...parameters,
    })
    const uid = await openSignInPage(browser, request)
    return { browser, to: await resumeAuthorization(browser, await signIn(browser, uid, username, PASSWORD)) }
  }

  it('[ASVS-10.7.1-5] covers its scopes, even in another session, but no new scopes', async () => {
    const user = await newUser()
    const scope = 'openid read'
    await allow(user.browser, (await ask(user.browser, { scope, resource: orders })).uid)
    expect((await ask(user.browser, { scope, resource: orders })).to.searchParams.has('code')).toBe(true)

    const again = await elsewhere(user, { scope, resource: orders })
    expect(again.to.searchParams.has('code')).toBe(true)

    const more = await elsewhere(user, { scope: 'openid email read write', resource: orders })
    expect(more.to.pathname).toBe(PAGE)
    const html = await show(more.browser, more.to)
    expect(listed(html)).toEqual(['See your email', 'Use Orders on your behalf', 'write'])
    expect(mainOf(html)).toContain('New: this app will also be able to:')
    expect(listedAsGranted(html)).toEqual([
      'Know who you are',
      'Use Orders on your behalf',
      'See your orders',
    ])
    const back = await allow(more.browser, more.to.searchParams.get('interaction') ?? '')
    expect(back.searchParams.has('code')).toBe(true)
    expect(await consentsOf(user.id)).toEqual([
      { resource: '', scope: 'openid' },
      { resource: orders, scope: 'read' },
      { resource: '', scope: 'email' },
      { resource: orders, scope: 'write' },
    ])
  })

  it('can cover a resource without scopes', async () => {
    const user = await newUser()
    await allow(user.browser, (await ask(user.browser, { scope: 'openid' })).uid)
    const { uid, to } = await ask(user.browser, { scope: 'openid', resource: orders })
    expect(listed(await show(user.browser, to))).toEqual(['Use Orders on your behalf'])
    expect((await allow(user.browser, uid)).searchParams.has('code')).toBe(true)
    const again = await ask(user.browser, { scope: 'openid', resource: orders })
    expect(again.to.searchParams.has('code')).toBe(true)
  })

  it('does not apply to a request with prompt=consent', async () => {
    const user = await newUser()
    await allow(user.browser, (await ask(user.browser, { scope: 'openid email' })).uid)
    const { to } = await ask(user.browser, { scope: 'openid email', prompt: 'consent' })
    expect(to.pathname).toBe(PAGE)
    const html = await show(user.browser, to)
    expect(listed(html)).toEqual(['Know who you are', 'See your email'])
    expect(mainOf(html)).not.toMatch(/consent-granted|New:/)

    const more = await ask(user.browser, { scope: 'openid email profile', prompt: 'consent' })
    const grown = await show(user.browser, more.to)
    expect(listed(grown)).toEqual(['See your name, picture, username and other details of your profile'])
    expect(listedAsGranted(grown)).toEqual(['Know who you are', 'See your email'])
  })

  it('is deleted together with the application or the user', async () => {
    const bank = await newClient(app, 'SPA', { custom: { isThirdParty: true } })
    const [one, other] = [await newUser(), await newUser()]
    await allow(one.browser, (await ask(one.browser, {}, bank)).uid)
    await allow(other.browser, (await ask(other.browser)).uid)
    expect([(await consentsOf(one.id)).length, (await consentsOf(other.id)).length]).toEqual([2, 2])
    await operator.send('DELETE', `/applications/${bank.id}`)
    await operator.send('DELETE', `/users/${other.id}`)
    expect([await consentsOf(one.id), await consentsOf(other.id)]).toEqual([[], []])
  })
})

describe('the link to use another account', () => {
  const switchUrlOf = (html: string) =>
    (/href="([^"]*)"[^>]*>Not you\?/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
  const locationOf = (response: Response) => new URL(response.headers.get('location') ?? '', ORIGIN)

  it('repeats the same request', async () => {
    const { browser } = await newUser()
    const { to, request } = await ask(browser, { prompt: 'consent' })
    const again = locationOf(await browser.get(switchUrlOf(await show(browser, to))))
    expect([again.pathname, again.searchParams.get('prompt'), again.searchParams.get('state')]).toEqual([
      '/oidc/auth',
      'login consent',
      request.state,
    ])
    expect(locationOf(await browser.get(again.pathname + again.search)).pathname).toBe('/sign-in')
  })

  it('repeats a pushed request without revealing its parameters in the URL', async () => {
    const { browser } = await newUser()
    const { url } = await authorizationRequest({ client_id: shop.id, redirect_uri: shop.redirectUri })
    const body = new URL(url, ORIGIN).searchParams
    const pushed = await app.fetch('/oidc/request', { method: 'POST', body })
    const { request_uri = '' } = (await pushed.json()) as { request_uri?: string }
    const to = locationOf(
      await browser.get(`/oidc/auth?${new URLSearchParams({ client_id: shop.id, request_uri })}`),
    )
    expect(to.pathname).toBe(PAGE)
    const again = locationOf(await browser.get(switchUrlOf(await show(browser, to))))
    expect([...again.searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    expect(locationOf(await browser.get(again.pathname + again.search)).pathname).toBe('/sign-in')
  })

  it('is not shown if the request is too long to repeat', async () => {
    const { browser } = await newUser()
    const { to } = await ask(browser, { nonce: 'n'.repeat(1_500) })
    expect(to.pathname).toBe(PAGE)
    expect(mainOf(await show(browser, to))).not.toContain('Not you?')
  })
})

describe('a first party', () => {
  it('continues without a consent page or an additional round trip', async () => {
    const own = await newClient(app, 'SPA')
    const { browser, id } = await newUser()
    await ask(browser, {}, own)
    app.trips()
    const { to } = await ask(browser, {}, own)
    expect([to.searchParams.has('code'), app.trips().awaited]).toEqual([true, 2])

    const offline = await ask(browser, { scope: 'openid offline_access', prompt: 'consent' }, own)
    await show(browser, offline.to)
    app.trips()
    expect(await show(browser, offline.to)).not.toContain('value="allow"')
    expect(app.trips().awaited).toBe(0)
    const back = await resumeAuthorization(browser, await decide(browser, offline.uid))
    expect(back.searchParams.has('code')).toBe(true)
    expect(await consentsOf(id)).toEqual([])
  })
})
