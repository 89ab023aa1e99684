import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { OutgoingMessage } from '../../../src/application/connectors/deliver.ts'
import { sendMessage, sendThroughConnector } from '../../../src/application/connectors/send.ts'
import { readSettings } from '../../../src/application/settings.ts'
import { RefusalError } from '../../../src/contract/refused.ts'
import { insertConnector, sealConfig } from '../../../src/storage/connectors/connectors.ts'
import { listDevMessages } from '../../../src/storage/connectors/dev-messages.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { createSeals } from '../../../src/storage/seal.ts'
import { messageContext, providerFor } from '../../outbound/connector-context.ts'
import { providerSecrets } from '../../outbound/provider-secrets.ts'
import { newTenant, TEST_NOW } from '../../storage/databases.ts'

const db = openD1(env.DB)
const seals = createSeals('a root secret for this test, long enough')
const settings = readSettings(env)
const development = { db, seals, settings, network: messageContext, now: () => TEST_NOW }
const production = { ...development, settings: { ...settings, environment: 'production' as const } }

const sending: OutgoingMessage = {
  channel: 'email',
  to: 'ann.smith@example.com',
  type: 'SignIn',
  code: '482913',
  language: 'de',
  host: 'id.example.com',
  requestId: 'request-1',
}

let tenantId = ''
beforeEach(async () => {
  tenantId = await newTenant(db)
})

async function install(factoryId: string, config: Record<string, unknown>, id = `${factoryId}-1`) {
  const sealed = await sealConfig({ seals }, tenantId, id, config)
  const row = {
    id,
    connectorId: factoryId,
    config: sealed,
    metadata: {},
    syncProfile: false,
    createdAt: TEST_NOW,
  }
  await insertConnector(db, tenantId, row)
  return id
}

async function serviceLog() {
  const row = await env.DB.prepare(
    'select type, payload, created_at as createdAt from service_logs where tenant_id = ? order by created_at desc',
  )
    .bind(tenantId)
    .first<{ type: string; payload: string; createdAt: number }>()
  return row ? { ...row, payload: JSON.parse(row.payload) } : undefined
}

async function refusalOf(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof RefusalError) return error.refusal
  throw error
}

