import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { atOrigin, openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.env.DB.prepare('delete from connectors').run()
  await operator.send('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: [] })
})

type Answer = { id: string; target: string; config: unknown; metadata: unknown; code: string; data: unknown }
type Listed = { callbackUrl: string | null }
const read = async (response: Response) => (await response.json()) as Answer
const codeOf = async (response: Response) => [response.status, (await read(response)).code]
const install = (connectorId: string, more: object = {}) =>
  operator.send('POST', '/connectors', { connectorId, ...more })
const installed = async (connectorId: string, more: object = {}) => read(await install(connectorId, more))
const targetsOf = async (response: Response) =>
  ((await response.json()) as { socialSignInConnectorTargets: string[] }).socialSignInConnectorTargets
const offer = async (...targets: string[]) =>
  targetsOf(await operator.send('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: targets }))
const offered = async () => targetsOf(await operator.get('/sign-in-exp'))
const experience = async () =>
  (await (await app.fetch('/api/.well-known/sign-in-exp?no_cache')).json()) as {
    socialConnectors: Answer[]
  }

const config = { clientId: 'client-1', clientSecret: 'top-secret-1' }
const shown = { clientId: 'client-1', clientSecret: '********' }
const oauth2 = {
  ...config,
  authorizationEndpoint: 'https://login.example/authorize',
  tokenEndpoint: 'https://login.example/token',
  userInfoEndpoint: 'https://login.example/me',
}

describe('a social connector', () => {
  it('is installed, answered with its factory’s name and logo, changed and removed', async () => {
    const created = await install('google-universal', { config, syncProfile: true })
    expect(created.status).toBe(200)
    const connector = await read(created)
    expect(connector).toMatchObject({
      type: 'Social',
      connectorId: 'google-universal',
      target: 'google',
      platform: 'Universal',
      name: { en: 'Google' },
      logo: '/connectors/google.svg',
      logoDark: null,
      syncProfile: true,
      isDemo: false,
      config: shown,
      callbackUrl: `${app.origin}/callback/${connector.id}`,
    })
    const path = `/connectors/${connector.id}`
    expect(await read(await operator.get(path))).toEqual(connector)
    expect(await (await operator.get('/connectors?target=google')).json()).toEqual([connector])
    expect(await read(await operator.send('PATCH', path, { syncProfile: false }))).toEqual({
      ...connector,
      syncProfile: false,
    })
    expect((await operator.send('DELETE', path)).status).toBe(204)
    expect(await codeOf(await operator.get(path))).toEqual([404, 'entity.not_found'])
  })

  it('is answered with the address to register at its provider, at the host that was called', async () => {
    const { id } = await installed('google-universal')
    await install('http-email')
    const elsewhere = atOrigin(app, 'http://127.0.0.1:8787')
    const operators = [operator, await newOperator(elsewhere)]
    const urls = operators.map(async ({ get }) => {
      const connectors = await (await get('/connectors')).json()
      const { callbackUrl } = (await (await get('/connector-factories/github-universal')).json()) as Listed
      return [...(connectors as Listed[]).map((one) => one.callbackUrl), callbackUrl]
    })
    expect(await Promise.all(urls)).toEqual([
      [`${app.origin}/callback/${id}`, null, `${app.origin}/callback/{id}`],
      [`${elsewhere.origin}/callback/${id}`, null, `${elsewhere.origin}/callback/{id}`],
    ])
  })

  it('does not replace message connectors or other social ones', async () => {
    const ids = []
    for (const id of ['http-email', 'google-universal', 'github-universal'])
      ids.push((await installed(id)).id)
    const listed = (await (await operator.get('/connectors')).json()) as Answer[]
    expect(listed.map(({ id }) => id)).toEqual(ids)
  })

  it('of a standard protocol is installed many times, each with a target, a name and a logo', async () => {
    const metadata = { target: 'acme', name: { en: 'Acme' }, logo: 'https://acme.example/logo.svg' }
    const first = await installed('oauth2', { config: oauth2, metadata })
    expect(first).toMatchObject({ ...metadata, metadata, connectorId: 'oauth2' })
    for (const name of [{ de: 'Acme' }, { en: '' }, { en: 'Acme', klingon: 'Acme' }])
      expect(await codeOf(await install('oauth2', { metadata: { target: 'named', name } }))).toEqual([
        400,
        'guard.invalid_input',
      ])
    const second = await install('oauth2', { metadata: { target: 'other' } })
    expect(second.status).toBe(200)

    const again = await install('oidc', { metadata: { target: 'acme' } })
    expect(again.status).toBe(422)
    expect(await again.json()).toMatchObject({
      code: 'connector.multiple_target_with_same_platform',
      data: { connectorId: first.id, connectorName: { en: 'Acme' } },
    })
    // The same account on another platform.
    const google = await installed('google-universal')
    expect(await codeOf(await install('oidc', { metadata: { target: google.target } }))).toEqual([
      422,
      'connector.multiple_target_with_same_platform',
    ])
  })

  it.each([
    { body: { connectorId: 'oidc' }, status: 400, code: 'connector.should_specify_target' },
    {
      body: { connectorId: 'oidc', metadata: { name: { en: 'Acme' } } },
      status: 400,
      code: 'connector.should_specify_target',
    },
    {
      body: { connectorId: 'github-universal', metadata: { target: 'mine' } },
      status: 400,
      code: 'connector.cannot_overwrite_metadata_for_non_standard_connector',
    },
    {
      body: { connectorId: 'google-universal', config: { clientId: 'only' } },
      status: 400,
      code: 'connector.invalid_config',
    },
    {
      body: { connectorId: 'google-universal', config: shown },
      status: 400,
      code: 'connector.invalid_config',
    },
    { body: { connectorId: 'demo-google' }, status: 422, code: 'connector.not_found_with_connector_id' },
    { body: { connectorId: 'wechat-native' }, status: 422, code: 'connector.not_found_with_connector_id' },
  ])('is not installed as $body: $code', async ({ body, status, code }) => {
    expect(await codeOf(await operator.send('POST', '/connectors', body))).toEqual([status, code])
    expect(await (await operator.get('/connectors')).json()).toEqual([])
  })

  it('that is not a standard one is not installed twice', async () => {
    await install('google-universal')
    expect(await codeOf(await install('google-universal'))).toEqual([
      422,
      'connector.multiple_instances_not_supported',
    ])
  })

  it('keeps its target, under which identities are stored', async () => {
    const { id } = await installed('oidc', { metadata: { target: 'acme' } })
    const patch = (metadata: object) => operator.send('PATCH', `/connectors/${id}`, { metadata })
    expect(await codeOf(await patch({ target: 'other' }))).toEqual([400, 'connector.can_not_modify_target'])
    expect(await read(await patch({ target: 'acme', name: { en: 'Acme' } }))).toMatchObject({
      target: 'acme',
      name: { en: 'Acme' },
    })
    expect(await read(await patch({ name: { en: 'Acme SSO' } }))).toMatchObject({
      target: 'acme',
      name: { en: 'Acme SSO' },
    })
  })

  it('cannot be tested like a message connector', async () => {
    const body = { config, email: 'ann@example.com' }
    expect(await codeOf(await operator.send('POST', '/connectors/google-universal/test', body))).toEqual([
      400,
      'connector.unexpected_type',
    ])
  })
})

describe('the secrets of a social connector', () => {
  /** The configuration as the connector reads it: from its authorization address and from storage. */
  const stored = async () => {
    const { results } = await app.env.DB.prepare('select config from connectors').all<{ config: string }>()
    return results.map((row) => row.config)
  }

  it('stay when the answered configuration is sent back', async () => {
    const { id } = await installed('oauth2', { config: oauth2, metadata: { target: 'acme' } })
    const change = { ...oauth2, ...shown, scope: 'profile' }
    const changed = await operator.send('PATCH', `/connectors/${id}`, { config: change })
    expect((await read(changed)).config).toEqual(change)

    // A configuration without a secret would be refused: the placeholder stands for the stored one.
    const without = await operator.send('PATCH', `/connectors/${id}`, {
      config: { ...change, clientSecret: '' },
    })
    expect(await codeOf(without)).toEqual([400, 'connector.invalid_config'])
  })

  it('are in no answer, not in the database and in no log', async () => {
    const logged: unknown[] = []
    for (const method of ['log', 'warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((...words) => logged.push(words))
    const answers: string[] = []
    const told = async (response: Response) => answers.push(await response.clone().text())

    const created = await install('google-universal', { config })
    await told(created)
    const { id } = await read(created)
    await told(await operator.send('PATCH', `/connectors/${id}`, { config: { ...config, scope: 7 } }))
    await told(await operator.send('PATCH', `/connectors/${id}`, { config: { ...config, scope: 'email' } }))
    for (const path of [`/connectors/${id}`, '/connectors', '/logs']) await told(await operator.get(path))
    await offer('google')
    answers.push(JSON.stringify(await experience()))

    const { results: audit } = await app.env.DB.prepare(
      "select payload from logs where key like 'Management.Connector.%'",
    ).all()
    expect(answers.join()).toContain('google')
    expect(JSON.stringify([answers, logged, audit, await stored()])).not.toContain('top-secret-1')
  })
})

describe('the targets of the sign-in experience', () => {
  it('are those that have a connector, in the order of the operator', async () => {
    await install('google-universal')
    await install('oidc', { metadata: { target: 'acme' } })
    await install('http-email')
    expect(await offer('acme', 'google')).toEqual(['acme', 'google'])
  })

  it('are answered in this order, with the names and logos of the operator', async () => {
    await install('google-universal')
    const { id } = await installed('apple-universal')
    const name = { en: 'Acme', fr: 'Acmé' }
    await install('oidc', { metadata: { target: 'acme', name, logo: 'https://acme.example/logo.svg' } })
    await install('oauth2', { metadata: { target: 'plain' } })
    await offer('acme', 'apple', 'plain')
    expect((await experience()).socialConnectors).toEqual([
      {
        id: expect.any(String),
        target: 'acme',
        platform: 'Universal',
        name,
        logo: 'https://acme.example/logo.svg',
      },
      {
        id,
        target: 'apple',
        platform: 'Universal',
        name: { en: 'Apple' },
        logo: '/connectors/apple.svg',
        logoDark: '/connectors/apple-dark.svg',
      },
      {
        id: expect.any(String),
        target: 'plain',
        platform: 'Universal',
        name: { en: 'OAuth 2.0' },
        logo: '/connectors/oauth2.svg',
      },
    ])
  })

  it('lose the one whose last connector is removed, and only that', async () => {
    const google = await installed('google-universal')
    const acme = await installed('oidc', { metadata: { target: 'acme' } })
    const mail = await installed('http-email')
    await offer('acme', 'google')
    // A second connector of the target, for another platform.
    await app.env.DB.prepare(
      `insert into connectors select tenant_id, 'twin', sync_profile, connector_id, config, metadata, created_at
       from connectors where id = ?`,
    )
      .bind(acme.id)
      .run()
    await operator.send('DELETE', `/connectors/${mail.id}`)
    await operator.send('DELETE', '/connectors/unknown')
    await operator.send('DELETE', `/connectors/${acme.id}`)
    expect(await offered()).toEqual(['acme', 'google'])
    await operator.send('DELETE', '/connectors/twin')
    expect(await offered()).toEqual(['google'])
    await operator.send('DELETE', `/connectors/${google.id}`)
    expect(await offered()).toEqual([])
    expect((await experience()).socialConnectors).toEqual([])
  })
})
