import { decodeJwt } from 'jose'
import * as openid from 'openid-client'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ClientRegistration } from '../../../src/contract/applications/client-registration.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../../src/contract/tenants/settings.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { newSigningKey } from '../../kit/clients/key-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { askForToken, authorize, BACK, newApi } from '../../kit/clients/token-client.ts'
import { publish } from '../../kit/clients/unregistered-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests clients that register themselves (spec/provider#client-registration). */

const scopes: ClientRegistration['scopes'] = ['openid', 'profile', 'offline_access']
const metadata = {
  client_name: 'Agent',
  redirect_uris: [BACK],
  grant_types: ['authorization_code', 'refresh_token'],
}

async function appFor(more: Partial<ClientRegistration> = {}): Promise<TestApp> {
  const clientRegistration = { ...DEFAULT_TENANT_SETTINGS.clientRegistration, enabled: true, scopes, ...more }
  await setTenantSettings(openTestApp(), { clientRegistration, accountCentre: { enabled: true } })
  return openTestApp()
}

let app: TestApp
let operator: Operator
beforeEach(async () => {
  app = await appFor()
  await app.env.DB.prepare(
    "delete from applications where custom_client_metadata ->> '$.dynamicRegistration' is not null",
  ).run()
  operator = await newOperator(app)
})

async function newToken(options: { uses?: number; lifetimeSeconds?: number } = {}) {
  const created = await operator.send('POST', '/registration-tokens', { name: 'Agents', ...options })
  expect(created.status).toBe(200)
  return (await created.json()) as { id: string; token: string; usesLeft: number }
}

type Answer = { status: number; error?: string } & Record<string, unknown>

async function send(
  method: string,
  token: string,
  body?: unknown,
  { path = '/oidc/register', at = app, headers = {} as Record<string, string> } = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await at.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: text }),
  })
  const answer = response.status === 204 ? {} : ((await response.json()) as object)
  if (response.status < 500) expect(response.headers.get('cache-control')).toBe('no-store')
  return { ...answer, status: response.status }
}

type Registered = Answer & {
  client_id: string
  client_secret: string
  registration_access_token: string
  registration_client_uri: string
}

async function register(more: object = {}, at = app): Promise<Registered> {
  const { token } = await newToken()
  const answer = await send('POST', token, { ...metadata, ...more }, { at })
  expect(answer).toMatchObject({ status: 201, client_id: expect.stringMatching(/^\w{21}$/) })
  return answer as Registered
}

const pathOf = ({ registration_client_uri: uri }: Registered) => new URL(uri).pathname
const countClients = async () =>
  (await app.env.DB.prepare('select count(*) as n from registered_clients').first<{ n: number }>())?.n
const applicationOf = ({ client_id: id, client_secret: secret }: Registered) => ({ id, secret })

