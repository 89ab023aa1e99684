import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    receiverUrl: string
  }
}

/** The behaviour of a receiver. */
export type ReceiverBehaviour = {
  status?: number
  /** The delay in milliseconds. */
  delay?: number
  /** If true, the response is delayed until the behaviour changes. */
  isHeld?: boolean
  location?: string
  body?: string
  isDown?: boolean
  /** If true, the response never ends, with a few bytes every second. */
  drips?: boolean
}

export type ReceivedCall = { headers: Record<string, string>; body: string; answered: number }

/**
 * Starts a control server for receivers of hook messages and logout tokens, on loopback: POST starts a receiver, PUT to
 * its number sets its behaviour, and GET returns what it has received.
 */
export default async function setup(project: TestProject) {
  const receivers: ReceiverServer[] = []
  const controlServer = createServer(async (request, response) => {
    const number = Number(request.url?.slice(1))
    if (request.method === 'POST') {
      receivers.push(await startReceiver())
      response.end(JSON.stringify({ number: receivers.length - 1, url: receivers.at(-1)?.url }))
    } else if (request.method === 'PUT') {
      await receivers[number]?.behave(JSON.parse(await read(request)))
      response.writeHead(204).end()
    } else {
      response.end(JSON.stringify(receivers[number]?.received))
    }
  })
  project.provide('receiverUrl', `http://127.0.0.1:${await listen(controlServer)}`)

  return async () => {
    await Promise.all([stop(controlServer), ...receivers.map(({ behave }) => behave({ isDown: true }))])
  }
}

type ReceiverServer = {
  url: string
  received: ReceivedCall[]
  behave(next: ReceiverBehaviour): Promise<void>
}

async function startReceiver(): Promise<ReceiverServer> {
  const received: ReceivedCall[] = []
  let behaviour: ReceiverBehaviour = {}
  let next = Promise.withResolvers<void>()

  const receive: RequestListener = async (request, response) => {
    const { status = 204, delay = 0, isHeld, location, body, drips } = behaviour
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    received.push({ headers: Object.fromEntries(headers), body: await read(request), answered: status })
    // The server must not keep the process running after the last test.
    await new Promise((resolve) => setTimeout(resolve, delay).unref())
    if (isHeld) await next.promise
    if (drips) return drip(response)
    response.writeHead(status, location ? { location } : {}).end(body)
  }

  let server: Server | null = createServer(receive)
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    async behave(requested) {
      behaviour = requested
      next.resolve()
      next = Promise.withResolvers()
      if (requested.isDown && server) {
        await stop(server)
        server = null
      } else if (!requested.isDown && !server) {
        server = createServer(receive)
        await listen(server, port)
      }
    },
  }
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 1_000)
  response.once('close', () => clearInterval(timer))
}

/** Listens on the given port, or on a free one. */
function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(address.port)
    })
  })
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function read(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
