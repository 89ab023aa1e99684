import { base64url, createLocalJWKSet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  RESUMED,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

let app: TestApp
beforeAll(() => {
  app = openTestApp()
})

/** Registers a user, and returns the browser and the application's authorization response. */
async function registerUser(parameters: Record<string, string> = {}) {
  const client = newCookieClient(app)
  const request = await authorizationRequest(parameters)
  const username = freshName()
  const uid = await openSignInPage(client, request)
  const back = await resumeAuthorization(client, await registerAccount(client, uid, username))
  return { client, request, username, back, code: back.searchParams.get('code') ?? '' }
}

/** Registers a user with `offline_access`, which requires the consent page (spec/provider#offline-access). */
async function registerOffline() {
  const registration = await registerUser({ scope: 'openid profile offline_access', prompt: 'login consent' })
  const uid = registration.back.searchParams.get('interaction') ?? ''
  const consented = await registration.client.send('POST', '/api/interaction/consent', undefined, {
    Interaction: uid,
  })
  const back = await resumeAuthorization(registration.client, consented)
  const tokens = await (
    await redeemCode(app, registration.request, back.searchParams.get('code') ?? '')
  ).json()
  return { ...registration, tokens: tokens as { refresh_token: string; access_token: string } }
}

const refresh = (token: string) =>
  app.fetch('/oidc/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id: 'demo-app' }),
  })

/** Computes the `at_hash` of a token for RS256 (OIDC Core §3.1.3.6). */
async function leftHalfOfHash(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return base64url.encode(new Uint8Array(hash, 0, 16))
}

const userinfo = (token: string) => app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })

