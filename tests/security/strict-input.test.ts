import { beforeAll, describe, expect, it } from 'vitest'
import { freshName, ORIGIN } from '../kit/clients/cookie-client.ts'
import { beginInteraction } from '../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { withoutReferences } from '../kit/openapi-document.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Refused = { code: string; details?: string }

const refusalOf = async (response: Response) => {
  const { code, details } = (await response.json()) as Refused
  return { status: response.status, code, details }
}
const invalid = (details: unknown, status = 400) => ({ status, code: 'guard.invalid_input', details })

/** Returns the objects in a body that accept undeclared keys, such as `config.headers` of a hook. */
function openObjects(schema: Schema, path: string): string[] {
  const { properties, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = schema
  const below = [...anyOf, ...oneOf, ...allOf].flatMap((form) => openObjects(form, path))
  const inList = items ? openObjects(items, path) : []
  const inside = Object.entries(properties ?? {}).flatMap(([key, value]) =>
    openObjects(value, path === '' ? key : `${path}.${key}`),
  )
  const isOpen = (schema.type === 'object' || properties !== undefined) && additionalProperties !== false
  return [...(isOpen ? [path] : []), ...below, ...inList, ...inside]
}

async function declaredBodies(): Promise<{ call: string; schema: Schema }[]> {
  const document = withoutReferences(await (await app.fetch('/api/openapi.json')).json())
  return Object.entries(document.paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      return schema ? [{ call: `${method.toUpperCase()} ${path.slice(4)}`, schema }] : []
    }),
  )
}

describe('a request body', () => {
  it.each([
    { at: 'The body', body: { isThirdParty: true } },
    { at: 'The body', body: { redirectUris: ['https://shop.example/callback'] } },
    { at: '`oidcClientMetadata`', body: { oidcClientMetadata: { isThirdParty: true } } },
    { at: '`customClientMetadata`', body: { customClientMetadata: { isThirdparty: true } } },
  ])('is rejected with an error that names its unknown key: $body', async ({ at, body }) => {
    const key = JSON.stringify(body).match(/"(is\w+|redirectUris)"/)?.[1]
    const application = { name: 'Shop', type: 'MachineToMachine', ...body }
    const details = `${at} has an unknown key: \`${key}\`.`
    expect(await refusalOf(await operator.send('POST', '/applications', application))).toEqual(
      invalid(details),
    )
  })

  it('is rejected with an error that names its unknown key even if it has several alternative schemas', async () => {
    const request = { email: 'ann@example.com', phonee: '4915112345678' }
    expect(await refusalOf(await operator.send('POST', '/verification-codes', request))).toEqual(
      invalid('The body has an unknown key: `phonee`.'),
    )
  })

  it('accepts unknown keys only for free-form data', async () => {
    const free = (await declaredBodies()).flatMap(({ call, schema }) =>
      call.includes(' /interaction') ? [] : openObjects(schema, '').map((at) => `${call} ${at}`.trim()),
    )
    expect([...new Set(free)].toSorted()).toEqual(
      [
        // The keys of these objects are languages.
        'PATCH /configs/settings accountCentre.customFields.label',
        'PATCH /configs/settings accountCentre.customFields.options.label',
        // The keys of these objects are the names of claims.
        'PATCH /applications/{id} claims',
        'PATCH /resources/{id} claims',
        'POST /applications claims',
        'POST /applications/{id}/claims/preview claims',
        'POST /resources claims',
        'POST /resources/{id}/claims/preview claims',
        'PATCH /connectors/{id} config',
        'PATCH /connectors/{id} metadata.name',
        'PATCH /hooks/{id} config.headers',
        'PATCH /me/custom-data customData',
        'PATCH /organizations/{id} customData',
        'PATCH /users/{id} customData',
        'PATCH /users/{id}/custom-data customData',
        'PATCH /sign-in-exp customContent',
        'POST /connector-factories/{id}/check config',
        'POST /connectors config',
        'POST /connectors metadata.name',
        'POST /connectors/{factoryId}/test config',
        'POST /connectors/{id}/check config',
        'POST /hooks config.headers',
        // Browsers may add fields to their responses (WebAuthn §5.1).
        'POST /me/passkeys',
        'POST /me/passkeys response',
        'POST /organizations customData',
        'POST /users/import users.customData',
        'POST /users/import users.identities',
        'PUT /custom-phrases/{tag}',
        'PATCH /configs/admin-console',
      ].toSorted(),
    )
  })

  // "Unknown keys are dropped without an error. Only `POST /api/interaction/passkeys/options` rejects them"
  // (spec/interaction#bodies)
  it('of the interaction API is rejected for an unknown key only by the options of a new passkey', async () => {
    const bodies = (await declaredBodies()).filter(({ call }) => call.includes(' /interaction'))
    const isRejected = ({ schema }: { schema: Schema }) => !openObjects(schema, '').includes('')
    expect(bodies.filter(isRejected).map(({ call }) => call)).toEqual(['POST /interaction/passkeys/options'])
    expect(bodies.length).toBeGreaterThan(10)

    const { client, uid } = await beginInteraction(app)
    const send = (method: string, path: string, body: object) =>
      client.send(method, `/api/interaction${path}`, { ...body, unknown: 1 }, { Interaction: uid })
    expect((await send('PUT', '', { event: 'SignIn' })).status).toBe(204)
    expect((await send('PUT', '/step', { hasAgreed: true })).status).toBe(204)
    expect((await send('PATCH', '/profile', { username: 'ada' })).status).toBe(204)
    expect(await refusalOf(await send('POST', '/passkeys/options', { creation: 'offer' }))).toEqual(
      invalid('The body has an unknown key: `unknown`.'),
    )
  })

  it.each([
    ['POST', '/applications'],
    ['POST', '/users'],
    ['PATCH', '/sign-in-exp'],
    ['PATCH', '/configs/settings'],
  ])('is required by %s %s', async (method, path) => {
    expect(await refusalOf(await operator.send(method, path))).toEqual(invalid('The body is missing.'))
  })

  it('may be missing if nothing in it is required', async () => {
    expect((await operator.send('POST', '/configs/signing-keys/rotate')).status).toBe(200)
    operator = await newOperator(app)
  })
})

