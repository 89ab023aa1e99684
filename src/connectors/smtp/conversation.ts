import { toBase64 } from '../call.ts'
import { ConnectorFailure } from '../failure.ts'
import type { ConnectorContext } from '../message.ts'
import { type Line, openLine, type Reply, type TlsMode } from './line.ts'

export type Server = {
  host: string
  port: number
  /** TLS from the first byte; otherwise it begins with STARTTLS. */
  secure: boolean
  servername?: string | undefined
  /** Never STARTTLS, even if it is offered. Only where nothing requires TLS. */
  ignoreTls: boolean
  /** No word without TLS. */
  requireTls: boolean
  /** How we call ourselves. */
  name: string
  auth?: { user: string; pass: string } | undefined
}

/** `data` is the whole mail, its lines ending in CRLF. */
export type Mail = { from: string; to: string; data: string }

/**
 * Hands one mail to an SMTP server (RFC 5321 §3207, 4954). Our own and not worker-mailer's, which goes on in the clear,
 * password and all, when a server does not offer STARTTLS, and turns in circles when one hangs up.
 */
export async function handOver(
  server: Server,
  mail: Mail,
  { connect, timeout, requiresTls }: ConnectorContext,
): Promise<void> {
  if (!connect) throw new ConnectorFailure('not_implemented')
  const mustEncrypt = requiresTls || server.requireTls
  const mode = tlsMode(server, mustEncrypt)
  const line = openLine(
    connect({ hostname: server.host, port: server.port }, { secureTransport: mode, allowHalfOpen: false }),
  )
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), timeout)
  })
  try {
    await Promise.race([converse(line, server, { mail, mode, mustEncrypt }), late])
  } catch (error) {
    if (error instanceof ConnectorFailure) throw error
    throw new ConnectorFailure('general', { detail: String(error) })
  } finally {
    clearTimeout(timer)
    // The mail is accepted or lost by now: whether the goodbye arrives changes nothing.
    line.close().catch(() => undefined)
  }
}

function tlsMode({ secure, ignoreTls }: Server, mustEncrypt: boolean): TlsMode {
  if (secure) return 'on'
  return ignoreTls && !mustEncrypt ? 'off' : 'starttls'
}

async function converse(
  line: Line,
  server: Server,
  { mail, mode, mustEncrypt }: { mail: Mail; mode: TlsMode; mustEncrypt: boolean },
): Promise<void> {
  expect(await line.reply(), 220)
  let offers = await greet(line, server.name)
  if (mode === 'starttls') {
    if (offers.has('STARTTLS')) {
      await ask(line, 'STARTTLS', 220)
      line.startTls(server.servername)
      // What was offered in the clear is forgotten (RFC 3207 §4.2).
      offers = await greet(line, server.name)
    } else if (mustEncrypt) throw new Error('The server does not offer STARTTLS')
  }
  if (server.auth) await logIn(line, server.auth, offers.get('AUTH') ?? [])

  const needsUtf8 = !isAscii(mail.from + mail.to)
  if (needsUtf8 && !offers.has('SMTPUTF8')) throw new ConnectorFailure('invalid_request_parameters')
  await ask(line, `MAIL FROM:<${mail.from}>${needsUtf8 ? ' SMTPUTF8' : ''}`, 250)
  await ask(line, `RCPT TO:<${mail.to}>`, 250, 251)
  await ask(line, 'DATA', 354)
  // A line of one dot ends the mail, so lines of it that begin with one get another (RFC 5321 §4.5.2).
  await line.say(`${mail.data.replaceAll(/^\./gm, '..')}\r\n.\r\n`)
  expect(await line.reply(), 250)
  await line.say('QUIT\r\n')
}

/** What the server can do, by keyword. An old one that knows no EHLO can do nothing. */
async function greet(line: Line, name: string): Promise<Map<string, string[]>> {
  await line.say(`EHLO ${name}\r\n`)
  const reply = await line.reply()
  if (reply.code !== 250) {
    await ask(line, `HELO ${name}`, 250)
    return new Map()
  }
  const [, ...offered] = reply.text.split(/\r?\n/)
  return new Map(
    offered.map((offer) => {
      const [keyword = '', ...parameters] = offer.slice(4).toUpperCase().trim().split(/[ =]+/)
      return [keyword, parameters]
    }),
  )
}

async function logIn(
  line: Line,
  { user, pass }: { user: string; pass: string },
  methods: readonly string[],
): Promise<void> {
  if (methods.includes('PLAIN')) {
    await ask(line, `AUTH PLAIN ${toBase64(`\0${user}\0${pass}`)}`, 235)
  } else if (methods.includes('LOGIN')) {
    await ask(line, 'AUTH LOGIN', 334)
    await ask(line, toBase64(user), 334)
    await ask(line, toBase64(pass), 235)
  } else throw new Error(`The server offers no login we know: ${methods.join(' ') || 'none'}`)
}

async function ask(line: Line, command: string, ...expected: number[]): Promise<Reply> {
  await line.say(`${command}\r\n`)
  return expect(await line.reply(), ...expected)
}

/** The failure quotes the server, never the command: that may hold a password. */
function expect(reply: Reply, ...codes: number[]): Reply {
  if (codes.includes(reply.code)) return reply
  throw new Error(reply.text)
}

const isAscii = (text: string) => !/[^\x20-\x7e]/.test(text)
