import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import { providerSecrets } from '../../outbound/provider-secrets.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.env.DB.prepare('delete from connectors').run()
})

type Answer = {
  id: string
  connectorId: string
  config: unknown
  code: string
  data: unknown
  hasCheck?: boolean
}
const read = async (response: Response) => (await response.json()) as Answer
const codeOf = async (response: Response) => [response.status, (await read(response)).code]
const install = (connectorId: string, more: object = {}) =>
  operator.send('POST', '/connectors', { connectorId, ...more })
const config = { endpoint: 'https://mail.example/send', authentication: 'Bearer', secret: 'top-secret-token' }
/** The configuration as the API returns it, with its secret masked. */
const masked = { ...config, secret: '********' }

describe('connector factories', () => {
  it('are listed with the fields of their configuration form', async () => {
    const factories = (await (await operator.get('/connector-factories')).json()) as Answer[]
    expect(factories.length).toBe(28)
    const unchecked = factories.filter(({ hasCheck }) => hasCheck === false).map(({ id }) => id)
    expect(unchecked.toSorted()).toEqual([
      'aliyun-direct-mail',
      'aliyun-short-message-service',
      'cloudflare-send-email',
      'http-email',
      'http-sms',
      'tencent-short-message-service',
    ])
    for (const factory of factories) {
      expect(factory).toMatchObject({
        type: expect.stringMatching(/^(?:Email|Sms|Social)$/),
        id: expect.any(String),
        target: expect.any(String),
        name: { en: expect.any(String) },
        logo: expect.stringMatching(/^\/(?:connectors\/)?[\w-]+\.svg$/),
        description: { en: expect.any(String) },
        formItems: expect.arrayContaining([expect.objectContaining({ key: expect.any(String) })]),
        isDemo: false,
      })
    }
  })

  it('can be read by id, and an unknown id results in an error', async () => {
    expect(await read(await operator.get('/connector-factories/http-sms'))).toMatchObject({
      id: 'http-sms',
      type: 'Sms',
    })
    expect(await codeOf(await operator.get('/connector-factories/nothing'))).toEqual([
      400,
      'entity.not_found',
    ])
  })
})

describe('checking connector credentials', () => {
  const provider = () => `${env.TEST_PROVIDER_STUBS.providers}/${crypto.randomUUID()}/ok/resend-email`
  const resend = (apiKey: string, endpoint = provider()) => ({
    apiKey,
    fromEmail: 'a@acme.example',
    endpoint,
  })
  const check = async (id: string, body?: object) => {
    const response = await operator.send('POST', `/connectors/${id}/check`, body)
    return response.status === 200 ? response.json() : codeOf(response)
  }

  it('sends either the stored or a new configuration to the provider', async () => {
    const right = resend(providerSecrets.token)
    const { id } = await read(await install('resend-email', { config: right }))
    const accepted = { outcome: 'accepted', reason: null }
    expect(await check(id)).toEqual(accepted)
    expect(await check(id, { config: { ...right, apiKey: '********' } })).toEqual(accepted)
    const other = { config: { ...right, apiKey: 'of-another' } }
    expect(await check(id, other)).toEqual({ outcome: 'refused', reason: 'status 401' })
    // The wrong credentials were not stored.
    expect(await check(id)).toEqual(accepted)
    const away = { config: { ...right, apiKey: '********', endpoint: 'https://elsewhere.example/' } }
    expect(await check(id, away)).toEqual([400, 'guard.invalid_input'])
  })

  it('reports whether the provider is unreachable or does not support the check', async () => {
    const unreachable = resend('key', 'http://127.0.0.1:9/emails')
    const { id } = await read(await install('resend-email', { config: unreachable }))
    expect(await check(id)).toEqual({ outcome: 'unreachable', reason: 'unreachable' })
    const { id: webhook } = await read(await install('http-sms', { config }))
    expect(await check(webhook)).toEqual({ outcome: 'unsupported', reason: null })
    const { id: empty } = await read(await install('github-universal'))
    expect(await check(empty)).toEqual([400, 'connector.invalid_config'])
    expect(await check('nobody')).toEqual([404, 'entity.not_found'])
  })

  it('is possible before a connector is installed, and installs nothing', async () => {
    const checkNew = async (factoryId: string, config: object) => {
      const response = await operator.send('POST', `/connector-factories/${factoryId}/check`, { config })
      return response.status === 200 ? response.json() : codeOf(response)
    }
    const dead = { host: 'localhost', port: 1, fromEmail: 'a@acme.example' }
    const unreachable = { outcome: 'unreachable', reason: 'unreachable' }
    expect(await checkNew('simple-mail-transfer-protocol', dead)).toEqual(unreachable)
    const accepted = { outcome: 'accepted', reason: null }
    expect(await checkNew('resend-email', resend(providerSecrets.token))).toEqual(accepted)
    expect(await checkNew('resend-email', {})).toEqual([400, 'connector.invalid_config'])
    expect(await checkNew('resend-email', { ...resend('x'), more: 1 })).toEqual([400, 'guard.invalid_input'])
    expect(await checkNew('nothing', {})).toEqual([400, 'connector.not_found'])
    expect(await (await operator.get('/connectors')).json()).toEqual([])
  })
})

