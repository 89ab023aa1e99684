import { UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorizationRequest, newCookieClient, ORIGIN } from '../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import {
  atTokenEndpoint,
  authorizationResult,
  basicHeader,
  type ClientApplication,
  codeGrant,
  newArrival,
  newClient,
} from './parties.ts'

let app: TestApp
let spa: ClientApplication
let server: ClientApplication
let native: ClientApplication
beforeAll(async () => {
  app = openTestApp()
  spa = await newClient(app, 'SPA')
  server = await newClient(app, 'Traditional')
  native = await newClient(app, 'Native', { redirectUri: 'http://127.0.0.1/back' })
})

const isOurs = (to: URL | null) => to?.origin === ORIGIN && to.pathname === '/sign-in'

describe('a redirect URI', () => {
  it.each([
    { uri: 'https://shop.example/back/' },
    { uri: 'https://shop.example/back?x=1' },
    { uri: 'https://shop.example/Back' },
    { uri: 'https://SHOP.example/back' },
    { uri: 'https://shop.example:443/back' },
    { uri: 'https://shop.example/./back' },
    { uri: 'https://shop.example/back/../back' },
    { uri: 'https://shop.example/%62ack' },
    { uri: 'https://shop.example/back#x' },
    { uri: 'https://shop.example.evil.example/back' },
    { uri: 'https://shop.example@evil.example/back' },
    { uri: 'https://evil.example/https://shop.example/back' },
    { uri: 'http://shop.example/back' },
    { uri: 'https://shop.example/back https://evil.example/' },
    { uri: '//shop.example/back' },
    { uri: 'javascript:alert(1)' },
  ])('[RFC9700-2.1] is rejected unless it matches exactly: $uri', async ({ uri }) => {
    const { status, to } = await authorizationResult(app, spa, { redirect_uri: uri })
    expect(status).toBe(400)
    expect(to).toBeNull()
  })

  it.each([
    { uri: 'http://127.0.0.1/back', isAllowed: true },
    { uri: 'http://127.0.0.1:53682/back', isAllowed: true },
    { uri: 'http://127.0.0.1:53682/other', isAllowed: false },
    { uri: 'http://localhost:53682/back', isAllowed: false },
    { uri: 'http://[::1]:53682/back', isAllowed: false },
    { uri: 'https://127.0.0.1:53682/back', isAllowed: false },
    { uri: 'http://127.0.0.2:53682/back', isAllowed: false },
  ])(
    '[RFC9700-2.1-2] may differ only in the port of a loopback address if it belongs to a native app: $uri',
    async ({ uri, isAllowed }) => {
      const { to } = await authorizationResult(app, spa, { client_id: native.id, redirect_uri: uri })
      expect(isOurs(to)).toBe(isAllowed)
    },
  )

  it('cannot differ in its port if it belongs to a browser application', async () => {
    const local = await newClient(app, 'SPA', { redirectUri: 'http://127.0.0.1/back' })
    expect(
      (
        await authorizationResult(app, spa, {
          client_id: local.id,
          redirect_uri: 'http://127.0.0.1:53682/back',
        })
      ).status,
    ).toBe(400)
  })
})

describe('an authorization response', () => {
  it('[RFC9700-2.1-6] contains the issuer, both with a code and with an error (RFC 9207 §2)', async () => {
    const { back, browser } = await newArrival(app, spa)
    expect(back.searchParams.get('iss')).toBe(`${ORIGIN}/oidc`)
    const { url } = await authorizationRequest({
      client_id: spa.id,
      redirect_uri: spa.redirectUri,
      prompt: 'none',
    })
    const silent = new URL((await browser.get(url)).headers.get('location') ?? '')
    expect(silent.searchParams.get('iss')).toBe(`${ORIGIN}/oidc`)
    const refused = (await authorizationResult(app, spa, { prompt: 'none' })).to
    expect(refused?.searchParams.get('error')).toBe('login_required')
    expect(refused?.searchParams.get('iss')).toBe(`${ORIGIN}/oidc`)
    const discovery = await (await app.fetch('/oidc/.well-known/openid-configuration')).json()
    expect(discovery).toMatchObject({
      authorization_response_iss_parameter_supported: true,
      issuer: `${ORIGIN}/oidc`,
    })
  })

  it('[RFC9700-2.1.2] never contains a token, whatever the response type', async () => {
    for (const type of [
      'token',
      'id_token',
      'id_token token',
      'code token',
      'code id_token',
      'code id_token token',
    ]) {
      const { to } = await authorizationResult(app, spa, { response_type: type })
      const result = new URLSearchParams(to?.search || to?.hash.slice(1))
      expect(result.get('error')).toBe('unsupported_response_type')
    }
  })

  it('[RFC9700-2.1-8] redirects without making the browser resubmit a form (RFC 9700 §4.12)', async () => {
    const { url } = await authorizationRequest({ client_id: spa.id, redirect_uri: spa.redirectUri })
    const posted = await newCookieClient(app).post(
      '/oidc/auth',
      Object.fromEntries(new URL(url, ORIGIN).searchParams),
    )
    expect(posted.status).toBe(303)
    expect(posted.headers.get('location')).toBe(url.replace(/^.*\?/, '/oidc/auth?'))
  })

  it.each<{ what: string; parameter: Record<string, string>; error: string }>([
    {
      what: 'passed by value',
      parameter: { request: new UnsecuredJWT({ redirect_uri: 'https://evil.example/' }).encode() },
      error: 'request_not_supported',
    },
    {
      what: 'passed by reference',
      parameter: { request_uri: 'https://evil.example/request' },
      error: 'request_uri_not_supported',
    },
  ])('[OIDC-3.1.2.6] contains the error $error for a request object $what', async ({ parameter, error }) => {
    const { status, to } = await authorizationResult(app, spa, parameter)
    expect(status).toBe(303)
    expect(`${to?.origin}${to?.pathname}`).toBe(spa.redirectUri)
    expect(to?.searchParams.get('error')).toBe(error)
    expect(to?.searchParams.has('code')).toBe(false)
  })
})

