import { describe, expect, it } from 'vitest'
import { smtp } from '../../../src/outbound/messages/smtp.ts'
import {
  emailMessage,
  failureOfSending,
  messageContext,
  SHORT_TIMEOUT,
  stubServers,
} from '../connector-context.ts'
import type { AcceptedMail } from './mail-servers.ts'

const auth = { user: 'postmaster', pass: 'pässwörd with spaces' }
const base = { host: 'localhost', auth, fromEmail: 'Exämple, Inc. <no-reply@example.com>' }

/** Returns an address that is unique in this test run. */
const freshAddress = () => `${crypto.randomUUID()}@example.org`

async function mailTo(to: string): Promise<AcceptedMail | undefined> {
  const response = await fetch(stubServers.mails)
  const mails: AcceptedMail[] = await response.json()
  return mails.find((mail) => mail.to.includes(to))
}

function send(server: string, change: object = {}, message: object = {}, more: object = {}) {
  const to = freshAddress()
  const config = { ...base, port: stubServers.mailPorts[server], ...change }
  const sending = smtp.send(config, { ...emailMessage, to, ...message }, { ...messageContext, ...more })
  return { to, sending }
}

describe('sending through a real SMTP server', () => {
  it.each([
    { server: 'plain', change: {}, user: auth.user, isEncrypted: false },
    { server: 'loginOnly', change: {}, user: auth.user, isEncrypted: false },
    { server: 'withoutAuth', change: { auth: undefined }, user: null, isEncrypted: false },
    { server: 'startTls', change: {}, user: auth.user, isEncrypted: true },
    { server: 'implicitTls', change: { secure: true }, user: auth.user, isEncrypted: true },
  ])('delivers an email to the server "$server"', async ({ server, change, user, isEncrypted }) => {
    const { to, sending } = send(server, change)
    await sending
    const mail = await mailTo(to)
    expect(mail).toMatchObject({ server, from: 'no-reply@example.com', to: [to], user, isEncrypted })
    expect(mail?.greeting).toBe('example.com')
  })

  it('uses TLS outside development, even if the configuration disables TLS', async () => {
    const { to, sending } = send('startTls', { ignoreTLS: true }, {}, { requiresTls: true })
    await sending
    expect(await mailTo(to)).toMatchObject({ isEncrypted: true })
  })

  it('delivers to an old server that supports neither EHLO nor logins', async () => {
    await send('old', { auth: undefined }).sending
  })

  it('greets the server with the configured name', async () => {
    const { to, sending } = send('plain', { name: 'mail.example.net', ignoreTLS: true })
    await sending
    expect(await mailTo(to)).toMatchObject({ greeting: 'mail.example.net' })
  })

  it.each([
    { fromEmail: 'no-reply@example.com', from: /^From: "Acme, Inc." <no-reply@example\.com>\r$/m },
    { fromEmail: 'Us <no-reply@example.com>', from: /^From: "Us" <no-reply@example\.com>\r$/m },
  ])('uses the brand as the sender’s name when the sender is $fromEmail', async ({ fromEmail, from }) => {
    const { to, sending } = send('plain', { fromEmail }, { brand: 'Acme, Inc.' })
    await sending
    expect((await mailTo(to))?.raw).toMatch(from)
  })

  it('sends the text and HTML bodies as ASCII in short lines', async () => {
    const subject = 'Код для создания учётной записи, а дальше много-много слов 🔑 и ещё немного'
    const html = `<p>.\n.\n${'ы'.repeat(5_000)}</p>`
    const { to, sending } = send('plain', { replyTo: 'help@example.com' }, { subject, html })
    await sending
    const { raw = '' } = (await mailTo(to)) ?? {}
    expect(raw).toMatch(/^[\r\n\x20-\x7e]*$/)
    expect(raw.split('\r\n').filter((line) => line.length > 76)).toEqual([])

    const [head = '', ...rest] = raw.split('\r\n\r\n')
    const headers = Object.fromEntries(
      head
        .replaceAll(/\r\n /g, ' ')
        .split('\r\n')
        .map((line) => line.split(/: (.*)/s) as [string, string]),
    )
    expect(decodeWords(headers.Subject ?? '')).toBe(subject)
    expect(decodeWords(headers.From ?? '')).toBe('Exämple, Inc. <no-reply@example.com>')
    expect(headers).toMatchObject({
      To: to,
      'Reply-To': 'help@example.com',
      Date: 'Sat, 21 Nov 2026 00:00:00 +0000',
      'Message-ID': expect.stringMatching(/^<[\da-f-]{36}@example\.com>$/),
      'Auto-Submitted': 'auto-generated',
    })
    const [, text, second] = rest.map((part) => decode(part.split('\r\n--')[0] ?? ''))
    expect(headers['Content-Type']).toMatch(/^multipart\/alternative; boundary=/)
    expect(text).toBe(emailMessage.text)
    expect(second).toBe(html.replaceAll('\n', '\r\n'))
  })

  it('[ASVS-1.3.11] prevents header injection', async () => {
    const { to, sending } = send('plain', {}, { subject: 'Code\r\nBcc: eve@example.com', html: undefined })
    await sending
    const { raw = '' } = (await mailTo(to)) ?? {}
    expect(raw).toContain('Subject: Code Bcc: eve@example.com\r\n')
    expect(raw).toContain('Content-Type: text/plain; charset=utf-8\r\n')
  })
})