describe('a connector that cannot be decrypted', () => {
  it('is returned without its configuration, which can be replaced', async () => {
    const [lost, intact] = [
      await read(await install('http-email', { config })),
      await read(await install('http-sms', { config })),
    ]
    await app.env.DB.prepare(`update connectors set config = json('{"sealed":"v1.nothing"}') where id = ?`)
      .bind(lost.id)
      .run()
    const listed = (await (await operator.get('/connectors')).json()) as Answer[]
    expect(listed).toMatchObject([
      { id: lost.id, config: {} },
      { id: intact.id, config: masked },
    ])
    expect(listed[0]?.config).toEqual({})
    const one = `/connectors/${lost.id}`
    expect((await operator.get(one)).status).toBe(200)
    const unknownSecret = await operator.send('PATCH', one, { config: masked })
    expect([unknownSecret.status, (await read(unknownSecret)).code]).toEqual([
      400,
      'connector.invalid_config',
    ])
    const replaced = await operator.send('PATCH', one, { config })
    expect([replaced.status, (await read(replaced)).config]).toEqual([200, masked])
    expect((await read(await operator.get(one))).config).toEqual(masked)
  })
})

describe('a connector', () => {
  it('can be installed, read, changed and removed', async () => {
    const created = await install('http-email', { config })
    expect(created.status).toBe(200)
    const connector = await read(created)
    expect(connector).toMatchObject({
      type: 'Email',
      target: 'http-email',
      tenantId: 'default',
      id: expect.stringMatching(/^[\dA-Za-z]{12}$/),
      connectorId: 'http-email',
      syncProfile: false,
      metadata: {},
      isDemo: false,
      config: masked,
      formItems: expect.any(Array),
    })
    expect(await read(await operator.get(`/connectors/${connector.id}`))).toEqual(connector)
    expect(await (await operator.get('/connectors')).json()).toEqual([connector])
    expect(await (await operator.get('/connectors?target=http-email')).json()).toEqual([connector])
    expect(await (await operator.get('/connectors?target=other')).json()).toEqual([])

    const other = { ...config, secret: 'another-token' }
    const changed = await operator.send('PATCH', `/connectors/${connector.id}`, { config: other })
    expect(await read(changed)).toEqual({ ...connector, config: masked })
    const unchanged = await operator.send('PATCH', `/connectors/${connector.id}`, {})
    expect(await read(unchanged)).toEqual({ ...connector, config: masked })

    const removed = await operator.send('DELETE', `/connectors/${connector.id}`)
    expect([removed.status, await removed.text()]).toEqual([204, ''])
    expect(await (await operator.get('/connectors')).json()).toEqual([])
  })

  it('can have a custom id, which must be unique', async () => {
    expect(await read(await install('http-email', { id: 'my-mail' }))).toMatchObject({
      id: 'my-mail',
      config: {},
    })
    const again = await install('http-sms', { id: 'my-mail' })
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({
      code: 'guard.invalid_input',
      details: '`id` belongs to another connector.',
    })
    expect(await (await operator.get('/connectors')).json()).toHaveLength(1)
  })

  it('replaces only connectors of the same type', async () => {
    const { id: sms } = await read(await install('http-sms'))
    await install('http-email')
    const { id: mail } = await read(await install('sendgrid-email-service'))
    const listed = (await (await operator.get('/connectors')).json()) as Answer[]
    expect(listed.map(({ id }) => id)).toEqual([sms, mail])
  })

  it('remains the only connector of its type after concurrent installations', async () => {
    await Promise.all(['http-email', 'resend-email', 'mailgun-email'].map((id) => install(id)))
    expect(await (await operator.get('/connectors')).json()).toHaveLength(1)
  })

  it.each([
    { body: { connectorId: 'nothing' }, status: 422, code: 'connector.not_found_with_connector_id' },
    { body: { connectorId: 'dev-inbox' }, status: 422, code: 'connector.not_found_with_connector_id' },
    {
      body: { connectorId: 'http-email', syncProfile: true },
      status: 422,
      code: 'connector.invalid_type_for_syncing_profile',
    },
    {
      body: { connectorId: 'http-email', metadata: { target: 'mine' } },
      status: 400,
      code: 'connector.cannot_overwrite_metadata_for_non_standard_connector',
    },
    {
      body: { connectorId: 'http-email', config: { endpoint: 'nowhere' } },
      status: 400,
      code: 'connector.invalid_config',
    },
    { body: { connectorId: 'http-email', id: 'a/b' }, status: 400, code: 'guard.invalid_input' },
    { body: { connectorId: 'http-email', config: [] }, status: 400, code: 'guard.invalid_input' },
    { body: {}, status: 400, code: 'guard.invalid_input' },
  ])('cannot be installed with $body, and the error is $code', async ({ body, status, code }) => {
    expect(await codeOf(await operator.send('POST', '/connectors', body))).toEqual([status, code])
    expect(await (await operator.get('/connectors')).json()).toEqual([])
  })

  it('cannot be installed twice', async () => {
    await install('http-email')
    expect(await codeOf(await install('http-email'))).toEqual([
      422,
      'connector.multiple_instances_not_supported',
    ])
  })

  it('rejects changes that its factory does not support', async () => {
    const { id } = await read(await install('http-email', { config }))
    const patch = (body: object) => operator.send('PATCH', `/connectors/${id}`, body)
    expect(await codeOf(await patch({ config: { ...config, endpoint: 7 } }))).toEqual([
      400,
      'connector.invalid_config',
    ])
    expect(await codeOf(await patch({ syncProfile: true }))).toEqual([
      422,
      'connector.invalid_type_for_syncing_profile',
    ])
    expect(await codeOf(await patch({ metadata: { name: { en: 'Mine' } } }))).toEqual([
      400,
      'connector.cannot_overwrite_metadata_for_non_standard_connector',
    ])
    expect((await read(await operator.get(`/connectors/${id}`))).config).toEqual(masked)
  })

  it('results in a 404 if its id is unknown', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const response = await operator.send(method, '/connectors/unknown', method === 'PATCH' ? {} : undefined)
      expect(await codeOf(response)).toEqual([404, 'entity.not_found'])
    }
  })

  it('cannot be listed, read or changed if this version does not know its factory', async () => {
    const { id } = await read(await install('http-email'))
    await app.env.DB.prepare("update connectors set connector_id = 'from-tomorrow'").run()
    expect(await (await operator.get('/connectors')).json()).toEqual([])
    for (const method of ['GET', 'PATCH']) {
      const response = await operator.send(method, `/connectors/${id}`, method === 'PATCH' ? {} : undefined)
      expect(await codeOf(response)).toEqual([404, 'entity.not_found'])
    }
  })

  it('[ASVS-13.3.1] does not expose its secrets in the database or the log', async () => {
    const logLines: unknown[] = []
    for (const method of ['log', 'warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((...words) => logLines.push(words))
    const { id } = await read(await install('http-email', { config }))
    await operator.send('PATCH', `/connectors/${id}`, { config: { ...config, endpoint: 7 } })
    await operator.send('PATCH', `/connectors/${id}`, { config })

    const { results: rows } = await app.env.DB.prepare('select * from connectors').all()
    const { results: audit } = await app.env.DB.prepare(
      "select payload from logs where key like 'Management.Connector.%'",
    ).all<{ payload: string }>()
    expect(JSON.stringify([rows, audit, logLines])).not.toContain('top-secret-token')
    expect(audit.map(({ payload }) => JSON.parse(payload))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ connectorId: id, factoryId: 'http-email', changed: ['config'] }),
      ]),
    )
  })
})

