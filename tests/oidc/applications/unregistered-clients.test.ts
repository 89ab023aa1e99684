import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { keySetRefresh } from '../../../src/application/applications/client-keys.ts'
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
import { assertionOf, newSigningKey } from '../../kit/clients/key-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { AGENT, agentDocument, appForAgents, BACK, publish } from '../../kit/clients/unregistered-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests clients that publish a metadata document instead of being registered (spec/provider#client-documents). */

let site: ReturnType<typeof publish>
let document: object
beforeEach(() => {
  document = agentDocument
  site = publish({ [AGENT]: () => Response.json(document, { headers: { 'cache-control': 'max-age=600' } }) })
})
afterEach(() => site.restore())

type Visitor = { browser: CookieClient; username: string; userId: string }

/** Signs a new user in to the demo application. */
async function newVisitor(app: TestApp): Promise<Visitor> {
  const { client: browser, username, userId } = await storeMember(app, { scope: 'openid profile' })
  return { browser, username, userId }
}

async function ask(browser: CookieClient, parameters: Record<string, string> = {}) {
  const request = await authorizationRequest({ client_id: AGENT, redirect_uri: BACK, ...parameters })
  const answer = await browser.get(request.url)
  const to = new URL(answer.headers.get('location') ?? '/none', ORIGIN)
  return { request, answer, to, uid: to.searchParams.get('interaction') ?? '' }
}

const decide = async (browser: CookieClient, uid: string, decision = 'allow') =>
  resumeAuthorization(
    browser,
    await browser.send('POST', '/api/interaction/consent', { decision }, { Interaction: uid }),
  )

async function redeem(
  app: TestApp,
  { request, back }: { request: { verifier: string }; back: URL },
  more = {},
) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    code_verifier: request.verifier,
    redirect_uri: BACK,
    client_id: AGENT,
    ...more,
  })
  const answer = await app.fetch('/oidc/token', { method: 'POST', body })
  const tokens = (await answer.json()) as Partial<
    Record<'id_token' | 'access_token' | 'refresh_token' | 'scope' | 'error', string>
  >
  return { status: answer.status, ...tokens }
}

const refreshed = (app: TestApp, token = '') =>
  app.fetch('/oidc/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: AGENT, refresh_token: token }),
  })

const discovery = async (app: TestApp) =>
  (await (await app.fetch('/oidc/.well-known/openid-configuration')).json()) as Record<string, unknown>

