import { describe, expect, it } from 'vitest'
import { newCookieClient } from '../../kit/clients/cookie-client.ts'
import { openTestApp } from '../../kit/test-app.ts'

const app = openTestApp()
const { get, post } = newCookieClient(app)
const STATE = 'some-uid_1.aaaaaaaaaaa'

describe('GET /callback/{connectorId}', () => {
  it.each([
    {
      what: 'a response, to the interaction named by its state',
      query: `code=a%2Bb&state=${STATE}&iss=https%3A%2F%2Fa.example`,
      to: `/sign-in/social/oidc?code=a%2Bb&state=${STATE}&iss=https%3A%2F%2Fa.example&interaction=some-uid_1`,
    },
    {
      what: 'an error, to the interaction named by its state',
      query: `error=access_denied&state=${STATE}`,
      to: `/sign-in/social/oidc?error=access_denied&state=${STATE}&interaction=some-uid_1`,
    },
    { what: 'no parameters, as when they are in a fragment', query: '', to: '/sign-in/social/oidc?' },
    {
      what: 'an interaction named only by the query, to no interaction',
      query: `code=a&interaction=other`,
      to: '/sign-in/social/oidc?code=a',
    },
    {
      what: 'several interactions, to the one named by the state',
      query: `interaction=other&state=${STATE}&interaction=third`,
      to: `/sign-in/social/oidc?state=${STATE}&interaction=some-uid_1`,
    },
    ...['state=', 'state=short.abc', 'state=no-dot', 'state=a/b.aaaaaaaaaaa', 'state=.aaaaaaaaaaa'].map(
      (query) => ({
        what: `a malformed state (${query}), to no interaction`,
        query,
        to: `/sign-in/social/oidc?${new URLSearchParams(query)}`,
      }),
    ),
  ])('redirects a request with $what', async ({ query, to }) => {
    const response = await get(`/callback/oidc?${query}`)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(to)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.text()).toBe('')
  })

  it.each([
    '//evil.example',
    'a%2F..%2F..%2Fevil',
    '%5C%5Cevil.example',
    'a%0d%0aSet-Cookie:x=1',
    '%00',
    '%0d%0a',
    '%E2%80%AE',
    '%FF',
    'a'.repeat(129),
  ])('returns 404 for GET and POST if the connector id is malformed: %s', async (id) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const formPost = { method: 'POST', headers, body: 'state=a&code=b' }
    for (const init of [{}, formPost])
      expect((await app.fetch(`/callback/${id}?code=a`, init)).status).toBe(404)
  })

  it('does not use the database', async () => {
    app.trips()
    await get(`/callback/oidc?code=a&state=${STATE}`)
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
  })
})

describe('a cross-site POST /callback/{connectorId} (spec/pages#callback)', () => {
  const crossSite = { origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' }

  it('is redirected to the same path with GET and the authorization response’s parameters', async () => {
    const user = JSON.stringify({ name: { firstName: 'Ann' } })
    const form = {
      code: 'a+b',
      state: STATE,
      iss: 'https://a.example',
      user,
      id_token: 'x.y.z',
      interaction: 'other',
    }
    app.trips()
    const response = await post('/callback/apple', form, crossSite)
    expect(response.status).toBe(303)
    const { pathname, searchParams } = new URL(response.headers.get('location') ?? '', 'http://localhost')
    expect(pathname).toBe('/callback/apple')
    expect(Object.fromEntries(searchParams)).toEqual({
      code: 'a+b',
      state: STATE,
      iss: 'https://a.example',
      user,
    })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
  })

  it('is treated as a response without parameters if its body is not a form', async () => {
    for (const body of ['', '{"code":"a"}', '\0\u{FFFF}', 'a'.repeat(64 * 1024)]) {
      const response = await app.fetch('/callback/apple', { method: 'POST', body, headers: crossSite })
      expect([response.status, response.headers.get('location')]).toEqual([303, '/callback/apple?'])
    }
  })

  it('is rejected if its body is larger than 64 KiB', async () => {
    const body = `code=${'a'.repeat(64 * 1024)}`
    const response = await app.fetch('/callback/apple', { method: 'POST', body, headers: crossSite })
    expect(response.status).toBe(413)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  })
})
