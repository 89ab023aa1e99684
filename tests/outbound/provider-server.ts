import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { providerStubs } from './provider-stubs.ts'

/** A call as the provider received it. */
export type ReceivedRequest = { provider: string; headers: Record<string, string>; body: string }

const SLOW = 20_000 // ms, far above every time-out of a test

/**
 * All message providers behind one address, `/{caller}/{behaviour}/{provider}`: `ok` checks credentials and signatures and
 * answers as the provider documents it. `/{caller}/received` answers the calls that arrived.
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
      headers: flat(request),
      body: await read(request),
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
        // Who may send is looked at before what is sent.
        if (call.body === '' || call.body === '{}') return answer(400, { message: 'no recipient' })
        return answer(stub?.status ?? 500, stub?.answer ?? '')
      }
      case 'refusing':
        return answer(400, { message: 'Sender not verified: the code is 482913' })
      case 'failing':
        return answer(503, 'upstream connect error')
      case 'malformed':
        return answer(200, '<html>Welcome to the captive portal</html>')
      case 'saying-no':
        return answer(200, providerStubs[provider]?.refusal ?? {})
      case 'redirecting':
        return answer(307, '', { location: `/${caller}/ok/${provider}` })
      case 'endless':
        return answerWithoutEnd(response)
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

/** A slow answer or a kept connection must not delay the end of the run. */
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

/** Writes as long as the client reads. */
function answerWithoutEnd(response: ServerResponse): void {
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

const flat = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