describe('client registration', () => {
  it('[ASVS-10.4.7] is unavailable until the tenant enables it', async () => {
    const { token } = await newToken()
    const disabled = await appFor({ enabled: false })
    const discovery = async (at: TestApp) =>
      (await at.fetch('/oidc/.well-known/openid-configuration')).json() as Promise<Record<string, unknown>>
    expect(await discovery(disabled)).not.toHaveProperty('registration_endpoint')
    const headers = { authorization: `Bearer ${token}` }
    expect((await disabled.fetch('/oidc/register', { method: 'POST', headers, body: '{}' })).status).toBe(404)
    expect(await discovery(app)).toMatchObject({ registration_endpoint: `${ORIGIN}/oidc/register` })
  })

  it('works with the library openid-client', async () => {
    const { token } = await newToken()
    const options = {
      initialAccessToken: token,
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: ((address, { body, ...init }) =>
        app.fetch(address, { ...init, body: body ?? null } as RequestInit)) satisfies openid.CustomFetch,
    }
    const client = await openid.dynamicClientRegistration(
      new URL(`${ORIGIN}/oidc`),
      metadata,
      undefined,
      options,
    )
    const { client: browser } = await storeVisitor(app)
    for (const _time of [1, 2]) {
      const verifier = openid.randomPKCECodeVerifier()
      const state = openid.randomState()
      const url = openid.buildAuthorizationUrl(client, {
        redirect_uri: BACK,
        scope: 'openid profile offline_access',
        prompt: 'consent',
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      const back = await allow(browser, url)
      const tokens = await openid.authorizationCodeGrant(client, back, {
        pkceCodeVerifier: verifier,
        expectedState: state,
      })
      expect(tokens.claims()).toMatchObject({ aud: client.clientMetadata().client_id })
      const refreshed = await openid.refreshTokenGrant(client, tokens.refresh_token ?? '')
      expect(refreshed.access_token).toBeTruthy()
    }
    const silent = await authorize(
      browser,
      { id: client.clientMetadata().client_id, secret: '' },
      { prompt: 'none' },
    )
    expect(silent.error).toBeNull()
    const { results } = await app.env.DB.prepare('select unused_until from registered_clients').all()
    expect(results).toEqual([{ unused_until: null }])
  })

  async function allow(browser: CookieClient, url: URL): Promise<URL> {
    const page = await browser.get(url.pathname + url.search)
    const to = new URL(page.headers.get('location') ?? '', ORIGIN)
    expect(to.pathname).toBe('/sign-in/consent')
    const html = await (await browser.get(to.pathname + to.search, { accept: 'text/html' })).text()
    expect(html).toMatch(/<p[^>]*>This app registered itself here/)
    const headers = { Interaction: to.searchParams.get('interaction') ?? '' }
    return resumeAuthorization(
      browser,
      await browser.send('POST', '/api/interaction/consent', { decision: 'allow' }, headers),
    )
  }

  it('succeeds only once with a single-use token, even if requests run concurrently', async () => {
    const { id, token } = await newToken()
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('POST', token, metadata)))
    const statuses = answers.map(({ status, error }) => [status, error])
    expect(statuses.filter(([status]) => status === 201)).toHaveLength(1)
    expect(statuses.filter(([status]) => status !== 201)).toEqual(
      Array.from({ length: 4 }, () => [401, 'invalid_token']),
    )
    expect(await countClients()).toBe(1)
    const listed = (await (await operator.get('/registration-tokens')).json()) as object[]
    expect(listed).toContainEqual(expect.objectContaining({ id, usesLeft: 0 }))
    expect(JSON.stringify(listed)).not.toContain(token)
  })

  it('[ASVS-10.4.7-3] is limited to the tenant’s maximum number of clients, and rejected attempts do not use up tokens', async () => {
    app = await appFor({ mostClients: 2 })
    const { id, token } = await newToken({ uses: 9 })
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('POST', token, metadata)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403])
    const row = await app.env.DB.prepare('select uses_left from registration_tokens where id = ?')
      .bind(id)
      .first()
    expect(row).toEqual({ uses_left: 7 })
  })

  it('[ASVS-10.4.7-2] requires a valid token that is neither expired nor revoked', async () => {
    const revoked = await newToken({ uses: 5 })
    expect((await operator.send('DELETE', `/registration-tokens/${revoked.id}`)).status).toBe(204)
    const expired = await newToken()
    await app.env.DB.prepare('update registration_tokens set expires_at = 1 where id = ?')
      .bind(expired.id)
      .run()
    for (const token of [revoked.token, expired.token, 'x'.repeat(43)]) {
      expect(await send('POST', token, metadata)).toMatchObject({ status: 401, error: 'invalid_token' })
    }
    const unauthorized = await app.fetch('/oidc/register', { method: 'POST', body: '{}' })
    expect([unauthorized.status, unauthorized.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await unauthorized.text()).toBe('')
    expect((await operator.send('DELETE', `/registration-tokens/${revoked.id}`)).status).toBe(404)
    await app.sweep()
    const { results } = await app.env.DB.prepare('select id from registration_tokens where id = ?')
      .bind(expired.id)
      .all()
    expect(results).toEqual([])
  })
})

const redirects = (...uris: unknown[]) => ({ redirect_uris: uris })
const { jwk } = await newSigningKey()
const byKeys = { token_endpoint_auth_method: 'private_key_jwt' }
const INVALID = 'invalid_client_metadata'
const REDIRECT = 'invalid_redirect_uri'

