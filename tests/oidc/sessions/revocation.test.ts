import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { openTestApp } from '../../kit/test-app.ts'
import { newClient } from '../../security/parties.ts'

const app = openTestApp()
const { DB } = app.env

const userIdOf = async (username: string) =>
  (await DB.prepare('select id from users where username = ?').bind(username).first<{ id: string }>())?.id ??
  ''

describe('revoking access', () => {
  it('[ASVS-8.3.2] takes effect at the next authorization, and immediately in the management API, if a role is removed', async () => {
    const username = freshName()
    const client = newCookieClient(app)
    await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, await authorizationRequest()), username),
    )
    const userId = await userIdOf(username)
    await DB.prepare(
      "insert into users_roles (tenant_id, id, user_id, role_id) values ('default', ?, ?, 'admin-role')",
    )
      .bind(crypto.randomUUID().slice(0, 20), userId)
      .run()

    const resource = 'urn:vestibule:management-api'
    const { id: clientId, redirectUri } = await newClient(app, 'SPA', {
      custom: { allowedBuiltInResources: [resource] },
    })
    const tokenFor = async () => {
      const request = await authorizationRequest({
        scope: 'openid all',
        resource,
        client_id: clientId,
        redirect_uri: redirectUri,
      })
      const location = new URL((await client.get(request.url)).headers.get('location') ?? '')
      const answer = await app.fetch('/oidc/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: clientId,
          code: location.searchParams.get('code') ?? '',
          code_verifier: request.verifier,
          redirect_uri: request.redirectUri,
          resource,
        }),
      })
      return ((await answer.json()) as { access_token: string }).access_token
    }
    const call = async (token: string) =>
      (await app.fetch('/api/users', { headers: { authorization: `Bearer ${token}` } })).status

    const token = await tokenFor()
    expect(decodeJwt(token).scope).toBe('all')
    expect(await call(token)).toBe(200)

    await DB.prepare('delete from users_roles where user_id = ?').bind(userId).run()
    expect(await call(token)).toBe(403)
    expect(decodeJwt(await tokenFor()).scope).toBeUndefined()
  })

  it('invalidates incomplete sign-ins with the old password if the password is changed', async () => {
    const username = freshName()
    const first = newCookieClient(app)
    await registerAccount(first, await openSignInPage(first, await authorizationRequest()), username)

    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    const headers = { Interaction: uid }
    const identifier = { username, password: PASSWORD }
    await client.send('PUT', '/api/interaction', { event: 'SignIn', identifier }, headers)
    const operator = await newOperator(app)
    await operator.send('PATCH', `/users/${await userIdOf(username)}/password`, {
      password: 'another-horse-8',
    })

    const refused = await client.send('POST', '/api/interaction/submit', undefined, headers)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ code: 'session.verification_failed' })
    expect((await signIn(client, uid, username, 'another-horse-8')).status).toBe(200)
  })

  it('invalidates open consent pages if the user is suspended', async () => {
    const username = freshName()
    const client = newCookieClient(app)
    const request = await authorizationRequest({ scope: 'openid offline_access', prompt: 'login consent' })
    const consentPage = await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, request), username),
    )
    await DB.prepare('update users set is_suspended = 1, revoked_at = ? where username = ?')
      .bind(Date.now(), username)
      .run()
    const response = await client.send('POST', '/api/interaction/consent', undefined, {
      Interaction: consentPage.searchParams.get('interaction') ?? '',
    })
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      400,
      'session.not_found',
    ])
  })
})

describe('consent', () => {
  it('[OIDC-11-2] is rejected if the interaction does not require it', async () => {
    const client = newCookieClient(app)
    await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, await authorizationRequest()), freshName()),
    )
    const uid = await openSignInPage(client, await authorizationRequest({ prompt: 'login' }))
    const response = await client.send('POST', '/api/interaction/consent', undefined, { Interaction: uid })
    expect(response.status).toBe(400)
  })
})

