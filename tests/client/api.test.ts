import { describe, expect, it, vi } from 'vitest'
import { errorResponse, networkStub, noContent, redirectResponse } from './network.ts'

describe('an API call', () => {
  it('sends the interaction and the page’s language', async () => {
    const { api, calls } = networkStub(noContent())
    await api.start({ event: 'SignIn', identifier: { username: 'ada', password: 'secret' } })
    expect(calls[0]).toMatchObject({
      method: 'PUT',
      path: '/api/interaction',
      body: { event: 'SignIn', identifier: { username: 'ada', password: 'secret' } },
    })
    expect(calls[0]?.headers.get('accept-language')).toBe('de')
    expect(calls[0]?.headers.get('interaction')).toBe('uid')
  })

  it('returns the body, or null if there is none', async () => {
    const { api } = networkStub(redirectResponse(), noContent())
    expect(await api.submit()).toEqual({
      ok: true,
      value: { redirectTo: 'https://id.example.com/oidc/auth/uid' },
    })
    expect(await api.submit()).toEqual({ ok: true, value: null })
  })

  it('returns an error unchanged', async () => {
    const { api } = networkStub(errorResponse('user.missing_profile', 422, { missingProfile: ['password'] }))
    expect(await api.submit()).toEqual({
      ok: false,
      error: {
        code: 'user.missing_profile',
        message: 'message of user.missing_profile',
        data: { missingProfile: ['password'] },
      },
    })
  })
})

describe('an API call without a valid response', () => {
  it.each([
    { what: 'HTML', answer: () => new Response('<html>', { status: 502 }) },
    { what: 'JSON in an unexpected format', answer: () => Response.json(['?'], { status: 400 }) },
    { what: 'a successful response without JSON', answer: () => new Response('ok') },
    { what: 'an error of the code', answer: () => new TypeError('undefined is not a function') },
  ])('returns the error "unknown" for $what', async ({ answer }) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { api } = networkStub(answer())
    expect(await api.submit()).toEqual({ ok: false, error: { code: 'client.unknown', message: '' } })
  })

  it.each([
    { status: 503, retryAfter: '120', data: { retryAfter: 120 } },
    { status: 429, retryAfter: '0', data: undefined },
    { status: 502, retryAfter: '120', data: undefined },
  ])(
    'returns when to try again if a proxy specifies it: $status, $retryAfter',
    async ({ status, retryAfter, data }) => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const headers = { 'Retry-After': retryAfter }
      for (const body of ['<html>', '{"error":"busy"}']) {
        const { api } = networkStub(new Response(body, { status, headers }))
        const error = { code: 'client.unknown', message: '', ...(data && { data }) }
        expect(await api.submit()).toEqual({ ok: false, error })
      }
    },
  )

  it('returns the error "offline" if the network is unreachable', async () => {
    const { api } = networkStub(new DOMException('Failed to fetch', 'NetworkError'))
    expect(await api.submit()).toEqual({ ok: false, error: { code: 'client.offline', message: '' } })
  })

  it('returns the error "timeout" if the call takes too long', async () => {
    const { api } = networkStub(Object.assign(new Error('too late'), { name: 'TimeoutError' }))
    expect(await api.submit()).toEqual({ ok: false, error: { code: 'client.timeout', message: '' } })
  })
})
