import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { keySetRefresh } from '../../../src/application/applications/client-keys.ts'
import { authorizationRequest, ORIGIN } from '../../kit/clients/cookie-client.ts'
import {
  assertionOf,
  newKeyApplication,
  newSigningKey,
  type SigningKey,
} from '../../kit/clients/key-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests applications that authenticate with keys (spec/provider#client-keys, RFC 7523). */

const ISSUER = `${ORIGIN}/oidc`
const BACK = 'https://shop.example/back'
const RESOURCE = 'https://api.example'

let app: TestApp
let operator: Operator
let key: SigningKey
let robot: { id: string; secret: string }

beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  key = await newSigningKey()
  const resource = { name: 'API', indicator: RESOURCE }
  expect((await operator.send('POST', '/resources', resource)).status).toBeLessThan(300)
  robot = await newKeyApplication(operator, { jwks: { keys: [key.jwk] } })
})

type Answer = { status: number; error?: string; error_description?: string; access_token?: string }

async function post(path: string, form: Record<string, string>, at = app): Promise<Answer> {
  const response = await at.fetch(path, { method: 'POST', body: new URLSearchParams(form) })
  const text = await response.text()
  return { ...(text ? JSON.parse(text) : {}), status: response.status }
}

const GRANT = { grant_type: 'client_credentials', resource: RESOURCE }
const sign = (client: string, claims: Parameters<typeof assertionOf>[2] = {}, by = key) =>
  assertionOf(by, client, { aud: ISSUER, ...claims })
const ask = async (client: string, claims?: Parameters<typeof assertionOf>[2], by?: SigningKey, at = app) =>
  post('/oidc/token', { ...GRANT, ...(await sign(client, claims, by)) }, at)

const invalidClient = { status: 401, error: 'invalid_client' }