describe('sending through the tenant’s connector', () => {
  it('delivers the message and records it without the code', async () => {
    const provider = providerFor('http-email')
    const id = await install('http-email', {
      endpoint: provider.endpoint('ok'),
      secret: providerSecrets.token,
    })
    expect(await sendMessage(development, tenantId, sending)).toEqual({ connectorId: id })

    const [call] = await provider.received()
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      code: '482913',
      subject: 'Ihr Code für die Anmeldung',
    })
    const log = await serviceLog()
    expect(log).toMatchObject({
      type: 'sendEmail',
      payload: {
        to: 'ann.****@example.com',
        messageType: 'SignIn',
        connectorId: id,
        factoryId: 'http-email',
        result: 'Success',
        requestId: 'request-1',
      },
      createdAt: TEST_NOW,
    })
    expect(JSON.stringify(log)).not.toContain('482913')
  })

  it.each([
    { channel: 'email', to: 'ann.smith@example.com', authentication: 'Bearer', type: 'sendEmail' },
    { channel: 'sms', to: '33612345678', authentication: 'Hmac', type: 'sendSms' },
  ] as const)(
    'writes one row of service_log, "id, type (max 64), payload, createdAt": $type',
    async ({ channel, to, authentication, type }) => {
      const endpoint = providerFor(`http-${channel}`).endpoint('ok')
      await install(`http-${channel}`, { endpoint, authentication, secret: providerSecrets.token })
      // The receiver of the text message compares the time of its signature.
      const current = { ...development, now: Date.now }
      await sendMessage(current, tenantId, { ...sending, channel, to })
      const { results } = await env.DB.prepare('select * from service_logs where tenant_id = ?')
        .bind(tenantId)
        .all()
      expect(results).toEqual([
        {
          tenant_id: tenantId,
          id: expect.stringMatching(/^[\dA-Za-z]{21}$/),
          type,
          payload: expect.stringMatching(/^\{.*"result":"Success".*\}$/),
          created_at: expect.any(Number),
        },
      ])
      for (const secret of [to, sending.code]) expect(JSON.stringify(results)).not.toContain(secret)
    },
  )

  it.each([
    { behaviour: 'refusing', code: 'connector.general', status: 400, reason: 'message' },
    { behaviour: 'failing', code: 'connector.general', status: 400, reason: 'busy' },
    { behaviour: 'redirecting', code: 'connector.invalid_response', status: 400, reason: 'unreadable' },
  ])(
    'fails with $code and records the failure if the provider’s behaviour is "$behaviour"',
    async ({ behaviour, code, status, reason }) => {
      const consoleLog = vi.spyOn(console, 'log').mockImplementation(() => undefined)
      const endpoint = providerFor('http-sms').endpoint(behaviour)
      const secret = providerSecrets.token
      await install('http-sms', { endpoint, authentication: 'Bearer', secret })
      const sms = { ...sending, channel: 'sms' as const, to: '33612345678' }
      expect(await refusalOf(sendMessage(development, tenantId, sms))).toMatchObject({
        code,
        status,
        data: undefined,
      })
      expect(await serviceLog()).toMatchObject({
        type: 'sendSms',
        payload: { to: '****5678', result: 'Error', error: code, reason },
      })
      // The log contains the provider's error, but not the code, credentials or recipient that the error quotes.
      const output = consoleLog.mock.calls.flat().join('\n') + JSON.stringify(await serviceLog())
      consoleLog.mockRestore()
      expect(output).toContain('message_not_sent')
      for (const quoted of ['482913', secret, '33612345678']) expect(output).not.toContain(quoted)
      if (behaviour === 'refusing') expect(output).toContain('Sender not verified')
    },
  )

  it('fails with an error that names the message type if its template is missing', async () => {
    const config = { accessKeyId: 'a', accessKeySecret: 'b', signName: 'c', templates: [] }
    await install('aliyun-short-message-service', config)
    const sms = { ...sending, channel: 'sms' as const, to: '33612345678' }
    expect(await refusalOf(sendMessage(development, tenantId, sms))).toMatchObject({
      code: 'connector.template_not_found',
      status: 400,
      data: { type: 'SignIn' },
    })
  })

  it('succeeds even if the delivery cannot be recorded in the database', async () => {
    const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const broken: typeof db = new Proxy(db, {
      get: (target, property) =>
        property === 'insert'
          ? () => {
              throw new Error('D1 is down')
            }
          : Reflect.get(target, property),
    })
    await install('http-email', {
      endpoint: providerFor('http-email').endpoint('ok'),
      secret: providerSecrets.token,
    })
    await sendMessage({ ...development, db: broken }, tenantId, sending)
    const output = errorLog.mock.calls.flat().join('\n')
    errorLog.mockRestore()
    expect(output).toContain('ann.****@example.com')
    expect(output).not.toContain('482913')
  })

  it('can use an unsaved configuration in a test', async () => {
    const provider = providerFor('http-email')
    const config = { endpoint: provider.endpoint('ok'), secret: providerSecrets.token }
    await sendThroughConnector(
      development,
      tenantId,
      { id: 'test', factoryId: 'http-email', config },
      sending,
    )
    expect(await provider.received()).toHaveLength(1)
    const sms = { id: 'test', factoryId: 'http-sms', config }
    expect(await refusalOf(sendThroughConnector(development, tenantId, sms, sending))).toMatchObject({
      code: 'connector.unexpected_type',
    })
  })

  it('requires https outside development', async () => {
    await install('http-email', {
      endpoint: providerFor('http-email').endpoint('ok'),
      secret: providerSecrets.token,
    })
    expect(await refusalOf(sendMessage(production, tenantId, sending))).toMatchObject({
      code: 'connector.invalid_config',
      data: { issues: [{ path: 'endpoint', message: 'must use https' }] },
    })
  })
})

describe('sending a message without a connector', () => {
  it('fails in production', async () => {
    expect(await refusalOf(sendMessage(production, tenantId, sending))).toMatchObject({
      code: 'connector.not_found',
      status: 400,
    })
    expect(await serviceLog()).toBeUndefined()
    const inbox = { id: 'dev-inbox', factoryId: 'dev-inbox', config: {} }
    expect(await refusalOf(sendThroughConnector(production, tenantId, inbox, sending))).toMatchObject({
      code: 'connector.unexpected_type',
    })
  })

  it('stores the message in a development server’s inbox', async () => {
    expect(await sendMessage(development, tenantId, sending)).toEqual({ connectorId: 'dev-inbox' })
    const sms = { ...sending, channel: 'sms' as const, to: '33612345678', language: 'fr' }
    await sendMessage({ ...development, now: () => TEST_NOW + 1 }, tenantId, sms)
    expect(await listDevMessages(db, tenantId)).toMatchObject([
      { channel: 'sms', to: '33612345678', code: '482913', subject: null, language: 'fr' },
      { channel: 'email', to: sending.to, type: 'SignIn', subject: 'Ihr Code für die Anmeldung' },
    ])
  })
})