describe('signing out', () => {
  it('sends the application a logout token for the ended session', async () => {
    const id = crypto.randomUUID().slice(0, 21)
    const redirectUri = `${ORIGIN}/elsewhere`
    await DB.prepare(
      "insert into applications (tenant_id, id, name, secret, type, oidc_client_metadata, custom_client_metadata, created_at) values ('default', ?, 'A', 's', 'SPA', ?, ?, 1)",
    )
      .bind(
        id,
        JSON.stringify({ redirectUris: [redirectUri], postLogoutRedirectUris: [] }),
        JSON.stringify({ backchannelLogoutUri: 'https://app.example/logout' }),
      )
      .run()
    const username = freshName()
    const client = newCookieClient(app)
    const request = await authorizationRequest({ client_id: id, redirect_uri: redirectUri })
    await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, request), username),
    )

    // The URI points to the internet, so this test replaces the network and only examines the request.
    const sent: Request[] = []
    const network = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      sent.push(new Request(input, init))
      return new Response(null, { status: 204 })
    })
    const page = await (await client.get('/oidc/session/end', { accept: 'text/html' })).text()
    const xsrf = /name="xsrf"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? ''
    await client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })
    network.mockRestore()

    expect(sent.map(({ url, method }) => [method, url])).toEqual([['POST', 'https://app.example/logout']])
    const token = new URLSearchParams(await sent[0]?.text()).get('logout_token') ?? ''
    expect(decodeJwt(token)).toMatchObject({
      iss: `${ORIGIN}/oidc`,
      aud: id,
      sub: await userIdOf(username),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(decodeJwt(token)).not.toHaveProperty('nonce')
  })
})

describe('a database failure', () => {
  it('does not use up the authorization code at the token endpoint', async () => {
    const client = newCookieClient(app)
    const request = await authorizationRequest()
    const back = await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, request), freshName()),
    )
    let trip = 0
    app.beforeEachTrip(() => {
      trip++
      if (trip === 2) throw new Error('D1_ERROR: Network connection lost.')
    })
    const answer = await redeemCode(app, request, back.searchParams.get('code') ?? '')
    app.beforeEachTrip(null)
    expect([answer.status, trip >= 3]).toEqual([200, true])
  })

  it('results in a documented error code and a log line without the query if it persists', async () => {
    const coldApp = openTestApp()
    coldApp.beforeEachTrip(() => {
      throw new Error('D1_ERROR: Network connection lost.')
    })
    const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const response = await coldApp.fetch('/oidc/auth?client_id=demo-app')
    const lines = errorLog.mock.calls.map(([line]) => String(line))
    errorLog.mockRestore()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toMatchObject({ code: 'server.unavailable' })
    expect(lines.length).toBe(1)
    expect(lines[0]).not.toMatch(/select/i)
    const page = await coldApp.fetch('/oidc/auth?client_id=demo-app', { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  })
})

describe('a request to the provider', () => {
  it.each(['/oidc', '/oidc?x', '/oidc/nothing', '/oidc//auth'])(
    'gets a 404 for the unknown path %s',
    async (path) => {
      const response = await app.fetch(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'oidc.provider_error' })
    },
  )

  it('[DISCOVERY-4.2] gets a 404 for an unknown host', async () => {
    const configured = openTestApp({ HOSTS: 'id.example.com', ENVIRONMENT: 'production' })
    const discovery = '/oidc/.well-known/openid-configuration'
    expect((await configured.fetch(`https://evil.example${discovery}`)).status).toBe(404)
    expect((await configured.fetch('https://evil.example/sign-in')).status).toBe(404)
    const ours = await configured.fetch(`https://id.example.com${discovery}`)
    expect(await ours.json()).toMatchObject({ issuer: 'https://id.example.com/oidc' })
  })

  it('[RFC9700-4.13] is not influenced by forwarding headers from the client', async () => {
    const response = await app.fetch('/oidc/.well-known/openid-configuration', {
      headers: {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      },
    })
    expect(await response.json()).toMatchObject({
      issuer: `${ORIGIN}/oidc`,
      token_endpoint: `${ORIGIN}/oidc/token`,
    })
  })
})