describe('an unregistered client', () => {
  it('[ASVS-10.4.7-5] is rejected, and its document is not fetched, until the tenant allows such clients', async () => {
    const app = await appForAgents({ enabled: false })
    expect(await discovery(app)).not.toHaveProperty('client_id_metadata_document_supported')
    const { answer } = await ask(newCookieClient(app))
    expect(answer.status).toBe(400)
    expect(site.fetched).toEqual([])
    expect(await discovery(await appForAgents())).toMatchObject({
      client_id_metadata_document_supported: true,
    })
  })

  it('signs in a user, who must consent on a page that shows the client’s host', async () => {
    const app = await appForAgents()
    const browser = newCookieClient(app)
    const parameters = { scope: 'openid profile offline_access', prompt: 'consent' }
    const request = await authorizationRequest({ client_id: AGENT, redirect_uri: BACK, ...parameters })
    const uid = await openSignInPage(browser, request)
    const page = await resumeAuthorization(browser, await registerAccount(browser, uid, freshName()))
    expect(page.pathname).toBe('/sign-in/consent')
    const html = await (await browser.get(page.pathname + page.search, { accept: 'text/html' })).text()
    expect(html).toMatch(/<p[^>]*>This app isn’t registered here\./)
    expect(html).toMatch(/<bdi[^>]*>agent\.example<\/bdi>/)
    expect(html).not.toMatch(/<p[^>]*>Access goes to a program on this device\./)

    const back = await decide(browser, page.searchParams.get('interaction') ?? '')
    expect(back.origin + back.pathname).toBe(BACK)
    const tokens = await redeem(app, { request, back })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ aud: AGENT })
    expect((await refreshed(app, tokens.refresh_token)).status).toBe(200)
    expect(site.fetched).toEqual([AGENT])

    // The tenant's current setting applies, even to tokens that were issued earlier.
    const disabled = await appForAgents({ enabled: false })
    expect((await refreshed(disabled, tokens.refresh_token)).status).toBeGreaterThanOrEqual(400)
  })

  it('[ASVS-10.4.7-6] requires consent every time and cannot sign users in silently', async () => {
    const app = await appForAgents()
    const { browser } = await newVisitor(app)
    for (const _time of [1, 2]) {
      const { to, uid } = await ask(browser)
      expect(to.pathname).toBe('/sign-in/consent')
      const back = await decide(browser, uid)
      expect(back.searchParams.get('code')).toBeTruthy()
    }
    const { to } = await ask(browser, { prompt: 'none' })
    expect(to.searchParams.get('error')).toMatch(/^(?:consent|interaction)_required$/)
    const denied = await decide(browser, (await ask(browser)).uid, 'deny')
    expect(denied.searchParams.get('error')).toBe('access_denied')
  })

  it('can request only openid if the tenant allows no scopes', async () => {
    const app = await appForAgents({ scopes: [] })
    const { browser } = await newVisitor(app)
    expect((await ask(browser, { scope: 'openid profile' })).to.searchParams.get('error')).toBe(
      'invalid_scope',
    )
    expect((await ask(browser, { scope: 'openid' })).to.pathname).toBe('/sign-in/consent')
  })

  it('may use any port in a loopback redirect URI, which triggers a warning on the consent page', async () => {
    const app = await appForAgents()
    const { browser } = await newVisitor(app)
    const { to } = await ask(browser, { redirect_uri: 'http://127.0.0.1:33418/callback' })
    const html = await (await browser.get(to.pathname + to.search, { accept: 'text/html' })).text()
    expect(html).toMatch(/<p[^>]*>Access goes to a program on this device\./)
  })

  it('[ASVS-10.4.7-7] is limited to what the tenant allows, regardless of its document', async () => {
    document = { ...agentDocument, scope: 'openid email', grant_types: ['client_credentials', 'implicit'] }
    const app = await appForAgents({ scopes: ['openid', 'profile'] })
    const { browser } = await newVisitor(app)
    const { to } = await ask(browser, { scope: 'openid email' })
    expect(to.searchParams.get('error')).toBe('invalid_scope')
    const resource = await ask(browser, { resource: 'urn:vestibule:management-api' })
    expect(resource.to.searchParams.get('error')).toBe('invalid_target')
    const { request, uid } = await ask(browser, { scope: 'openid profile offline_access', prompt: 'consent' })
    const tokens = await redeem(app, { request, back: await decide(browser, uid) })
    expect(tokens).toMatchObject({ status: 200, scope: 'openid profile' })
    expect(tokens).not.toHaveProperty('refresh_token')
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: AGENT, scope: 'x' })
    expect((await app.fetch('/oidc/token', { method: 'POST', body })).status).toBe(400)
    const device = await app.fetch('/oidc/device/auth', {
      method: 'POST',
      body: new URLSearchParams({ client_id: AGENT }),
    })
    expect(device.status).toBeGreaterThanOrEqual(400)
  })

  it('must request a scope explicitly if the tenant does not allow the default scope openid', async () => {
    const app = await appForAgents({ scopes: ['profile'] })
    const { browser } = await newVisitor(app)
    const { url } = await authorizationRequest({ client_id: AGENT, redirect_uri: BACK })
    const withoutScope = new URL(url, ORIGIN)
    for (const name of ['scope', 'nonce']) withoutScope.searchParams.delete(name)
    const answer = await browser.get(withoutScope.pathname + withoutScope.search)
    expect(answer.headers.get('location')).toContain('error=invalid_scope')
  })

  it('[ASVS-10.4.7-8] loses scopes that the tenant no longer allows, even for existing codes and tokens', async () => {
    const app = await appForAgents()
    const { browser, username } = await newVisitor(app)
    const parameters = { scope: 'openid profile offline_access', prompt: 'consent' }
    const first = await ask(browser, parameters)
    const before = await redeem(app, { ...first, back: await decide(browser, first.uid) })
    const second = await ask(browser, parameters)
    const back = await decide(browser, second.uid)
    const userinfo = async ({ access_token: token }: { access_token?: string }) =>
      (await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })).json()
    expect(await userinfo(before)).toMatchObject({ username })

    const narrow = await appForAgents({ scopes: ['openid', 'offline_access'] })
    const { sub } = decodeJwt(before.id_token ?? '')
    const issued = await redeem(narrow, { ...second, back })
    const renewed = (await (await refreshed(narrow, before.refresh_token)).json()) as typeof before
    for (const tokens of [issued, renewed]) {
      expect(tokens.scope).toBe('openid offline_access')
      expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('username')
    }
    const headers = { authorization: `Bearer ${before.access_token}` }
    expect(await (await narrow.fetch('/oidc/me', { headers })).json()).toEqual({ sub })
  })

  it('must use PKCE and one of its own redirect URIs', async () => {
    const app = await appForAgents()
    const { browser } = await newVisitor(app)
    const { request } = await ask(browser)
    const url = new URL(request.url, ORIGIN)
    url.searchParams.delete('code_challenge')
    url.searchParams.delete('code_challenge_method')
    const answer = await browser.get(url.pathname + url.search)
    expect(answer.headers.get('location')).toContain('error=invalid_request')
    expect((await ask(browser, { redirect_uri: 'https://agent.example/other' })).answer.status).toBe(400)
  })

  it('can authenticate with the keys that it publishes', async () => {
    const key = await newSigningKey()
    document = { ...agentDocument, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } }
    const app = await appForAgents()
    const { browser } = await newVisitor(app)
    const { request, uid } = await ask(browser)
    const back = await decide(browser, uid)
    expect((await redeem(app, { request, back })).error).toBe('invalid_client')
    const assertion = await assertionOf(key, AGENT, { aud: `${ORIGIN}/oidc` })
    expect(await redeem(app, { request, back }, assertion)).toMatchObject({ status: 200 })
  })

  it('is identified in hook messages by its URL instead of an application', async () => {
    const app = await appForAgents()
    const config = { url: 'https://receiver.example/', retries: 0 }
    const hook = await (await newOperator(app)).send('POST', '/hooks', { event: 'PostRegister', config })
    expect(hook.status).toBe(200)
    const browser = newCookieClient(app)
    const request = await authorizationRequest({ client_id: AGENT, redirect_uri: BACK })
    const username = freshName()
    await registerAccount(browser, await openSignInPage(browser, request), username)
    const { results } = await app.env.DB.prepare(
      "select payload from outbox where event = 'PostRegister' and payload ->> '$.user.username' = ?",
    )
      .bind(username)
      .all<{ payload: string }>()
    const [body, ...others] = results.map(({ payload }) => JSON.parse(payload) as object)
    expect(others).toEqual([])
    expect(body).toMatchObject({ unregisteredClient: { id: AGENT }, user: { username } })
    expect(body).not.toHaveProperty('application')
  })

  it('[ASVS-10.4.7-9] shares one rate limit per network for fetching its keys and its document', async () => {
    const address = 'https://agent.example/keys'
    document = { ...agentDocument, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: address }
    await setTenantSettings(openTestApp(), {
      unregisteredClients: { enabled: true, scopes: ['openid'], resources: null },
      limits: {
        ...DEFAULT_TENANT_SETTINGS.limits,
        clientDocumentsPerNetwork: { count: 4, windowSeconds: 60 },
      },
    })
    const app = openTestApp({ ENVIRONMENT: 'production' })
    const network = { 'cf-connecting-ip': '198.51.100.77' }
    const present = async () => {
      const assertion = await assertionOf(await newSigningKey(), AGENT, { aud: `${ORIGIN}/oidc` })
      const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: AGENT, ...assertion })
      return (await app.fetch('/oidc/token', { method: 'POST', headers: network, body })).status
    }
    const { pauseMs } = keySetRefresh
    keySetRefresh.pauseMs = 0
    onTestFinished(() => {
      keySetRefresh.pauseMs = pauseMs
    })
    // The document is cached. The keys do not exist, so they are fetched again each time.
    const keys = Array.from({ length: 3 }, () => address)
    for (const _each of keys) expect(await present()).toBe(401)
    expect(site.fetched).toEqual([AGENT, ...keys])
    expect(await present()).toBe(429)
    expect(site.fetched).toEqual([AGENT, ...keys])
  })

  it('is listed with the user’s consents, where its access can be revoked', async () => {
    const app = await appForAgents()
    const { browser, userId } = await newVisitor(app)
    const parameters = { scope: 'openid profile offline_access', prompt: 'consent' }
    const { request, uid } = await ask(browser, parameters)
    const tokens = await redeem(app, { request, back: await decide(browser, uid) })
    const operator = await newOperator(app)
    document = { ...agentDocument, client_name: 'Your Bank' }
    const consents = `/users/${userId}/consents`
    expect(await (await operator.get(consents)).json()).toMatchObject([
      {
        application: { id: AGENT, name: 'Agent' },
        unregistered: { host: 'agent.example', logo: null },
        scopes: ['openid', 'profile', 'offline_access'],
      },
    ])
    const withdrawn = await operator.send('DELETE', `${consents}/${encodeURIComponent(AGENT)}`)
    expect(withdrawn.status).toBe(204)
    expect(await (await operator.get(consents)).json()).toEqual([])
    expect((await refreshed(app, tokens.refresh_token)).status).toBe(400)
    expect((await operator.send('DELETE', `${consents}/${encodeURIComponent(AGENT)}`)).status).toBe(404)
  })

  it('is marked as unregistered in the audit log and not counted as an application', async () => {
    const app = await appForAgents()
    const { browser } = await newVisitor(app)
    const { request, uid } = await ask(browser)
    await redeem(app, { request, back: await decide(browser, uid) })
    await redeem(app, { request, back: new URL('https://agent.example/?code=guess') })
    const { results } = await app.env.DB.prepare(
      `select key, payload ->> '$.unregisteredClient' as client, application_id from logs
       where payload like '%agent.example/client.json%' order by created_at desc, rowid desc limit 3`,
    ).all()
    expect(results).toContainEqual({
      key: 'ExchangeTokenBy.AuthorizationCode',
      client: AGENT,
      application_id: null,
    })
    expect(results).toContainEqual({ key: 'Interaction.Consent.Allow', client: AGENT, application_id: null })
    const counted = await app.env.DB.prepare(
      "select application_id from failed_requests where endpoint = 'token'",
    ).all()
    expect(counted.results).toContainEqual({ application_id: '' })
  })

  it('has no access to the account API', async () => {
    const app = await appForAgents()
    const { browser } = await newVisitor(app)
    const { request, uid } = await ask(browser)
    const { access_token: token } = await redeem(app, { request, back: await decide(browser, uid) })
    const headers = { authorization: `Bearer ${token}` }
    expect((await app.fetch('/oidc/me', { headers })).status).toBe(200)
    expect([401, 403]).toContain((await app.fetch('/api/me', { headers })).status)
  })

  it('does not prevent its user from signing out when its server is down', async () => {
    const app = await appForAgents()
    const { browser } = await newVisitor(app)
    await decide(browser, (await ask(browser)).uid)
    site.restore()
    site = publish({})
    const later = openTestApp()
    const page = await (await browser.get('/oidc/session/end', { accept: 'text/html' })).text()
    const xsrf = /name="xsrf"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? ''
    const ended = await browser.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    expect(ended.status).toBe(303)
    expect(site.fetched).toEqual([])
    expect(
      (await later.fetch('/oidc/session/end?client_id=https%3A%2F%2Fagent.example%2Fclient.json')).status,
    ).toBe(400)
    expect(site.fetched).toEqual([])
  })
})