describe('an application with keys', () => {
  it.each(['ES256', 'ES384', 'Ed25519', 'PS256', 'RS256'])(
    'can authenticate with a key for %s',
    async (alg) => {
      const signingKey = await newSigningKey(alg)
      const { id } = await newKeyApplication(operator, { jwks: { keys: [key.jwk, signingKey.jwk] } })
      expect(await ask(id, {}, signingKey)).toMatchObject({ status: 200, access_token: expect.any(String) })
    },
  )

  it('[RFC9700-2.5-4] must authenticate at each endpoint that requires client authentication', async () => {
    const custom = { jwks: { keys: [key.jwk] }, deviceFlow: true }
    const { id } = await newKeyApplication(operator, custom, { type: 'Traditional', redirectUris: [BACK] })
    const { url } = await authorizationRequest({ client_id: id, redirect_uri: BACK })
    const request = Object.fromEntries(new URL(url, ORIGIN).searchParams)
    const calls: [string, Record<string, string>, number][] = [
      ['/oidc/request', request, 201],
      ['/oidc/device/auth', { client_id: id, scope: 'openid' }, 200],
      ['/oidc/token/introspection', { token: 'none' }, 200],
      ['/oidc/token/revocation', { token: 'none' }, 200],
    ]
    for (const [path, form, status] of calls) {
      expect([path, await post(path, { ...form, ...(await sign(id)) })]).toEqual([
        path,
        expect.objectContaining({ status }),
      ])
      const other = await sign(id, {}, await newSigningKey('ES256', key.kid))
      expect([path, await post(path, { ...form, ...other })]).toEqual([
        path,
        expect.objectContaining(invalidClient),
      ])
    }
  })

  it('[RFC9700-2.5-5] cannot authenticate with its secret, however the secret is sent', async () => {
    expect(
      await post('/oidc/token', { ...GRANT, client_id: robot.id, client_secret: robot.secret }),
    ).toMatchObject(invalidClient)
    const headers = { authorization: `Basic ${btoa(`${robot.id}:${robot.secret}`)}` }
    const basic = await app.fetch('/oidc/token', {
      method: 'POST',
      headers,
      body: new URLSearchParams(GRANT),
    })
    expect(basic.status).toBe(401)
    expect(await post('/oidc/token', { ...GRANT, client_id: robot.id })).toMatchObject(invalidClient)
    // Once its keys are removed, the application can use its secret again.
    const changed = await operator.send('PATCH', `/applications/${robot.id}`, {
      customClientMetadata: { jwks: null },
    })
    expect(changed.status).toBe(200)
    expect((await ask(robot.id)).status).toBe(401)
    const form = { ...GRANT, client_id: robot.id, client_secret: robot.secret }
    expect(await post('/oidc/token', form)).toMatchObject({ status: 200 })
    const keys = { customClientMetadata: { jwks: { keys: [key.jwk] } } }
    expect((await operator.send('PATCH', `/applications/${robot.id}`, keys)).status).toBe(200)
  })

  it('[RFC9700-2.5-6] cannot reuse an assertion, even concurrently or at another endpoint', async () => {
    const proof = await sign(robot.id)
    const answers = await Promise.all([1, 2, 3].map(() => post('/oidc/token', { ...GRANT, ...proof })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    expect(await post('/oidc/token/introspection', { token: 'none', ...proof })).toMatchObject(invalidClient)
    expect(await post('/oidc/token/revocation', { token: 'none', ...proof })).toMatchObject(invalidClient)
  })

  it.each<[string, Parameters<typeof assertionOf>[2]]>([
    ['the token endpoint as its audience', { aud: `${ISSUER}/token` }],
    ['the issuer as one of several audiences', { aud: [ISSUER, 'https://other.example'] }],
    ['the issuer in an array', { aud: [ISSUER] }],
    ['another audience', { aud: 'https://other.example' }],
    ['a lifetime of more than five minutes', { exp: '6m' }],
    ['an expiry further in the past than clocks may differ', { exp: '-20s' }],
    ['another issuer', { iss: 'other' }],
  ])('cannot authenticate with an assertion that has %s', async (_name, claims) => {
    expect(await ask(robot.id, claims)).toMatchObject(invalidClient)
  })

  it.each([
    ['the token endpoint', `${ISSUER}/token`],
    ['the endpoint that it calls', `${ISSUER}/request`],
    ['another server', 'https://other.example'],
    ['the issuer in an array', [ISSUER]],
  ])('learns which audience is expected if its assertion names %s (RFC 7523bis)', async (_name, aud) => {
    for (const path of [
      '/oidc/token',
      '/oidc/token/introspection',
      '/oidc/token/revocation',
      '/oidc/request',
    ])
      expect([
        path,
        await post(path, { token: 'none', ...GRANT, ...(await sign(robot.id, { aud })) }),
      ]).toEqual([
        path,
        {
          ...invalidClient,
          error_description: `client authentication failed: the audience (aud) of the assertion must be ${ISSUER}, as a string`,
        },
      ])
  })

  it('does not learn more than that its authentication failed if the signature of its assertion is wrong', async () => {
    const forged = await sign(robot.id, { aud: `${ISSUER}/token` }, await newSigningKey('ES256', key.kid))
    expect(await post('/oidc/token', { ...GRANT, ...forged })).toEqual({
      ...invalidClient,
      error_description: 'client authentication failed',
    })
  })

  it('can authenticate if its clock is a few seconds slow or fast', async () => {
    expect(await ask(robot.id, { exp: '-10s' })).toMatchObject({ status: 200 })
    expect(await ask(robot.id, { exp: '310s' })).toMatchObject({ status: 200 })
  })

  it('[ASVS-10.4.16] cannot authenticate with an assertion that is unsigned or signed with a shared secret', async () => {
    const secret = new TextEncoder().encode(robot.secret.padEnd(64, 'x'))
    const { client_assertion: jwt, ...type } = await assertionOf(
      { alg: 'HS256', kid: key.kid, privateKey: secret } as unknown as SigningKey,
      robot.id,
      { aud: ISSUER },
    )
    expect(await post('/oidc/token', { ...GRANT, ...type, client_assertion: jwt })).toMatchObject(
      invalidClient,
    )
    const [, claims] = jwt.split('.')
    const unsigned = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${claims}.`
    expect((await post('/oidc/token', { ...GRANT, ...type, client_assertion: unsigned })).status).toBe(401)
  })
})

describe('keys at a URL', () => {
  const ADDRESS = 'https://robot.example/keys.json'
  let answer: () => Response
  let fetchCount: number

  beforeEach(() => {
    fetchCount = 0
    const { fetch } = globalThis
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (String(input) !== ADDRESS) return fetch(input, init)
      fetchCount += 1
      return answer()
    })
    return () => vi.restoreAllMocks()
  })

  const setOf =
    (...keys: SigningKey[]) =>
    () =>
      Response.json({ keys: keys.map(({ jwk }) => jwk) })
  const newApplicationWithKeyUrl = () => newKeyApplication(operator, { jwksUri: ADDRESS })

  it('are fetched once, and again at a limited rate for an unknown kid', async () => {
    const [before, after] = [await newSigningKey(), await newSigningKey()]
    const site = openTestApp()
    const { id } = await newApplicationWithKeyUrl()
    answer = setOf(before)
    expect((await ask(id, {}, before, site)).status).toBe(200)
    expect((await ask(id, {}, before, site)).status).toBe(200)
    expect(fetchCount).toBe(1)

    answer = setOf(after)
    for (const guess of [await newSigningKey(), await newSigningKey()])
      expect(await ask(id, {}, guess, site)).toMatchObject(invalidClient)
    expect(fetchCount).toBe(1)
    const { pauseMs } = keySetRefresh
    keySetRefresh.pauseMs = 0
    try {
      expect((await ask(id, {}, after, site)).status).toBe(200)
      expect(fetchCount).toBe(2)
    } finally {
      keySetRefresh.pauseMs = pauseMs
    }
    expect(await ask(id, {}, before, site)).toMatchObject(invalidClient)
    expect(fetchCount).toBe(2)
  })

  it('are fetched by the doctor, which reports problems with the key set', async () => {
    const { id } = await newApplicationWithKeyUrl()
    answer = () => Response.json({ keys: [] })
    const report = await operator.get('/configs/doctor')
    const { applications } = (await report.json()) as { applications: { keySets: object[] } }
    expect(applications.keySets).toContainEqual({ id, problem: 'the key set has no signing key' })
  })

  it('are not fetched during a sign-in', async () => {
    const { id } = await newKeyApplication(
      operator,
      { jwksUri: ADDRESS },
      { type: 'Traditional', redirectUris: [BACK] },
    )
    const { url } = await authorizationRequest({ client_id: id, redirect_uri: BACK })
    expect((await app.fetch(url)).status).toBe(303)
    expect(fetchCount).toBe(0)
  })

  it.each<[string, () => Response]>([
    ['redirects', () => new Response(null, { status: 302, headers: { location: 'https://other.example' } })],
    ['is an HTML page', () => new Response('{"keys":[]}', { headers: { 'content-type': 'text/html' } })],
    ['fails', () => Response.json({ keys: [] }, { status: 500 })],
    ['is too long', () => Response.json({ keys: [], pad: 'x'.repeat(70_000) })],
    ['contains a private key', () => Response.json({ keys: [{ ...key.jwk, d: 'x' }] })],
    ['contains a shared key', () => Response.json({ keys: [{ kty: 'oct', k: 'abc' }] })],
  ])('cannot be used if the response %s', async (_name, response) => {
    answer = response
    const { id } = await newApplicationWithKeyUrl()
    expect(await ask(id, {}, key, openTestApp())).toMatchObject(invalidClient)
    expect(fetchCount).toBe(1)
  })
})

describe('an application’s keys in the management API', () => {
  const create = (type: string, customClientMetadata: object) =>
    operator.send('POST', '/applications', {
      name: 'Robot',
      type,
      oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [] },
      customClientMetadata,
    })

  // The other problems are in tests/domain/applications.
  it.each<[string, string, (jwk: Record<string, unknown>) => object]>([
    ['a private key', 'MachineToMachine', (jwk) => ({ jwks: { keys: [{ ...jwk, d: 'x' }] } })],
    ['keys for a public application', 'SPA', (jwk) => ({ jwks: { keys: [jwk] } })],
    ['a key URL without TLS', 'Traditional', () => ({ jwksUri: 'http://robot.example/keys' })],
  ])('cannot be %s', async (_name, type, custom) => {
    expect((await create(type, custom(key.jwk))).status).toBe(400)
  })

  it('must be removed before the application becomes public', async () => {
    const { id } = await newKeyApplication(
      operator,
      { jwks: { keys: [key.jwk] } },
      {
        type: 'Traditional',
        redirectUris: [BACK],
      },
    )
    expect((await operator.send('PATCH', `/applications/${id}`, { type: 'SPA' })).status).toBe(400)
    const change = { jwks: null, jwksUri: 'https://robot.example/keys' }
    const changed = await operator.send('PATCH', `/applications/${id}`, { customClientMetadata: change })
    expect(await changed.json()).toMatchObject({ customClientMetadata: { jwksUri: change.jwksUri } })
  })
})
