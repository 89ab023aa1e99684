import { beforeAll, describe, expect, it } from 'vitest'
import { ORIGIN } from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { askForToken } from '../../kit/clients/token-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

type Application = {
  id: string
  name: string
  secret: string
  description: string | null
  oidcClientMetadata: Record<string, unknown>
  customClientMetadata: Record<string, unknown>
  createdAt: number
  secretCreatedAt: number
  isAdmin?: boolean
}

const bodyOf = async <T = Application>(response: Response) => (await response.json()) as T
const codeOf = async (response: Response) => [
  response.status,
  (await bodyOf<{ code: string }>(response)).code,
]

async function create(
  input: Record<string, unknown> & { oidcClientMetadata?: object } = {},
): Promise<Application> {
  const { oidcClientMetadata = {}, ...fields } = input
  const redirectUris = ['https://shop.example/callback']
  const response = await operator.send('POST', '/applications', {
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris, ...oidcClientMetadata },
    ...fields,
  })
  expect(response.status).toBe(200)
  return bodyOf(response)
}

const patch = (id: string, body: unknown) => operator.send('PATCH', `/applications/${id}`, body)
const get = async (id: string) => bodyOf(await operator.get(`/applications/${id}`))

describe('a new application', () => {
  it('requires a name, a type and a redirect URI, and has defaults for all other fields', async () => {
    expect(await create()).toEqual({
      tenantId: 'default',
      id: expect.stringMatching(/^[\dA-Za-z]{21}$/),
      name: 'Shop',
      secret: expect.stringMatching(/^[\dA-Za-z]{21}$/),
      description: null,
      secondFactorPolicy: null,
      rememberDays: null,
      claims: null,
      type: 'SPA',
      oidcClientMetadata: {
        redirectUris: ['https://shop.example/callback'],
        postLogoutRedirectUris: [],
      },
      customClientMetadata: {},
      createdAt: expect.any(Number),
      secretCreatedAt: expect.any(Number),
      previousSecret: null,
    })
  })

  it('is stored with every field from the request', async () => {
    const input = {
      name: 'Bank',
      type: 'Traditional',
      secret: 'a secret of our own choice',
      description: 'Money',
      secondFactorPolicy: 'required',
      rememberDays: 0,
      claims: null,
      oidcClientMetadata: {
        redirectUris: ['https://bank.example/callback', 'http://localhost:3000/callback'],
        postLogoutRedirectUris: ['https://bank.example'],
        logoUri: 'https://bank.example/logo.png',
      },
      customClientMetadata: {
        corsAllowedOrigins: ['https://bank.example'],
        idTokenTtl: 600,
        refreshTokenTtl: 3600,
        refreshTokenMaxTtl: 7_776_000,
        isThirdParty: true,
        idTokenSignedResponseAlg: 'ES384',
        idTokenClaims: 'minimal',
        backchannelLogoutUri: 'https://bank.example/logout',
        backchannelLogoutSessionRequired: true,
        initiateLoginUri: 'https://bank.example/login',
        policyUri: 'https://bank.example/privacy',
        tosUri: 'https://bank.example/terms',
        dpopBoundAccessTokens: false,
        fapi2: false,
        deviceFlow: true,
        allowedResources: ['https://api.bank.example'],
        allowedBuiltInResources: [],
        tokenExchangeClients: [],
        tokenExchangeResources: [],
        tokenExchangeScopes: [],
      },
    }
    expect(await create(input)).toEqual({
      tenantId: 'default',
      id: expect.any(String),
      createdAt: expect.any(Number),
      secretCreatedAt: expect.any(Number),
      previousSecret: null,
      ...input,
    })
  })

  it('stores allowed CORS URLs as origins', async () => {
    const corsAllowedOrigins = ['https://a.example/', 'https://B.example:443/path', 'capacitor://localhost']
    const { customClientMetadata } = await create({ customClientMetadata: { corsAllowedOrigins } })
    expect(customClientMetadata.corsAllowedOrigins).toEqual([
      'https://a.example',
      'https://b.example',
      'capacitor://localhost',
    ])
  })

  it.each([
    { what: 'no name', body: { name: undefined } },
    { what: 'an empty name', body: { name: '' } },
    { what: 'a name that is too long', body: { name: 'x'.repeat(257) } },
    { what: 'an unknown type', body: { type: 'Browser' } },
    { what: 'a secret that no client could send', body: { secret: 'geheim-ß' } },
    { what: 'a secret that is too short', body: { secret: 'x'.repeat(20) } },
    { what: 'a secret that is too long', body: { secret: 'x'.repeat(65) } },
    { what: 'a redirect URI that is not a URI', uris: ['shop'] },
    { what: 'a redirect URI with a fragment', uris: ['https://shop.example/#here'] },
    { what: 'a redirect URI with a space', uris: ['https://shop.example/ here'] },
    { what: 'a custom scheme without a dot', type: 'Native', uris: ['shop://callback'] },
    { what: 'a javascript: redirect URI', type: 'Native', uris: ['javascript:alert(1)'] },
    { what: 'a custom scheme for a browser application', type: 'SPA', uris: ['com.example.shop://callback'] },
    {
      what: 'a remote http redirect URI for a native application',
      type: 'Native',
      uris: ['http://shop.example/callback'],
    },
    {
      what: 'a remote http redirect URI for a third party',
      uris: ['http://shop.example/callback'],
      custom: { isThirdParty: true },
    },
    { what: 'an invalid CORS origin', custom: { corsAllowedOrigins: ['shop'] } },
    { what: 'an unsupported signing algorithm', custom: { idTokenSignedResponseAlg: 'none' } },
    { what: 'a lifetime of zero', custom: { idTokenTtl: 0 } },
    { what: 'ID tokens that outlive their key', custom: { idTokenTtl: 14 * 86_400 + 1 } },
    { what: 'refresh tokens that outlive their grant', custom: { refreshTokenTtl: 14 * 86_400 + 1 } },
    { what: 'refresh tokens for more than a year', custom: { refreshTokenMaxTtl: 365 * 86_400 + 1 } },
    { what: 'refresh tokens for a month in browsers', custom: { refreshTokenMaxTtl: 30 * 86_400 } },
    {
      what: 'refresh tokens that end before their idle time',
      custom: { refreshTokenTtl: 3600, refreshTokenMaxTtl: 3599 },
    },
    { what: 'a lifetime of half a second', custom: { refreshTokenTtl: 0.5 } },
    { what: 'a string in place of a boolean', custom: { isThirdParty: 'yes' } },
    { what: 'a remote http logout URI', custom: { backchannelLogoutUri: 'http://shop.example/logout' } },
    {
      what: 'a built-in resource among the allowed resources',
      custom: { allowedResources: ['urn:vestibule:services'] },
    },
    { what: 'an unknown built-in resource', custom: { allowedBuiltInResources: ['https://api.example'] } },
    {
      what: 'a built-in resource for a third party',
      custom: { isThirdParty: true, allowedBuiltInResources: ['urn:vestibule:services'] },
    },
    { what: 'an http login URI', custom: { initiateLoginUri: 'http://shop.example/login' } },
    { what: 'an http privacy policy', custom: { policyUri: 'http://shop.example/privacy' } },
    { what: 'terms that are code', custom: { tosUri: 'javascript:alert(1)' } },
  ])('cannot be created with $what', async ({ body = {}, type = 'SPA', uris = [], custom = {} }) => {
    const response = await operator.send('POST', '/applications', {
      name: 'Shop',
      type,
      oidcClientMetadata: { redirectUris: uris, postLogoutRedirectUris: [] },
      customClientMetadata: custom,
      ...body,
    })
    expect(await codeOf(response)).toEqual([400, 'guard.invalid_input'])
  })

  it('is rejected with an error that identifies the invalid URI', async () => {
    const response = await operator.send('POST', '/applications', {
      name: 'Shop',
      type: 'SPA',
      oidcClientMetadata: {
        redirectUris: ['https://shop.example'],
        postLogoutRedirectUris: ['https://shop.example', 'shop'],
      },
    })
    expect(await bodyOf<unknown>(response)).toMatchObject({
      data: { issues: [{ code: 'custom', path: ['oidcClientMetadata', 'postLogoutRedirectUris', 1] }] },
      details: '`oidcClientMetadata.postLogoutRedirectUris.1` is not a URL.',
    })
  })

  it.each([
    {
      type: 'Native',
      uris: ['com.example.shop://callback', 'http://127.0.0.1/callback', 'http://[::1]:80/'],
    },
    { type: 'SPA', uris: ['http://localhost:5173/callback'] },
    { type: 'MachineToMachine', uris: [] },
  ])('can register and use the redirect URIs $uris if its type is $type', async ({ type, uris }) => {
    const application = await create({
      type,
      oidcClientMetadata: { redirectUris: uris, postLogoutRedirectUris: uris },
    })
    if (type === 'MachineToMachine') return
    const query = new URLSearchParams({
      client_id: application.id,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: uris[0] ?? '',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const response = await app.fetch(`/oidc/auth?${query}`)
    expect(response.headers.get('location')).toMatch(/^\/sign-in\?/)
  })

  it('can have an http logout URI in development', async () => {
    const backchannelLogoutUri = 'http://localhost:3000/logout'
    const { customClientMetadata } = await create({ customClientMetadata: { backchannelLogoutUri } })
    expect(customClientMetadata).toEqual({ backchannelLogoutUri })
  })
})

describe('applications', () => {
  it('are listed newest first, with their total number', async () => {
    const before = Number((await operator.get('/applications')).headers.get('total-number'))
    const older = await create()
    const newer = await create()
    const response = await operator.get('/applications?page_size=2')
    expect(response.headers.get('total-number')).toBe(String(before + 2))
    expect(response.headers.get('link')).toContain(
      `<${ORIGIN}/api/applications?page_size=2&page=1>; rel="first"`,
    )
    expect((await bodyOf<Application[]>(response)).map(({ id }) => id)).toEqual([newer.id, older.id])
  })

  it('can be granted and denied permission to administer the tenant', async () => {
    const { id } = await create({ type: 'MachineToMachine' })
    expect(await get(id)).toMatchObject({ isAdmin: false })
    expect(await bodyOf(await patch(id, { isAdmin: true }))).toMatchObject({ isAdmin: true })
    await patch(id, { isAdmin: true })
    expect(await get(id)).toMatchObject({ isAdmin: true })
    await patch(id, { name: 'Still' })
    expect(await get(id)).toMatchObject({ isAdmin: true, name: 'Still' })
    await patch(id, { isAdmin: false })
    expect(await get(id)).toMatchObject({ isAdmin: false })
  })

  it('include the built-in demo application, which has no database row', async () => {
    expect(await get('demo-app')).toMatchObject({
      id: 'demo-app',
      tenantId: 'default',
      name: 'Live Preview',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: [`${ORIGIN}/demo-app`] },
      isAdmin: false,
    })
    expect(await codeOf(await patch('demo-app', { name: 'Mine' }))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
    expect(await codeOf(await operator.send('DELETE', '/applications/demo-app'))).toEqual([
      404,
      'entity.not_found',
    ])
  })

  it('result in a 404 if their id is unknown', async () => {
    expect(await codeOf(await operator.get('/applications/none'))).toEqual([404, 'entity.not_exists_with_id'])
    expect(await codeOf(await patch('none', { name: 'Some' }))).toEqual([404, 'entity.not_exists_with_id'])
    expect(await codeOf(await patch('none', {}))).toEqual([404, 'entity.not_exists_with_id'])
    expect(await codeOf(await operator.send('DELETE', '/applications/none'))).toEqual([
      404,
      'entity.not_found',
    ])
  })

  it('can be deleted', async () => {
    const { id } = await create()
    const response = await operator.send('DELETE', `/applications/${id}`)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect((await operator.get(`/applications/${id}`)).status).toBe(404)
    expect((await operator.send('DELETE', `/applications/${id}`)).status).toBe(404)
  })

  it('are deleted with their grants, so a new application with the same id does not inherit any', async () => {
    const { id } = await create()
    const { DB } = app.env
    const insertModel = (model: string, clientId: string) =>
      DB.prepare(
        "insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at) values ('default', ?, ?, ?, 9e12)",
      ).bind(model, crypto.randomUUID(), JSON.stringify({ clientId, accountId: 'a-user' }))
    const models = ['Grant', 'RefreshToken', 'AccessToken']
    const clients = [id, 'demo-app', 'another']
    await DB.batch(models.flatMap((model) => clients.map((client) => insertModel(model, client))))
    const remainingClients = async () =>
      (
        await DB.prepare(
          "select distinct client_id as id from oidc_model_instances where account_id = 'a-user' order by id",
        ).all<{ id: string }>()
      ).results.map((row) => row.id)
    expect(await remainingClients()).toEqual([...clients].toSorted())
    for (const client of clients) await operator.send('DELETE', `/applications/${client}`)
    expect(await remainingClients()).toEqual(['another', 'demo-app'])
  })

  it('are deleted in batches if thousands of tokens have been issued to them', async () => {
    const { id } = await create()
    const { DB } = app.env
    const row = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 4500)
      insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at)
      select 'default', 'AccessToken', ? || i, json_object('clientId', ?), 9e12 from n`
    await DB.prepare(row).bind(id, id).run()
    app.trips()
    expect((await operator.send('DELETE', `/applications/${id}`)).status).toBe(204)
    expect(app.trips().awaited).toBeGreaterThanOrEqual(4)
    const remaining = await DB.prepare(
      'select count(*) as n from oidc_model_instances where client_id = ?',
    ).bind(id)
    expect(await remaining.first()).toEqual({ n: 0 })
  })
})

describe('a new application secret', () => {
  const grant = { grant_type: 'client_credentials', scope: 'anything' }

  it('is returned and replaces the old one immediately', async () => {
    const old = await create({ type: 'MachineToMachine' })
    expect(await askForToken(app, old, grant)).toMatchObject({ status: 200 })

    const response = await operator.send('POST', `/applications/${old.id}/secret`)
    const { secret, secretCreatedAt, ...others } = await bodyOf(response)
    expect([response.status, secret]).toEqual([200, expect.stringMatching(/^[\dA-Za-z]{21}$/)])
    expect({ ...old, ...others }).toEqual({ ...old, isAdmin: false })
    expect(secretCreatedAt).toBeGreaterThan(old.secretCreatedAt)

    const invalidClient = { status: 401, error: 'invalid_client' }
    expect(await askForToken(app, old, grant)).toMatchObject(invalidClient)
    expect(await askForToken(app, { ...old, secret }, grant)).toMatchObject({ status: 200 })
  })

  it('is recorded in the audit log without its value', async () => {
    const { id } = await create()
    const { secret } = await bodyOf(await operator.send('POST', `/applications/${id}/secret`))
    const row = await app.env.DB.prepare(
      "select payload from logs where application_id = ? and key = 'Management.Application.Update'",
    )
      .bind(id)
      .first<{ payload: string }>()
    expect(JSON.parse(row?.payload ?? '')).toMatchObject({ result: 'Success', changed: ['secret'] })
    expect(row?.payload).not.toContain(secret)
  })
})

describe('changing an application', () => {
  it('replaces top-level fields and merges metadata key by key', async () => {
    const { id } = await create({
      description: 'Before',
      oidcClientMetadata: {
        redirectUris: ['https://a.example/1', 'https://a.example/2'],
        postLogoutRedirectUris: ['https://a.example'],
        logoUri: 'https://a.example/logo.png',
      },
      customClientMetadata: { idTokenTtl: 60, isThirdParty: true, corsAllowedOrigins: ['https://a.example'] },
    })
    const response = await patch(id, {
      description: '',
      oidcClientMetadata: { redirectUris: ['https://b.example'] },
      customClientMetadata: { refreshTokenTtl: 90, isThirdParty: false },
    })
    expect(await bodyOf(response)).toMatchObject({
      name: 'Shop',
      description: null,
      oidcClientMetadata: {
        redirectUris: ['https://b.example'],
        postLogoutRedirectUris: ['https://a.example'],
        logoUri: 'https://a.example/logo.png',
      },
      customClientMetadata: {
        idTokenTtl: 60,
        refreshTokenTtl: 90,
        isThirdParty: false,
        corsAllowedOrigins: ['https://a.example'],
      },
    })
  })

  it('removes optional keys that are set to null', async () => {
    const { id } = await create({
      oidcClientMetadata: { logoUri: 'https://a.example/logo.png' },
      customClientMetadata: { idTokenTtl: 60, backchannelLogoutUri: 'https://a.example/logout' },
    })
    await patch(id, {
      oidcClientMetadata: { logoUri: null },
      customClientMetadata: { backchannelLogoutUri: null },
    })
    expect(await get(id)).toMatchObject({ customClientMetadata: { idTokenTtl: 60 } })
    const { oidcClientMetadata, customClientMetadata } = await get(id)
    expect([Object.keys(oidcClientMetadata), Object.keys(customClientMetadata)]).toEqual([
      ['redirectUris', 'postLogoutRedirectUris'],
      ['idTokenTtl'],
    ])
  })

  it('has no effect if the body is empty', async () => {
    const created = await create()
    expect(await bodyOf(await patch(created.id, {}))).toEqual({ ...created, isAdmin: false })
  })

  it('validates the resulting application', async () => {
    const { id } = await create({
      type: 'Native',
      oidcClientMetadata: { redirectUris: ['com.example.shop://callback'] },
    })
    expect(await codeOf(await patch(id, { type: 'SPA' }))).toEqual([400, 'guard.invalid_input'])
    const both = { type: 'SPA', oidcClientMetadata: { redirectUris: ['https://shop.example'] } }
    expect((await patch(id, both)).status).toBe(200)
  })

  it('cannot disable the device flow of an application without redirect URIs', async () => {
    const { id } = await create({
      type: 'Native',
      oidcClientMetadata: { redirectUris: [] },
      customClientMetadata: { deviceFlow: true },
    })
    expect((await patch(id, { name: 'Television' })).status).toBe(200)
    const withoutDevices = { customClientMetadata: { deviceFlow: false } }
    expect(await codeOf(await patch(id, withoutDevices))).toEqual([422, 'guard.invalid_input'])
  })

  it('keeps the effect of every concurrent call', async () => {
    const { id } = await create()
    await Promise.all([
      patch(id, { customClientMetadata: { idTokenTtl: 60 } }),
      patch(id, { customClientMetadata: { refreshTokenTtl: 90 } }),
      patch(id, { customClientMetadata: { isThirdParty: true } }),
    ])
    const { customClientMetadata } = await get(id)
    expect(customClientMetadata).toEqual({ idTokenTtl: 60, refreshTokenTtl: 90, isThirdParty: true })
  })

  it('takes effect at the next authorization request', async () => {
    const { id } = await create({ oidcClientMetadata: { redirectUris: ['https://a.example'] } })
    const ask = (redirectUri: string) =>
      app.fetch(
        `/oidc/auth?${new URLSearchParams({
          client_id: id,
          response_type: 'code',
          scope: 'openid',
          redirect_uri: redirectUri,
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
        })}`,
      )
    expect((await ask('https://a.example')).status).toBe(303)
    await patch(id, { oidcClientMetadata: { redirectUris: ['https://b.example'] } })
    expect((await ask('https://b.example')).status).toBe(303)
    expect((await ask('https://a.example')).status).toBe(400)
  })

  it('writes one audit entry with the actor and the changed fields, but without the secret', async () => {
    const { id } = await create({ secret: 'very-very-secret-indeed' })
    await patch(id, { secret: 'even-more-secret-than-that', name: 'Renamed' })
    await patch(id, {})
    await operator.send('DELETE', `/applications/${id}`)
    const { results } = await app.env.DB.prepare(
      "select key, payload from logs where application_id = ? and key like 'Management.%' order by created_at, rowid",
    )
      .bind(id)
      .all<{ key: string; payload: string }>()
    expect(results.map(({ key }) => key)).toEqual([
      'Management.Application.Create',
      'Management.Application.Update',
      'Management.Application.Delete',
    ])
    expect(JSON.parse(results[1]?.payload ?? '')).toMatchObject({
      result: 'Success',
      actor: { type: 'app', id: 'management' },
      changed: ['name', 'secret'],
    })
    expect(JSON.stringify(results)).not.toContain('-secret')
  })

  it('is never recorded as successful in the audit log if it fails', async () => {
    await operator.send('DELETE', '/applications/nowhere')
    const { results } = await app.env.DB.prepare(
      "select json_extract(payload, '$.result') as result from logs where application_id = 'nowhere'",
    ).all()
    expect(results).not.toContainEqual({ result: 'Success' })
  })
})
