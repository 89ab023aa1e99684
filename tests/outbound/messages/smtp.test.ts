import { describe, expect, it } from 'vitest'
import { smtp } from '../../../src/outbound/messages/smtp.ts'
import {
  emailMessage,
  failureOfSending,
  messageContext,
  SHORT_TIMEOUT,
  stubServers,
} from '../connector-context.ts'
import type { TakenMail } from './mail-servers.ts'

const auth = { user: 'postmaster', pass: 'pässwörd with spaces' }
const base = { host: 'localhost', auth, fromEmail: 'Exämple, Inc. <no-reply@example.com>' }

/** An address that no other test of this run writes to. */
const freshAddress = () => `${crypto.randomUUID()}@example.org`

async function takenFor(to: string): Promise<TakenMail | undefined> {
  const response = await fetch(stubServers.mails)
  const mails: TakenMail[] = await response.json()
  return mails.find((mail) => mail.to.includes(to))
}

function send(server: string, change: object = {}, message: object = {}, more: object = {}) {
  const to = freshAddress()
  const config = { ...base, port: stubServers.mailPorts[server], ...change }
  const sending = smtp.send(config, { ...emailMessage, to, ...message }, { ...messageContext, ...more })
  return { to, sending }
}

describe('a conversation with a real SMTP server', () => {
  it.each([
    { server: 'plain', change: {}, user: auth.user, isEncrypted: false },
    { server: 'loginOnly', change: {}, user: auth.user, isEncrypted: false },
    { server: 'withoutAuth', change: { auth: undefined }, user: null, isEncrypted: false },
    { server: 'startTls', change: {}, user: auth.user, isEncrypted: true },
    { server: 'implicitTls', change: { secure: true }, user: auth.user, isEncrypted: true },
  ])('sends a mail to $server', async ({ server, change, user, isEncrypted }) => {
    const { to, sending } = send(server, change)
    await sending
    const mail = await takenFor(to)
    expect(mail).toMatchObject({ server, from: 'no-reply@example.com', to: [to], user, isEncrypted })
    expect(mail?.greeting).toBe('example.com')
  })

  it('sends outside development too, where TLS is required', async () => {
    const { to, sending } = send('startTls', { ignoreTLS: true }, {}, { requiresTls: true })
    await sending
    expect(await takenFor(to)).toMatchObject({ isEncrypted: true })
  })

  it('sends to an old server that knows neither EHLO nor logins', async () => {
    await send('old', { auth: undefined }).sending
  })

  it('greets with the configured name', async () => {
    const { to, sending } = send('plain', { name: 'mail.example.net', ignoreTLS: true })
    await sending
    expect(await takenFor(to)).toMatchObject({ greeting: 'mail.example.net' })
  })

  it.each([
    { fromEmail: 'no-reply@example.com', from: /^From: "Acme, Inc." <no-reply@example\.com>\r$/m },
    { fromEmail: 'Us <no-reply@example.com>', from: /^From: "Us" <no-reply@example\.com>\r$/m },
  ])('names the brand as the sender where $fromEmail has no name', async ({ fromEmail, from }) => {
    const { to, sending } = send('plain', { fromEmail }, { brand: 'Acme, Inc.' })
    await sending
    expect((await takenFor(to))?.raw).toMatch(from)
  })

  it('sends ASCII, short lines and both bodies', async () => {
    const subject = 'Код для создания учётной записи, а дальше много-много слов 🔑 и ещё немного'
    const html = `<p>.\n.\n${'ы'.repeat(5_000)}</p>`
    const { to, sending } = send('plain', { replyTo: 'help@example.com' }, { subject, html })
    await sending
    const { raw = '' } = (await takenFor(to)) ?? {}
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

  it('[ASVS-1.3.11] lets no value add headers', async () => {
    const { to, sending } = send('plain', {}, { subject: 'Code\r\nBcc: eve@example.com', html: undefined })
    await sending
    const { raw = '' } = (await takenFor(to)) ?? {}
    expect(raw).toContain('Subject: Code Bcc: eve@example.com\r\n')
    expect(raw).toContain('Content-Type: text/plain; charset=utf-8\r\n')
  })
})

describe('a conversation that fails', () => {
  it.each([
    {
      because: 'the password is wrong',
      server: 'plain',
      change: { auth: { user: 'x', pass: 'y' } },
      detail: '535',
    },
    {
      because: 'a login is wanted and none is given',
      server: 'plain',
      change: { auth: undefined },
      detail: '530',
    },
    { because: 'no login is offered', server: 'withoutAuth', change: {}, detail: 'no supported login' },
    {
      because: 'TLS is wanted and not offered',
      server: 'plain',
      change: { requireTLS: true },
      detail: 'STARTTLS',
    },
    { because: 'the certificate is not trusted', server: 'untrusted', change: { secure: true }, detail: '' },
    {
      because: 'the certificate is not trusted after STARTTLS',
      server: 'untrustedStartTls',
      change: {},
      detail: '',
    },
    {
      because: 'the certificate is of another host',
      server: 'startTls',
      change: { servername: 'mail.example.com' },
      detail: '',
    },
    {
      because: 'it is of another host from the start',
      server: 'implicitTls',
      change: { host: '127.0.0.1', secure: true },
      detail: '',
    },
    { because: 'the server is silent', server: 'silent', change: {}, detail: 'timed out' },
    {
      because: 'the server closes the connection',
      server: 'hangingUp',
      change: {},
      detail: 'closed the connection: 250-half',
    },
    { because: 'the server is busy', server: 'busy', change: {}, detail: '421 4.3.2' },
    { because: 'a reply has no end', server: 'endless', change: {}, detail: 'does not end' },
    { because: 'a reply was injected before TLS', server: 'injecting', change: {}, detail: 'before TLS' },
    { because: 'no server listens', server: 'none', change: { port: 1 }, detail: '' },
  ])('because $because', async ({ server, change, detail }) => {
    const timeout = server === 'silent' ? SHORT_TIMEOUT : messageContext.timeout
    const { to, sending } = send(server, change, {}, { timeout })
    const failure = await failureOfSending(sending)
    expect(failure).toMatchObject({
      code: 'general',
      data: undefined,
      detail: expect.stringContaining(detail),
    })
    expect(String(failure.detail)).not.toContain(auth.pass)
    expect(await takenFor(to)).toBeUndefined()
  })

  it('because the server refuses the recipient', async () => {
    const failure = await failureOfSending(send('plain', {}, { to: 'unknown@example.org' }).sending)
    expect(failure).toMatchObject({ code: 'general', detail: expect.stringContaining('No such user here') })
  })

  it('[ASVS-12.3.1-2] because outside development nothing is sent without TLS, for every configuration', async () => {
    const { to, sending } = send('plain', { ignoreTLS: true }, {}, { requiresTls: true })
    expect(await failureOfSending(sending)).toMatchObject({
      code: 'general',
      detail: expect.stringContaining('STARTTLS'),
    })
    expect(await takenFor(to)).toBeUndefined()
  })

  it.each(['127.0.0.1', 'localhost', '::1', '10.0.0.1', 'mail', '0x7f000001', 'mail.internal'])(
    'because outside development a server may not be %s',
    async (host) => {
      const { sending } = send('plain', { host }, {}, { allowPrivateTargets: false })
      expect(await failureOfSending(sending)).toMatchObject({
        code: 'invalid_config',
        data: { issues: [{ path: 'host' }] },
      })
    },
  )

  it('because the recipient is no address', async () => {
    const { sending } = send('old', { auth: undefined }, { to: 'änn@example.org' })
    expect(await failureOfSending(sending)).toMatchObject({ code: 'invalid_request_parameters' })
  })

  it.each([
    { fromEmail: 'no address' },
    { fromEmail: 'A <a@b.example>\r\nBcc: <e@b.example>' },
    { host: 'a b' },
  ])('because the configuration is wrong: %o', async (change) => {
    expect(await failureOfSending(send('plain', change).sending)).toMatchObject({ code: 'invalid_config' })
  })

  it('because this runtime has no sockets', async () => {
    const { sending } = send('plain', {}, {}, { connect: undefined })
    expect(await failureOfSending(sending)).toMatchObject({ code: 'not_implemented' })
  })
})

const decode = (base64: string) => Buffer.from(base64, 'base64').toString('utf8')

/** RFC 2047: space between two encoded words is none. */
const decodeWords = (header: string) =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?B\?([^?]+)\?=/g, (_, word: string) => decode(word))
