import type { Socket, SocketOptions } from '@cloudflare/workers-types'

/** An SMTP connection, over which lines are sent and replies are read (RFC 5321 §4.2). */
export type SmtpConnection = {
  /** Reads a complete reply: its code and all of its lines. */
  readReply(): Promise<SmtpReply>
  send(text: string): Promise<void>
  /** Starts TLS. Unless a name is passed, the certificate must be valid for the connection's host. */
  startTls(servername?: string): void
  close(): Promise<void>
}
export type SmtpReply = { code: number; text: string }

/**
 * The maximum length of a reply. A line has at most 512 characters (RFC 5321 §4.5.3.1.5), and a reply has only a
 * few lines.
 */
const REPLY_MAX_LENGTH = 16_384

export type TlsMode = NonNullable<SocketOptions['secureTransport']>

export function openConnection(initialSocket: Socket): SmtpConnection {
  let socket = initialSocket
  let reader = socket.readable.getReader()
  let writer = socket.writable.getWriter()
  let decoder = new TextDecoder()
  let received = ''

  return {
    async readReply() {
      for (;;) {
        const { reply, rest } = firstReply(received)
        if (reply) {
          received = rest
          return { code: Number(reply.slice(0, 3)), text: reply }
        }
        if (received.length > REPLY_MAX_LENGTH) throw new Error('The reply does not end')
        const { done, value } = await reader.read()
        if (done) throw new Error(`The server closed the connection${received && `: ${received}`}`)
        received += decoder.decode(value, { stream: true })
      }
    },

    send: (text) => writer.write(new TextEncoder().encode(text)),

    startTls(servername) {
      // Data that was received before encryption must not be treated as if it had been encrypted (RFC 3207 §6).
      if (received) throw new Error('The server sent data before TLS began')
      reader.releaseLock()
      writer.releaseLock()
      socket = servername ? socket.startTls({ expectedServerHostname: servername }) : socket.startTls()
      reader = socket.readable.getReader()
      writer = socket.writable.getWriter()
      decoder = new TextDecoder()
    },

    close: () => socket.close(),
  }
}

/** In a reply, every line except the last has a hyphen after its code. */
const REPLY = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r?\n/

function firstReply(received: string): { reply: string; rest: string } {
  const [reply = ''] = REPLY.exec(received) ?? []
  return { reply: reply.trimEnd(), rest: received.slice(reply.length) }
}
