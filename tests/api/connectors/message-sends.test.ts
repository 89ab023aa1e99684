import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../../src/contract/tenants/settings.ts'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { freshEmail, freshPhone, outcomeOf, receivedMessages } from '../../kit/clients/interaction-client.ts'
import { asOperator, machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

const SERVICES = 'urn:vestibule:services'
const CODE = '482913'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

/** Returns a machine-to-machine application that is allowed to send messages. */
async function newSender(scope = 'send:email send:sms', from = app): Promise<Operator> {
  const created = await operator.send('POST', '/applications', {
    name: freshName(),
    type: 'MachineToMachine',
    oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] },
  })
  const application = (await created.json()) as { id: string; secret: string }
  await operator.send('POST', '/roles/tenant-app/applications', { applicationIds: [application.id] })
  return asOperator(from, await machineToken(from, application, scope, SERVICES))
}

const message = (to: string, more: object = {}) => ({
  data: { to, type: 'Generic', payload: { code: CODE }, ...more },
})
const sendEmail = (sender: Operator, to: string, more?: object) =>
  sender.send('POST', '/services/send-email', message(to, more))
const sendSms = (sender: Operator, to: string, more?: object) =>
  sender.send('POST', '/services/send-sms', message(to, more))

const serviceLogs = async (type: string) => {
  const { results } = await app.env.DB.prepare(
    "select payload from service_logs where tenant_id = 'default' and type = ? order by created_at desc, rowid desc",
  )
    .bind(type)
    .all<{ payload: string }>()
  return results.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>)
}

describe('sending a message through the API', () => {
  it('delivers an e-mail through the tenant’s connector and records it', async () => {
    const email = freshEmail()
    const response = await sendEmail(await newSender(), email, { type: 'ForgotPassword' })
    expect([response.status, await response.text()]).toEqual([201, ''])
    expect(await receivedMessages(app, { email })).toMatchObject([
      { to: email, channel: 'email', type: 'ForgotPassword', code: CODE },
    ])
    const [log] = await serviceLogs('sendEmail')
    expect(log).toMatchObject({ messageType: 'ForgotPassword', result: 'Success' })
    expect(JSON.stringify(log)).not.toContain(CODE)
    const answer = await operator.send('GET', '/messages')
    const [listed] = (await answer.json()) as Record<string, unknown>[]
    expect(listed).toMatchObject({
      channel: 'email',
      messageType: 'ForgotPassword',
      result: 'Success',
      error: null,
    })
    expect(JSON.stringify(listed)).not.toContain(email)
  })

  it('delivers a text message through the tenant’s connector', async () => {
    const phone = freshPhone()
    expect((await sendSms(await newSender(), phone)).status).toBe(201)
    expect(await receivedMessages(app, { phone })).toMatchObject([{ to: phone, channel: 'sms', code: CODE }])
    expect((await serviceLogs('sendSms'))[0]).toMatchObject({ messageType: 'Generic', result: 'Success' })
  })

  it('uses the request’s language', async () => {
    const email = freshEmail()
    const { token } = await newSender()
    await app.fetch('/api/services/send-email', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'accept-language': 'de',
      },
      body: JSON.stringify(message(email)),
    })
    expect(await receivedMessages(app, { email })).toMatchObject([{ language: 'de' }])
  })

  it('requires a connector outside development', async () => {
    const deployed = openTestApp({ ENVIRONMENT: 'production' })
    const answer = await sendEmail(await newSender('send:email', deployed), freshEmail())
    expect(await outcomeOf(answer)).toEqual([400, 'connector.not_found', { type: 'Email' }])
  })
})

describe('authorization to send messages', () => {
  it('requires the scope for the message type', async () => {
    expect((await sendEmail(await newSender('send:email'), freshEmail())).status).toBe(201)
    expect(await outcomeOf(await sendSms(await newSender('send:email'), freshPhone()))).toEqual([
      403,
      'auth.forbidden',
    ])
    expect(await outcomeOf(await sendEmail(await newSender('send:sms'), freshEmail()))).toEqual([
      403,
      'auth.forbidden',
    ])
  })

  it('requires a token for the services resource', async () => {
    const unauthenticated = await app.fetch('/api/services/send-email', { method: 'POST' })
    expect(await outcomeOf(unauthenticated)).toEqual([401, 'auth.authorization_header_missing'])
    expect(await outcomeOf(await sendEmail(operator, freshEmail()))).toEqual([401, 'auth.unauthorized'])
  })

  it('fails with a challenge that names the missing scope', async () => {
    const forbidden = await sendSms(await newSender('send:email'), freshPhone())
    expect(forbidden.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="send:sms"',
    )
  })

  it('does not give access to the management API', async () => {
    expect(await outcomeOf(await (await newSender()).get('/users'))).toEqual([401, 'auth.unauthorized'])
  })
})

describe('a request to send a message', () => {
  it.each([
    ['an empty body', {}],
    ['no data', message('a@example.com').data],
    ['an invalid address', message('no-address')],
    ['an unknown message type', message('a@example.com', { type: 'Newsletter' })],
    ['no code', message('a@example.com', { payload: {} })],
    ['a sentence as the code', message('a@example.com', { payload: { code: 'Call 555 now' } })],
    ['a link as the code', message('a@example.com', { payload: { code: 'evil.example/x' } })],
    ['a code that is too long', message('a@example.com', { payload: { code: '1'.repeat(33) } })],
    ['a line break in the address', message('a@example.com\r\nBcc: all@example.com')],
  ])('is rejected if it has %s', async (_, body) => {
    const answer = await (await newSender()).send('POST', '/services/send-email', body)
    const [status, code] = await outcomeOf(answer)
    expect([status, code]).toEqual([400, 'guard.invalid_input'])
  })

  it('is rejected if it would send a text message to an e-mail address', async () => {
    const [status] = await outcomeOf(await sendSms(await newSender(), freshEmail()))
    expect(status).toBe(400)
  })
})

describe('the rate limits for sending messages', () => {
  it('allow five messages per address across all applications', async () => {
    const email = freshEmail()
    for (let time = 0; time < 5; time++) expect((await sendEmail(await newSender(), email)).status).toBe(201)
    const limited = await sendEmail(await newSender(), email)
    expect(await outcomeOf(limited)).toEqual([
      429,
      'request.too_many_requests',
      { retryAfter: expect.any(Number) },
    ])
    expect(limited.headers.has('retry-after')).toBe(true)
    expect(await receivedMessages(app, { email })).toHaveLength(5)
  })

  it('also apply to each application separately', async () => {
    const { limits } = DEFAULT_TENANT_SETTINGS
    const sendsPerApplication = { count: 3, windowSeconds: 600 }
    await setTenantSettings(app, { limits: { ...limits, sendsPerApplication } })
    const strict = openTestApp()
    const sender = await newSender('send:email', strict)
    for (let time = 0; time < 3; time++) expect((await sendEmail(sender, freshEmail())).status).toBe(201)
    expect(await outcomeOf(await sendEmail(sender, freshEmail()))).toEqual([
      429,
      'request.too_many_requests',
      { retryAfter: expect.any(Number) },
    ])
    expect((await sendEmail(await newSender('send:email', strict), freshEmail())).status).toBe(201)
  })
})
