import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorizationRequest, ORIGIN } from '../kit/clients/cookie-client.ts'
import { asOperator, machineToken, newOperator } from '../kit/clients/management-client.ts'
import { storeMember } from '../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import {
  type AuthorizedBrowser,
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
let other: ClientApplication
beforeAll(async () => {
  app = openTestApp()
  spa = await newClient(app, 'SPA')
  other = await newClient(app, 'SPA', { redirectUri: 'https://other.example/back' })
})

describe('a code', () => {
  let arrived: AuthorizedBrowser
  it('[RFC9700-4.5.3] is accepted only from the application that it was issued to', async () => {
    arrived = await newArrival(app, spa)
    const stolen = { ...codeGrant(other, arrived), redirect_uri: other.redirectUri }
    expect((await atTokenEndpoint(app, stolen)).tokens.error).toBe('invalid_grant')
    expect((await atTokenEndpoint(app, { ...stolen, redirect_uri: spa.redirectUri })).tokens.error).toBe(
      'invalid_grant',
    )
  })

  it.each(['https://other.example/back', 'https://shop.example/back/'])(
    '[RFC9700-4.5.3-2] cannot be redeemed for another redirect URI: %s',
    async (address) => {
      const form = { ...codeGrant(spa, await newArrival(app, spa)), redirect_uri: address }
      expect((await atTokenEndpoint(app, form)).tokens.error).toBe('invalid_grant')
    },
  )

  it('[RFC9700-4.3.1] expires after one minute', async () => {
    const late = await newArrival(app, spa)
    const row = await app.env.DB.prepare(
      "select max(expires_at) as at from oidc_model_instances where model_name = 'AuthorizationCode'",
    ).first<{ at: number }>()
    const left = (row?.at ?? 0) - Date.now()
    expect(left).toBeGreaterThan(50_000)
    expect(left).toBeLessThanOrEqual(60_000)
    await app.env.DB.prepare(
      `update oidc_model_instances set expires_at = ?1, payload = json_set(payload, '$.exp', ?1 / 1000)
       where model_name = 'AuthorizationCode'`,
    )
      .bind(Date.now() - 1000)
      .run()
    expect((await atTokenEndpoint(app, codeGrant(spa, late))).tokens.error).toBe('invalid_grant')
  })
})

it('a code and tokens whose grant is gone are invalid everywhere, although their rows still exist', async () => {
  const client = await newClient(app, 'Traditional')
  const byClient = basicHeader(client)
  const arrived = await newArrival(app, client, { scope: 'openid profile offline_access', prompt: 'consent' })
  const { tokens } = await atTokenEndpoint(app, codeGrant(client, arrived), byClient)
  const again = await authorizationRequest({ client_id: client.id, redirect_uri: client.redirectUri })
  const back = new URL((await arrived.browser.get(again.url)).headers.get('location') ?? '')
  const unredeemed = { request: again, code: back.searchParams.get('code') ?? '' }
  const bearer = { authorization: `Bearer ${tokens.access_token}` }
  const introspected = async (token = '') => {
    const body = new URLSearchParams({ token })
    const answer = await app.fetch('/oidc/token/introspection', { method: 'POST', headers: byClient, body })
    return ((await answer.json()) as { active: boolean }).active
  }
  const uses = async () => ({
    userinfo: (await app.fetch('/oidc/me', { headers: bearer })).status,
    account: (await app.fetch('/api/me', { headers: bearer })).status,
    accessToken: await introspected(tokens.access_token),
    refreshToken: await introspected(tokens.refresh_token),
  })
  expect(await uses()).toEqual({ userinfo: 200, account: 200, accessToken: true, refreshToken: true })

  const { DB } = app.env
  const ofClient = "from oidc_model_instances where model_name <> 'Grant' and client_id = ?"
  const count = () => DB.prepare(`select count(*) as n ${ofClient}`).bind(client.id).first<number>('n')
  const before = await count()
  await DB.prepare("delete from oidc_model_instances where model_name = 'Grant' and client_id = ?")
    .bind(client.id)
    .run()
  expect(await uses()).toEqual({ userinfo: 401, account: 401, accessToken: false, refreshToken: false })
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
  for (const form of [refresh, codeGrant(client, unredeemed)])
    expect(await atTokenEndpoint(app, form, byClient)).toMatchObject({
      status: 400,
      tokens: { error: 'invalid_grant' },
    })
  // Revoking such a token does nothing, as for any unknown token.
  const body = new URLSearchParams({ token: tokens.refresh_token ?? '' })
  expect(
    (await app.fetch('/oidc/token/revocation', { method: 'POST', headers: byClient, body })).status,
  ).toBe(200)
  expect(
    await DB.prepare("select count(*) as n from logs where key = 'RevokeToken' and application_id = ?")
      .bind(client.id)
      .first('n'),
  ).toBe(0)
  expect([await count(), Number(before)]).toEqual([before, 4])

  await app.sweep()
  expect(await count()).toBe(0)
})

