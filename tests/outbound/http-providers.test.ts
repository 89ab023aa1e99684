import { describe, expect, it } from 'vitest'
import type { MessageFactoryId } from '../../src/contract/connectors/connectors.ts'
import { messageConnectors } from '../../src/outbound/index.ts'
import {
  emailMessage,
  failureOfSending,
  MESSAGE_CODE,
  messageContext,
  providerFor,
  SHORT_TIMEOUT,
  smsMessage,
} from './connector-context.ts'
import { credentials, providerSecrets } from './provider-secrets.ts'

const { token, accessKeySecret } = providerSecrets
const { accessKeyId } = credentials
const from = { fromEmail: 'no-reply@example.com', fromName: 'Exämple, Inc.' }
const keys = { accessKeyId, accessKeySecret }
const codes = [{ usageType: 'SignIn', templateCode: 'T1' }]

/**
 * Each connector, with a configuration and the body that its provider must receive after `body` has decoded
 * it.
 */
const providers = [
  {
    id: 'sendgrid-email-service',
    config: { apiKey: token, ...from },
    body: JSON.parse,
    sent: {
      personalizations: [{ to: [{ email: emailMessage.to }] }],
      from: { email: from.fromEmail, name: from.fromName },
      subject: emailMessage.subject,
      content: [
        { type: 'text/plain', value: emailMessage.text },
        { type: 'text/html', value: emailMessage.html },
      ],
    },
  },
  {
    id: 'mailgun-email',
    config: { apiKey: token, domain: 'mg.example.com', ...from },
    body: form,
    sent: {
      from: '"Exämple, Inc." <no-reply@example.com>',
      to: emailMessage.to,
      subject: emailMessage.subject,
      text: emailMessage.text,
      html: emailMessage.html,
    },
  },
  {
    id: 'postmark-email',
    config: { serverToken: token, ...from, replyTo: 'help@example.com' },
    body: JSON.parse,
    sent: {
      From: '"Exämple, Inc." <no-reply@example.com>',
      To: emailMessage.to,
      ReplyTo: 'help@example.com',
      Subject: emailMessage.subject,
      TextBody: emailMessage.text,
      HtmlBody: emailMessage.html,
      MessageStream: 'outbound',
    },
  },
  {
    id: 'resend-email',
    config: { apiKey: token, ...from, fromName: '' },
    body: JSON.parse,
    sent: {
      from: 'no-reply@example.com',
      to: [emailMessage.to],
      subject: emailMessage.subject,
      text: emailMessage.text,
      html: emailMessage.html,
    },
  },
  {
    id: 'aws-ses-mail',
    config: { ...keys, region: 'eu-central-1', emailAddress: from.fromEmail, configurationSetName: 'codes' },
    body: JSON.parse,
    sent: {
      FromEmailAddress: from.fromEmail,
      ConfigurationSetName: 'codes',
      Destination: { ToAddresses: [emailMessage.to] },
      Content: {
        Simple: {
          Subject: { Data: emailMessage.subject, Charset: 'UTF-8' },
          Body: {
            Text: { Data: emailMessage.text, Charset: 'UTF-8' },
            Html: { Data: emailMessage.html, Charset: 'UTF-8' },
          },
        },
      },
    },
  },
  {
    id: 'aliyun-direct-mail',
    config: { ...keys, accountName: from.fromEmail, fromAlias: "It's (us)*!" },
    body: form,
    sent: {
      Action: 'SingleSendMail',
      AccountName: from.fromEmail,
      FromAlias: "It's (us)*!",
      ToAddress: emailMessage.to,
      Subject: emailMessage.subject,
      TextBody: emailMessage.text,
      HtmlBody: emailMessage.html,
      Timestamp: '2026-11-21T00:00:00Z',
    },
  },
  {
    id: 'http-email',
    config: { authentication: 'Bearer', secret: token },
    body: JSON.parse,
    sent: emailMessage,
  },
  {
    id: 'http-sms',
    config: { authentication: 'Hmac', secret: token },
    body: JSON.parse,
    sent: { to: smsMessage.to, type: 'SignIn', code: MESSAGE_CODE, text: smsMessage.text },
  },
  {
    id: 'twilio-short-message-service',
    config: { accountSID: credentials.twilio, authToken: token, fromMessagingServiceSID: 'MG1' },
    body: form,
    sent: { To: '+33612345678', MessagingServiceSid: 'MG1', Body: smsMessage.text },
  },
  {
    id: 'aliyun-short-message-service',
    config: { ...keys, signName: '示例', templates: codes },
    body: form,
    sent: {
      Action: 'SendSms',
      PhoneNumbers: smsMessage.to,
      SignName: '示例',
      TemplateCode: 'T1',
      TemplateParam: JSON.stringify({ code: MESSAGE_CODE }),
    },
  },
  {
    id: 'tencent-short-message-service',
    config: { ...keys, signName: '示例', sdkAppId: '1400006666', region: 'ap-guangzhou', templates: codes },
    body: JSON.parse,
    sent: {
      PhoneNumberSet: ['+33612345678'],
      SmsSdkAppId: '1400006666',
      SignName: '示例',
      TemplateId: 'T1',
      TemplateParamSet: [MESSAGE_CODE],
    },
  },
] satisfies { id: MessageFactoryId; config: object; body: (text: string) => unknown; sent: object }[]

