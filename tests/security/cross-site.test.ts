import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { findPage, pageTable } from '../../client/app/routes.ts'
import type { OpenApi } from '../api/declared-answers.ts'
import { authorizationRequest, ORIGIN } from '../kit/clients/cookie-client.ts'
import { beginInteraction, outcomeOf } from '../kit/clients/interaction-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { storeMember } from '../kit/stored-session.ts'
import { pairsOf } from '../kit/sweep.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

let app: TestApp
beforeAll(() => {
  app = openTestApp()
})

const document: OpenApi = await (await openTestApp().fetch('/api/openapi.json')).json()

/** The headers of cross-site requests. tests/domain/same-origin.test.ts tests the rule itself. */
const otherSites: { from: string; headers: Record<string, string> }[] = [
  { from: 'another site', headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
  { from: 'another port', headers: { origin: 'http://localhost:9999' } },
  { from: 'a page without an origin', headers: { origin: 'null' } },
  { from: 'a page that hides its origin', headers: { 'sec-fetch-site': 'cross-site' } },
]
const sweep = env.TEST_SWEEP
const safe = ['get', 'head', 'options']

/** These calls are authenticated by cookies, so another site could cause a browser to send them. */
const calls = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/api/interaction'))
  .flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => !safe.includes(method))
      .map((method) => ({ method: method.toUpperCase(), path })),
  )

describe('a call with cookies', () => {
  it('[ASVS-8.3.1] is accepted only by the interaction API; other APIs require a token', async () => {
    expect(calls.length).toBeGreaterThan(9)
    const { client } = await storeMember(app)
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { security = document.security }] of Object.entries(methods)) {
        if (path.startsWith('/api/interaction') || security.length === 0) continue
        const response = await client.send(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'))
        expect([method, path, response.status]).toEqual([method, path, 401])
      }
    }
  })

  it.each(pairsOf(sweep, calls, otherSites).map(([call, site]) => ({ ...call, ...site })))(
    '[OIDC-3.1.2.3] is rejected from $from: $method $path',
    async ({ method, path, headers }) => {
      const { client, uid } = await beginInteraction(app)
      const response = await client.send(method, path, {}, { ...headers, Interaction: uid })
      expect((await outcomeOf(response)).slice(0, 2)).toEqual([403, 'auth.forbidden'])
    },
  )

  it('is only accepted from the origin of this host over HTTPS', async () => {
    const production = openTestApp({ ENVIRONMENT: 'production', HOSTS: 'id.example' })
    const status = async (origin: string) =>
      (
        await production.fetch('https://id.example/api/interaction/submit', {
          method: 'POST',
          headers: { origin },
        })
      ).status
    expect(await status('https://id.example')).toBe(400)
    for (const other of ['http://id.example', 'https://evil.id.example', 'https://id.example:8443'])
      expect([other, await status(other)]).toEqual([other, 403])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    '[ASVS-3.5.2] is rejected if its content type needs no preflight: %s',
    async (type) => {
      const { uid, client } = await beginInteraction(app)
      const cookie = client.cookieHeader('/api/interaction')
      const response = await app.fetch('/api/interaction', {
        method: 'PUT',
        headers: { 'content-type': type, Interaction: uid, cookie },
        body: JSON.stringify({ event: 'SignIn' }),
      })
      expect(response.status).toBe(415)
    },
  )

  it('[ASVS-3.5.3] is rejected if its method is GET', async () => {
    for (const { path } of calls) {
      const { uid, client } = await beginInteraction(app)
      const response = await client.get(path, { Interaction: uid })
      expect(response.status).toBe(405)
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })

  it('is never permitted by a preflight response', async () => {
    for (const { path } of calls) {
      const response = await app.fetch(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'PUT' },
      })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })
})

const forms = pageTable
  .map(({ path }) => path.replace(/:\w+$/, 'email'))
  .filter((path) => findPage(path)?.journeys)

describe('a form on our pages', () => {
  it('is tested on more than nine pages', () => {
    expect(forms.length).toBeGreaterThan(9)
  })

  it.each(pairsOf(sweep, forms, otherSites).map(([path, site]) => ({ path, ...site })))(
    '[OIDC-3.1.2.3-2] is rejected at $path if it comes from $from',
    async ({ path, headers }) => {
      const { client, uid } = await beginInteraction(app)
      const response = await client.post(`${path}?interaction=${uid}`, { identifier: 'x' }, headers)
      expect(response.status).toBe(403)
      expect(response.headers.getSetCookie()).toEqual([])
    },
  )

  it('[LOGOUT-6] is rejected on the sign-out page if its form token is missing', async () => {
    const { client } = await storeMember(app)
    await client.get('/oidc/session/end', { accept: 'text/html' })
    for (const xsrf of ['', 'guessed']) {
      const form: Record<string, string> = { xsrf, logout: 'yes' }
      const response = await client.post('/oidc/session/end/confirm', form, { accept: 'application/json' })
      expect(response.status).toBe(400)
    }
    const silent = await client.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(silent.headers.get('location')).toContain('code=')
  })

  it('[LOGOUT-2-3] is redirected to the same request with GET if an application posts it to the OpenID Provider', async () => {
    const { client } = await storeMember(app)
    const response = await client.post(
      '/oidc/session/end',
      { client_id: 'demo-app' },
      { origin: 'https://evil.example' },
    )
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/oidc/session/end?client_id=demo-app',
    ])
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

describe('a page from another origin', () => {
  it('[ASVS-3.4.2-3] cannot read responses from the management API, not even with an operator’s token', async () => {
    const operator = await newOperator(app)
    const response = await operator.get('/users', { origin: 'https://evil.example' })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('[RFC9700-2.6-5] cannot read responses from the authorization endpoint (RFC 9700 §2.6)', async () => {
    const { client } = await storeMember(app)
    const requests: Record<string, string>[] = [{}, { prompt: 'none' }, { response_type: 'token' }]
    for (const request of requests) {
      const { url } = await authorizationRequest(request)
      const origin = { origin: 'https://evil.example' }
      const cookie = client.cookieHeader()
      const answers = [
        await client.get(url, origin),
        await app.fetch(url, { headers: origin }),
        await app.fetch(url, { method: 'POST', headers: { ...origin, cookie } }),
        await app.fetch(url, {
          method: 'OPTIONS',
          headers: { ...origin, 'access-control-request-method': 'GET' },
        }),
      ]
      for (const { headers } of answers) {
        expect(headers.get('access-control-allow-origin')).toBeNull()
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
    }
  })

  it('cannot read responses to requests with cookies', async () => {
    const paths = [
      '/oidc/.well-known/openid-configuration',
      '/oidc/jwks',
      '/oidc/me',
      '/oidc/token',
      '/api/me',
    ]
    for (const path of [...paths, '/api/.well-known/sign-in-exp', '/sign-in']) {
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const headers = { origin: ORIGIN, 'access-control-request-method': 'GET' }
        const response = await app.fetch(path, { method, headers })
        expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      }
    }
  })
})
