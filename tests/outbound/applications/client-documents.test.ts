import { describe, expect, it, vi } from 'vitest'
import { fetchClientDocument } from '../../../src/outbound/applications/client-documents.ts'

/**
 * Tests fetching the documents that clients publish, including the protection against unsafe URLs and
 * responses (spec/connectors#client-documents).
 */

const NOW = Date.UTC(2026, 10, 1)

const fetchFrom = (
  response: () => Promise<Response> | Response,
  address = 'https://agent.example/client',
) => {
  const fetch = vi.fn(async () => response())
  const document = fetchClientDocument(address, {
    fetch,
    maxBytes: 100,
    environment: 'production',
    now: () => NOW,
  })
  return { fetch, document }
}

const freshSecondsWith = async (headers: Record<string, string>) =>
  (await fetchFrom(() => Response.json({}, { headers })).document).freshSeconds

describe('a client’s published document', () => {
  it('is fetched without following redirects', async () => {
    const { fetch, document } = fetchFrom(() => Response.json({ a: 1 }))
    expect(await document).toEqual({ json: { a: 1 }, freshSeconds: 30 })
    expect(fetch.mock.calls[0]).toMatchObject([
      'https://agent.example/client',
      { method: 'GET', redirect: 'manual' },
    ])
  })

  it('is not fetched from a private address', async () => {
    const { fetch, document } = fetchFrom(() => Response.json({}), 'https://[::ffff:169.254.169.254]/')
    await expect(document).rejects.toThrow('the address must not lead to a private address')
    expect(fetch).not.toHaveBeenCalled()
  })

  it.each<[string, () => Response, string]>([
    ['a redirect', () => Response.redirect('https://other.example/'), 'status 302'],
    ['not found', () => Response.json({}, { status: 404 }), 'status 404'],
    ['not of type JSON', () => new Response('{}', { headers: { 'content-type': 'text/plain' } }), 'not JSON'],
    ['without a type', () => new Response(new Uint8Array([123, 125])), 'not JSON'],
    [
      'not valid JSON',
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
      'not JSON',
    ],
    [
      'not valid UTF-8',
      () => new Response(new Uint8Array([34, 255, 34]), { headers: { 'content-type': 'application/json' } }),
      'not JSON',
    ],
    ['too long', () => Response.json('x'.repeat(99)), 'longer than 100 bytes'],
  ])('is rejected when the response is %s', async (_name, response, message) => {
    await expect(fetchFrom(response).document).rejects.toThrow(message)
  })

  it('is abandoned if the timeout expires before the response is complete', async () => {
    vi.useFakeTimers()
    try {
      const never = fetchFrom(() => new Promise(() => {})).document
      const stalled = fetchFrom(
        () => new Response(new ReadableStream(), { headers: { 'content-type': 'application/json' } }),
      ).document
      const outcomes = Promise.allSettled([never, stalled])
      await vi.advanceTimersByTimeAsync(2_500)
      expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    } finally {
      vi.useRealTimers()
    }
  })

  it.each<[Record<string, string>, number]>([
    [{}, 30],
    [{ 'cache-control': 'max-age=5' }, 30],
    [{ 'cache-control': 'public, max-age=600' }, 600],
    [{ 'cache-control': 'max-age=600', age: '100' }, 500],
    [{ 'cache-control': 'max-age=99999999' }, 86_400],
    [{ 'cache-control': 'no-store, max-age=600' }, 30],
    [{ 'cache-control': 'x-max-age=600' }, 30],
    [{ expires: new Date(NOW + 3_600_000).toUTCString() }, 3_600],
    [{ expires: '0' }, 30],
  ])('is fresh for as long as its headers %j specify: %i seconds', async (headers, seconds) => {
    expect(await freshSecondsWith(headers)).toBe(seconds)
  })
})
