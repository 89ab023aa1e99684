import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEVICE_GRANT, EXCHANGE_GRANT } from '../../src/oidc/applications/clients.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from '../kit/clients/cookie-client.ts'
import { answerDevice, newDeviceApplication, poll, startDevice } from '../kit/clients/device-client.ts'
import { assertionOf, newSigningKey } from '../kit/clients/key-client.ts'
import { machineToken, newOperator, type Operator } from '../kit/clients/management-client.ts'
import { codeRequestWith, newDpopKey } from '../kit/dpop-key.ts'
import { storeMembership, storeOrganization } from '../kit/organisations/organizations.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Checks that the discovery document lists exactly what works (spec/provider#discovery). */

const BACK = 'https://shop.example/back'
const secret = 'a secret of our own choice'

type Document = Record<string, string | boolean | string[]>
let app: TestApp
let operator: Operator
let document: Document
let browser: CookieClient
let userId: string
let shop: string
let bank: string
let robot: string

const endpoint = (name: string) => new URL(String(document[name])).pathname
const listed = (name: string) => document[name] as string[]

async function addApplication(type: string, custom: object = {}): Promise<string> {
  const response = await operator.send('POST', '/applications', {
    name: type,
    type,
    ...(type !== 'SPA' && { secret }),
    oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [] },
    customClientMetadata: custom,
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: string }).id
}

beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  document = (await (await app.fetch('/oidc/.well-known/openid-configuration')).json()) as Document
  shop = await addApplication('SPA')
  bank = await addApplication('Traditional', {
    idTokenSignedResponseAlg: 'ES384',
    backchannelLogoutUri: 'https://bank.example/logout',
    backchannelLogoutSessionRequired: true,
  })
  robot = await addApplication('Traditional', { jwks: { keys: [(await newSigningKey()).jwk] } })
  browser = newCookieClient(app)
  const request = await authorizationRequest()
  const uid = await openSignInPage(browser, request)
  const username = freshName()
  await resumeAuthorization(browser, await registerAccount(browser, uid, username))
  const users = await operator.get(`/users?search.username=${username}`)
  ;[{ id: userId } = { id: '' }] = (await users.json()) as { id: string }[]
})

/** Requests an authorization in the browser's session, and consents if a consent page appears. */
async function authorize(parameters: Record<string, string> = {}) {
  const request = await authorizationRequest({ client_id: shop, redirect_uri: BACK, ...parameters })
  const answer = await browser.get(request.url)
  const location = new URL(answer.headers.get('location') ?? '/', app.origin)
  const uid = location.searchParams.get('interaction')
  if (!uid || location.pathname !== '/sign-in/consent') return { request, answer, location }
  const consented = await browser.send('POST', '/api/interaction/consent', undefined, { Interaction: uid })
  return { request, answer, location: await resumeAuthorization(browser, consented) }
}

type Tokens = { id_token: string; access_token: string; refresh_token: string; scope: string; error?: string }

async function redeem(
  { request, location }: Awaited<ReturnType<typeof authorize>>,
  form: Record<string, string> = { client_id: shop },
  headers: Record<string, string> = {},
) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: location.searchParams.get('code') ?? '',
    code_verifier: request.verifier,
    redirect_uri: BACK,
    ...form,
  })
  const answer = await app.fetch(endpoint('token_endpoint'), { method: 'POST', headers, body })
  return (await answer.json()) as Tokens
}

/** Gives the robot a key for this algorithm and returns an assertion that is signed with the key. */
async function newAssertion(alg: string) {
  const key = await newSigningKey(alg)
  const jwks = { keys: [key.jwk] }
  const changed = await operator.send('PATCH', `/applications/${robot}`, { customClientMetadata: { jwks } })
  expect(changed.status).toBe(alg === 'ES512' ? 400 : 200)
  return assertionOf(key, robot, { aud: String(document.issuer) })
}

/** Exchanges, as the bank, a token that the shop obtained for its user, and returns the new token. */
async function exchangeToken(): Promise<object> {
  const resource = 'https://exchange.example'
  await operator.send('POST', '/resources', { name: 'API', indicator: resource })
  const policy = { tokenExchangeClients: [shop], tokenExchangeResources: [resource] }
  await operator.send('PATCH', `/applications/${bank}`, { customClientMetadata: policy })
  const { access_token: token } = await redeem(await authorize())
  const body = new URLSearchParams({
    grant_type: EXCHANGE_GRANT,
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    resource,
  })
  const headers = asBasic(bank)
  return (await app.fetch(endpoint('token_endpoint'), { method: 'POST', headers, body })).json()
}

