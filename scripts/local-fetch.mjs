import { request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'

/**
 * `fetch` for the server that this process has started. With `--local-protocol https` wrangler makes a certificate of its own,
 * which nothing trusts and `fetch` refuses. Only a child of this process is called, so the certificate proves nothing more.
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
      .once('response', (answer) => responseOf(answer).then(resolve, reject))
      .once('error', reject)
      .end(body)
  })
}

/** @param {import('node:http').IncomingMessage} answer */
async function responseOf(answer) {
  const status = answer.statusCode ?? 0
  const body = new Uint8Array(await buffer(answer))
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => /** @type {[string, string]} */ ([name, value])),
  )
  // A Response of these must have no body, not even an empty one (Fetch §null body status).
  return new Response([101, 204, 205, 304].includes(status) ? null : body, { status, headers })
}
