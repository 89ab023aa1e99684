import { decodeJwt, SignJWT } from 'jose'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CookieClient, ORIGIN } from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  type Application,
  askForToken,
  authorize,
  type Form,
  giveRoles,
  newApi,
  newApplication,
  type TokenAnswer,
} from '../../kit/clients/token-client.ts'
import { newDpopKey } from '../../kit/dpop-key.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests how one application acts on behalf of another application's user (spec/provider#token-exchange, RFC 8693). */

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const ORDERS = 'https://orders.example'
const STOCK = 'https://stock.example'
const OTHER = 'https://other.example'
const PARCELS = 'https://parcels.example'

let app: TestApp
let operator: Operator
let shop: Application
let agent: Application
let backend: Application
let client: CookieClient
let userId: string

beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  const visitor = await storeVisitor(app)
  client = visitor.client
  const apis = [ORDERS, STOCK, OTHER].map((indicator) =>
    newApi(operator, indicator, ['read', 'write', 'delete']),
  )
  const parcels = newApi(operator, PARCELS, ['pack'])
  const roleIds = (await Promise.all([...apis, parcels])).map(({ roleId }) => roleId)
  userId = await giveRoles(operator, visitor.username, roleIds)
  shop = await newApplication(operator)
  agent = await newApplication(operator, {
    customClientMetadata: {
      tokenExchangeClients: [shop.id],
      tokenExchangeResources: [`${STOCK}/`, ORDERS, PARCELS],
      tokenExchangeScopes: ['read', 'write', 'pack'],
    },
  })
  backend = await newApplication(operator, {
    type: 'MachineToMachine',
    oidcClientMetadata: {},
    customClientMetadata: { tokenExchangeClients: [agent.id], tokenExchangeResources: [OTHER] },
  })
})

/** Returns a token that the shop obtains for its user, either for an API or opaque. */
async function subjectToken(
  form: Form = { resource: ORDERS },
  browser = client,
  application = shop,
  resource = [ORDERS, STOCK, OTHER],
) {
  const request = { scope: 'openid read write pack', resource }
  const { redemption } = await authorize(browser, application, request)
  return (await askForToken(app, application, { ...redemption, ...form })).access_token
}

const exchange = (form: Form, application = agent, headers?: Record<string, string>) =>
  askForToken(
    app,
    application,
    { grant_type: GRANT, subject_token_type: ACCESS_TOKEN, resource: STOCK, ...form },
    headers,
  )

