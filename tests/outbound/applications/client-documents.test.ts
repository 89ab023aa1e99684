import { describe, expect, it, vi } from 'vitest'
import { fetchClientDocument } from '../../../src/outbound/applications/client-documents.ts'

/** The guarded fetch of what clients publish (spec/connectors#client-documents). */

const NOW = Date.UTC(2026, 10, 1)

const read = (response: () => Promise<Response> | Response, address = 'https://agent.example/client') => {
  const fetch = vi.fn(async () => response())
  const document = fetchClientDocument(address, {
    fetch,
    maxBytes: 100,
    environment: 'production',
    now: () => NOW,
  })
  return { fetch, document }
}

const kept = async (headers: Record<string, string>) =>
  (await read(() => Response.json({}, { headers })).document).freshSeconds

describe('A document of a client', () => {
  it('is asked for without following a redirect', async () => {
    const { fetch, document } = read(() => Response.json({ a: 1 }))
    expect(await document).toEqual({ json: { a: 1 }, freshSeconds: 30 })
    expect(fetch.mock.calls[0]).toMatchObject([
      'https://agent.example/client',
      { method: 'GET', redirect: 'manual' },
    ])
  })

  it('is not asked for at a private address', async () => {
    const { fetch, document } = read(() => Response.json({}), 'https://[::ffff:169.254.169.254]/')
    await expect(document).rejects.toThrow('the address must not lead to a private address')
    expect(fetch).not.toHaveBeenCalled()
  })

  it.each<[string, () => Response, string]>([
    ['a redirect', () => Response.redirect('https://other.example/'), 'status 302'],
    ['not found', () => Response.json({}, { status: 404 }), 'status 404'],
    ['of another type', () => new Response('{}', { headers: { 'content-type': 'text/plain' } }), 'not JSON'],
    ['without a type', () => new Response(new Uint8Array([123, 125])), 'not JSON'],
    ['no JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } }), 'not JSON'],
    [
      'no UTF-8',
      () => new Response(new Uint8Array([34, 255, 34]), { headers: { 'content-type': 'application/json' } }),
      'not JSON',
    ],
    ['too long', () => Response.json('x'.repeat(99)), 'longer than 100 bytes'],
  ])('is refused when it is %s', async (_name, response, message) => {
    await expect(read(response).document).rejects.toThrow(message)
  })

  it('is given up when it does not come in time, or stops half-way', async () => {
    vi.useFakeTimers()
    try {
      const never = read(() => new Promise(() => {})).document
      const half = read(
        () => new Response(new ReadableStream(), { headers: { 'content-type': 'application/json' } }),
      ).document
      const given = Promise.allSettled([never, half])
      await vi.advanceTimersByTimeAsync(2_500)
      expect((await given).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
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
  ])('with %j is kept for %i seconds', async (headers, seconds) => {
    expect(await kept(headers)).toBe(seconds)
  })
})