/** The providers whose message calls succeed with any 2xx status. */
const withoutReceipt = ['sendgrid-email-service', 'http-email', 'http-sms']

function form(text: string) {
  return Object.fromEntries(new URLSearchParams(text))
}

const contextOf = (id: string, behaviour = '') => ({
  ...messageContext,
  // The signature library compares the signature's age with the real clock.
  ...(id === 'http-sms' ? { now: Date.now } : {}),
  timeout: behaviour === 'slow' ? SHORT_TIMEOUT : messageContext.timeout,
})

/** spec/experience#brand-name */
it.concurrent.each(providers.filter(({ id }) => messageConnectors[id].type === 'Email'))(
  '$id uses the brand as the sender’s name when its configuration has none',
  async ({ id, config, body }) => {
    const provider = providerFor(id)
    const unnamed = { ...config, fromName: '', fromAlias: '', endpoint: provider.endpoint('ok') }
    await messageConnectors[id].send(unnamed, { ...emailMessage, brand: 'Acmé, Inc.' }, contextOf(id))
    const [call] = await provider.received()
    expect(JSON.stringify(body(call?.body ?? ''))).toContain('Acmé, Inc.')
  },
)

describe.concurrent.each(providers)('$id', ({ id, config, body, sent }) => {
  const connector = messageConnectors[id]
  const message = connector.type === 'Email' ? emailMessage : smsMessage
  const provider = providerFor(id)
  const send = (behaviour: string, change: object = {}) =>
    connector.send(
      { ...config, endpoint: provider.endpoint(behaviour), ...change },
      message,
      contextOf(id, behaviour),
    )

  it('sends an authenticated message and reads the receipt', async () => {
    await send('ok')
    const [call] = await provider.received()
    expect(body(call?.body ?? '')).toMatchObject(sent)
  })

  it('fails with wrong credentials, and reports the response status for the log', async () => {
    const change = Object.fromEntries(
      ['apiKey', 'serverToken', 'secret', 'authToken', 'accessKeySecret'].map((key) => [
        key,
        'of-another-client',
      ]),
    )
    const failure = await failureOfSending(send('ok', change))
    expect(failure).toMatchObject({ code: 'general', data: undefined, detail: { status: 401 } })
  })

  it.each([
    {
      behaviour: 'refusing',
      detail: { status: 400, answer: expect.stringContaining('Sender not verified') },
    },
    { behaviour: 'failing', detail: { status: 503 } },
    { behaviour: 'slow', detail: 'timed out' },
  ])('fails when the provider is $behaviour', async ({ behaviour, detail }) => {
    const failure = await failureOfSending(send(behaviour))
    expect(failure).toMatchObject({ code: 'general', data: undefined, detail })
  })

  it('reads only the beginning of an endless response', async () => {
    let bytesRead = 0
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytesRead += chunk.byteLength
        controller.enqueue(chunk)
      },
    })
    const sending = connector.send({ ...config, endpoint: provider.endpoint('endless') }, message, {
      ...contextOf(id),
      async fetch(address, init) {
        const response = await fetch(address, init)
        return new Response(response.body?.pipeThrough(counting), response)
      },
    })
    if (withoutReceipt.includes(id)) await sending
    else expect(await failureOfSending(sending)).toMatchObject({ code: 'invalid_response' })
    expect(bytesRead).toBeLessThan(1024 * 1024)
  })

  it('does not follow redirects, which could leak the code and the credentials', async () => {
    const other = providerFor(id)
    const endpoint = other.endpoint('redirecting')
    const failure = await failureOfSending(send('ok', { endpoint }))
    expect(failure).toMatchObject({ code: 'invalid_response', detail: { status: 307 } })
    expect(await other.received()).toHaveLength(1)
  })

  it('[ASVS-12.3.1] requires an HTTPS endpoint outside development', async () => {
    const endpoint = provider.endpoint('ok')
    const sending = connector.send({ ...config, endpoint }, message, {
      ...messageContext,
      allowPrivateTargets: false,
    })
    expect(await failureOfSending(sending)).toMatchObject({
      code: 'invalid_config',
      data: { issues: [{ path: 'endpoint' }] },
    })
  })

  it('reports which field of its configuration is invalid', async () => {
    const failure = await failureOfSending(connector.send({ templates: 'none' }, message, messageContext))
    expect(failure.code).toBe('invalid_config')
    expect(JSON.stringify(failure.data)).toContain('templates')
  })

  it('rejects more than one recipient', async () => {
    const to = connector.type === 'Email' ? 'ann@example.com,eve@example.org' : '33612345678,33612345679'
    const sending = connector.send(
      { ...config, endpoint: provider.endpoint('ok') },
      { ...message, to },
      messageContext,
    )
    expect(await failureOfSending(sending)).toMatchObject({ code: 'invalid_request_parameters' })
  })
})

