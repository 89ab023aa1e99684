import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { inject } from 'vitest'

/** A network fault for one call. */
export type NetworkFault =
  /** The server handles the call, but its response is lost. */
  | { kind: 'responseLost' }
  /** The call does not reach the server. */
  | { kind: 'failed'; status: number; headers?: Record<string, string>; body?: object }
  | { kind: 'slow'; milliseconds: number }

/** Starts a proxy in front of the running server. Each call to a path gets the next fault until no faults remain. */
export async function badNetwork(path: string, faults: Iterable<NetworkFault | null>) {
  const next = faults[Symbol.iterator]()
  let calls = 0

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const isFaulty = request.url?.startsWith(path) ?? false
    if (isFaulty) calls++
    const fault = isFaulty ? next.next().value : null
    if (fault?.kind === 'failed') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      response.end(JSON.stringify(fault.body ?? {}))
      return
    }
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.milliseconds))
    const upstream = await fetch(new URL(request.url ?? '/', inject('origin')), {
      method: request.method ?? 'GET',
      headers: forwardedHeaders(request.headers),
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    })
    const responseBody = await upstream.arrayBuffer()
    if (fault?.kind === 'responseLost') {
      response.destroy()
      return
    }
    response.writeHead(upstream.status, {
      'content-type': upstream.headers.get('content-type') ?? 'application/octet-stream',
    })
    response.end(Buffer.from(responseBody))
  }).listen(0, '127.0.0.1')

  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    calls: () => calls,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const forwardedHeaders = (headers: Record<string, string | string[] | undefined>) =>
  ['authorization', 'content-type', 'accept-language'].flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