describe('a connector’s configuration', () => {
  const config = { endpoint: 'https://mail.example/send', authentication: 'None' }
  const template = { usageType: 'SignIn', content: '{{code}}' }

  it.each([
    { content: { ...config, Secret: 'x' }, at: 'config', key: 'Secret' },
    {
      content: { ...config, templates: [template, { ...template, lang: 'de' }] },
      at: 'config.templates.1',
      key: 'lang',
    },
  ])('is rejected with an error that names its unknown key: $at', async ({ content, at, key }) => {
    const refused = invalid(`\`${at}\` has an unknown key: \`${key}\`.`)
    const send = async (method: string, path: string, body: object) =>
      refusalOf(await operator.send(method, path, body))
    const connectorId = 'http-email'
    expect(await send('POST', '/connectors', { connectorId, config: content })).toEqual(refused)
    const installed = await operator.send('POST', '/connectors', { connectorId, config })
    const { id } = (await installed.json()) as { id: string }
    expect(await send('PATCH', `/connectors/${id}`, { config: content })).toEqual(refused)
    const test = { config: content, email: 'ann@example.com' }
    expect(await send('POST', `/connectors/${connectorId}/test`, test)).toEqual(refused)
    const connector = await operator.get(`/connectors/${id}`)
    expect(await connector.json()).toMatchObject({ config })
    await operator.send('DELETE', `/connectors/${id}`)
  })

  it.each([
    {
      connectorId: 'oidc',
      metadata: { target: 'acme', name: { en: 'Acme' } },
      config: {
        issuer: 'https://acme.example',
        clientId: 'a',
        clientSecret: 'b',
        idTokenVerificationConfig: { jwks_uri: 'https://acme.example/keys' },
      },
      details: '`config.idTokenVerificationConfig` has an unknown key: `jwks_uri`.',
    },
    {
      connectorId: 'naver-universal',
      config: { clientId: 'a', clientSecret: 'b', appSecret: 'c' },
      details: '`config` has an unknown key: `appSecret`.',
    },
  ])('is validated against its provider’s schema: $connectorId', async ({ details, ...connector }) => {
    expect(await refusalOf(await operator.send('POST', '/connectors', connector))).toEqual(invalid(details))
  })
})

describe('an application with users', () => {
  const application = (type: string, redirectUris: string[]) => ({
    name: 'Shop',
    type,
    oidcClientMetadata: { redirectUris },
  })
  const missing = invalid(expect.stringMatching(/^`oidcClientMetadata\.redirectUris` /), 422)

  it.each(['SPA', 'Traditional', 'Native'])('must have a redirect URI: %s', async (type) => {
    expect(await refusalOf(await operator.send('POST', '/applications', application(type, [])))).toEqual(
      missing,
    )
    expect(await refusalOf(await operator.send('POST', '/applications', { name: 'Shop', type }))).toEqual(
      missing,
    )
  })

  it('cannot lose its last redirect URI', async () => {
    const created = application('Traditional', ['https://shop.example/callback'])
    const { id } = (await (await operator.send('POST', '/applications', created)).json()) as { id: string }
    const change = (body: object) => operator.send('PATCH', `/applications/${id}`, body)
    expect(await refusalOf(await change({ oidcClientMetadata: { redirectUris: [] } }))).toEqual(missing)
    await app.env.DB.prepare(
      "update applications set oidc_client_metadata = json_set(oidc_client_metadata, '$.redirectUris', json('[]')) where id = ?",
    )
      .bind(id)
      .run()
    expect(await refusalOf(await change({ type: 'SPA' }))).toEqual(missing)
    expect((await change({ name: 'From before this rule' })).status).toBe(200)
  })
})

