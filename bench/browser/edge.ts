import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { constants, createBrotliCompress } from 'node:zlib'

/**
 * Simulates the edge between a browser and a server in production, which compresses responses that the server has not
 * compressed. It is a forward proxy, so that pages keep their own origin, cookies and policies. Encrypted traffic
 * passes unchanged.
 */
export type Edge = { url: string; close(): Promise<void> }

/**
 * The time in milliseconds to try each IP address of a host. Node's default of 250 is too short on a machine that is
 * busy measuring.
 */
const CONNECT_OPTIONS = { autoSelectFamilyAttemptTimeout: 5000 }

/** The brotli quality that edges use for dynamic responses (spec/budgets#counting). */
const QUALITY = 5

export async function openEdge(): Promise<Edge> {
  const agent = new Agent({ keepAlive: true, ...CONNECT_OPTIONS })
  const server = createServer((incoming, outgoing) => forward(agent, incoming, outgoing))
  server.on('connect', (incoming: IncomingMessage, browser, firstBytes) => {
    const { hostname, port } = new URL(`https://${incoming.url}`)
    const site = connect({ port: Number(port || 443), host: hostname, ...CONNECT_OPTIONS }, () => {
      browser.write('HTTP/1.1 200 OK\r\n\r\n')
      site.write(firstBytes)
      site.pipe(browser).pipe(site)
    })
    site.on('error', () => browser.destroy())
    browser.on('error', () => site.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        agent.destroy()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function forward(agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { 'proxy-connection': _, ...headers } = incoming.headers
  const upstream = request(incoming.url ?? '', { method: incoming.method, headers, agent }, (response) => {
    const status = response.statusCode ?? 502
    if (!shouldCompress(incoming, response)) {
      outgoing.writeHead(status, response.statusMessage, response.rawHeaders)
      response.pipe(outgoing)
      return
    }
    outgoing.writeHead(status, response.statusMessage, [
      ...withoutLength(response.rawHeaders),
      ...['content-encoding', 'br', 'vary', 'accept-encoding'],
    ])
    response
      .pipe(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }))
      .pipe(outgoing)
  })
  upstream.on('error', () => outgoing.writeHead(502).end())
  incoming.pipe(upstream)
}

const TEXT = /^(?:text\/|application\/(?:javascript|json|manifest)|image\/svg)/

function shouldCompress(incoming: IncomingMessage, { headers, statusCode }: IncomingMessage): boolean {
  const isAccepted = /\bbr\b/.test(String(incoming.headers['accept-encoding'] ?? ''))
  const hasBody = incoming.method !== 'HEAD' && statusCode !== 204 && statusCode !== 304
  return isAccepted && hasBody && !headers['content-encoding'] && TEXT.test(headers['content-type'] ?? '')
}

/**
 * Removes the content-length header. Raw headers alternate names and values, because a header can occur more than
 * once.
 */
function withoutLength(raw: readonly string[]): string[] {
  return raw.filter((_, index) => raw[index - (index % 2)]?.toLowerCase() !== 'content-length')
}