describe('a hostile client document', () => {
  const json = (body: unknown, init?: ResponseInit) => () => Response.json(body, init)
  const documentWith = (more: object) => json({ ...agentDocument, ...more })

  it.each<[string, () => Response | Promise<Response>]>([
    ['does not exist', () => new Response(null, { status: 404 })],
    [
      'redirects',
      () => new Response(null, { status: 302, headers: { location: 'https://other.example/c' } }),
    ],
    [
      'is an HTML page',
      () => new Response(JSON.stringify(agentDocument), { headers: { 'content-type': 'text/html' } }),
    ],
    ['is not JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['is an array', json([agentDocument])],
    ['is too large', documentWith({ pad: 'x'.repeat(5 * 1024) })],
    [
      'never ends',
      () => new Response(new ReadableStream(), { headers: { 'content-type': 'application/json' } }),
    ],
    ['names another client', documentWith({ client_id: 'https://bank.example/client.json' })],
    ['contains a secret', documentWith({ client_secret: 'secret' })],
    [
      'names a symmetric authentication method',
      documentWith({ token_endpoint_auth_method: 'client_secret_post' }),
    ],
    [
      'has a redirect URI at another site',
      documentWith({ redirect_uris: [BACK, 'https://other.example/back'] }),
    ],
    [
      'has too many redirect URIs',
      documentWith({ redirect_uris: Array.from({ length: 11 }, (_, i) => `${BACK}?${i}`) }),
    ],
    ['has a javascript: logo', documentWith({ logo_uri: 'javascript:alert(1)' })],
    ['has a name with direction marks', documentWith({ client_name: 'Agent\u202e' })],
    ['has a homograph name', documentWith({ client_name: 'P\u0430ypal' })],
  ])('is rejected without a redirect if it %s', async (_name, answer) => {
    site.restore()
    site = publish({ [AGENT]: answer })
    const app = await appForAgents()
    const { answer: refusal } = await ask(newCookieClient(app))
    expect(refusal.status).toBe(400)
    expect(refusal.headers.get('location')).toBeNull()
    expect(site.fetched).toEqual([AGENT])
  })

  it.each([
    'https://agent.example/client.json#part',
    'https://user:secret@agent.example/client.json',
    'https://169.254.169.254/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://AGENT.example/client.json',
    'https://agent.example/',
    'http://agent.example/client.json',
  ])('is not fetched from %s', async (id) => {
    const app = await appForAgents()
    expect((await ask(newCookieClient(app), { client_id: id })).answer.status).toBe(400)
    expect(site.fetched).toEqual([])
  })
})
