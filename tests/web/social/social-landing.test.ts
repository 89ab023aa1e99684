import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { newCookieClient, ORIGIN, PRODUCTION_ORIGIN } from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { beginSocialInteraction, installUpstream } from '../../kit/clients/social-client.ts'
import { pairsOf } from '../../kit/sweep.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests the landing pages for native apps. Anyone can craft a URL of these pages, so they must not redirect
 * to other sites (spec/pages#landing).
 */

const APP = 'io.example.app://callback'
const CLAIMED = 'https://app.example/cb'

let app: TestApp
/** The state of an interaction that the app started. */
let STATE: string
/** The connector's authorization request, as the server returned it to the app. */
let authorizationUri: URL

beforeAll(async () => {
  app = openTestApp()
  await installUpstream(app, ['google', 'oauth2'])
  const operator = await newOperator(app)
  const addApplication = async (type: string, redirectUris: string[]) => {
    const application = { name: type, type, oidcClientMetadata: { redirectUris } }
    return (await (await operator.send('POST', '/applications', application)).json()) as { id: string }
  }
  const { id } = await addApplication('Native', [APP, CLAIMED, 'http://127.0.0.1/app'])
  await addApplication('SPA', ['https://spa.example/cb'])
  const flow = await beginSocialInteraction(app, newCookieClient(app), { client_id: id, redirect_uri: APP })
  expect((await flow.start('SignIn')).status).toBe(204)
  STATE = `${flow.uid}.aaaaaaaaaaa`
  // Applications whose redirect URIs cannot be saved for their type or that belong to another tenant.
  await app.env.DB.prepare("insert into tenants (id, created_at) values ('another', 1)").run()
  const copy = (tenantId: string, type: string, redirectUri: string) =>
    app.env.DB.prepare(
      `insert into applications
         (tenant_id, id, name, secret, type, oidc_client_metadata, custom_client_metadata, created_at)
       select ?, ?, name, secret, ?, json_object('redirectUris', json_array(?)), custom_client_metadata, created_at
       from applications where type = 'Native'`,
    ).bind(tenantId, `of-${tenantId}`, type, redirectUri)
  await copy('default', 'SPA', 'io.spa.app://callback').run()
  await copy('another', 'Native', 'io.theirs.app://callback').run()
  const connector = (await (await operator.get('/connectors/google')).json()) as {
    config: { clientId: string }
  }
  authorizationUri = new URL(`${env.TEST_UPSTREAM.openid}/auth`)
  authorizationUri.search = new URLSearchParams({
    response_type: 'code',
    client_id: connector.config.clientId,
    redirect_uri: `${ORIGIN}/callback/google`,
    scope: 'openid profile email',
    state: STATE,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString()
})

type LandingRequest = { connectorId?: string; redirectTo?: string; callback?: string; state?: string }

/** Returns the address of the springboard. Without `redirectTo`, the app opens the provider itself. */
const springboard = (query: Record<string, string>, more: Record<string, string> = {}) =>
  `/springboard?${new URLSearchParams({ connectorId: 'google', callback: APP, state: STATE, ...query, ...more })}`

/** Both landing pages, with the names of their parameters. The URL of the provider has two names on both. */
const landingPages = ['redirectTo', 'redirect_to'].flatMap((name) => [
  {
    path: '/social/landing/{id}',
    name,
    address: ({ connectorId = 'google', redirectTo, callback = APP }: LandingRequest) =>
      `/social/landing/${connectorId}?${new URLSearchParams({ [name]: redirectTo ?? authorizationUri.href, native_callback: callback })}`,
  },
  {
    path: '/springboard',
    name,
    address: ({ redirectTo, ...query }: LandingRequest) =>
      springboard(query, { [name]: redirectTo ?? authorizationUri.href }),
  },
])

const changed = (change: (url: URL) => void) => {
  const url = new URL(authorizationUri)
  change(url)
  return url.href
}

it('a landing page over https finds the app by a cookie whose name has the prefix `__Host-`', async () => {
  const production = openTestApp({ ENVIRONMENT: 'production' })
  const { id } = (await production.env.DB.prepare("select id from applications where name = 'Native'").first<{
    id: string
  }>()) ?? { id: '' }
  const appClient = newCookieClient(production)
  const flow = await beginSocialInteraction(production, appClient, { client_id: id, redirect_uri: APP })
  expect((await flow.start('SignIn')).status).toBe(204)
  const state = `${flow.uid}.aaaaaaaaaaa`
  const redirectTo = new URL(authorizationUri)
  redirectTo.searchParams.set('redirect_uri', `${PRODUCTION_ORIGIN}/callback/google`)
  redirectTo.searchParams.set('state', state)
  const query = new URLSearchParams({ redirect_to: redirectTo.href, native_callback: APP })
  const browser = newCookieClient(production)
  const landed = await browser.get(`/social/landing/google?${query}`)
  expect([landed.status, landed.headers.getSetCookie()]).toEqual([
    303,
    [expect.stringMatching(/^__Secure-_social_return_google=/)],
  ])
  const back = await browser.get(`/callback/google?code=a&state=${state}`)
  expect(back.headers.get('location')).toBe(`${APP}?code=a&state=${state}`)
})

// The specification: "social/landing/{connectorId}: Reads redirectTo and a native callback link from the query, then
// redirects." and "springboard: Reads query params state, connectorId, callback and redirectTo".
describe.each(landingPages)('the landing page $path with $name', ({ address }) => {
  it('[RFC8252-8.12] redirects to the provider and remembers the app’s callback for this state', async () => {
    const client = newCookieClient(app)
    const response = await client.get(address({}))
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(authorizationUri.href)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const [cookie = '', ...others] = response.headers.getSetCookie()
    expect(others).toEqual([])
    expect(cookie).toMatch(
      /^_social_return_google=2[\w-]+; Max-Age=600; Path=\/callback; HttpOnly; SameSite=Lax$/,
    )
    expect(cookie).not.toContain('io.example')

    // A response with another state or for another connector does not belong to the app, so the cookie is
    // kept.
    const another = await client.get('/callback/google?code=a&state=other.aaaaaaaaaaa')
    expect(another.headers.get('location')).toMatch(/^\/sign-in\/social\/google\?/)
    const ofAnother = await client.get(`/callback/oauth2?code=a&state=${STATE}`)
    expect(ofAnother.headers.get('location')).toMatch(/^\/sign-in\/social\/oauth2\?/)

    const back = await client.get(`/callback/google?code=a%2Bb&state=${STATE}&iss=https%3A%2F%2Fa.example`)
    expect(back.status).toBe(303)
    expect(back.headers.get('location')).toBe(`${APP}?code=a%2Bb&state=${STATE}&iss=https%3A%2F%2Fa.example`)
    // The cookie can be used only once.
    const again = await client.get(`/callback/google?code=a&state=${STATE}`)
    expect(again.headers.get('location')).toMatch(/^\/sign-in\/social\/google\?/)
  })

  it('also returns to the app if the provider posts its response', async () => {
    const client = newCookieClient(app)
    await client.get(address({}))
    const posted = await client.post(
      '/callback/google',
      { code: 'a', state: STATE },
      { 'sec-fetch-site': 'cross-site' },
    )
    const back = await client.get(posted.headers.get('location') ?? '')
    expect(back.headers.get('location')).toBe(`${APP}?code=a&state=${STATE}`)
  })

  it('redirects to the normalised form of the URL, which is also what it checks', async () => {
    const { origin, search } = authorizationUri
    for (const redirectTo of [
      `${origin}/x/../auth${search}`,
      ` ${origin}/auth${search}\n`,
      authorizationUri.href.replace('://', ':\\\\'),
      authorizationUri.href.replace('127.0.0.1', '0x7f.1'),
      authorizationUri.href.replace('/auth', '/au\tth'),
    ]) {
      const response = await app.fetch(address({ redirectTo }))
      expect([redirectTo, response.status, response.headers.get('location')]).toEqual([
        redirectTo,
        303,
        authorizationUri.href,
      ])
    }
  })

  it('can also return to the app through a claimed https link', async () => {
    const client = newCookieClient(app)
    expect((await client.get(address({ callback: CLAIMED }))).status).toBe(303)
    const back = await client.get(`/callback/google?code=a&state=${STATE}`)
    expect(back.headers.get('location')).toBe(`${CLAIMED}?code=a&state=${STATE}`)
  })

  it.each(['nothing', '', '%00', 'oauth2'])('rejects the connector "%s"', async (connectorId) => {
    const response = await app.fetch(address({ connectorId }))
    expect([400, 404]).toContain(response.status)
    expect(response.headers.get('location')).toBeNull()
  })

  it('rejects an authorization request without a state', async () => {
    const redirectTo = changed((url) => url.searchParams.delete('state'))
    await expectRejected(address({ redirectTo, state: '' }))
  })
})

/** Authorization requests that another site could have crafted. */
const craftedRequests: [what: string, redirectTo: () => string][] = [
  ['another site', () => 'https://evil.example/'],
  ['another site with the same path', () => changed((url) => (url.host = 'evil.example'))],
  ['another port', () => changed((url) => (url.port = '1'))],
  ['another scheme', () => changed((url) => (url.protocol = 'http:'))],
  ['another path', () => changed((url) => (url.pathname = '/evil'))],
  ['a longer path', () => changed((url) => (url.pathname += '/evil'))],
  ['a path that goes back', () => authorizationUri.href.replace('/auth?', '/auth/../evil?')],
  ['a path that goes back, encoded', () => authorizationUri.href.replace('/auth?', '/auth/%2e%2e/evil?')],
  ['an encoded slash', () => authorizationUri.href.replace('/auth?', '/auth%2Fevil?')],
  ['a user name', () => changed((url) => (url.username = 'evil.example'))],
  ['a password', () => changed((url) => (url.password = 'evil'))],
  ['a host behind a user name', () => authorizationUri.href.replace('localhost', 'localhost@evil.example')],
  ['a host behind a backslash', () => authorizationUri.href.replace('://', '://evil.example\\@')],
  ['a host with a suffix', () => authorizationUri.href.replace('localhost', 'localhost.evil.example')],
  ['a URL without a scheme', () => authorizationUri.href.replace('https:', '')],
  ['only a path', () => '/auth?state=a'],
  ['a javascript: URL', () => 'javascript:alert(1)//?state=a'],
  ['a data: URL', () => 'data:text/html,<script>alert(1)</script>?state=a'],
  ['an opaque scheme', () => authorizationUri.href.replace('https://', 'https+x://')],
  ['a fragment that would return to us', () => `${authorizationUri.href}#code=stolen`],
  [
    'another client, which would forward its users',
    () => changed((url) => url.searchParams.set('client_id', 'evil')),
  ],
  ['a second client', () => changed((url) => url.searchParams.append('client_id', 'evil'))],
  [
    'another redirect URI',
    () => changed((url) => url.searchParams.set('redirect_uri', 'https://evil.example')),
  ],
  ['no client', () => changed((url) => url.searchParams.delete('client_id'))],
  [
    'a client_id parameter with other capital letters',
    () => changed((url) => url.searchParams.set('Client_Id', 'evil')),
  ],
  [
    'a request object at another site',
    () => changed((url) => url.searchParams.set('request_uri', 'https://evil.example')),
  ],
  ['two states', () => changed((url) => url.searchParams.append('state', 'b'))],
  ['more scopes', () => changed((url) => url.searchParams.set('scope', 'openid everything'))],
  ['an empty URL', () => ''],
]

it.each(
  pairsOf(env.TEST_SWEEP, craftedRequests, landingPages).map(([[what, redirectTo], page]) => ({
    ...page,
    what,
    redirectTo,
  })),
)(
  '[ASVS-3.7.2] the landing page $path with $name rejects an authorization request with $what',
  async ({ address, redirectTo }) => {
    await expectRejected(address({ redirectTo: redirectTo() }))
  },
)

/** Callbacks that do not belong to an app of the tenant. */
const foreignCallbacks: [what: string, callback: string][] = [
  ['a loopback URI of a Native application', 'http://127.0.0.1/app'],
  ['a redirect URI of a website', 'https://spa.example/cb'],
  ['an app’s URI that a website has registered', 'io.spa.app://callback'],
  ['the URI of an app of another tenant', 'io.theirs.app://callback'],
  ['the URI of an unknown app', 'io.evil.app://callback'],
  ['a longer URI than the registered one', `${APP}/evil`],
  ['a URI with a query', `${APP}?a=b`],
  ['a URI in capital letters', APP.toUpperCase()],
  ['a javascript: URL', 'javascript:alert(1)'],
  ['a data: URL', 'data:text/html,<script>alert(1)</script>'],
  ['an empty URI', ''],
]

it.each(
  pairsOf(env.TEST_SWEEP, foreignCallbacks, landingPages).map(([[what, callback], page]) => ({
    ...page,
    what,
    callback,
  })),
)('the landing page $path with $name rejects $what as the app’s callback', async ({ address, callback }) => {
  await expectRejected(address({ callback }))
})

it.each(['/social/landing/google', '/springboard', '/springboard?connectorId=google'])(
  'the landing page %s without parameters shows an error',
  expectRejected,
)

// The specification: "stores the connector state and the native callback link, then navigates to redirectTo if given".
describe('the springboard without a provider’s URL', () => {
  it('stores the app’s callback for the state and sends the user back to the app', async () => {
    const client = newCookieClient(app)
    const page = await client.get(springboard({}), { 'accept-language': 'en' })
    expect([page.status, page.headers.get('location'), page.headers.get('cache-control')]).toEqual([
      200,
      null,
      'no-store',
    ])
    expect(page.headers.getSetCookie()).toEqual([expect.stringMatching(/^_social_return_google=2[\w-]+;/)])
    const html = await page.text()
    expect(html).toContain('<title>Return to your app · Vestibule</title>')
    expect(html).toMatch(/<h1[^>]*>Return to your app<\/h1><p[^>]*>You can close this page now\.<\/p>/)

    // The app has opened the provider, which returns the user to this browser.
    const back = await client.get(`/callback/google?code=a&state=${STATE}`)
    expect(back.headers.get('location')).toBe(`${APP}?code=a&state=${STATE}`)
  })

  it.each([
    ['an unknown connector', { connectorId: 'nothing' }],
    ['a connector id that is not one', { connectorId: 'google; Path=/' }],
    ['a callback of another app', { callback: 'io.evil.app://callback' }],
    ['no callback', { callback: '' }],
    ['a state without an interaction', { state: 'nobody.aaaaaaaaaaa' }],
    ['no state', { state: '' }],
  ])('rejects %s', async (_, query) => {
    await expectRejected(springboard(query))
  })
})

it('the error page of a landing page is in the user’s language', async () => {
  const german = await app.fetch('/springboard', { headers: { 'accept-language': 'de' } })
  const { default: phrases } = await import('../../../locales/de.json')
  expect(await german.text()).toContain(phrases.translation.error.invalid_connector_request)
})

it('[ASVS-11.3.3] a cookie for the return to the app is ignored if it was tampered with', async () => {
  const client = newCookieClient(app)
  await client.get(landingPages[0]?.address({}) ?? '')
  const [[name, cookie] = []] = client.cookies
  if (!name || !cookie) throw new Error('no cookie')
  // The cookie of one connector cannot be decrypted for another.
  client.cookies.set('_social_return_oauth2 /callback', cookie)
  const other = await client.get(`/callback/oauth2?code=a&state=${STATE}`)
  expect(other.headers.get('location')).toMatch(/^\/sign-in\/social\/oauth2\?/)
  client.cookies.set(name, { ...cookie, value: `${cookie.value.slice(0, -2)}AA` })
  const response = await client.get(`/callback/google?code=a&state=${STATE}`)
  expect(response.headers.get('location')).toMatch(/^\/sign-in\/social\/google\?/)
})

async function expectRejected(path: string) {
  const response = await app.fetch(path)
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(response.headers.get('location')).toBeNull()
  expect(response.headers.get('set-cookie') ?? '').not.toContain('_social_return')
  expect(await response.text()).toContain('The connector data is invalid')
}
