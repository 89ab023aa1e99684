import type { Socket, SocketOptions } from '@cloudflare/workers-types'

/** A connection on which lines are said and replies come back (RFC 5321 §4.2). */
export type Line = {
  /** One whole reply: its code and all its lines. */
  reply(): Promise<Reply>
  say(text: string): Promise<void>
  /** Without a name the certificate must be of the host that was called. */
  startTls(servername?: string): void
  close(): Promise<void>
}
export type Reply = { code: number; text: string }

/** A line may have 512 characters and a reply some lines; whoever says more is no mail server. */
const REPLY_MAX_LENGTH = 16_384

export type TlsMode = NonNullable<SocketOptions['secureTransport']>

export function openLine(opened: Socket): Line {
  let socket = opened
  let reader = socket.readable.getReader()
  let writer = socket.writable.getWriter()
  let decoder = new TextDecoder()
  let heard = ''

  return {
    async reply() {
      for (;;) {
        const { whole, rest } = firstReply(heard)
        if (whole) {
          heard = rest
          return { code: Number(whole.slice(0, 3)), text: whole }
        }
        if (heard.length > REPLY_MAX_LENGTH) throw new Error('The reply has no end')
        const { done, value } = await reader.read()
        if (done) throw new Error(`The server hung up${heard && `: ${heard}`}`)
        heard += decoder.decode(value, { stream: true })
      }
    },

    say: (text) => writer.write(new TextEncoder().encode(text)),

    startTls(servername) {
      // What came in the clear must not count as if it had come encrypted (RFC 3207 §6).
      if (heard) throw new Error('The server went on talking before TLS began')
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

/** Every line but the last of a reply has a hyphen behind its code. */
const REPLY = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r?\n/

function firstReply(heard: string): { whole: string; rest: string } {
  const [whole = ''] = REPLY.exec(heard) ?? []
  return { whole: whole.trimEnd(), rest: heard.slice(whole.length) }
}