describe('a refresh token', () => {
  const offline = { scope: 'openid offline_access', prompt: 'consent' }

  it('[RFC9700-4.14.2] is accepted only from the application that it was issued to', async () => {
    const { tokens } = await atTokenEndpoint(app, codeGrant(spa, await newArrival(app, spa, offline)))
    expect(tokens.refresh_token).toBeTruthy()
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
    expect((await atTokenEndpoint(app, { ...form, client_id: other.id })).tokens.error).toBe('invalid_grant')
    expect((await atTokenEndpoint(app, { ...form, client_id: spa.id })).status).toBe(200)
  })

  it('[RFC9700-2.2.2] revokes its successor and its family’s access tokens when it is reused', async () => {
    const { tokens } = await atTokenEndpoint(app, codeGrant(spa, await newArrival(app, spa, offline)))
    const form = { grant_type: 'refresh_token', client_id: spa.id }
    const next = await atTokenEndpoint(app, { ...form, refresh_token: tokens.refresh_token ?? '' })
    const userinfo = (token: string) =>
      app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })
    expect((await userinfo(next.tokens.access_token)).status).toBe(200)
    // Skip the ten seconds during which reuse is accepted (spec/provider#refresh-token-successor).
    await app.env.DB.prepare(
      "update oidc_model_instances set consumed_at = consumed_at - 11000 where model_name = 'RefreshToken' and consumed_at is not null",
    ).run()
    expect((await atTokenEndpoint(app, { ...form, refresh_token: tokens.refresh_token ?? '' })).status).toBe(
      400,
    )
    expect(
      (await atTokenEndpoint(app, { ...form, refresh_token: next.tokens.refresh_token ?? '' })).status,
    ).toBe(400)
    expect((await userinfo(next.tokens.access_token)).status).toBe(401)
    expect((await userinfo(tokens.access_token)).status).toBe(401)
  })

  it('ends when its application revokes an access token of the same grant', async () => {
    const { tokens } = await atTokenEndpoint(app, codeGrant(spa, await newArrival(app, spa, offline)))
    const revoked = await app.fetch('/oidc/token/revocation', {
      method: 'POST',
      body: new URLSearchParams({ client_id: spa.id, token: tokens.access_token }),
    })
    expect(revoked.status).toBe(200)
    const form = { grant_type: 'refresh_token', client_id: spa.id, refresh_token: tokens.refresh_token ?? '' }
    expect((await atTokenEndpoint(app, form)).tokens.error).toBe('invalid_grant')
    expect(
      await app.env.DB.prepare(
        "select count(*) as n from logs where key = 'RevokeToken' and application_id = ?",
      )
        .bind(spa.id)
        .first('n'),
    ).toBeGreaterThan(0)
  })

  it('[RFC9700-4.14.2-3] expires after 14 days', async () => {
    const { tokens } = await atTokenEndpoint(app, codeGrant(spa, await newArrival(app, spa, offline)))
    const refresh = { grant_type: 'refresh_token', client_id: spa.id }
    const { tokens: next } = await atTokenEndpoint(app, {
      ...refresh,
      refresh_token: tokens.refresh_token ?? '',
    })
    const newest = `model_name = 'RefreshToken' and expires_at =
      (select max(expires_at) from oidc_model_instances where model_name = 'RefreshToken')`
    const row = await app.env.DB.prepare(
      `select expires_at as at from oidc_model_instances where ${newest}`,
    ).first<{ at: number }>()
    const days = ((row?.at ?? 0) - Date.now()) / (24 * 60 * 60 * 1000)
    expect(days).toBeGreaterThan(13.9)
    expect(days).toBeLessThanOrEqual(14)
    // The token expired a minute ago, because clocks may differ by some seconds
    // (spec/provider#clock-tolerance).
    await app.env.DB.prepare(
      `update oidc_model_instances set expires_at = ?1, payload = json_set(payload, '$.exp', ?1 / 1000)
       where ${newest}`,
    )
      .bind(Date.now() - 60_000)
      .run()
    const late = await atTokenEndpoint(app, { ...refresh, refresh_token: next.refresh_token ?? '' })
    expect(late.tokens.error).toBe('invalid_grant')
  })

  it('[RFC9700-4.14.2-2] cannot be used for a scope that was not granted', async () => {
    const { tokens } = await atTokenEndpoint(app, codeGrant(spa, await newArrival(app, spa, offline)))
    const form = { grant_type: 'refresh_token', client_id: spa.id, refresh_token: tokens.refresh_token ?? '' }
    expect((await atTokenEndpoint(app, { ...form, scope: 'openid email' })).tokens.error).toBe(
      'invalid_scope',
    )
  })
})