describe('PKCE', () => {
  it.each<{ what: string; parameters: Record<string, string> }>([
    { what: 'no challenge', parameters: { code_challenge: '', code_challenge_method: '' } },
    { what: 'a plain challenge', parameters: { code_challenge_method: 'plain' } },
    {
      what: 'a challenge without a method, which would mean plain',
      parameters: { code_challenge_method: '' },
    },
    { what: 'a challenge that is too short', parameters: { code_challenge: 'abc' } },
  ])('[RFC9700-2.1-4] cannot be downgraded by $what', async ({ parameters }) => {
    const { to } = await authorizationResult(app, spa, parameters)
    expect(to?.searchParams.get('error')).toBe('invalid_request')
  })

  it('[RFC9700-4.8.2] is required in the token request if the authorization request used PKCE', async () => {
    const arrived = await newArrival(app, server)
    const { code_verifier: _, client_id: __, ...form } = codeGrant(server, arrived)
    expect((await atTokenEndpoint(app, form, basicHeader(server))).tokens.error).toBe('invalid_grant')
  })

  it('[RFC9700-2.1.1-3] is rejected in the token request if the authorization request did not use PKCE (RFC 9700 §4.8.2)', async () => {
    const arrived = await newArrival(app, server, { code_challenge: '', code_challenge_method: '' })
    const { client_id: _, ...form } = codeGrant(server, arrived)
    expect((await atTokenEndpoint(app, form, basicHeader(server))).tokens.error).toBe('invalid_grant')
  })
})

describe('an application’s credentials', () => {
  it.each(['/oidc/token', '/oidc/request', '/oidc/token/introspection', '/oidc/token/revocation'])(
    '[ASVS-10.4.10] are rejected in the query of %s',
    async (path) => {
      const query = new URLSearchParams({ client_id: server.id, client_secret: server.secret })
      const response = await app.fetch(`${path}?${query}`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'client_credentials', token: 'x' }),
      })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThanOrEqual(401)
    },
  )

  it('[RFC9700-2.5] must be correct and sent exactly once', async () => {
    const form = codeGrant(server, await newArrival(app, server))
    for (const headers of [
      {},
      basicHeader({ ...server, secret: 'wrong' }),
      basicHeader({ ...server, id: 'unknown' }),
    ]) {
      expect((await atTokenEndpoint(app, form, headers)).tokens.error).toMatch(/^invalid_(?:client|request)$/)
    }
    const twice = { ...form, client_secret: server.secret }
    expect((await atTokenEndpoint(app, twice, basicHeader(server))).tokens.error).toBe('invalid_request')
  })

  it('are rejected in an unsigned assertion', async () => {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: server.id,
      sub: server.id,
      aud: `${ORIGIN}/oidc`,
      jti: 'x',
      iat: now,
      exp: now + 60,
    }
    const assertion = new UnsecuredJWT(claims).encode()
    const { tokens } = await atTokenEndpoint(app, {
      ...codeGrant(server, await newArrival(app, server)),
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    expect(tokens.error).toMatch(/^invalid_(?:client|request)$/)
  })

  it('[RFC9700-2.4] are rejected for grants that the application may not use', async () => {
    for (const grant_type of ['password', 'implicit']) {
      const { tokens } = await atTokenEndpoint(
        app,
        { grant_type, username: 'a', password: 'b' },
        basicHeader(server),
      )
      expect(tokens.error).toBe('unsupported_grant_type')
    }
    for (const grant_type of ['client_credentials', 'urn:ietf:params:oauth:grant-type:device_code']) {
      const { tokens } = await atTokenEndpoint(app, { grant_type, device_code: 'none' }, basicHeader(server))
      expect(tokens).toMatchObject({
        error: 'unauthorized_client',
        error_description: expect.stringContaining('not allowed'),
      })
    }
  })
})