describe('an authorization', () => {
  it('redirects an unauthenticated browser to the sign-in page with a relative URL that names the interaction', async () => {
    const client = newCookieClient(app)
    const response = await client.get((await authorizationRequest()).url)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toMatch(/^\/sign-in\?.*interaction=[\w-]+$/)
    expect([...client.cookies.keys()]).toEqual(expect.arrayContaining(['_interaction', '_interaction.sig']))
  })

  it.each([
    { hint: 'zoe_of_app', field: 'value="zoe_of_app"' },
    { hint: '"><b>zoe</b>', field: 'value=""' },
  ])('prefills a login_hint only if it is an identifier: $hint', async ({ hint, field }) => {
    const client = newCookieClient(app)
    const redirect = await client.get((await authorizationRequest({ login_hint: hint })).url)
    const page = await (await client.get(redirect.headers.get('location') ?? '')).text()
    expect(/<input[^>]*name="identifier"[^>]*>/.exec(page)?.[0]).toContain(field)
    expect(page).not.toContain('<b>zoe')
  })

  it('starts with the registration page if the application requests it', async () => {
    const response = await newCookieClient(app).get(
      (await authorizationRequest({ interaction_mode: 'signUp' })).url,
    )
    expect(response.headers.get('location')).toMatch(/^\/register\?/)
  })

  it('returns the code, state and issuer after registering at a first-party application, without a consent page', async () => {
    const { back, request } = await registerUser()
    expect(back.origin + back.pathname).toBe(request.redirectUri)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: request.state,
      iss: `${ORIGIN}/oidc`,
    })
  })

  it('[OIDC-2] results in an ID token that is signed with a published key, has an at_hash and omits unset claims', async () => {
    const { request, code, username } = await registerUser({ scope: 'openid profile email phone' })
    const tokens = (await (await redeemCode(app, request, code)).json()) as {
      id_token: string
      access_token: string
    }
    const jwks = createLocalJWKSet(await (await app.fetch('/oidc/jwks')).json())
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token, jwks, {
      issuer: `${ORIGIN}/oidc`,
      audience: 'demo-app',
    })
    expect(protectedHeader.alg).toBe('RS256')
    expect(payload).toMatchObject({
      nonce: request.nonce,
      username,
      at_hash: await leftHalfOfHash(tokens.access_token),
    })
    const unset = [
      'name',
      'given_name',
      'birthdate',
      'address',
      'picture',
      'email',
      'email_verified',
      'phone_number',
      'phone_number_verified',
    ]
    expect(unset.filter((claim) => claim in payload)).toEqual([])
    expect(await (await userinfo(tokens.access_token)).json()).toEqual({
      sub: payload.sub,
      username,
      preferred_username: username,
      updated_at: expect.any(Number),
    })
  })

  it('results in a phone number claim in E.164 format, with its verification status', async () => {
    const { request, code, username } = await registerUser({ scope: 'openid phone' })
    await app.env.DB.prepare('update users set primary_phone = ?, phone_verified = 1 where username = ?')
      .bind('4915112345678', username)
      .run()
    const { access_token: token } = (await (await redeemCode(app, request, code)).json()) as {
      access_token: string
    }
    expect(await (await userinfo(token)).json()).toMatchObject({
      phone_number: '+4915112345678',
      phone_number_verified: true,
    })
  })

  it('is described by a discovery document that lists the client authentication methods', async () => {
    const document = await (await app.fetch('/oidc/.well-known/openid-configuration')).json()
    expect(document).toMatchObject({
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    })
  })

  it('[OIDC-3.1.2.1] succeeds with prompt=none only for a signed-in user', async () => {
    const { client } = await registerUser()
    const silent = await client.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(new URL(silent.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy()

    const other = await newCookieClient(app).get((await authorizationRequest({ prompt: 'none' })).url)
    expect(new URL(other.headers.get('location') ?? '').searchParams.get('error')).toBe('login_required')
  })

  it.each([
    ['an unknown application', { client_id: 'unknown' }, 400, 'oidc.provider_error'],
    [
      'a redirect URI that is not registered',
      { redirect_uri: 'https://evil.example/' },
      400,
      'oidc.invalid_redirect_uri',
    ],
  ])(
    '[RFC9700-4.11.2] responds to %s with an error body and no redirect',
    async (_, parameters, status, code) => {
      const response = await newCookieClient(app).get((await authorizationRequest(parameters)).url, {
        accept: 'application/json',
      })
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({
        code,
        message: expect.any(String),
        data: expect.any(Object),
      })
    },
  )

  it.each([
    ['a public client without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['a plain code challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['an unknown interaction mode', { interaction_mode: 'other' }, 'invalid_request'],
    ['an unknown resource', { resource: 'urn:unknown' }, 'invalid_target'],
  ])('[RFC9700-2.1.1] redirects to the application with an error for %s', async (_, parameters, error) => {
    const response = await newCookieClient(app).get((await authorizationRequest(parameters)).url)
    const location = new URL(response.headers.get('location') ?? '', ORIGIN)
    const responseParameters = new URLSearchParams(location.search || location.hash.slice(1))
    expect(responseParameters.get('error')).toBe(error)
  })
})

describe('an authorization code', () => {
  it('[RFC9700-4.2.4-3] can be redeemed only once, and a second attempt revokes the tokens from the first', async () => {
    const { request, code } = await registerUser()
    const first = await redeemCode(app, request, code)
    const { access_token: token } = (await first.json()) as { access_token: string }
    expect((await userinfo(token)).status).toBe(200)

    const second = await redeemCode(app, request, code)
    expect(second.status).toBe(400)
    expect(await second.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await userinfo(token)).status).toBe(401)
  })

  it('[RFC9700-4.2.4-4] yields tokens for at most one of many concurrent requests, and the others revoke these tokens', async () => {
    const { request, code } = await registerUser()
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeemCode(app, request, code)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1)
    expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([])
    for (const answer of answers.filter(({ status }) => status === 200)) {
      const { access_token: token } = (await answer.json()) as { access_token: string }
      expect((await userinfo(token)).status).toBe(401)
    }
  })

  it('[RFC9700-4.5.3-3] can be redeemed only with the code verifier for its authorization request', async () => {
    const { request, code } = await registerUser()
    const response = await redeemCode(app, { ...request, verifier: `${request.verifier}x` }, code)
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })
})

describe('an interaction', () => {
  it('can be resumed only once', async () => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest(RESUMED))
    const { redirectTo } = (await (await registerAccount(client, uid, freshName())).json()) as {
      redirectTo: string
    }
    const oldCookies = new Map(client.cookies)
    await client.get(redirectTo)
    for (const [name, cookie] of oldCookies) client.cookies.set(name, cookie)
    const again = await client.get(redirectTo, { accept: 'application/json' })
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ code: 'session.not_found' })
  })

  it('yields a single code if two concurrent requests resume it', async () => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest(RESUMED))
    const consent = await resumeAuthorization(client, await registerAccount(client, uid, freshName()))
    const headers = { Interaction: consent.searchParams.get('interaction') ?? '' }
    const consented = await client.send('POST', '/api/interaction/consent', undefined, headers)
    const { redirectTo } = (await consented.json()) as { redirectTo: string }
    const answers = await Promise.all([client.get(redirectTo), client.get(redirectTo)])
    const codes = answers.filter((answer) => answer.headers.get('location')?.includes('code='))
    expect(codes.length).toBe(1)
    const [rejected] = answers.filter((answer) => !codes.includes(answer))
    expect(rejected?.status).toBe(400)
    expect(rejected?.headers.getSetCookie()).toEqual([])
  })
})

