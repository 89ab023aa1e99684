import { request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'

/**
 * A replacement for `fetch` for requests to a server that this process has started. With `--local-protocol https`,
 * wrangler creates its own certificate, which no client trusts and `fetch` rejects. These requests only reach a child
 * of this process, so verifying the certificate would prove nothing.
 *
 * @param {RequestInfo | URL} input
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
export async function localFetch(input, init) {
  const request = new Request(input, init)
  const { method, signal } = request
  const options = { method, headers: Object.fromEntries(request.headers), signal, agent: false }
  const body = Buffer.from(await request.arrayBuffer())
  return new Promise((resolve, reject) => {
    const call = request.url.startsWith('https:')
      ? requestByHttps(request.url, { ...options, rejectUnauthorized: false })
      : requestByHttp(request.url, options)
    call
      .once('response', (response) => responseOf(response).then(resolve, reject))
      .once('error', reject)
      .end(body)
  })
}

/** @param {import('node:http').IncomingMessage} response */
async function responseOf(response) {
  const status = response.statusCode ?? 0
  const body = new Uint8Array(await buffer(response))
  const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => /** @type {[string, string]} */ ([name, value])),
  )
  // A Response with one of these statuses must have no body, not even an empty one (Fetch §null body status).
  return new Response([101, 204, 205, 304].includes(status) ? null : body, { status, headers })
}