describe('a factory', () => {
  it('has a guide and a form in the language of the operator', async () => {
    const german = { 'accept-language': 'de-AT,en;q=0.5' }
    const smtp = '/connector-factories/simple-mail-transfer-protocol'
    const [answer, english] = await Promise.all([
      (await operator.get(smtp, german)).json(),
      (await operator.get(smtp)).json(),
    ])
    expect(answer).toMatchObject({
      readme: expect.stringContaining('Häufige Fehler:'),
      formItems: expect.arrayContaining([expect.objectContaining({ key: 'auth.pass', label: 'Passwort' })]),
    })
    expect(english).toMatchObject({
      readme: expect.stringContaining('Common mistakes:'),
      formItems: expect.arrayContaining([expect.objectContaining({ key: 'auth.pass', label: 'Password' })]),
    })
  })
})

describe('an SMTP connector', () => {
  const server = { host: 'mail.example', port: 587, fromEmail: 'a@example.com' }
  const login = { type: 'login', user: 'post', pass: 'the-password' }

  it('shows the user name, and keeps the password when it is saved again', async () => {
    const installed = await install('simple-mail-transfer-protocol', { config: { ...server, auth: login } })
    const { id, config: maskedConfig } = await read(installed)
    expect(maskedConfig).toEqual({ ...server, auth: { ...login, pass: '********' } })
    const auth = { ...login, user: 'other', pass: '********' }
    const changed = await operator.send('PATCH', `/connectors/${id}`, { config: { ...server, auth } })
    expect(await read(changed)).toMatchObject({ config: { auth } })
    const moved = await operator.send('PATCH', `/connectors/${id}`, {
      config: { ...server, host: 'mx.example', auth },
    })
    expect(await read(moved)).toMatchObject({
      code: 'guard.invalid_input',
      data: { issues: [{ path: ['config', 'auth', 'pass'] }] },
    })
  })

  it('is not stored with a placeholder for which nothing stands', async () => {
    const auth = { ...login, user: '********' }
    const refused = await install('simple-mail-transfer-protocol', { config: { ...server, auth } })
    expect(await read(refused)).toMatchObject({
      code: 'guard.invalid_input',
      data: { issues: [{ path: ['config', 'auth', 'user'] }] },
    })
  })

  it.each([
    { auth: { user: 'post' }, issue: { path: 'auth.pass', message: 'is required with a user name' } },
    { auth: { pass: 'x' }, issue: { path: 'auth.user', message: 'is required with a password' } },
    { auth: { user: '', pass: 'x' }, issue: { path: 'auth.user', message: 'is required with a password' } },
  ])('rejects the incomplete login $auth', async ({ auth, issue }) => {
    const answer = await read(await install('simple-mail-transfer-protocol', { config: { ...server, auth } }))
    expect(answer).toMatchObject({ code: 'connector.invalid_config', data: { issues: [issue] } })
  })
})

