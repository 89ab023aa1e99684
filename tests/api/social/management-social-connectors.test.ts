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
const installAndRead = async (connectorId: string, more: object = {}) =>
  read(await install(connectorId, more))
const targetsOf = async (response: Response) =>
  ((await response.json()) as { socialSignInConnectorTargets: string[] }).socialSignInConnectorTargets
const offer = async (...targets: string[]) =>
  targetsOf(await operator.send('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: targets }))
const readTargets = async () => targetsOf(await operator.get('/sign-in-exp'))
const experience = async () =>
  (await (await app.fetch('/api/.well-known/sign-in-exp?no_cache')).json()) as {
    socialConnectors: Answer[]
  }

const config = { clientId: 'client-1', clientSecret: 'top-secret-1' }
const masked = { clientId: 'client-1', clientSecret: '********' }
const oauth2 = {
  ...config,
  authorizationEndpoint: 'https://login.example/authorize',
  tokenEndpoint: 'https://login.example/token',
  userInfoEndpoint: 'https://login.example/me',
}

describe('a social connector', () => {
  it('can be installed, read, changed and removed, and has its factory’s name and logo', async () => {
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
      config: masked,
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

  it('has a callback URL on the requested host', async () => {
    const { id } = await installAndRead('google-universal')
    await install('http-email')
    const elsewhere = atOrigin(app, 'http://127.0.0.1:8787')
    const operators = [operator, await newOperator(elsewhere)]
    const urls = operators.map(async ({ get }) => {
      const connectors = await (await get('/connectors')).json()
      const { callbackUrl } = (await (await get('/connector-factories/github-universal')).json()) as Listed
      return [...(connectors as Listed[]).map((connector) => connector.callbackUrl), callbackUrl]
    })
    expect(await Promise.all(urls)).toEqual([
      [`${app.origin}/callback/${id}`, null, `${app.origin}/callback/{id}`],
      [`${elsewhere.origin}/callback/${id}`, null, `${elsewhere.origin}/callback/{id}`],
    ])
  })

  it('does not replace message connectors or other social connectors', async () => {
    const ids = []
    for (const id of ['http-email', 'google-universal', 'github-universal'])
      ids.push((await installAndRead(id)).id)
    const listed = (await (await operator.get('/connectors')).json()) as Answer[]
    expect(listed.map(({ id }) => id)).toEqual(ids)
  })

  it('can be installed several times with different targets if it uses a standard protocol', async () => {
    const metadata = { target: 'acme', name: { en: 'Acme' }, logo: 'https://acme.example/logo.svg' }
    const first = await installAndRead('oauth2', { config: oauth2, metadata })
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
    // A target of another factory is also taken.
    const google = await installAndRead('google-universal')
    expect(await codeOf(await install('oidc', { metadata: { target: google.target } }))).toEqual([
      422,
      'connector.multiple_target_with_same_platform',
    ])
  })

  it('has an id like its target if it uses a standard protocol', async () => {
    const idFor = async (target: string, more: object = {}) =>
      (await installAndRead('oidc', { metadata: { target }, ...more })).id
    expect(await idFor('corp')).toBe('corp')
    expect(await idFor('named', { id: 'acme' })).toBe('acme')
    expect(await idFor('acme')).toBe('acme-2')
    expect(await idFor('Ann & Ben')).toBe('Ann-Ben')
    expect((await installAndRead('google-universal')).id).toMatch(/^\w{12}$/)
  })

  it('is installed once if two administrators install it at the same time', async () => {
    const race = async (...targets: [string, string]) => {
      const bodies = targets.map((target) => ({ id: 'corp', metadata: { target } }))
      const responses = await Promise.all(bodies.map((body) => install('oidc', body)))
      const refused = responses.find(({ status }) => status !== 200)
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
      await app.env.DB.prepare('delete from connectors').run()
      return refused && (await refused.json())
    }
    expect(await race('corp', 'corp')).toMatchObject({
      code: 'connector.multiple_target_with_same_platform',
      data: { connectorId: 'corp' },
    })
    expect(await race('corp', 'other')).toMatchObject({
      code: 'guard.invalid_input',
      data: { issues: [{ path: ['id'], message: 'belongs to another connector' }] },
    })
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
      body: { connectorId: 'google-universal', config: masked },
      status: 400,
      code: 'connector.invalid_config',
    },
    { body: { connectorId: 'demo-google' }, status: 422, code: 'connector.not_found_with_connector_id' },
    { body: { connectorId: 'wechat-native' }, status: 422, code: 'connector.not_found_with_connector_id' },
  ])('cannot be installed with $body, and the error is $code', async ({ body, status, code }) => {
    expect(await codeOf(await operator.send('POST', '/connectors', body))).toEqual([status, code])
    expect(await (await operator.get('/connectors')).json()).toEqual([])
  })

  it('cannot be installed twice unless it uses a standard protocol', async () => {
    await install('google-universal')
    expect(await codeOf(await install('google-universal'))).toEqual([
      422,
      'connector.multiple_instances_not_supported',
    ])
  })

  it('must keep its target, under which identities are stored', async () => {
    const { id } = await installAndRead('oidc', { metadata: { target: 'acme' } })
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

  it('cannot be tested by sending a message, unlike a message connector', async () => {
    const body = { config, email: 'ann@example.com' }
    expect(await codeOf(await operator.send('POST', '/connectors/google-universal/test', body))).toEqual([
      400,
      'connector.unexpected_type',
    ])
  })
})

describe('a social connector’s secrets', () => {
  /** Returns the configurations as they are stored in the database. */
  const readStored = async () => {
    const { results } = await app.env.DB.prepare('select config from connectors').all<{ config: string }>()
    return results.map((row) => row.config)
  }

  it('are kept if the masked configuration is sent back', async () => {
    const { id } = await installAndRead('oauth2', { config: oauth2, metadata: { target: 'acme' } })
    const change = { ...oauth2, ...masked, scope: 'profile' }
    const changed = await operator.send('PATCH', `/connectors/${id}`, { config: change })
    expect((await read(changed)).config).toEqual(change)

    // A configuration without a secret is rejected, so the placeholder above was replaced by the stored secret.
    const without = await operator.send('PATCH', `/connectors/${id}`, {
      config: { ...change, clientSecret: '' },
    })
    expect(await codeOf(without)).toEqual([400, 'connector.invalid_config'])
  })

  it('never appear in a response or log, or as plain text in the database', async () => {
    const logLines: unknown[] = []
    for (const method of ['log', 'warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((...words) => logLines.push(words))
    const answers: string[] = []
    const collect = async (response: Response) => answers.push(await response.clone().text())

    const created = await install('google-universal', { config })
    await collect(created)
    const { id } = await read(created)
    await collect(await operator.send('PATCH', `/connectors/${id}`, { config: { ...config, scope: 7 } }))
    await collect(
      await operator.send('PATCH', `/connectors/${id}`, { config: { ...config, scope: 'email' } }),
    )
    for (const path of [`/connectors/${id}`, '/connectors', '/logs']) await collect(await operator.get(path))
    await offer('google')
    answers.push(JSON.stringify(await experience()))

    const { results: audit } = await app.env.DB.prepare(
      "select payload from logs where key like 'Management.Connector.%'",
    ).all()
    expect(answers.join()).toContain('google')
    expect(JSON.stringify([answers, logLines, audit, await readStored()])).not.toContain('top-secret-1')
  })
})

describe('the sign-in experience’s targets', () => {
  it('can be set in any order if each of them has a connector', async () => {
    await install('google-universal')
    await install('oidc', { metadata: { target: 'acme' } })
    await install('http-email')
    expect(await offer('acme', 'google')).toEqual(['acme', 'google'])
  })

  it('are returned in the operator’s order, with the names and logos that the operator chose', async () => {
    await install('google-universal')
    const { id } = await installAndRead('apple-universal')
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

  it('exclude a target once its last connector is removed', async () => {
    const google = await installAndRead('google-universal')
    const acme = await installAndRead('oidc', { metadata: { target: 'acme' } })
    const mail = await installAndRead('http-email')
    await offer('acme', 'google')
    // Insert a second connector with the same target.
    await app.env.DB.prepare(
      `insert into connectors select tenant_id, 'twin', sync_profile, connector_id, config, metadata, created_at
       from connectors where id = ?`,
    )
      .bind(acme.id)
      .run()
    await operator.send('DELETE', `/connectors/${mail.id}`)
    await operator.send('DELETE', '/connectors/unknown')
    await operator.send('DELETE', `/connectors/${acme.id}`)
    expect(await readTargets()).toEqual(['acme', 'google'])
    await operator.send('DELETE', '/connectors/twin')
    expect(await readTargets()).toEqual(['google'])
    await operator.send('DELETE', `/connectors/${google.id}`)
    expect(await readTargets()).toEqual([])
    expect((await experience()).socialConnectors).toEqual([])
  })
})