describe('a token exchange', () => {
  it('issues a token and writes an audit entry, both of which name the acting application and the user', async () => {
    const token = await subjectToken()
    const answer = await exchange({ subject_token: token })
    expect(answer).toEqual({
      status: 200,
      access_token: expect.any(String),
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: expect.toSatisfy((seconds: number) => seconds > 3590 && seconds <= 3600),
      scope: 'read write',
    })
    expect(decodeJwt(answer.access_token)).toMatchObject({
      sub: userId,
      aud: STOCK,
      client_id: agent.id,
      scope: 'read write',
      act: { sub: agent.id },
      acr: decodeJwt(token).acr,
      auth_time: decodeJwt(token).auth_time,
    })
    const logs = await operator.get(`/logs?applicationId=${agent.id}&page_size=1`)
    const [entry] = (await logs.json()) as { key: string; payload: object }[]
    expect(entry).toMatchObject({
      key: 'ExchangeTokenBy.TokenExchange',
      payload: { userId, applicationId: agent.id, subjectApplicationId: shop.id, actors: [agent.id] },
    })
    expect(JSON.stringify(entry)).not.toContain(token.split('.')[1])
  })

  it('records the chain of acting applications, which is limited to five', async () => {
    const first = await exchange({ subject_token: await subjectToken() })
    const form = { subject_token: first.access_token, resource: OTHER, scope: 'read' }
    const second = await exchange(form, backend)
    expect(decodeJwt(second.access_token)).toMatchObject({
      scope: 'read',
      act: { sub: backend.id, act: { sub: agent.id } },
    })
    const loop = await newApplication(operator, { type: 'MachineToMachine', oidcClientMetadata: {} })
    const policy = { tokenExchangeClients: [shop.id, loop.id], tokenExchangeResources: [STOCK] }
    await operator.send('PATCH', `/applications/${loop.id}`, { customClientMetadata: policy })
    let token = await subjectToken()
    for (let depth = 1; depth <= 5; depth++) {
      const answer = await exchange({ subject_token: token }, loop)
      expect(answer.status).toBe(200)
      token = answer.access_token
    }
    expect(await exchange({ subject_token: token }, loop)).toMatchObject({ error: 'invalid_request' })
  })

  it('issues a token with the scopes granted for the resource in exchange for an opaque token', async () => {
    const answer = await exchange({ subject_token: await subjectToken({}), audience: STOCK, resource: [] })
    expect(decodeJwt(answer.access_token)).toMatchObject({ aud: STOCK, scope: 'read write' })
  })

  it('[RFC9700-2.3-3] ignores scopes granted in other requests when it exchanges an opaque token', async () => {
    const caller = await newApplication(operator)
    const gateway = await newApplication(operator, {
      customClientMetadata: { tokenExchangeClients: [caller.id], tokenExchangeResources: [ORDERS, STOCK] },
    })
    const opaque = async (form: Form, more: Form = {}) => {
      const { redemption } = await authorize(client, caller, form)
      return askForToken(app, caller, { ...redemption, ...more })
    }
    const scopeAt = async ({ access_token }: TokenAnswer, form: Form = {}) => {
      const answer = await exchange({ subject_token: access_token, ...form }, gateway)
      return answer.error ?? answer.scope
    }
    const wide = await opaque({
      scope: 'openid offline_access read write',
      prompt: 'consent',
      resource: [ORDERS, STOCK],
    })
    expect(await scopeAt(wide)).toBe('read write')

    const plain = await opaque({ scope: 'openid' })
    expect([await scopeAt(plain), await scopeAt(plain, { scope: 'read' })]).toEqual([
      undefined,
      'invalid_scope',
    ])
    const narrow = await opaque({ scope: 'openid read', resource: ORDERS })
    expect([await scopeAt(narrow), await scopeAt(narrow, { resource: ORDERS })]).toEqual([undefined, 'read'])
    const refreshed = await askForToken(app, caller, {
      grant_type: 'refresh_token',
      refresh_token: wide.refresh_token ?? '',
      scope: 'openid read',
    })
    expect(await scopeAt(refreshed)).toBe('read')
  })

  it('is limited by the subject token, the application’s policy and the user’s roles', async () => {
    const scope = async (form: Form, application = agent) => {
      const answer = await exchange({ subject_token: await subjectToken(), ...form }, application)
      return answer.error ?? answer.scope
    }
    expect(await scope({ scope: 'read' })).toBe('read')
    expect(await scope({ scope: 'read delete' })).toBe('invalid_scope')
    expect(await scope({ scope: 'openid' })).toBe('invalid_scope')
    const reader = await newApplication(operator, {
      customClientMetadata: {
        tokenExchangeClients: [shop.id],
        tokenExchangeResources: [STOCK],
        tokenExchangeScopes: ['read'],
      },
    })
    expect(await scope({}, reader)).toBe('read')
    expect(await scope({ scope: 'write' }, reader)).toBe('invalid_scope')

    const other = await storeVisitor(app)
    const token = await subjectToken({ resource: ORDERS }, other.client)
    const answer = await exchange({ subject_token: token })
    expect([answer.status, answer.scope]).toEqual([200, undefined])
  })

  it('[RFC9700-2.3-2] is limited to the scopes that were granted for the requested resource', async () => {
    // Use new applications, because the existing applications' grants include more resources.
    const caller = await newApplication(operator)
    const gateway = await newApplication(operator, {
      customClientMetadata: {
        tokenExchangeClients: [caller.id],
        tokenExchangeResources: [ORDERS, STOCK, PARCELS],
      },
    })
    const scopeAt = async (token: string, form: Form) => {
      const answer = await exchange({ subject_token: token, ...form }, gateway)
      return answer.error ?? answer.scope
    }
    const token = await subjectToken({ resource: ORDERS }, client, caller, [ORDERS, PARCELS])
    expect(decodeJwt(token)).toMatchObject({ aud: ORDERS, scope: 'read write' })
    expect(await scopeAt(token, { resource: STOCK })).toBeUndefined()
    expect(await scopeAt(token, { resource: STOCK, scope: 'read' })).toBe('invalid_scope')
    expect(await scopeAt(token, { resource: PARCELS })).toBe('pack')
    expect(await scopeAt(token, { resource: PARCELS, scope: 'read' })).toBe('invalid_scope')

    const narrow = await exchange({ subject_token: token, resource: ORDERS, scope: 'read' }, gateway)
    expect(narrow.scope).toBe('read')
    await operator.send('PATCH', `/applications/${gateway.id}`, {
      customClientMetadata: { tokenExchangeClients: [gateway.id], tokenExchangeResources: [ORDERS] },
    })
    expect(await scopeAt(narrow.access_token, { resource: ORDERS })).toBe('read')
    expect(await scopeAt(narrow.access_token, { resource: ORDERS, scope: 'write' })).toBe('invalid_scope')
  })

  it('issues a token that expires no later than the subject token', async () => {
    await app.env.DB.prepare('update resources set access_token_ttl = 100 where indicator = ?')
      .bind(ORDERS)
      .run()
    const token = await subjectToken()
    await app.env.DB.prepare('update resources set access_token_ttl = 7200 where indicator in (?, ?)')
      .bind(ORDERS, STOCK)
      .run()
    expect((await exchange({ subject_token: token })).expires_in).toBeLessThanOrEqual(100)
    expect((await exchange({ subject_token: await subjectToken() })).expires_in).toBe(3600)
  })

  it('requires a DPoP proof signed with the token’s key to exchange a DPoP-bound token', async () => {
    const [key, other] = [await newDpopKey(), await newDpopKey()]
    const proofOf = async (by: typeof key) => ({ dpop: await by.prove('POST', '/oidc/token') })
    const { redemption } = await authorize(client, shop, { scope: 'openid read', resource: ORDERS })
    const bound = await askForToken(app, shop, { ...redemption, resource: ORDERS }, await proofOf(key))
    const form = { subject_token: bound.access_token }
    expect(await exchange(form)).toMatchObject({ status: 400, error: 'invalid_request' })
    expect(await exchange(form, agent, await proofOf(other))).toMatchObject({ error: 'invalid_request' })
    const answer = await exchange(form, agent, await proofOf(key))
    expect(answer).toMatchObject({ status: 200, token_type: 'DPoP' })
    expect(decodeJwt(answer.access_token).cnf).toEqual(decodeJwt(bound.access_token).cnf)
    const proof = await proofOf(key)
    expect(await exchange(form, agent, proof)).toMatchObject({ status: 200 })
    expect(await exchange(form, agent, proof)).toMatchObject({ error: 'invalid_dpop_proof' })
  })

  it('needs three round trips to the database', async () => {
    const token = await subjectToken()
    await exchange({ subject_token: token })
    app.trips()
    expect((await exchange({ subject_token: token })).status).toBe(200)
    expect(app.trips().awaited).toBe(3)
  })

  it('works with the openid-client library as its documentation describes', async () => {
    const configuration = new openid.Configuration(
      { issuer: `${ORIGIN}/oidc`, token_endpoint: `${ORIGIN}/oidc/token` },
      agent.id,
      agent.secret,
    )
    openid.allowInsecureRequests(configuration)
    configuration[openid.customFetch] = (address, { body, ...init }) =>
      app.fetch(address, { ...init, body: body ?? null } as RequestInit)
    const tokens = await openid.genericGrantRequest(configuration, GRANT, {
      subject_token: await subjectToken(),
      subject_token_type: ACCESS_TOKEN,
      resource: STOCK,
      scope: 'read',
    })
    expect(tokens).toMatchObject({ issued_token_type: ACCESS_TOKEN, scope: 'read' })
  })
})