/** Connects a device, approves it as the user, and returns its tokens. */
async function connectDevice(): Promise<object> {
  const television = await newDeviceApplication(operator)
  expect(endpoint('device_authorization_endpoint')).toBe('/oidc/device/auth')
  const started = await startDevice(app, television)
  await answerDevice(browser, started.user_code, 'allow')
  return poll(app, television, started.device_code)
}

const asBasic = (id: string) => ({ authorization: `Basic ${btoa(`${id}:${encodeURIComponent(secret)}`)}` })
const errorOf = (location: URL) => new URLSearchParams(location.hash.slice(1) || location.search).get('error')
const post = async (name: string, form: Record<string, string>) =>
  app.fetch(endpoint(name), { method: 'POST', headers: asBasic(bank), body: new URLSearchParams(form) })

/** A check for each field of the document, which fails if the field's value is wrong. */
const checks: Record<string, () => unknown> = {
  issuer: () => expect(document.issuer).toBe(`${app.origin}/oidc`),
  async jwks_uri() {
    const { keys } = (await (await app.fetch(endpoint('jwks_uri'))).json()) as { keys: { alg: string }[] }
    expect(keys.map(({ alg }) => alg).toSorted()).toEqual(
      listed('id_token_signing_alg_values_supported').toSorted(),
    )
  },
  async authorization_endpoint() {
    const { location } = await authorize()
    expect(location.searchParams.get('code')).toBeTruthy()
  },
  async authorization_response_iss_parameter_supported() {
    const { location } = await authorize()
    expect(location.searchParams.get('iss')).toBe(document.issuer)
  },
  async response_types_supported() {
    for (const type of listed('response_types_supported')) {
      const { location } = await authorize({ response_type: type })
      expect([type, errorOf(location), location.searchParams.has('code')]).toEqual([
        type,
        null,
        type === 'code',
      ])
    }
    for (const type of ['token', 'id_token', 'code id_token']) {
      const { location } = await authorize({ response_type: type })
      expect([type, errorOf(location)]).toEqual([type, 'unsupported_response_type'])
    }
  },
  async response_modes_supported() {
    for (const mode of listed('response_modes_supported')) {
      const { answer, location } = await authorize({ response_mode: mode })
      const place = { query: location.search, fragment: location.hash, form_post: await answer.text() }[mode]
      expect(place).toContain('code')
    }
    const { location } = await authorize({ response_mode: 'jwt' })
    expect(errorOf(location)).toBe('unsupported_response_mode')
  },
  async code_challenge_methods_supported() {
    expect(listed('code_challenge_methods_supported')).toEqual(['S256'])
    expect(await redeem(await authorize())).toHaveProperty('id_token')
    const { location } = await authorize({ code_challenge_method: 'plain' })
    expect(errorOf(location)).toBe('invalid_request')
  },
  async scopes_supported() {
    const scope = listed('scopes_supported').join(' ')
    const tokens = await redeem(await authorize({ scope, prompt: 'consent' }))
    expect(tokens.scope.split(' ').toSorted()).toEqual(scope.split(' ').toSorted())
    expect((await redeem(await authorize({ scope: 'openid groups' }))).scope).toBe('openid')
  },
  async claims_supported() {
    const address = { country: 'DE' }
    const profile = {
      givenName: 'A',
      familyName: 'B',
      middleName: 'C',
      nickname: 'D',
      gender: 'x',
      birthdate: '1990',
      profile: 'https://a.example',
      website: 'https://a.example',
      zoneinfo: 'UTC',
      locale: 'de',
      address,
    }
    const changed = await operator.send('PATCH', `/users/${userId}`, {
      primaryEmail: `${freshName()}@example.com`,
      primaryPhone: `49${Date.now()}`,
      name: 'Ann',
      avatar: 'https://a.example/a.png',
      customData: { a: 1 },
      profile,
    })
    expect(changed.status).toBe(200)
    const company = await addApplication('Traditional', {
      organizationMode: 'optional',
      backchannelLogoutUri: 'https://company.example/logout',
      backchannelLogoutSessionRequired: true,
    })
    const [organization] = await Promise.all(
      Array.from({ length: 101 }, async () => {
        const organizationId = await storeOrganization()
        await storeMembership({ organizationId, userId, roleIds: [] })
        return organizationId
      }),
    )
    const scope = listed('scopes_supported').join(' ')
    const authorized = await authorize({ client_id: company, scope, organization: organization ?? '' })
    const { id_token: idToken, access_token: token } = await redeem(authorized, {}, asBasic(company))
    const headers = { authorization: `Bearer ${token}` }
    const userinfo = (await (await app.fetch(endpoint('userinfo_endpoint'), { headers })).json()) as object
    const names = new Set([...Object.keys(decodeJwt(idToken)), ...Object.keys(userinfo)])
    // These claims describe the token, not its user.
    for (const name of ['aud', 'exp', 'iat', 'nonce', 'at_hash']) names.delete(name)
    expect([...names].toSorted()).toEqual(listed('claims_supported').toSorted())
  },
  async prompt_values_supported() {
    for (const prompt of [...listed('prompt_values_supported'), 'select_account']) {
      const description = new URLSearchParams((await authorize({ prompt })).location.search).get(
        'error_description',
      )
      expect([prompt, description === 'unsupported prompt value requested']).toEqual([
        prompt,
        prompt === 'select_account',
      ])
    }
  },
  async claims_parameter_supported() {
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'urn:none' } } })
    expect(errorOf((await authorize({ claims })).location)).toBe('unmet_authentication_requirements')
  },
  claim_types_supported: () => expect(document.claim_types_supported).toEqual(['normal']),
  async acr_values_supported() {
    const levels = listed('acr_values_supported')
    const met = await redeem(await authorize({ acr_values: levels[0] ?? '' }))
    expect(decodeJwt(met.id_token).acr).toBe(levels[0])
    // The session used only one factor, so it does not satisfy the higher levels.
    for (const level of levels.slice(1))
      expect(errorOf((await authorize({ acr_values: level, prompt: 'none' })).location)).toBe(
        'login_required',
      )
    expect(errorOf((await authorize({ acr_values: 'urn:none' })).location)).toBe(
      'unmet_authentication_requirements',
    )
  },
  async subject_types_supported() {
    const ofShop = await redeem(await authorize())
    const ofBank = await redeem(await authorize({ client_id: bank }), {}, asBasic(bank))
    expect(decodeJwt(ofShop.id_token).sub).toBe(userId)
    expect(decodeJwt(ofBank.id_token).sub).toBe(userId)
  },
  async token_endpoint() {
    expect(await redeem(await authorize())).toHaveProperty('access_token')
  },
  async token_endpoint_auth_methods_supported() {
    const methods: Record<string, () => Promise<Tokens>> = {
      client_secret_basic: async () => redeem(await authorize({ client_id: bank }), {}, asBasic(bank)),
      client_secret_post: async () =>
        redeem(await authorize({ client_id: bank }), { client_id: bank, client_secret: secret }),
      private_key_jwt: async () => redeem(await authorize({ client_id: robot }), await newAssertion('ES256')),
      none: async () => redeem(await authorize()),
    }
    expect(Object.keys(methods)).toEqual(listed('token_endpoint_auth_methods_supported'))
    for (const [name, run] of Object.entries(methods))
      expect([name, await run()]).toEqual([name, expect.objectContaining({ id_token: expect.any(String) })])
    const form = { ...(await newAssertion('ES256')), client_id: bank }
    expect((await redeem(await authorize({ client_id: bank }), form)).error).toBeTruthy()
  },
  async token_endpoint_auth_signing_alg_values_supported() {
    for (const alg of listed('token_endpoint_auth_signing_alg_values_supported')) {
      const tokens = await redeem(await authorize({ client_id: robot }), await newAssertion(alg))
      expect([alg, tokens]).toEqual([alg, expect.objectContaining({ id_token: expect.any(String) })])
    }
    const { error } = await redeem(await authorize({ client_id: robot }), await newAssertion('ES512'))
    expect(error).toBe('invalid_client')
  },
  async grant_types_supported() {
    const offline = { scope: 'openid offline_access', prompt: 'consent' }
    const first = await redeem(await authorize(offline))
    const again = { grant_type: 'refresh_token', client_id: shop, refresh_token: first.refresh_token }
    const call = async (form: Record<string, string>) => {
      const body = new URLSearchParams(form)
      const answer = await app.fetch(endpoint('token_endpoint'), { method: 'POST', body })
      return (await answer.json()) as Tokens
    }
    const results = {
      authorization_code: first,
      refresh_token: await call(again),
      client_credentials: { access_token: await machineToken(app) },
      [DEVICE_GRANT]: await connectDevice(),
      [EXCHANGE_GRANT]: await exchangeToken(),
    }
    expect(Object.keys(results)).toEqual(listed('grant_types_supported'))
    for (const tokens of Object.values(results))
      expect(tokens).toHaveProperty('access_token', expect.any(String))
    for (const type of ['password'])
      expect((await call({ grant_type: type, client_id: shop })).error).toBe('unsupported_grant_type')
  },
  async id_token_signing_alg_values_supported() {
    const ofShop = await redeem(await authorize())
    const ofBank = await redeem(await authorize({ client_id: bank }), {}, asBasic(bank))
    const other = await addApplication('Traditional', { idTokenSignedResponseAlg: 'ES256' })
    const ofOther = await redeem(await authorize({ client_id: other }), {}, asBasic(other))
    const used = [ofShop, ofBank, ofOther].map(({ id_token: token }) => decodeProtectedHeader(token).alg)
    expect(used).toEqual(listed('id_token_signing_alg_values_supported'))
  },
  async userinfo_endpoint() {
    const { access_token: token } = await redeem(await authorize())
    const headers = { authorization: `Bearer ${token}` }
    expect(await (await app.fetch(endpoint('userinfo_endpoint'), { headers })).json()).toMatchObject({
      sub: userId,
    })
  },
  async introspection_endpoint() {
    const { access_token: token } = await redeem(await authorize({ client_id: bank }), {}, asBasic(bank))
    expect(await (await post('introspection_endpoint', { token })).json()).toMatchObject({ active: true })
  },
  async revocation_endpoint() {
    const { access_token: token } = await redeem(await authorize({ client_id: bank }), {}, asBasic(bank))
    expect((await post('revocation_endpoint', { token })).status).toBe(200)
    expect(await (await post('introspection_endpoint', { token })).json()).toEqual({ active: false })
  },
  async device_authorization_endpoint() {
    expect(await connectDevice()).toHaveProperty('access_token')
  },
  async pushed_authorization_request_endpoint() {
    const { url } = await authorizationRequest({ client_id: bank, redirect_uri: BACK })
    const form = Object.fromEntries(new URL(url, app.origin).searchParams)
    const pushed = await post('pushed_authorization_request_endpoint', form)
    expect(pushed.status).toBe(201)
    const { request_uri: uri } = (await pushed.json()) as { request_uri: string }
    const answer = await browser.get(
      `${endpoint('authorization_endpoint')}?${new URLSearchParams({ client_id: bank, request_uri: uri })}`,
    )
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy()
  },
  async request_parameter_supported() {
    expect(document.request_parameter_supported).toBe(false)
    expect(errorOf((await authorize({ request: 'a.b.c' })).location)).toBe('request_not_supported')
  },
  async request_uri_parameter_supported() {
    expect(document.request_uri_parameter_supported).toBe(false)
    const { answer } = await authorize({ request_uri: 'https://shop.example/request' })
    expect(answer.status === 400 || answer.headers.get('location')?.includes('error=')).toBe(true)
  },
  async dpop_signing_alg_values_supported() {
    for (const alg of listed('dpop_signing_alg_values_supported')) {
      const answer = await (await codeRequestWith(app, await newDpopKey(alg)))()
      expect([alg, await answer.json()]).toEqual([alg, expect.objectContaining({ token_type: 'DPoP' })])
    }
    const other = await (await codeRequestWith(app, await newDpopKey('RS256')))()
    expect(await other.json()).toMatchObject({ error: 'invalid_dpop_proof' })
  },
  async backchannel_logout_session_supported() {
    const { id_token: token } = await redeem(await authorize({ client_id: bank }), {}, asBasic(bank))
    expect(decodeJwt(token).sid).toEqual(expect.any(String))
  },
  /** tests/oidc/sessions/back-channel-logout.test.ts checks the logout tokens themselves. */
  backchannel_logout_supported: () => expect(document.backchannel_logout_supported).toBe(true),
  async end_session_endpoint() {
    const page = await browser.get(endpoint('end_session_endpoint'), { accept: 'text/html' })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('html')])
  },
}

describe('the discovery document', () => {
  it('contains only fields that these tests check', () => {
    expect(Object.keys(document).toSorted()).toEqual(Object.keys(checks).toSorted())
  })

  it.each(Object.keys(checks))('is correct about %s', async (name) => {
    await checks[name]?.()
  })
})