it.each(providers.filter(({ id }) => !withoutReceipt.includes(id)))(
  '$id fails when the response contains no receipt',
  async ({ id, config }) => {
    const connector = messageConnectors[id]
    const endpoint = providerFor(id).endpoint('malformed')
    const message = connector.type === 'Email' ? emailMessage : smsMessage
    const failure = await failureOfSending(connector.send({ ...config, endpoint }, message, messageContext))
    expect(failure).toMatchObject({
      code: 'invalid_response',
      detail: expect.stringContaining('captive portal'),
    })
  },
)

it.each([
  'postmark-email',
  'aliyun-direct-mail',
  'aliyun-short-message-service',
  'tencent-short-message-service',
] as const)('%s fails when the provider rejects the message with status 200', async (id) => {
  const config = providers.find((provider) => provider.id === id)?.config
  const endpoint = providerFor(id).endpoint('saying-no')
  const connector = messageConnectors[id]
  const message = connector.type === 'Email' ? emailMessage : smsMessage
  const failure = await failureOfSending(connector.send({ ...config, endpoint }, message, messageContext))
  expect(failure).toMatchObject({ code: 'general', detail: expect.any(String) })
})

it.each(['aliyun-short-message-service', 'tencent-short-message-service'] as const)(
  '%s requires a template for each type of message',
  async (id) => {
    const config = providers.find((provider) => provider.id === id)?.config
    const provider = providerFor(id)
    const message = { ...smsMessage, type: 'Register' as const }
    const sending = messageConnectors[id].send(
      { ...config, endpoint: provider.endpoint('ok') },
      message,
      messageContext,
    )
    expect(await failureOfSending(sending)).toMatchObject({
      code: 'template_not_found',
      data: { type: 'Register' },
    })
    expect(await provider.received()).toEqual([])
  },
)

describe('SMS through Aliyun', () => {
  const send = async (to: string) => {
    const provider = providerFor('aliyun-short-message-service')
    const templates = [{ usageType: 'SignIn', templateCode: { china: 'CN', overseas: 'WORLD' } }]
    const config = { ...keys, signName: 'x', templates, endpoint: provider.endpoint('ok') }
    const connector = messageConnectors['aliyun-short-message-service']
    const outcome = await connector
      .send(config, { ...smsMessage, to }, messageContext)
      .catch((error) => error)
    return { outcome, received: await provider.received() }
  }

  it.each([
    { to: '8613800138000', code: 'CN' },
    { to: '33612345678', code: 'WORLD' },
    { to: '85261234567', code: 'WORLD' },
  ])('uses the template $code for a message to $to', async ({ to, code }) => {
    const { received } = await send(to)
    expect(form(received[0]?.body ?? '')).toMatchObject({ PhoneNumbers: to, TemplateCode: code })
  })

  it('[ASVS-6.6.2-2] does not confuse +1 301 234 5678 with the Chinese number 130 1234 5678', async () => {
    const { outcome, received } = await send('13012345678')
    expect(received).toEqual([])
    expect(outcome).toMatchObject({ code: 'invalid_request_parameters' })
  })
})

it('the HTTP connector works without credentials', async () => {
  const provider = providerFor('http-email')
  const config = { authentication: 'None', endpoint: provider.endpoint('malformed') }
  await messageConnectors['http-email'].send(config, emailMessage, messageContext)
  const [call] = await provider.received()
  expect(call?.headers.authorization).toBeUndefined()
})
