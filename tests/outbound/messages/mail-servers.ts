import { createServer, type Server, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { certificate } from '../../kit/certificate.ts'

/** An email that a server accepted. */
export type AcceptedMail = {
  server: string
  from: string
  to: string[]
  raw: string
  /** The user who logged in, or null if the server needs no login. */
  user: string | null
  isEncrypted: boolean
  greeting: string
}

export const mailUser = { user: 'postmaster', pass: 'pässwörd with spaces' }

/** Starts standard SMTP servers and some servers that violate the protocol. */
export async function startMailServers(): Promise<{
  ports: Record<string, number>
  accepted: AcceptedMail[]
  close(): void
}> {
  const accepted: AcceptedMail[] = []
  const real: Record<string, SMTPServerOptions> = {
    plain: { disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
    loginOnly: { disabledCommands: ['STARTTLS'], allowInsecureAuth: true, authMethods: ['LOGIN'] },
    withoutAuth: { disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true },
    startTls: certificate,
    implicitTls: { secure: true, ...certificate },
    // Without a configured certificate, the server uses the one in its package, which no client trusts.
    untrusted: { secure: true },
    untrustedStartTls: {},
  }
  const servers: { close(): unknown }[] = []
  const open = new Set<Socket>()
  const ports: Record<string, number> = {}
  for (const [name, options] of Object.entries(real)) {
    const server = new SMTPServer({
      ...options,
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        username === mailUser.user && password === mailUser.pass
          ? done(null, { user: username })
          : done(new Error('Invalid username or password')),
      onRcptTo: ({ address }, _session, done) =>
        address.startsWith('unknown@') ? done(new Error('No such user here')) : done(),
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          accepted.push({
            server: name,
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString('latin1'),
            user: typeof session.user === 'string' ? session.user : null,
            isEncrypted: session.secure,
            greeting: session.hostNameAppearsAs ? String(session.hostNameAppearsAs) : '',
          })
          done()
        })
      },
    })
    server.on('error', () => undefined)
    ports[name] = await listen(server.server)
    servers.push(server)
  }
  for (const [name, behave] of Object.entries(misbehaving)) {
    const server = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => undefined)
      behave(socket)
    })
    ports[name] = await listen(server)
    servers.push(server)
  }
  const close = () => {
    for (const server of servers) server.close()
    for (const socket of open) socket.destroy()
  }
  return { ports, accepted, close }
}

const misbehaving: Record<string, (socket: Socket) => void> = {
  silent: () => undefined,
  hangingUp: (socket) => {
    socket.write('220 here\r\n')
    socket.once('data', () => socket.end('250-half a rep'))
  },
  busy: (socket) => socket.end('421 4.3.2 try again later\r\n'),
  endless: (socket) => socket.write(`220-${'x'.repeat(40_000)}`),
  /**
   * Injects a reply before TLS begins, as an attacker on the network would. A client might mistake the reply for an
   * encrypted one.
   */
  injecting: (socket) => {
    socket.write('220 here\r\n')
    socket.on('data', (data) => {
      const command = data.toString()
      if (command.startsWith('EHLO')) socket.write('250-here\r\n250 STARTTLS\r\n')
      if (command.startsWith('STARTTLS')) socket.write('220 go on\r\n250-here\r\n250 AUTH PLAIN\r\n')
    })
  },
  /** A server that supports only HELO and no authentication. */
  old: (socket) => {
    socket.write('220 here\r\n')
    let isData = false
    socket.on('data', (data) => {
      const command = data.toString()
      if (isData) isData = !command.endsWith('\r\n.\r\n')
      else if (command.startsWith('EHLO')) return socket.write('502 what?\r\n')
      else if (command.startsWith('DATA')) isData = socket.write('354 go on\r\n')
      if (!isData) socket.write('250 fine\r\n')
      return undefined
    })
  },
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, 'localhost', () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(address.port)
    })
  })
}