describe('an SMTP delivery', () => {
  it.each([
    {
      because: 'the password is wrong',
      server: 'plain',
      change: { auth: { user: 'x', pass: 'y' } },
      detail: '535',
      reason: 'credentials',
    },
    {
      because: 'the server requires a login and none is configured',
      server: 'plain',
      change: { auth: undefined },
      detail: '530',
      reason: 'credentials',
    },
    {
      because: 'the server offers no login',
      server: 'withoutAuth',
      change: {},
      detail: 'no supported login',
      reason: 'login',
    },
    {
      because: 'TLS is required and the server does not offer it',
      server: 'plain',
      change: { requireTLS: true },
      detail: 'STARTTLS',
      reason: 'encryption',
    },
    {
      because: 'the certificate is not trusted',
      server: 'untrusted',
      change: { secure: true },
      detail: '',
      reason: 'certificate',
    },
    {
      because: 'the certificate is not trusted after STARTTLS',
      server: 'untrustedStartTls',
      change: {},
      detail: '',
      reason: 'certificate',
    },
    {
      because: 'the certificate belongs to another host',
      server: 'startTls',
      change: { servername: 'mail.example.com' },
      detail: '',
      reason: 'certificate',
    },
    {
      because: 'the certificate of implicit TLS belongs to another host',
      server: 'implicitTls',
      change: { host: '127.0.0.1', secure: true },
      detail: '',
      reason: 'certificate',
    },
    { because: 'the server is silent', server: 'silent', change: {}, detail: 'timed out', reason: 'timeout' },
    {
      because: 'the server closes the connection',
      server: 'hangingUp',
      change: {},
      detail: 'closed the connection: 250-half',
      reason: 'unreadable',
    },
    { because: 'the server is busy', server: 'busy', change: {}, detail: '421 4.3.2', reason: 'busy' },
    {
      because: 'a reply never ends',
      server: 'endless',
      change: {},
      detail: 'does not end',
      reason: 'unreadable',
    },
    {
      because: 'a reply was injected before TLS',
      server: 'injecting',
      change: {},
      detail: 'before TLS',
      reason: 'unreadable',
    },
    {
      because: 'no server listens',
      server: 'none',
      change: { port: 1 },
      detail: '',
      reason: 'unreachable',
    },
    {
      because: 'no server has the name, with implicit TLS',
      server: 'none',
      change: { host: 'mail.invalid', port: 465, secure: true },
      detail: '',
      reason: 'unreachable',
    },
  ])('fails because $because', async ({ server, change, detail, reason }) => {
    const timeout = server === 'silent' ? SHORT_TIMEOUT : messageContext.timeout
    const { to, sending } = send(server, change, {}, { timeout })
    const failure = await failureOfSending(sending)
    expect(failure).toMatchObject({
      code: 'general',
      data: undefined,
      reason,
      detail: expect.stringContaining(detail),
    })
    expect(String(failure.detail)).not.toContain(auth.pass)
    expect(await mailTo(to)).toBeUndefined()
  })

  it('fails because the server rejects the recipient', async () => {
    const failure = await failureOfSending(send('plain', {}, { to: 'unknown@example.org' }).sending)
    expect(failure).toMatchObject({
      code: 'general',
      reason: 'recipient',
      answer: expect.stringContaining('No such user here'),
    })
  })

  it('[ASVS-12.3.1-2] fails because the server offers no TLS, which is required outside development', async () => {
    const { to, sending } = send('plain', { ignoreTLS: true }, {}, { requiresTls: true })
    expect(await failureOfSending(sending)).toMatchObject({
      code: 'general',
      detail: expect.stringContaining('STARTTLS'),
    })
    expect(await mailTo(to)).toBeUndefined()
  })

  it.each(['127.0.0.1', 'localhost', '::1', '10.0.0.1', 'mail', '0x7f000001', 'mail.internal'])(
    'fails because the host is %s, which is not allowed outside development',
    async (host) => {
      const { sending } = send('plain', { host }, {}, { allowPrivateTargets: false })
      expect(await failureOfSending(sending)).toMatchObject({
        code: 'invalid_config',
        data: { issues: [{ path: 'host' }] },
      })
    },
  )

  it('fails because the recipient is not a valid address', async () => {
    const { sending } = send('old', { auth: undefined }, { to: 'änn@example.org' })
    expect(await failureOfSending(sending)).toMatchObject({ code: 'invalid_request_parameters' })
  })

  it.each([
    { fromEmail: 'no address' },
    { fromEmail: 'A <a@b.example>\r\nBcc: <e@b.example>' },
    { host: 'a b' },
  ])('fails because the configuration is invalid: %o', async (change) => {
    expect(await failureOfSending(send('plain', change).sending)).toMatchObject({ code: 'invalid_config' })
  })

  it('fails because the runtime provides no sockets', async () => {
    const { sending } = send('plain', {}, {}, { connect: undefined })
    expect(await failureOfSending(sending)).toMatchObject({ code: 'not_implemented' })
  })
})

const decode = (base64: string) => Buffer.from(base64, 'base64').toString('utf8')

/** Decodes the encoded words of a header, ignoring white space between adjacent words (RFC 2047 §6.2). */
const decodeWords = (header: string) =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?B\?([^?]+)\?=/g, (_, word: string) => decode(word))