describe('an access token', () => {
  it('[RFC9700-4.3.2] is not accepted in a query string', async () => {
    const { token } = await storeMember(app)
    const query = new URLSearchParams({ access_token: token })
    for (const path of ['/oidc/me', '/api/me', '/api/users']) {
      const response = await app.fetch(`${path}?${query}`)
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThanOrEqual(401)
    }
  })

  it.each([
    {
      what: 'unsigned',
      forge: async (token: string) => new UnsecuredJWT(decodeJwt(token)).encode(),
    },
    {
      what: 'signed with the public key as a shared secret',
      forge: async (token: string) => {
        const jwks = await (await app.fetch('/oidc/jwks')).text()
        const header = decodeProtectedHeader(token)
        return new SignJWT(decodeJwt(token))
          .setProtectedHeader({ ...header, alg: 'HS256' })
          .sign(new TextEncoder().encode(jwks))
      },
    },
    {
      what: 'one that names its own key',
      forge: async (token: string) => {
        const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, true, [
          'sign',
          'verify',
        ])
        if (!('privateKey' in pair)) throw new Error('no pair')
        const jwk = await crypto.subtle.exportKey('jwk', pair.publicKey)
        return new SignJWT(decodeJwt(token))
          .setProtectedHeader({
            alg: 'ES384',
            typ: 'at+jwt',
            jwk: jwk as never,
            jku: 'https://evil.example/jwks',
          })
          .sign(pair.privateKey)
      },
    },
  ])('[OIDC-16.3] is rejected if it is $what', async ({ forge }) => {
    const token = await machineToken(app)
    expect((await asOperator(app, token).get('/users')).status).toBe(200)
    expect((await asOperator(app, await forge(token)).get('/users')).status).toBe(401)
  })

  it('[RFC8707-3] names its issuer, audience and expiry', async () => {
    const token = await machineToken(app)
    const { iss, aud, exp = 0, iat = 0, jti, client_id } = decodeJwt(token)
    expect({ iss, aud, client_id }).toEqual({
      iss: `${ORIGIN}/oidc`,
      aud: 'urn:vestibule:management-api',
      client_id: 'management',
    })
    expect(jti).toBeTruthy()
    expect(exp - iat).toBeGreaterThan(0)
    expect(exp - iat).toBeLessThanOrEqual(3600)
    expect(decodeProtectedHeader(token)).toMatchObject({
      typ: 'at+jwt',
      alg: expect.stringMatching(/^(?:RS256|ES384|ES256)$/),
    })
  })

  it('[RFC8707-2] is issued only for a known resource (RFC 8707 §2)', async () => {
    for (const resource of ['https://api.unknown.example', 'not a uri', 'https://api.unknown.example#x']) {
      const { to } = await authorizationResult(app, spa, { resource })
      expect(to?.searchParams.get('error')).toBe('invalid_target')
    }
  })
})

describe('an ID token', () => {
  it('[RFC9700-2.1-5] has the application as its audience, the nonce and a lifetime of one hour', async () => {
    const arrived = await newArrival(app, spa)
    const { tokens } = await atTokenEndpoint(app, codeGrant(spa, arrived))
    const { iss, aud, exp = 0, iat = 0, nonce, sub } = decodeJwt(tokens.id_token)
    expect({ iss, aud, nonce }).toEqual({ iss: `${ORIGIN}/oidc`, aud: spa.id, nonce: arrived.request.nonce })
    expect(exp - iat).toBe(3600)
    expect(sub).toBeTruthy()
  })

  it('[OIDC-16.3-2] does not end a session if it is unsigned or from another deployment', async () => {
    const arrived = await newArrival(app, spa)
    const { tokens } = await atTokenEndpoint(app, codeGrant(spa, arrived))
    const claims = decodeJwt(tokens.id_token)
    const header = { ...decodeProtectedHeader(tokens.id_token), alg: 'HS256' }
    const signed = await new SignJWT(claims).setProtectedHeader(header).sign(new Uint8Array(32))
    for (const hint of [new UnsecuredJWT(claims).encode(), signed]) {
      const query = new URLSearchParams({ id_token_hint: hint })
      const response = await arrived.browser.get(`/oidc/session/end?${query}`, { accept: 'application/json' })
      expect(response.status).toBe(400)
    }
    const silent = await arrived.browser.get(
      (await authorizationRequest({ client_id: spa.id, redirect_uri: spa.redirectUri, prompt: 'none' })).url,
    )
    expect(silent.headers.get('location')).toContain('code=')
  })

  it('[ASVS-9.2.2] is not accepted by the management API', async () => {
    const operator = await newOperator(app)
    const { tokens } = await atTokenEndpoint(app, codeGrant(spa, await newArrival(app, spa)))
    expect((await asOperator(app, tokens.id_token).get('/users')).status).toBe(401)
    expect((await operator.get('/users')).status).toBe(200)
  })
})
