import { lookup } from 'node:dns'
import { type IncomingMessage, request as requestByHttp } from 'node:http'
import { type RequestOptions, request as requestByHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'

/**
 * A replacement for `fetch` for requests to a server that this process has started. With `--local-protocol https`,
 * wrangler creates its own certificate, which no client trusts and `fetch` rejects. These requests only reach a child
 * of this process, so verifying the certificate would prove nothing.
 */
export const localFetch = createFetch({ rejectUnauthorized: false })

/**
 * A replacement for `fetch` for hosts such as `acme.localhost`. Browsers and curl connect them to this machine, but
 * Node asks the system's resolver, which may not know them.
 */
export const localhostFetch = createFetch({
  lookup: (_hostname, options, callback) => lookup('localhost', options, callback),
})

function createFetch(connection: RequestOptions) {
  return async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { method, signal } = request
    const headers = Object.fromEntries(request.headers)
    const body = Buffer.from(await request.arrayBuffer())
    const send = request.url.startsWith('https:') ? requestByHttps : requestByHttp
    return new Promise((resolve, reject) => {
      send(request.url, { method, headers, signal, agent: false, ...connection })
        .once('response', (response) => responseOf(response).then(resolve, reject))
        .once('error', (cause) => reject(new TypeError('fetch failed', { cause })))
        .end(body)
    })
  }
}

async function responseOf(response: IncomingMessage): Promise<Response> {
  const status = response.statusCode ?? 0
  const body = new Uint8Array(await buffer(response))
  const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  // A Response with one of these statuses must have no body, not even an empty one (Fetch §null body status).
  return new Response([101, 204, 205, 304].includes(status) ? null : body, { status, headers })
}
