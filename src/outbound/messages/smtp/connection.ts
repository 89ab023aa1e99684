import type { Socket, SocketOptions } from '@cloudflare/workers-types'

/** A connection that sends lines and reads replies (RFC 5321 §4.2). */
export type SmtpConnection = {
  /** One whole reply: its code and all its lines. */
  readReply(): Promise<SmtpReply>
  send(text: string): Promise<void>
  /** Without a name the certificate must be of the host that was connected to. */
  startTls(servername?: string): void
  close(): Promise<void>
}
export type SmtpReply = { code: number; text: string }

/** A line has at most 512 characters (RFC 5321 §4.5.3.1.5), and a reply a few lines. */
const REPLY_MAX_LENGTH = 16_384

export type TlsMode = NonNullable<SocketOptions['secureTransport']>

export function openConnection(opened: Socket): SmtpConnection {
  let socket = opened
  let reader = socket.readable.getReader()
  let writer = socket.writable.getWriter()
  let decoder = new TextDecoder()
  let received = ''

  return {
    async readReply() {
      for (;;) {
        const { whole, rest } = firstReply(received)
        if (whole) {
          received = rest
          return { code: Number(whole.slice(0, 3)), text: whole }
        }
        if (received.length > REPLY_MAX_LENGTH) throw new Error('The reply has no end')
        const { done, value } = await reader.read()
        if (done) throw new Error(`The server closed the connection${received && `: ${received}`}`)
        received += decoder.decode(value, { stream: true })
      }
    },

    send: (text) => writer.write(new TextEncoder().encode(text)),

    startTls(servername) {
      // What arrived unencrypted must not count as if it had arrived encrypted (RFC 3207 §6).
      if (received) throw new Error('The server sent more before TLS began')
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

/** Every line of a reply but the last has a hyphen behind its code. */
const REPLY = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r?\n/

function firstReply(received: string): { whole: string; rest: string } {
  const [whole = ''] = REPLY.exec(received) ?? []
  return { whole: whole.trimEnd(), rest: received.slice(whole.length) }
}
