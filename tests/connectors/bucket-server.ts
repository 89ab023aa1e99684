import { createServer } from 'node:http'
import { problemOf } from './bucket-stubs.ts'
import { end } from './provider-server.ts'

/** What a store got. `content` is base64. */
export type Kept = { path: string; headers: Record<string, string>; content: string }

const SLOW = 20_000 // ms, far above every time-out of a test

/**
 * Stores for files behind one address, `/{who asks}/{behaviour}/…`: `ok` checks the signature by itself and keeps what it
 * got, as S3 and Azure do. What was kept is told at `/{who asks}/kept`, every call at `/{who asks}/calls`.
 */
export function startBuckets(): Promise<{ url: string; close(): void }> {
  const kept = new Map<string, Kept[]>()
  const calls = new Map<string, string[]>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const [, asker = '', behaviour = ''] = path.split('/')
    if (behaviour === 'kept') return response.end(JSON.stringify(kept.get(asker) ?? []))
    if (behaviour === 'calls') return response.end(JSON.stringify(calls.get(asker) ?? []))

    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    calls.set(asker, [...(calls.get(asker) ?? []), `${request.method} ${path}`])
    switch (behaviour) {
      case 'ok': {
        const problem = problemOf({ method: request.method ?? '', path, headers, body })
        if (problem) return response.writeHead(403).end(refusal('SignatureDoesNotMatch', problem))
        const entry = { path, headers, content: body.toString('base64') }
        kept.set(asker, [...(kept.get(asker) ?? []), entry])
        return response.writeHead(headers['x-ms-blob-type'] ? 201 : 200).end()
      }
      case 'refusing':
        return response.writeHead(403).end(refusal('AccessDenied', String(headers.authorization)))
      case 'redirecting':
        return response.writeHead(307, { location: path.replace('/redirecting/', '/ok/') }).end()
      case 'slow':
        setTimeout(() => response.end(), SLOW).unref()
        return
      default:
        return response.writeHead(404).end()
    }
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = address && typeof address === 'object' ? address.port : 0
      resolve({ url: `http://127.0.0.1:${port}`, close: () => end(server) })
    })
  })
}

const refusal = (code: string, message: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