describe('an invalid client registration', () => {
  // The other problems are in tests/domain/applications/client-registration.test.ts.
  it.each<{ what: string; input: unknown; error: string }>([
    { what: 'a body that is not an object', input: '[]', error: INVALID },
    { what: 'a body that is not JSON', input: '{', error: INVALID },
    { what: 'an empty list of redirect URIs', input: redirects(), error: REDIRECT },
    { what: 'a redirect URI with a fragment', input: redirects(`${BACK}#x`), error: REDIRECT },
    { what: 'metadata without a name', input: { client_name: undefined }, error: INVALID },
    {
      what: 'a key URL in a private network',
      input: { ...byKeys, jwks_uri: 'https://10.0.0.1/keys' },
      error: INVALID,
    },
    {
      what: 'a software statement',
      input: { software_statement: 'a.b.c' },
      error: 'unapproved_software_statement',
    },
  ])('is rejected because of $what', async ({ input, error }) => {
    const { id, token } = await newToken()
    const body = typeof input === 'string' ? input : { ...metadata, ...(input as object) }
    expect(await send('POST', token, body)).toMatchObject({ status: 400, error })
    const row = await app.env.DB.prepare('select uses_left from registration_tokens where id = ?')
      .bind(id)
      .first()
    expect([row, await countClients()]).toEqual([{ uses_left: 1 }, 0])
  })

  it('is rejected if its body is too long or has an unexpected content type', async () => {
    const { token } = await newToken()
    const long = { ...metadata, client_uri: 'x'.repeat(40_000) }
    expect((await send('POST', token, long)).status).toBe(413)
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect(await send('POST', token, 'a=b', form)).toMatchObject({ status: 400, error: INVALID })
  })
})

