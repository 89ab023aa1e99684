import { createServer } from 'node:http'
import { listOf, problemOf } from './bucket-stubs.ts'
import { closeServer } from './provider-server.ts'

/** An upload that a store accepted. `content` is Base64. */
export type StoredUpload = { path: string; headers: Record<string, string>; content: string }

const SLOW = 20_000 // ms; much longer than the timeouts in tests

/**
 * Starts a server that acts as several object stores at `/{caller}/{behaviour}/…`. With the behaviour `ok`,
 * it checks signatures, and stores, lists and deletes uploads like S3 and Azure. With `recovering`, it
 * rejects the first list request and the first deletion. With `lying`, it lists files outside the requested
 * prefix. `/{caller}/kept` returns the stored uploads, and `/{caller}/calls` returns all calls.
 */
export function startBuckets(): Promise<{ url: string; close(): void }> {
  const uploads = new Map<string, StoredUpload[]>()
  const calls = new Map<string, string[]>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const [, caller = '', behaviour = ''] = path.split('/')
    if (behaviour === 'kept') return response.end(JSON.stringify(uploads.get(caller) ?? []))
    if (behaviour === 'calls') return response.end(JSON.stringify(calls.get(caller) ?? []))

    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    calls.set(caller, [...(calls.get(caller) ?? []), `${request.method} ${path}`])
    switch (behaviour) {
      case 'lying': {
        const day = 'user/2026/11/21/Abcd1234'
        return response.end(`<Key>other/${day}/a.png</Key><Key>default/${day}/../../a.png</Key>`)
      }
      case 'recovering':
      case 'ok': {
        const problem = problemOf({ method: request.method ?? '', path, headers, body })
        if (problem) return response.writeHead(403).end(errorXml('SignatureDoesNotMatch', problem))
        const method = request.method ?? ''
        const isFirst = calls.get(caller)?.filter((call) => call.startsWith(method)).length === 1
        if (behaviour === 'recovering' && method !== 'PUT' && isFirst)
          return response.writeHead(503).end(errorXml('SlowDown', path))
        const stored = uploads.get(caller) ?? []
        if (method === 'GET')
          return response.end(
            listOf(
              path,
              stored.map((upload) => upload.path),
            ),
          )
        if (method === 'DELETE') {
          uploads.set(
            caller,
            stored.filter((upload) => upload.path !== path),
          )
          return response.writeHead(stored.some((upload) => upload.path === path) ? 204 : 404).end()
        }
        const upload = { path, headers, content: body.toString('base64') }
        uploads.set(caller, [...(uploads.get(caller) ?? []), upload])
        return response.writeHead(headers['x-ms-blob-type'] ? 201 : 200).end()
      }
      case 'refusing':
        return response.writeHead(403).end(errorXml('AccessDenied', String(headers.authorization)))
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

const errorXml = (code: string, message: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
