import { createServer } from 'node:http'
import { problemOf } from './bucket-stubs.ts'
import { closeServer } from './provider-server.ts'

/** An upload that a store accepted. `content` is Base64. */
export type StoredUpload = { path: string; headers: Record<string, string>; content: string }

const SLOW = 20_000 // ms, far above every time-out of a test

/**
 * Stores for files behind one address, `/{caller}/{behaviour}/…`: `ok` checks the signature and keeps the upload, as S3 and
 * Azure do. `/{caller}/kept` answers the uploads, `/{caller}/calls` all calls.
 */
export function startBuckets(): Promise<{ url: string; close(): void }> {
  const kept = new Map<string, StoredUpload[]>()
  const calls = new Map<string, string[]>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const [, caller = '', behaviour = ''] = path.split('/')
    if (behaviour === 'kept') return response.end(JSON.stringify(kept.get(caller) ?? []))
    if (behaviour === 'calls') return response.end(JSON.stringify(calls.get(caller) ?? []))

    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    calls.set(caller, [...(calls.get(caller) ?? []), `${request.method} ${path}`])
    switch (behaviour) {
      case 'ok': {
        const problem = problemOf({ method: request.method ?? '', path, headers, body })
        if (problem) return response.writeHead(403).end(refusal('SignatureDoesNotMatch', problem))
        const entry = { path, headers, content: body.toString('base64') }
        kept.set(caller, [...(kept.get(caller) ?? []), entry])
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
      resolve({ url: `http://127.0.0.1:${port}`, close: () => closeServer(server) })
    })
  })
}

const refusal = (code: string, message: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