describe('the sign-in experience', () => {
  const patched = async (body: object) => refusalOf(await operator.send('PATCH', '/sign-in-exp', body))

  it('cannot offer a social target that no connector has', async () => {
    expect(await patched({ socialSignInConnectorTargets: ['nobody'] })).toEqual(
      invalid(expect.stringMatching(/^`socialSignInConnectorTargets\.0` /), 422),
    )
  })

  it('cannot have a logo that the content security policy blocks', async () => {
    expect(await patched({ branding: { logoUrl: 'http://cdn.example/logo.png' } })).toEqual(
      invalid(expect.stringMatching(/^`branding\.logoUrl` /), 422),
    )
  })

  it('cannot have an image that the content security policy blocks', async () => {
    const layout = { type: 'Split', pictureUrl: 'https://[2606:4700::1111]/harbour.webp' }
    expect(await patched({ layout })).toEqual(invalid(expect.stringMatching(/^`layout\.pictureUrl` /), 422))
  })
})

describe('a logo that the content security policy blocks', () => {
  const blocked = ['http://cdn.example/logo.png', 'https://[2606:4700::1111]/logo.png']
  const application = (logoUri: string) => ({
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: ['https://shop.example/callback'], logoUri },
  })
  const connector = (logo: string, logoDark?: string) => ({
    connectorId: 'oauth2',
    metadata: { target: freshName(), name: { en: 'Acme' }, logo, logoDark },
  })
  const demo = (logo: string) => ({
    demoSocial: [{ provider: 'google', name: 'Google', logo, clientId: 'x' }],
  })
  const send = (method: string, path: string, body: object) => operator.send(method, path, body)
  const refused = (path: string) => invalid(expect.stringMatching(new RegExp(`^\`${path}\` `)), 422)

  it.each(blocked)('is rejected wherever it can be set: %s', async (logo) => {
    const own = `${ORIGIN}/logo.svg`
    for (const [method, path, body, place] of [
      ['POST', '/applications', application(logo), 'oidcClientMetadata.logoUri'],
      ['POST', '/connectors', connector(logo), 'metadata.logo'],
      ['POST', '/connectors', connector(own, logo), 'metadata.logoDark'],
      ['PATCH', '/configs/settings', demo(logo), 'demoSocial.0.logo'],
    ] as const)
      expect(await refusalOf(await send(method, path, body))).toEqual(refused(place))
  })

  it('is rejected in a change, but kept if it is already stored', async () => {
    const [logo = ''] = blocked
    const own = `${ORIGIN}/logo.svg`
    const idOf = async (response: Response) => ((await response.json()) as { id: string }).id
    const [client, provider] = [
      await idOf(await send('POST', '/applications', application(own))),
      await idOf(await send('POST', '/connectors', connector('https://acme.example/logo.svg'))),
    ]
    const renamed = application(logo)
    const { metadata } = connector(logo)
    const { target: _target, ...withoutTarget } = metadata
    const changes = [
      [
        `/applications/${client}`,
        { oidcClientMetadata: renamed.oidcClientMetadata },
        'oidcClientMetadata.logoUri',
      ],
      [`/connectors/${provider}`, { metadata: withoutTarget }, 'metadata.logo'],
    ] as const
    for (const [path, body, place] of changes)
      expect(await refusalOf(await send('PATCH', path, body))).toEqual(refused(place))
    await app.env.DB.batch([
      app.env.DB.prepare(
        "update applications set oidc_client_metadata = json_set(oidc_client_metadata, '$.logoUri', ?) where id = ?",
      ).bind(logo, client),
      app.env.DB.prepare(
        "update connectors set metadata = json_set(metadata, '$.logo', ?) where id = ?",
      ).bind(logo, provider),
    ])
    for (const [path, body] of changes) expect((await send('PATCH', path, body)).status).toBe(200)
  })
})