describe('previewing a message', () => {
  const preview = (body: object, factory = 'http-email') =>
    operator.send('POST', `/connectors/${factory}/message-preview`, body)
  const choice = { usageType: 'SignIn', language: 'de' }

  it('returns the built-in message and a template to begin with', async () => {
    const answer = await (await preview(choice)).json()
    expect(answer).toMatchObject({
      subject: 'Ihr Code für die Anmeldung',
      text: expect.stringContaining('Ihr Code: 000000'),
      html: expect.stringContaining('<html lang="de"'),
      builtIn: { text: expect.stringContaining('Ihr Code: {{code}}') },
    })
  })

  it('renders the template in the request, in which values are escaped in HTML only', async () => {
    const template = { subject: '{{code}}', content: '<b>{{code}}</b> {{nothing}}' }
    expect(await (await preview({ ...choice, template })).json()).toMatchObject({
      subject: '000000',
      text: null,
      html: '<b>000000</b> {{nothing}}',
    })
    const change = { usageType: 'EmailChanged', language: 'en' }
    const plain = { content: '{{link}}', contentType: 'text/plain' }
    expect(await (await preview({ ...change, template: plain })).json()).toMatchObject({
      text: expect.stringMatching(/^https?:.*\/account\/undo\?change=example$/),
      html: null,
    })
    expect(await (await preview(choice, 'http-sms')).json()).toMatchObject({
      subject: null,
      text: expect.stringMatching(/^000000 .*\n\n@[^:]+ #000000$/s),
      html: null,
      builtIn: { text: expect.not.stringContaining('#') },
    })
  })

  it.each([
    { factory: 'nothing', body: choice, code: 'connector.not_found' },
    { factory: 'oidc', body: choice, code: 'connector.unexpected_type' },
    { factory: 'http-sms', body: { ...choice, usageType: 'Invitation' }, code: 'connector.unexpected_type' },
    { factory: 'http-email', body: { ...choice, usageType: 'Other' }, code: 'guard.invalid_input' },
    { factory: 'http-email', body: { ...choice, language: 'de_DE' }, code: 'guard.invalid_input' },
    { factory: 'http-email', body: { ...choice, template: { content: '' } }, code: 'guard.invalid_input' },
  ])('fails with $code for the factory $factory and the body $body', async ({ factory, body, code }) => {
    expect(await codeOf(await preview(body, factory))).toEqual([400, code])
  })
})

describe('testing a connector configuration', () => {
  const sendTest = (factoryId: string, body: object) =>
    operator.send('POST', `/connectors/${factoryId}/test`, body)

  it('sends the code 000000 to the address and stores nothing', async () => {
    const sent: { url: string; headers: Headers; body: string }[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const request = new Request(input, init)
      sent.push({ url: request.url, headers: request.headers, body: await request.text() })
      return new Response('{}')
    })
    const response = await sendTest('http-email', { config, email: 'ann@example.com' })
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(sent).toHaveLength(1)
    expect(sent[0]?.url).toBe(config.endpoint)
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer top-secret-token')
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      to: 'ann@example.com',
      type: 'Generic',
      code: '000000',
    })
    expect(await (await operator.get('/connectors')).json()).toEqual([])
    const { results } = await app.env.DB.prepare('select * from passcodes').all()
    expect(results).toEqual([])
  })

  it('sends a template of the configuration through a real SMTP server', async () => {
    const port = env.TEST_PROVIDER_STUBS.mailPorts.withoutAuth
    const to = `${crypto.randomUUID()}@example.org`
    const template = { content: 'Bis {{date}} bei {{brand}}!', contentType: 'text/plain', subject: 'Adieu' }
    const smtp = {
      host: 'localhost',
      port,
      fromEmail: 'a@example.com',
      templates: [
        { usageType: 'DeletionRequested', language: 'fr', ...template, subject: 'Non' },
        { usageType: 'DeletionRequested', language: 'de', ...template },
      ],
    }
    const response = await sendTest('simple-mail-transfer-protocol', {
      config: smtp,
      email: to,
      usageType: 'DeletionRequested',
      language: 'de',
    })
    expect([response.status, await response.text()]).toEqual([204, ''])
    const mails = (await (await fetch(env.TEST_PROVIDER_STUBS.mails)).json()) as {
      to: string[]
      raw: string
    }[]
    const raw = mails.find((mail) => mail.to.includes(to))?.raw ?? ''
    expect(raw).toContain('Subject: Adieu\r\n')
    const body = new TextDecoder().decode(
      Uint8Array.from(atob(raw.split('\r\n\r\n')[1] ?? ''), (char) => char.charCodeAt(0)),
    )
    expect(body).toMatch(/^Bis \d+\. \w+ \d{4} bei /)
  })

  it('says why the server rejects the message, and leaves a trace in the log and the report', async () => {
    const [factoryId, auth] = ['simple-mail-transfer-protocol', { user: 'postmaster', pass: 'geheim' }]
    const port = env.TEST_PROVIDER_STUBS.mailPorts.plain
    const smtp = { host: 'localhost', port, fromEmail: 'a@example.com', auth }
    await install(factoryId, { id: 'mail', config: smtp })
    const response = await sendTest(factoryId, { config: smtp, email: 'ann@example.com' })
    const { code, data } = await read(response)
    const explanation = { reason: 'credentials', answer: '535 Invalid username or password' }
    expect([response.status, code, data]).toEqual([400, 'connector.general', explanation])

    const latest = (await (await operator.get('/messages?latest=true')).json()) as object[]
    const failed = { factoryId, result: 'Error', error: 'connector.general', ...explanation }
    expect(latest).toContainEqual(expect.objectContaining(failed))
    const lastFailure = async () =>
      ((await (await operator.get('/configs/doctor')).json()) as { connectors: object[] }).connectors
    const { result: _, factoryId: _factory, ...trace } = failed
    expect(await lastFailure()).toMatchObject([{ id: 'mail', problem: null, lastFailure: trace }])

    const open = { ...smtp, port: env.TEST_PROVIDER_STUBS.mailPorts.withoutAuth, auth: undefined }
    const test = () => sendTest(factoryId, { config: open, email: 'ann@example.com' })
    expect((await test()).status).toBe(204)
    // Settings that are not saved say nothing about the installed connector.
    expect(await lastFailure()).toMatchObject([{ id: 'mail', lastFailure: trace }])
    await operator.send('DELETE', '/connectors/mail')
    await install(factoryId, { id: 'mail', config: open })
    expect((await test()).status).toBe(204)
    expect(await lastFailure()).toMatchObject([{ id: 'mail', lastFailure: null }])
  })

  it.each([
    { factory: 'nothing', body: { config, email: 'a@b.c' }, code: 'connector.not_found' },
    { factory: 'http-email', body: { config }, code: 'guard.invalid_input' },
    { factory: 'http-email', body: { config, email: 'not-an-address' }, code: 'guard.invalid_input' },
    { factory: 'http-email', body: { email: 'a@b.c' }, code: 'guard.invalid_input' },
    { factory: 'http-email', body: { config, email: 'a@b.c', usageType: 'x' }, code: 'guard.invalid_input' },
    { factory: 'http-email', body: { config, phone: '123456' }, code: 'connector.unexpected_type' },
    { factory: 'http-email', body: { config: {}, email: 'a@b.c' }, code: 'connector.invalid_config' },
  ])('fails with $code for the factory $factory and the body $body', async ({ factory, body, code }) => {
    expect(await codeOf(await sendTest(factory, body))).toEqual([400, code])
  })
})
