import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { inject } from 'vitest'

/** What happens to one call on its way. */
export type Mishap =
  /** The server has done it, and nobody hears. */
  | { kind: 'answerLost' }
  /** It does not get there. */
  | { kind: 'refused'; status: number; headers?: Record<string, string>; body?: object }
  | { kind: 'slow'; milliseconds: number }

/** The started server behind a network of our making: each call to a path meets the next of its mishaps, then none. */
export async function badNetwork(path: string, mishaps: Iterable<Mishap | null>) {
  const next = mishaps[Symbol.iterator]()
  let calls = 0

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const isMeant = request.url?.startsWith(path) ?? false
    if (isMeant) calls++
    const mishap = isMeant ? next.next().value : null
    if (mishap?.kind === 'refused') {
      response.writeHead(mishap.status, { 'content-type': 'application/json', ...mishap.headers })
      response.end(JSON.stringify(mishap.body ?? {}))
      return
    }
    if (mishap?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, mishap.milliseconds))
    const answer = await fetch(new URL(request.url ?? '/', inject('origin')), {
      method: request.method ?? 'GET',
      headers: passedOn(request.headers),
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    })
    const answered = await answer.arrayBuffer()
    if (mishap?.kind === 'answerLost') {
      response.destroy()
      return
    }
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
    })
    response.end(Buffer.from(answered))
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

const passedOn = (headers: Record<string, string | string[] | undefined>) =>
  ['authorization', 'content-type', 'accept-language'].flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