describe('an unauthorized token exchange', () => {
  const answerOf = ({ status, error }: TokenAnswer) => [status, error]

  it.each<{ what: string; form: Form; error: string }>([
    { what: 'without a token', form: { subject_token: [] }, error: 'invalid_request' },
    { what: 'for an unknown token', form: { subject_token: 'x'.repeat(43) }, error: 'invalid_request' },
    { what: 'for a malformed JWT', form: { subject_token: 'a.b.c' }, error: 'invalid_request' },
    {
      what: 'for another type of token',
      form: { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
      error: 'invalid_request',
    },
    { what: 'without the token type', form: { subject_token_type: [] }, error: 'invalid_request' },
    {
      what: 'when it requests a refresh token',
      form: { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      error: 'invalid_request',
    },
    {
      what: 'with an actor token',
      form: { actor_token: 'x', actor_token_type: ACCESS_TOKEN },
      error: 'invalid_request',
    },
    { what: 'without a resource', form: { resource: [] }, error: 'invalid_target' },
    { what: 'for two resources', form: { resource: [STOCK, ORDERS] }, error: 'invalid_target' },
    { what: 'for a resource and an audience', form: { audience: ORDERS }, error: 'invalid_target' },
    { what: 'for an unknown resource', form: { resource: 'https://no.example' }, error: 'invalid_target' },
    { what: 'for a resource that is not listed', form: { resource: OTHER }, error: 'invalid_target' },
    {
      what: 'for the management API',
      form: { resource: 'urn:vestibule:management-api' },
      error: 'invalid_target',
    },
    { what: 'for a wider scope', form: { scope: 'delete' }, error: 'invalid_scope' },
    { what: 'with a malformed scope', form: { scope: 're"ad' }, error: 'invalid_scope' },
  ])('is rejected $what', async ({ form, error }) => {
    const token = await subjectToken()
    expect(answerOf(await exchange({ subject_token: token, ...form }))).toEqual([400, error])
  })

  it('is rejected if the application has no policy, is a third party or is not authenticated', async () => {
    const token = await subjectToken()
    expect(answerOf(await exchange({ subject_token: token }, shop))).toEqual([400, 'unauthorized_client'])
    const wrong = { ...agent, secret: 'wrong' }
    expect(answerOf(await exchange({ subject_token: token }, wrong))).toEqual([401, 'invalid_client'])
    const policy = { tokenExchangeClients: [shop.id], tokenExchangeResources: [STOCK] }
    for (const more of [{ type: 'SPA' }, { customClientMetadata: { ...policy, isThirdParty: true } }]) {
      const body = {
        name: 'No',
        type: 'Traditional',
        oidcClientMetadata: { redirectUris: ['https://app.example/back'] },
        customClientMetadata: policy,
        ...more,
      }
      expect((await operator.send('POST', '/applications', body)).status).toBe(400)
    }
    const body = new URLSearchParams({
      grant_type: GRANT,
      client_id: 'demo-app',
      subject_token: token,
      subject_token_type: ACCESS_TOKEN,
    })
    const answer = await app.fetch('/oidc/token', { method: 'POST', body })
    expect(answer.status).toBe(400)
  })

  it('is rejected for tokens of unlisted applications and for forged or revoked tokens', async () => {
    const expectRejected = async (token: string, application = agent) =>
      expect(answerOf(await exchange({ subject_token: token }, application))).toEqual([
        400,
        'invalid_request',
      ])
    const stranger = await newApplication(operator)
    await expectRejected(await subjectToken({ resource: ORDERS }, client, stranger))
    await expectRejected(await subjectToken({}, client, stranger))
    const own = await exchange({ subject_token: await subjectToken() })
    await expectRejected(own.access_token)
    const machine = await askForToken(app, backend, { grant_type: 'client_credentials', resource: OTHER })
    await expectRejected(machine.access_token, backend)
    await expectRejected(operator.token)

    const token = await subjectToken()
    const [header, payload, signature = ''] = token.split('.')
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    await expectRejected([header, payload, flipped].join('.'))
    const forged = new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    await expectRejected(await forged.sign(new TextEncoder().encode('x'.repeat(32))))
    const { redemption } = await authorize(client, shop, { scope: 'openid' })
    const { id_token: idToken = '' } = await askForToken(app, shop, redemption)
    await expectRejected(idToken)

    const opaque = await subjectToken({})
    const revoked = await app.fetch('/oidc/token/revocation', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${shop.id}:${shop.secret}`)}` },
      body: new URLSearchParams({ token: opaque }),
    })
    expect(revoked.status).toBe(200)
    await expectRejected(opaque)
  })

  it.each([
    ['suspended', (id: string) => operator.send('PATCH', `/users/${id}/is-suspended`, { isSuspended: true })],
    ['deleted', (id: string) => operator.send('DELETE', `/users/${id}`)],
    ['signed out everywhere', (id: string) => operator.send('DELETE', `/users/${id}/sessions`)],
  ] as const)('is rejected if the user was %s', async (_what, end) => {
    const { client: browser, username } = await storeVisitor(app)
    const users = await operator.get(`/users?search.username=${username}`)
    const [user] = (await users.json()) as { id: string }[]
    const tokens = [await subjectToken({}, browser), await subjectToken({ resource: ORDERS }, browser)]
    expect((await exchange({ subject_token: tokens[1] ?? '' })).status).toBe(200)
    expect((await end(user?.id ?? '')).status).toBeLessThan(300)
    for (const token of tokens) {
      expect(answerOf(await exchange({ subject_token: token }))).toEqual([400, 'invalid_request'])
    }
  })
})
