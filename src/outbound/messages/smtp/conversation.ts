import type { Socket } from '@cloudflare/workers-types'
import type { FailureReason } from '../../../contract/connectors/connectors.ts'
import { textToBase64 } from '../../base64.ts'
import { ConnectorFailure } from '../../failure.ts'
import { isTimeout, withTimeLimit } from '../../time-limit.ts'
import type { MessageContext } from '../message.ts'
import { openConnection, type SmtpConnection, type SmtpReply, type TlsMode } from './connection.ts'

export type SmtpServer = {
  host: string
  port: number
  /** If true, TLS is used from the first byte. Otherwise, it can be started with STARTTLS. */
  secure: boolean
  servername?: string | undefined
  /** If true, STARTTLS is skipped even if the server offers it. Ignored if TLS is required. */
  ignoreTls: boolean
  /** If true, TLS is required before anything else is sent. */
  requireTls: boolean
  /** The host name that the client sends with EHLO. */
  name: string
  auth?: { user: string; pass: string } | undefined
}

/** The email to send. `data` is the complete email, with CRLF line endings. */
type Mail = { from: string; to: string; data: string }

/**
 * Sends one email to an SMTP server (RFC 5321, RFC 3207, RFC 4954). ADR-0013 explains why we wrote our own SMTP client.
 */
export const sendMail = (server: SmtpServer, mail: Mail, context: MessageContext): Promise<void> =>
  useConnection(server, context, (connection) => transfer(connection, mail))

/**
 * Logs in to an SMTP server without sending an email. Throws a `LoginRejected` error if the server rejects the
 * login.
 */
export const checkLogin = (server: SmtpServer, context: MessageContext): Promise<void> =>
  useConnection(server, context, async () => undefined)

/** The error for a server that rejects the login, or that requires one when none is configured. */
export class LoginRejected extends ConnectorFailure {
  override readonly name = 'LoginRejected'
}

async function useConnection(
  server: SmtpServer,
  { connect, timeout, requiresTls }: MessageContext,
  act: (connection: SmtpConnection) => Promise<void>,
): Promise<void> {
  if (!connect) throw new ConnectorFailure('not_implemented')
  const mustEncrypt = requiresTls || server.requireTls
  const mode = tlsMode(server, mustEncrypt)
  const open = (secureTransport: TlsMode) =>
    connect({ hostname: server.host, port: server.port }, { secureTransport, allowHalfOpen: false })
  const socket = open(mode)
  const connection = openConnection(socket)
  try {
    const opened = mode === 'on' ? waitUntilOpen(socket, open) : failUnlessOpen(socket, 'unreachable')
    await withTimeLimit(
      timeout,
      opened.then(() => converse(connection, server, { mode, mustEncrypt, act })),
    )
  } catch (error) {
    if (error instanceof ConnectorFailure) throw error
    throw failWith(isTimeout(error) ? 'timeout' : 'unreadable', error)
  } finally {
    // The server has already accepted or rejected the email, so it does not matter whether QUIT arrives.
    connection.close().catch(() => undefined)
  }
}

const failWith = (reason: FailureReason, error: unknown) =>
  new ConnectorFailure('general', { detail: String(error), reason })

async function failUnlessOpen(socket: Socket, reason: FailureReason): Promise<void> {
  await socket.opened.catch((error: unknown) => {
    throw failWith(reason, error)
  })
}

/**
 * Waits for an encrypted connection. The runtime reports a name without an address, a port that is closed and a failed
 * TLS handshake in the same way. A server that can be reached without TLS has failed the handshake.
 */
async function waitUntilOpen(socket: Socket, open: (mode: TlsMode) => Socket): Promise<void> {
  try {
    await socket.opened
  } catch (error) {
    const probe = open('off')
    const isReachable = await probe.opened.then(
      () => true,
      () => false,
    )
    probe.close().catch(() => undefined)
    throw failWith(isReachable ? 'certificate' : 'unreachable', error)
  }
}

function tlsMode({ secure, ignoreTls }: SmtpServer, mustEncrypt: boolean): TlsMode {
  if (secure) return 'on'
  return ignoreTls && !mustEncrypt ? 'off' : 'starttls'
}

type Session = {
  mode: TlsMode
  mustEncrypt: boolean
  act(connection: SmtpConnection): Promise<void>
}