describe('a query parameter', () => {
  it.each([
    '/users?mode=like&mode=exact&search=a',
    '/users?excludeRoleId=a&excludeRoleId=b',
    '/users?x=1&x=2',
  ])('is rejected if it is repeated: %s', async (path) => {
    expect(await refusalOf(await operator.get(path))).toEqual(
      invalid(expect.stringMatching(/^`\w+` appears more than once\.$/)),
    )
  })

  it('can be repeated where a search accepts several values', async () => {
    expect((await operator.get('/users?search=ann&search=bob&mode=exact')).status).toBe(200)
  })
})

describe('an unsupported method', () => {
  it.each([
    { method: 'DELETE', path: '/api/users/export', allow: 'GET, HEAD, OPTIONS' },
    { method: 'GET', path: '/api/users/import', allow: 'POST, OPTIONS' },
    { method: 'POST', path: '/api/docs', allow: 'GET, HEAD' },
    { method: 'POST', path: '/demo-app', allow: 'GET, HEAD' },
    { method: 'DELETE', path: '/callback/github', allow: 'GET, HEAD, POST' },
    { method: 'PUT', path: '/springboard', allow: 'GET, HEAD' },
    { method: 'POST', path: '/.well-known/change-password', allow: 'GET, HEAD' },
    { method: 'POST', path: '/dev/inbox.json', allow: 'GET, HEAD' },
    { method: 'POST', path: '/restart', allow: 'GET, HEAD' },
    { method: 'DELETE', path: '/oidc/.well-known/openid-configuration', allow: 'GET, HEAD, OPTIONS' },
    { method: 'POST', path: '/oidc/.well-known/oauth-authorization-server', allow: 'GET, HEAD, OPTIONS' },
    { method: 'POST', path: '/oidc/jwks', allow: 'GET, HEAD, OPTIONS' },
    { method: 'OPTIONS', path: '/oidc/auth', allow: 'GET, HEAD, POST' },
    { method: 'POST', path: '/oidc/auth/some-uid', allow: 'GET, HEAD' },
    { method: 'GET', path: '/oidc/token', allow: 'POST, OPTIONS' },
    { method: 'PUT', path: '/oidc/token/introspection', allow: 'POST, OPTIONS' },
    { method: 'GET', path: '/oidc/token/revocation', allow: 'POST, OPTIONS' },
    { method: 'DELETE', path: '/oidc/me', allow: 'GET, HEAD, POST, OPTIONS' },
    { method: 'GET', path: '/oidc/request', allow: 'POST, OPTIONS' },
    { method: 'PATCH', path: '/oidc/session/end', allow: 'GET, HEAD, POST' },
    { method: 'GET', path: '/oidc/session/end/confirm', allow: 'POST' },
    { method: 'POST', path: '/oidc/session/end/success', allow: 'GET, HEAD' },
  ])('is rejected with a list of the allowed methods: $method $path', async ({ method, path, allow }) => {
    const response = await app.fetch(path, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
    for (const allowed of allow.split(', ')) {
      const answer = await app.fetch(path, { method: allowed })
      expect([404, 405].includes(answer.status) && answer.headers.has('allow'), allowed).toBe(false)
    }
  })

  it('results in a 404 for a path that does not exist', async () => {
    for (const path of ['/oidc/unknown', '/oidc/auth/some-uid/more', '/oidc/constructor']) {
      const response = await app.fetch(path, { method: 'POST' })
      expect([response.status, response.headers.get('allow')]).toEqual([404, null])
    }
  })

  it('results in a 404 for variant spellings of a path, which could bypass limits', async () => {
    const form = new URLSearchParams({
      client_id: 'demo-app',
      response_type: 'code',
      filler: 'x'.repeat(5_000),
    })
    const paths = [
      '/oidc/request/',
      '/oidc/Request',
      '/oidc/TOKEN',
      '/oidc/token/',
      '/oidc/Me',
      '/oidc/jwks/',
    ]
    for (const method of ['GET', 'POST']) {
      for (const path of [
        ...paths,
        '/oidc/AUTH',
        '/oidc/auth/',
        '/oidc/auth/some-uid/',
        '/oidc/Session/end',
      ]) {
        const body = method === 'POST' ? { body: form } : {}
        const response = await app.fetch(path, { method, ...body })
        expect([path, response.status, response.headers.get('allow')]).toEqual([path, 404, null])
      }
    }
    expect((await app.fetch('/oidc/request', { method: 'POST', body: form })).status).toBe(413)
  })

  it('results in an OAuth error at the OAuth endpoints', async () => {
    const response = await app.fetch('/oidc/token')
    expect(await response.json()).toEqual({
      error: 'invalid_request',
      error_description: 'unrecognized method',
    })
  })
})