describe('a refresh token', () => {
  it('[RFC9700-2.2.2-2] has only one successor, even after concurrent requests, and reusing the token revokes that successor', async () => {
    const { tokens } = await registerOffline()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(tokens.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    const successors = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { refresh_token: string }).refresh_token),
    )
    expect(new Set(successors).size).toBe(1)
    expect(successors[0]).not.toBe(tokens.refresh_token)

    // Simulate the end of the ten seconds in which a refresh token may be reused (spec/provider#refresh-tokens).
    await app.env.DB.prepare(
      "update oidc_model_instances set consumed_at = consumed_at - 11000 where model_name = 'RefreshToken' and consumed_at is not null",
    ).run()
    expect((await refresh(tokens.refresh_token)).status).toBe(400)
    expect((await refresh(successors[0] ?? '')).status).toBe(400)
  })

  it('[OIDC-11] is not issued without offline_access', async () => {
    const { request, code } = await registerUser()
    expect(await (await redeemCode(app, request, code)).json()).not.toHaveProperty('refresh_token')
  })
})

describe('an account whose sessions have ended', () => {
  it.each([
    ['suspended', 'update users set is_suspended = 1, revoked_at = ?1 where username = ?2'],
    ['deleted', 'delete from users where ?1 > 0 and username = ?2'],
    ['signed out everywhere', 'update users set revoked_at = ?1 where username = ?2'],
  ])('[RFC9700-4.14.2-4] must sign in again and loses its tokens after being %s', async (_, statement) => {
    const { client, username, tokens } = await registerOffline()
    await app.env.DB.prepare(statement).bind(Date.now(), username).run()

    const response = await client.get((await authorizationRequest()).url)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toMatch(/^\/sign-in\?/)
    expect((await refresh(tokens.refresh_token)).status).toBe(400)
    expect((await userinfo(tokens.access_token)).status).toBe(401)
  })

  it('can sign in again immediately if only its sessions were revoked', async () => {
    const { client, username } = await registerUser()
    await app.env.DB.prepare('update users set revoked_at = ? where username = ?')
      .bind(Date.now(), username)
      .run()
    const uid = await openSignInPage(client, await authorizationRequest())
    const back = await resumeAuthorization(client, await signIn(client, uid, username))
    expect(back.searchParams.get('code')).toBeTruthy()
    const silent = await client.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(silent.headers.get('location')).toContain('code=')
  })

  it('results in a new sign-in page if it was deleted before the interaction was resumed', async () => {
    const client = newCookieClient(app)
    const other = await registerUser()
    const name = freshName()
    const uid = await openSignInPage(client, await authorizationRequest(RESUMED))
    const { redirectTo } = (await (await registerAccount(client, uid, name)).json()) as { redirectTo: string }
    await app.env.DB.prepare('delete from users where username = ?').bind(name).run()
    const response = await client.get(redirectTo)
    expect(response.headers.get('location')).toMatch(/^\/sign-in\?/)
    const next = new URL(response.headers.get('location') ?? '', ORIGIN).searchParams.get('interaction') ?? ''
    const back = await resumeAuthorization(client, await signIn(client, next, other.username))
    expect(back.pathname).toBe('/sign-in/consent')
  })
})

describe('the database', () => {
  it('[ASVS-14.2.4] contains no token, code or session id in plain text', async () => {
    const { request, code, tokens, client } = await registerOffline().then(async (offline) => ({
      ...offline,
      code: offline.back.searchParams.get('code') ?? '',
    }))
    const { results } = await app.env.DB.prepare('select id, payload from oidc_model_instances').all()
    const stored = JSON.stringify(results)
    const secrets = [
      tokens.refresh_token,
      tokens.access_token,
      client.cookies.get('_session')?.value,
      request.verifier,
    ]
    for (const secret of [...secrets, code].filter(Boolean)) expect(stored).not.toContain(secret)
  })
})