async function converse(
  connection: SmtpConnection,
  server: SmtpServer,
  { mode, mustEncrypt, act }: Session,
): Promise<void> {
  expectCode(await connection.readReply(), [220], 'unreadable')
  let offers = await greet(connection, server.name)
  if (mode === 'starttls') {
    if (offers.has('STARTTLS')) {
      await command(connection, 'STARTTLS', [220], 'encryption')
      connection.startTls(server.servername)
      // Discard the extensions that the server listed before encryption (RFC 3207 §4.2).
      offers = await greet(connection, server.name).catch((error: unknown) => {
        throw error instanceof ConnectorFailure ? error : failWith('certificate', error)
      })
    } else if (mustEncrypt) throw failWith('encryption', 'The server does not offer STARTTLS')
  }
  if (server.auth) await logIn(connection, server.auth, offers.get('AUTH') ?? [])
  await act(connection)
  await connection.send('QUIT\r\n')
}

async function transfer(connection: SmtpConnection, mail: Mail): Promise<void> {
  // All email addresses in Vestibule consist of ASCII characters.
  await command(connection, `MAIL FROM:<${mail.from}>`, [250], 'sender')
  await command(connection, `RCPT TO:<${mail.to}>`, [250, 251], 'recipient')
  await command(connection, 'DATA', [354], 'message')
  // Double the dot at the beginning of a line, because a line with only a dot ends the email (RFC 5321 §4.5.2).
  await connection.send(`${mail.data.replaceAll(/^\./gm, '..')}\r\n.\r\n`)
  expectCode(await connection.readReply(), [250], 'message')
}

/** Sends EHLO and returns the server's extensions by keyword. A server that does not support EHLO has none. */
async function greet(connection: SmtpConnection, name: string): Promise<Map<string, string[]>> {
  await connection.send(`EHLO ${name}\r\n`)
  const reply = await connection.readReply()
  if (reply.code !== 250) {
    await command(connection, `HELO ${name}`, [250], 'unreadable')
    return new Map()
  }
  const [, ...extensionLines] = reply.text.split(/\r?\n/)
  return new Map(
    extensionLines.map((offer) => {
      const [keyword = '', ...parameters] = offer.slice(4).toUpperCase().trim().split(/[ =]+/)
      return [keyword, parameters]
    }),
  )
}

async function logIn(
  connection: SmtpConnection,
  { user, pass }: { user: string; pass: string },
  methods: readonly string[],
): Promise<void> {
  if (methods.includes('PLAIN')) {
    await command(connection, `AUTH PLAIN ${textToBase64(`\0${user}\0${pass}`)}`, [235], 'credentials')
  } else if (methods.includes('LOGIN')) {
    await command(connection, 'AUTH LOGIN', [334], 'credentials')
    await command(connection, textToBase64(user), [334], 'credentials')
    await command(connection, textToBase64(pass), [235], 'credentials')
  } else throw failWith('login', `The server offers no supported login: ${methods.join(' ') || 'none'}`)
}

async function command(
  connection: SmtpConnection,
  text: string,
  expected: readonly number[],
  reason: FailureReason,
): Promise<SmtpReply> {
  await connection.send(`${text}\r\n`)
  return expectCode(await connection.readReply(), expected, reason)
}

/**
 * Throws unless the reply has one of the expected codes. `reason` says what another reply means here. The error quotes
 * the server's reply, but never the command, which may contain a password.
 */
function expectCode(reply: SmtpReply, codes: readonly number[], reason: FailureReason): SmtpReply {
  if (codes.includes(reply.code)) return reply
  const failure = { detail: `Error: ${reply.text}`, answer: reply.text }
  if (LOGIN_REFUSALS.has(reply.code))
    throw new LoginRejected('general', { ...failure, reason: 'credentials' })
  throw new ConnectorFailure('general', { ...failure, reason: isTemporary(reply) ? 'busy' : reason })
}

/** The reply codes with which servers reject a login (RFC 4954 §6). */
const LOGIN_REFUSALS = new Set([530, 534, 535, 538])

/** Codes below 500 ask the client to try again later (RFC 5321 §4.2.1). */
const isTemporary = ({ code }: SmtpReply) => code >= 400 && code < 500
