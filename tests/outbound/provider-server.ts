import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { providerStubs } from './provider-stubs.ts'

/** A request that the provider received. */
export type ReceivedRequest = { provider: string; headers: Record<string, string>; body: string }

const SLOW = 20_000 // ms; much longer than the timeouts in tests

/**
 * Starts a server that acts as every message provider at `/{caller}/{behaviour}/{provider}`. With the
 * behaviour `ok`, it checks credentials and signatures and responds as the provider documents.
 * `/{caller}/received` returns the calls that it has received.
 */
export function startProviders(): Promise<{ url: string; close(): void }> {
  const received = new Map<string, ReceivedRequest[]>()
  const server = createServer(async (request, response) => {
    const [, caller = '', behaviour = '', provider = ''] = (request.url ?? '').split('/')
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (behaviour === 'received') return answer(200, received.get(caller) ?? [])

    const call = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: headersOf(request),
      body: await readBody(request),
    }
    received.set(caller, [
      ...(received.get(caller) ?? []),
      { provider, headers: call.headers, body: call.body },
    ])
    switch (behaviour) {
      case 'ok': {
        const stub = providerStubs[provider]
        const problem = stub ? stub.problem(call) : 'no such provider'
        if (problem) return answer(401, { message: problem })
        // Providers check the credentials before they check the message.
        if (call.body === '' || call.body === '{}') return answer(400, { message: 'no recipient' })
        return answer(stub?.status ?? 500, stub?.answer ?? '')
      }
      case 'refusing':
        return answer(400, {
          message: `Sender not verified: the code is 482913, the key ${call.headers.authorization?.split(' ')[1]}`,
          request: call.body,
        })
      case 'failing':
        return answer(503, 'upstream connect error')
      case 'malformed':
        return answer(200, '<html>Welcome to the captive portal</html>')
      case 'saying-no':
        return answer(200, providerStubs[provider]?.refusal ?? {})
      case 'redirecting':
        return answer(307, '', { location: `/${caller}/ok/${provider}` })
      case 'endless':
        return respondEndlessly(response)
      case 'slow':
        setTimeout(() => answer(200, {}), SLOW).unref()
        return
      default:
        return answer(404, '')
    }
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ url: addressOf(server), close: () => closeServer(server) }))
  })
}

/** Closes a server immediately, so that neither slow responses nor persistent connections delay the end of the run. */
export function closeServer(server: Server): void {
  server.close()
  server.closeAllConnections()
}

export function addressOf(server: Server): string {
  const address = server.address()
  if (!address || typeof address !== 'object') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

const ENDLESS = 100 * 1024 * 1024 // bytes
const PIECE = Buffer.alloc(64 * 1024, 'x')

/** Writes for as long as the client reads. */
function respondEndlessly(response: ServerResponse): void {
  let written = 0
  response.writeHead(200, { 'content-type': 'application/json' })
  const write = () => {
    while (written < ENDLESS && !response.destroyed) {
      written += PIECE.length
      if (!response.write(PIECE)) return response.once('drain', write)
    }
    return response.end()
  }
  write()
}

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
