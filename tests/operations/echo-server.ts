import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Starts a provider that responds to each request with an error that echoes the request. The log must not contain the
 * echoed content.
 */
export async function startEcho(): Promise<{ url: string; requests: string[]; close(): void }> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    requests.push(body)
    response.writeHead(500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ url: request.url, headers: request.headers, body }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
