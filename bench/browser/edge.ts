import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { constants, createBrotliCompress } from 'node:zlib'

/**
 * Stands for the edge between a browser and a server in production: compresses what the server has not. It is a forward
 * proxy, so that pages keep their own origin, cookies and policies. Encrypted traffic passes unchanged.
 */
export type Edge = { address: string; close(): Promise<void> }

/** Milliseconds per address of a name. Node's default of 250 is too short on a machine that is busy measuring. */
const CONNECTING = { autoSelectFamilyAttemptTimeout: 5000 }

/** The brotli quality of edges for dynamic answers (spec/budgets#counting). */
const QUALITY = 5

export async function openEdge(): Promise<Edge> {
  const agent = new Agent({ keepAlive: true, ...CONNECTING })
  const server = createServer((from, to) => pass(agent, from, to))
  server.on('connect', (from: IncomingMessage, browser, first) => {
    const { hostname, port } = new URL(`https://${from.url}`)
    const site = connect({ port: Number(port || 443), host: hostname, ...CONNECTING }, () => {
      browser.write('HTTP/1.1 200 OK\r\n\r\n')
      site.write(first)
      site.pipe(browser).pipe(site)
    })
    site.on('error', () => browser.destroy())
    browser.on('error', () => site.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        agent.destroy()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function pass(agent: Agent, from: IncomingMessage, to: ServerResponse): void {
  const { 'proxy-connection': _, ...headers } = from.headers
  const onward = request(from.url ?? '', { method: from.method, headers, agent }, (answer) => {
    const status = answer.statusCode ?? 502
    if (!isToCompress(from, answer)) {
      to.writeHead(status, answer.statusMessage, answer.rawHeaders)
      answer.pipe(to)
      return
    }
    to.writeHead(status, answer.statusMessage, [
      ...withoutLength(answer.rawHeaders),
      ...['content-encoding', 'br', 'vary', 'accept-encoding'],
    ])
    answer.pipe(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })).pipe(to)
  })
  onward.on('error', () => to.writeHead(502).end())
  from.pipe(onward)
}

const TEXT = /^(?:text\/|application\/(?:javascript|json|manifest)|image\/svg)/

function isToCompress(from: IncomingMessage, { headers, statusCode }: IncomingMessage): boolean {
  const isWanted = /\bbr\b/.test(String(from.headers['accept-encoding'] ?? ''))
  const hasBody = from.method !== 'HEAD' && statusCode !== 204 && statusCode !== 304
  return isWanted && hasBody && !headers['content-encoding'] && TEXT.test(headers['content-type'] ?? '')
}

/** Names and values alternate, because some headers occur more than once. */
function withoutLength(raw: readonly string[]): string[] {
  return raw.filter((_, index) => raw[index - (index % 2)]?.toLowerCase() !== 'content-length')
}