describe('a client that registered itself', () => {
  /** Returns the consent page to which a request leads, or the response to the client if there is no question. */
  async function visit(browser: CookieClient, client: Registered, parameters: Record<string, string> = {}) {
    const request = await authorizationRequest({
      client_id: client.client_id,
      redirect_uri: BACK,
      scope: 'openid profile',
      ...parameters,
    })
    const to = new URL((await browser.get(request.url)).headers.get('location') ?? '', ORIGIN)
    const isPage = to.pathname === '/sign-in/consent'
    const page = isPage ? await browser.get(to.pathname + to.search, { accept: 'text/html' }) : null
    return { to, html: (await page?.text()) ?? null, policy: page?.headers.get('content-security-policy') }
  }

  const own = {
    logo_uri: 'https://app.example/logo.png',
    policy_uri: 'https://app.example/privacy',
    tos_uri: 'https://app.example:8443/terms?lang=en',
    initiate_login_uri: 'https://login.other.example/start',
  }

  // "logo, policy, terms and `initiate_login_uri` … read and shown on the consent page"
  it('describes itself with a logo, terms and a policy, which its consent page shows', async () => {
    const client = await register(own)
    expect(client).toMatchObject(own)
    const { client: browser } = await storeVisitor(app)
    const { html } = await visit(browser, client)
    expect(html).toContain('<img class="consent-picture" src="https://app.example/logo.png" alt=""')
    expect(html).toMatch(
      /<a class="link" href="https:\/\/app\.example:8443\/terms\?lang=en" target="_blank" rel="noopener noreferrer">Terms of Use/,
    )
    expect(html).toMatch(/href="https:\/\/app\.example\/privacy"[^>]*>Privacy Policy/)
    expect(html).toContain('This app registered itself here, and nobody has checked it.')
    const stored = (await (await operator.get(`/applications/${client.client_id}`)).json()) as object
    expect(stored).toMatchObject({
      oidcClientMetadata: { logoUri: own.logo_uri },
      customClientMetadata: {
        policyUri: own.policy_uri,
        tosUri: own.tos_uri,
        initiateLoginUri: own.initiate_login_uri,
      },
    })
  })

  it('can limit the pictures of its consent page to its logo, like every application', async () => {
    const client = await register(own)
    await operator.send('PATCH', '/sign-in-exp', { customCss: '.title { color: red }' })
    app = await appFor()
    const { client: browser } = await storeVisitor(app)
    const { policy } = await visit(browser, client)
    expect(policy).toContain("img-src 'self' data: https://app.example/logo.png;")
    await operator.send('PATCH', '/sign-in-exp', { customCss: '' })
  })

  it('replaces or removes its description when it changes itself', async () => {
    const client = await register(own)
    const { client_id, registration_access_token: token } = client
    const path = pathOf(client)
    const changed = await send('PUT', token, { ...metadata, client_id, policy_uri: own.policy_uri }, { path })
    expect(changed).toMatchObject({ status: 200, policy_uri: own.policy_uri })
    for (const name of ['logo_uri', 'tos_uri', 'initiate_login_uri']) expect(changed).not.toHaveProperty(name)
    expect(await send('GET', token, undefined, { path })).not.toHaveProperty('logo_uri')
  })

  it('can start a sign-in again at its own page', async () => {
    const client = await register(own)
    const browser = newCookieClient(app)
    // The cookie does not hold a request that is this long.
    const request = await authorizationRequest({
      client_id: client.client_id,
      redirect_uri: BACK,
      state: 'x'.repeat(1600),
    })
    const uid = await openSignInPage(browser, request)
    const restarted = await browser.get(`/restart?interaction=${uid}`)
    expect(restarted.headers.get('location')).toBe(
      `${own.initiate_login_uri}?iss=${encodeURIComponent(`${ORIGIN}/oidc`)}`,
    )
  })

  // "a consent that was given counts for confidential registered clients (`prompt=none`)"
  it.each(['client_secret_basic', 'client_secret_post', 'private_key_jwt'])(
    'keeps the consent of its users if it authenticates with %s',
    async (method) => {
      const keys = method === 'private_key_jwt' ? { jwks: { keys: [(await newSigningKey()).jwk] } } : {}
      const client = await register({ token_endpoint_auth_method: method, ...keys })
      const { client: browser, username } = await storeVisitor(app)
      const silently = { prompt: 'none' }
      expect((await visit(browser, client, silently)).to.searchParams.get('error')).toBe('consent_required')
      expect((await authorize(browser, applicationOf(client), { scope: 'openid' })).error).toBeNull()
      expect((await visit(browser, client, { scope: 'openid' })).to.searchParams.get('code')).toBeTruthy()

      const { client: otherBrowser } = await storeVisitor(app, { username })
      const again = await visit(otherBrowser, client, { scope: 'openid', ...silently })
      expect(again.to.searchParams.get('code')).toBeTruthy()
      // New scopes still need consent, and the user can see the page at any time.
      const wider = await visit(browser, client, silently)
      expect(wider.to.searchParams.get('error')).toBe('consent_required')
      expect((await visit(browser, client)).html).toContain('New: this app will also be able to:')
      expect((await visit(browser, client, { scope: 'openid', prompt: 'consent' })).html).toBeTruthy()
    },
  )

  it('asks its users each time if it is public, and says so', async () => {
    const client = await register({ token_endpoint_auth_method: 'none' })
    const { client: browser } = await storeVisitor(app)
    expect((await authorize(browser, applicationOf(client), { scope: 'openid' })).error).toBeNull()
    expect((await visit(browser, client, { scope: 'openid' })).html).toBeTruthy()
    const { to } = await visit(browser, client, { scope: 'openid', prompt: 'none' })
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      error: 'consent_required',
      error_description: 'public clients that registered themselves require consent each time',
    })
  })

  // The consents of a public client, or those to another redirect URI, must not be used silently by whoever holds the
  // registration access token.
  const [moved, basic] = ['https://moved.example/back', 'client_secret_basic']
  it.each<{ what: string; before: object; after: object; redirect?: string; error: string | null }>([
    { what: 'a new name', before: {}, after: { client_name: 'Other' }, error: null },
    { what: 'fewer redirect URIs', before: redirects(moved, BACK), after: {}, error: null },
    {
      what: 'credentials instead of none',
      before: { token_endpoint_auth_method: 'none' },
      after: { token_endpoint_auth_method: basic },
      error: 'consent_required',
    },
    {
      what: 'keys instead of a secret',
      before: {},
      after: { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } },
      error: 'consent_required',
    },
    {
      what: 'a redirect URI on another host',
      before: {},
      after: redirects(moved),
      redirect: moved,
      error: 'consent_required',
    },
    {
      what: 'a further path on the same host',
      before: {},
      after: redirects(BACK, `${new URL(BACK).origin}/open-redirect`),
      error: 'consent_required',
    },
  ])(
    '[ASVS-10.4.7-10] with $what, gets the response $error to prompt=none',
    async ({ before, after, redirect = BACK, error }) => {
      const client = await register(before)
      const { client: browser, username } = await storeVisitor(app)
      const form = { scope: 'openid profile offline_access', prompt: 'consent' }
      expect((await authorize(browser, applicationOf(client), form)).error).toBeNull()

      const { client_id, registration_access_token: token } = client
      const path = pathOf(client)
      const body = { ...metadata, client_id, ...after }
      expect((await send('PUT', 'x'.repeat(43), body, { path })).status).toBe(401)
      expect(await countConsents(client_id)).toBeGreaterThan(0)
      expect((await send('PUT', token, body, { path })).status).toBe(200)

      const { client: otherBrowser } = await storeVisitor(app, { username })
      for (const each of [browser, otherBrowser]) {
        const silently = { scope: 'openid', prompt: 'none', redirect_uri: redirect }
        const { to } = await visit(each, client, silently)
        expect(to.searchParams.get('error')).toBe(error)
        expect(to.href.startsWith(redirect)).toBe(true)
      }
      const grants = await app.env.DB.prepare(
        "select count(*) as n from oidc_model_instances where client_id = ? and model_name = 'Grant'",
      )
        .bind(client_id)
        .first<number>('n')
      expect(grants === 0).toBe(error !== null)
      expect((await countConsents(client_id)) === 0).toBe(error !== null)
    },
  )

  // The user would otherwise allow access to someone else than the page shows.
  it.each<{ what: string; after: object; isAllowed: boolean }>([
    { what: 'its name', after: { client_name: 'Other' }, isAllowed: true },
    { what: 'its redirect URI', after: redirects(moved), isAllowed: false },
    { what: 'its list of redirect URIs', after: redirects(BACK, moved), isAllowed: false },
    { what: 'its credentials', after: { token_endpoint_auth_method: 'none' }, isAllowed: false },
    {
      what: 'the place of its secret',
      after: { token_endpoint_auth_method: 'client_secret_post' },
      isAllowed: false,
    },
  ])(
    '[ASVS-10.4.7-11] that changes $what while a consent page is open can be allowed there: $isAllowed',
    async ({ after, isAllowed }) => {
      const client = await register()
      const { client_id, registration_access_token: token } = client
      const { client: browser } = await storeVisitor(app)
      const { to } = await visit(browser, client)
      expect(to.pathname).toBe('/sign-in/consent')
      const changed = await send('PUT', token, { ...metadata, client_id, ...after }, { path: pathOf(client) })
      expect(changed.status).toBe(200)

      const headers = { Interaction: to.searchParams.get('interaction') ?? '' }
      const decide = (decision: 'allow' | 'deny') =>
        browser.send('POST', '/api/interaction/consent', { decision }, headers)
      const allowed = await decide('allow')
      if (isAllowed) {
        expect((await resumeAuthorization(browser, allowed)).searchParams.get('code')).toBeTruthy()
        return
      }
      expect(allowed.status).toBe(404)
      // "This sign-in has expired or was completed elsewhere. Please start again."
      expect(await allowed.json()).toMatchObject({ code: 'session.verification_session_not_found' })
      expect(await countConsents(client_id)).toBe(0)
      const grants = app.env.DB.prepare('select count(*) as n from oidc_model_instances where client_id = ?')
      expect(await grants.bind(client_id).first<number>('n')).toBe(0)
      // Denying gives nothing to anyone.
      const denied = await resumeAuthorization(browser, await decide('deny'))
      expect(denied.searchParams.get('error')).toBe('access_denied')
    },
  )

  it('deletes consents in chunks only if its change ends them', async () => {
    const client = await register()
    const { client_id, registration_access_token: token } = client
    const tripsOf = async (changes: object) => {
      app.trips()
      const body = { ...metadata, client_id, ...changes }
      expect((await send('PUT', token, body, { path: pathOf(client) })).status).toBe(200)
      return app.trips().awaited
    }
    await tripsOf({ client_name: 'First' })
    const renamed = await tripsOf({ client_name: 'Second' })
    // There is one statement for grants and tokens, and one for consents.
    expect(await tripsOf(redirects(BACK, moved))).toBe(renamed + 2)
    expect(await tripsOf({})).toBe(renamed)
  })

  const countConsents = (id: string) =>
    app.env.DB.prepare('select count(*) as n from consents where application_id = ?')
      .bind(id)
      .first<number>('n')

  it('[ASVS-10.4.7-4] is a third party within the tenant’s limits, regardless of what it requests', async () => {
    const { indicator } = await newApi(operator, 'https://tools.example/mcp', ['read'])
    const requested = {
      scope: 'openid profile email custom_data offline_access read',
      isThirdParty: false,
      allowedBuiltInResources: ['urn:vestibule:management-api'],
      tokenExchangeClients: ['demo-app'],
      backchannel_logout_uri: 'https://10.0.0.1/',
      logo_uri: 'https://tracker.example/pixel.png',
    }
    const client = await register(requested)
    expect(client).toMatchObject({
      scope: 'openid offline_access profile',
      token_endpoint_auth_method: 'client_secret_basic',
    })
    const stored = (await (await operator.get(`/applications/${client.client_id}`)).json()) as object
    expect(stored).toMatchObject({
      type: 'Traditional',
      isAdmin: false,
      oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [] },
      customClientMetadata: {
        isThirdParty: true,
        dynamicRegistration: { authMethod: 'client_secret_basic' },
      },
    })
    expect(JSON.stringify(stored)).not.toMatch(/tracker|10\.0\.0\.1|allowedBuiltIn|tokenExchange/)

    const application = applicationOf(client)
    let { client: browser } = await storeVisitor(app)
    const errorOf = async (form: Record<string, string>) =>
      (await authorize(browser, application, form)).error
    expect(await errorOf({ scope: 'openid email' })).toBe('invalid_scope')
    expect(await errorOf({ resource: 'urn:vestibule:management-api' })).toBe('invalid_target')
    expect(await errorOf({ resource: indicator, scope: 'openid read' })).toBeNull()
    const machine = await askForToken(app, application, { grant_type: 'client_credentials', scope: 'x' })
    expect(machine).toMatchObject({ status: 400, error: 'unauthorized_client' })

    // The tenant's limits at the time of the request apply, not its limits at the time of the registration.
    app = await appFor({ scopes: [], resources: [] })
    browser = (await storeVisitor(app)).client
    expect(await errorOf({ scope: 'openid profile' })).toBe('invalid_scope')
    expect(await errorOf({ resource: indicator, scope: 'openid read' })).toBe('invalid_target')
  })

  it('loses scopes that the tenant no longer allows, even with an existing refresh token', async () => {
    app = await appFor()
    const application = applicationOf(await register())
    const { client: browser } = await storeVisitor(app)
    const authorization = await authorize(browser, application, {
      scope: 'openid profile offline_access',
      prompt: 'consent',
    })
    const before = await askForToken(app, application, authorization.redemption)
    const renew = () =>
      askForToken(app, application, {
        grant_type: 'refresh_token',
        refresh_token: before.refresh_token ?? '',
      })
    expect((await renew()).scope).toBe('openid offline_access profile')
    app = await appFor({ scopes: ['openid', 'offline_access'] })
    const renewed = await renew()
    expect(renewed.scope).toBe('openid offline_access')
    expect(decodeJwt(renewed.id_token ?? '')).not.toHaveProperty('username')
    app = await appFor()
  })

  it('remains a third party when an operator changes it', async () => {
    const client = await register()
    const { status } = await operator.send('PATCH', `/applications/${client.client_id}`, {
      customClientMetadata: { isThirdParty: null },
    })
    expect(status).toBe(400)
    expect((await operator.send('PATCH', `/applications/${client.client_id}`, { name: 'Ours' })).status).toBe(
      200,
    )
  })

  it('can read, change and delete itself with its registration access token', async () => {
    const client = await register()
    const { registration_access_token: token, status: _status, ...registered } = client
    const at = { path: pathOf(client) }
    expect(await send('GET', token, undefined, at)).toMatchObject({ ...registered, status: 200 })

    const keys = { ...byKeys, jwks: { keys: [jwk] } }
    const current = { ...metadata, client_id: client.client_id, client_secret: client.client_secret }
    const changed = await send(
      'PUT',
      token,
      { ...current, ...keys, client_name: 'Other', grant_types: null },
      at,
    )
    expect(changed).toMatchObject({
      status: 200,
      client_name: 'Other',
      jwks: { keys: [jwk] },
      scope: 'openid profile',
    })
    expect(changed).not.toHaveProperty('client_secret')
    const back = await send('PUT', token, current, at)
    expect(back).toMatchObject({ status: 200, client_name: 'Agent', client_secret: client.client_secret })
    expect(back).not.toHaveProperty('jwks')

    for (const wrong of [
      { ...current, client_id: 'demo-app' },
      { ...current, client_secret: 'guess' },
      { ...current, registration_access_token: token },
      { ...current, client_secret_expires_at: 0 },
    ]) {
      expect(await send('PUT', token, wrong, at)).toMatchObject({ status: 400, error: INVALID })
    }
    expect(await send('PUT', token, { ...current, redirect_uris: ['data:x'] }, at)).toMatchObject({
      error: REDIRECT,
    })

    expect((await send('DELETE', token, undefined, at)).status).toBe(204)
    expect((await send('GET', token, undefined, at)).status).toBe(401)
    expect(await countClients()).toBe(0)
  })

  it('cannot be accessed with another client’s token', async () => {
    const [client, other] = [await register(), await register()]
    const { id } = (await (
      await operator.send('POST', '/applications', {
        name: 'Shop',
        type: 'SPA',
        oidcClientMetadata: { redirectUris: [BACK] },
      })
    ).json()) as { id: string }
    const body = { ...metadata, client_id: client.client_id }
    for (const [path, token] of [
      [pathOf(client), other.registration_access_token],
      [pathOf(client), client.client_secret],
      [`/oidc/register/${id}`, client.registration_access_token],
      ['/oidc/register/demo-app', client.registration_access_token],
    ] as const) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await send(method, token, method === 'PUT' ? body : undefined, { path })
        expect([path, method, answer.status, answer.error]).toEqual([path, method, 401, 'invalid_token'])
      }
    }
    expect(await countClients()).toBe(2)
  })

  it('is stored without its token and is recorded in the audit log', async () => {
    const client = await register()
    const dump = await app.env.DB.prepare('select * from registered_clients').all()
    expect(JSON.stringify(dump.results)).not.toContain(client.registration_access_token)
    const { results } = await app.env.DB.prepare(
      "select key, payload from logs where key like 'ClientRegistration.%' and payload ->> '$.applicationId' = ?",
    )
      .bind(client.client_id)
      .all<{ key: string; payload: string }>()
    expect(results.map(({ key }) => key)).toEqual(['ClientRegistration.Create'])
    expect(results[0]?.payload).not.toContain(client.registration_access_token)
  })

  it('is marked as dynamically registered in hook messages', async () => {
    const site = publish({})
    const config = { url: 'https://receiver.example/', retries: 0 }
    await operator.send('POST', '/hooks', { event: 'PostRegister', config })
    const { client_id } = await register()
    const browser = newCookieClient(app)
    for (const parameters of [{ client_id, redirect_uri: BACK }, {}] as Record<string, string>[]) {
      const uid = await openSignInPage(
        browser,
        await authorizationRequest({ ...parameters, prompt: 'login' }),
      )
      await registerAccount(browser, uid, freshName())
    }
    site.restore()
    const { results } = await app.env.DB.prepare(
      "select payload -> '$.application' as application from outbox where event = 'PostRegister' order by rowid",
    ).all<{ application: string | null }>()
    expect(results.map(({ application }) => application && JSON.parse(application))).toEqual([
      { id: client_id, type: 'Traditional', name: 'Agent', description: null, isDynamicallyRegistered: true },
      null,
    ])
  })

  it('is deleted after the configured number of days if no user has ever granted it access', async () => {
    const [used, unused] = [await register(), await register()]
    const { client: browser } = await storeVisitor(app)
    expect((await authorize(browser, applicationOf(used))).error).toBeNull()
    await app.sweep()
    expect(await countClients()).toBe(2)
    await app.env.DB.prepare(
      'update registered_clients set unused_until = 1 where unused_until is not null',
    ).run()
    await app.sweep()
    expect((await operator.get(`/applications/${unused.client_id}`)).status).toBe(404)
    expect((await operator.get(`/applications/${used.client_id}`)).status).toBe(200)
    expect((await operator.send('DELETE', `/applications/${used.client_id}`)).status).toBe(204)
    expect(await countClients()).toBe(0)
  })
})
