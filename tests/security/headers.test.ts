import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { pageTable } from '../../client/app/routes.ts'
import { MINUTE } from '../../src/contract/time.ts'
import type { OpenApi } from '../api/declared-answers.ts'
import {
  authorizationRequest,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  RESUMED,
  registerAccount,
} from '../kit/clients/cookie-client.ts'
import { beginInteraction, type InteractionClient } from '../kit/clients/interaction-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { storeMember } from '../kit/stored-session.ts'
import { pairsOf, someOf } from '../kit/sweep.ts'
import { atOrigin, openTestApp, type TestApp } from '../kit/test-app.ts'

const SECURE = 'https://id.example'

let app: TestApp
let secure: TestApp
beforeAll(() => {
  app = openTestApp()
  secure = atOrigin(app, SECURE)
})

const document: OpenApi = await (await openTestApp().fetch('/api/openapi.json')).json()
const discovery: Record<string, unknown> = await (
  await openTestApp().fetch('/oidc/.well-known/openid-configuration')
).json()

const NOT_FRAMED = "frame-ancestors 'none'"

/** Checks the headers of a response (ASVS 3.4). Only public responses may be cached. */
function expectGuarded(response: Response, { isPublic = false, ancestors = NOT_FRAMED } = {}) {
  const { headers } = response
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("base-uri 'none'")
  expect(policy).toContain(ancestors)
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toMatch(/^(?:same-origin|strict-origin)$/)
  expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toContain('camera=()')
  // "An origin server with a clock MUST generate a Date header field" (RFC 9110 §6.6.1).
  expect(headers.get('date')).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
  expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())).toBeLessThan(MINUTE)
  if (!isPublic) expect(headers.get('cache-control')).toMatch(/no-store|no-cache/)
  expect(headers.get('server')).toBeNull()
  expect(headers.get('x-powered-by')).toBeNull()
}

const filledIn = (path: string) => path.replaceAll(/\{\w+\}/g, 'x')
const isPublicDocument = (path: string) => path === '/api/openapi.json'

describe('an API response’s headers', () => {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )

  it.each(someOf(env.TEST_SWEEP, calls, 40))(
    '[ASVS-3.2.1] are complete for $method $path without credentials',
    async ({ method, path }) => {
      const response = await app.fetch(filledIn(path), { method })
      expectGuarded(response, { isPublic: isPublicDocument(path) })
    },
  )

  const paths = someOf(env.TEST_SWEEP, Object.keys(document.paths), 20)
  it.each(pairsOf(env.TEST_SWEEP, paths, ['OPTIONS', 'PROPFIND']))(
    'are complete at %s for the method %s, which it does not have',
    async (path, method) => {
      const response = await app.fetch(filledIn(path), { method })
      expectGuarded(response, { isPublic: isPublicDocument(path) })
    },
  )

  it('[ASVS-14.2.2] prevent caching of responses to operators and users', async () => {
    const operator = await newOperator(app)
    const { call } = await storeMember(app)
    for (const response of [
      await operator.get('/users'),
      await operator.get('/applications'),
      await call('GET'),
    ]) {
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expectGuarded(response)
    }
  })
})

describe('a page’s headers', () => {
  const addresses = pageTable.map(({ path }) => path.replace(/:\w+$/, 'email'))
  const others = [
    '/',
    '/demo-app',
    '/dev/inbox',
    '/dev/inbox.json',
    '/api/docs',
    '/callback/x',
    '/springboard',
  ]
  const more = ['/social/landing/x', '/.well-known/change-password', '/restart', '/no-such-page', '/%00']

  type Way = { how: string; send(interaction: InteractionClient, path: string): Promise<Response> }
  const ways: Way[] = [
    {
      how: 'with an interaction',
      send: ({ client, uid }, path) => client.get(`${path}?interaction=${uid}`, { accept: 'text/html' }),
    },
    { how: 'without an interaction', send: (_, path) => app.fetch(path) },
    {
      how: 'for a form',
      send: ({ client, uid }, path) => client.post(`${path}?interaction=${uid}`, { identifier: 'x' }),
    },
    { how: 'for an unknown method', send: (_, path) => app.fetch(path, { method: 'DELETE' }) },
  ]
  const paths = [...addresses, ...others, ...more]
  it.each(pairsOf(env.TEST_SWEEP, paths, ways).map(([path, way]) => ({ path, ...way })))(
    '[RFC9700-4.2.4] are complete at $path $how',
    async ({ path, send }) => expectGuarded(await send(await beginInteraction(app), path)),
  )

  it('[ASVS-3.4.6] allow framing only of the preview, and only by the configured origins', async () => {
    const operator = await newOperator(app)
    await operator.send('PATCH', '/configs/settings', { previewOrigins: ['https://console.example'] })
    const preview = await openTestApp().fetch('/sign-in?preview=true')
    expectGuarded(preview, { ancestors: "frame-ancestors 'self' https://console.example" })
    expectGuarded(await openTestApp().fetch('/sign-in'))
  })
})

describe('the OpenID Provider’s headers', () => {
  const endpoints = Object.entries(discovery).flatMap(([name, value]) =>
    typeof value === 'string' && (name.endsWith('_endpoint') || name === 'jwks_uri')
      ? [{ name, path: new URL(value).pathname }]
      : [],
  )

  it.each(endpoints)('[RFC9700-4.16] are complete at the $name', async ({ path }) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      for (const accept of ['text/html', 'application/json']) {
        const init = { method, headers: { accept } }
        expectGuarded(await app.fetch(path, init), { isPublic: path === '/oidc/jwks' })
      }
    }
  })

  it.each(['/oidc/.well-known/openid-configuration', '/oidc/jwks', '/oidc/no-such', '/oidc/'])(
    '[ASVS-3.2.1-2] are complete at %s',
    async (path) => expectGuarded(await app.fetch(path), { isPublic: true }),
  )

  it('[RFC9700-4.2.4-2] are complete on every redirect during a sign-in', async () => {
    const client = newCookieClient(app)
    const request = await authorizationRequest(RESUMED)
    const uid = await openSignInPage(client, request)
    const submitted = await registerAccount(client, uid, `user_${crypto.randomUUID().slice(0, 8)}`)
    const { redirectTo } = (await submitted.json()) as { redirectTo: string }
    const resumed = await client.get(redirectTo)
    expect(resumed.status).toBe(303)
    expectGuarded(resumed)
    expectGuarded(await client.get((await authorizationRequest({ prompt: 'none' })).url))
    expectGuarded(await client.get('/oidc/session/end', { accept: 'text/html' }))
  })

  it('[ASVS-3.4.3] allow only the form_post page’s script, and suppress the referrer', async () => {
    const { client } = await storeMember(app)
    const { url } = await authorizationRequest({ response_mode: 'form_post', prompt: 'none' })
    const page = await client.get(url)
    // Applications load this page in a hidden frame when they combine `prompt=none` with form_post.
    expectGuarded(page, { ancestors: "default-src 'none'" })
    expect(page.headers.get('content-security-policy')).not.toContain('frame-ancestors')
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    const html = await page.text()
    expect(html).toContain(`action="${ORIGIN}/demo-app"`)
    const script = /<script>([^<]*)<\/script>/.exec(html)?.[1] ?? ''
    const hash = createHash('sha256').update(script).digest('base64')
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`)
  })
})

describe('an error response’s headers', () => {
  it.each(['/api/users', '/sign-in', '/oidc/auth?client_id=x', '/demo-app', '/api/.well-known/sign-in-exp'])(
    '[ASVS-16.5.1] are complete when the database fails: %s',
    async (path) => {
      const token = (await newOperator(app)).token
      const broken = openTestApp()
      broken.beforeEachTrip(() => {
        throw new Error('no such table: secrets')
      })
      for (const accept of ['text/html', 'application/json']) {
        const headers = { accept, authorization: `Bearer ${token}` }
        const response = await broken.fetch(path, { headers })
        expectGuarded(response)
        expect(await response.text()).not.toContain('no such table')
      }
    },
  )

  it('are complete for an unknown host', async () => {
    const closed = openTestApp({ HOSTS: 'id.example=default' })
    for (const path of ['/sign-in', '/api/status', '/oidc/jwks']) {
      const response = await atOrigin(closed, 'https://other.example').fetch(path)
      expect(response.status).toBe(404)
      expectGuarded(response)
    }
  })

  it('are complete for a body that is too large, malformed or of the wrong type', async () => {
    const { client, uid } = await beginInteraction(app)
    const large = JSON.stringify({ event: 'x'.repeat(70_000) })
    for (const body of [large, '{']) {
      const headers = { 'content-type': 'application/json', Interaction: uid }
      const response = await app.fetch('/api/interaction', { method: 'PUT', headers, body })
      expectGuarded(response)
    }
    expectGuarded(await client.send('POST', `/sign-in?interaction=${uid}`, { a: 1 }))
  })
})

describe('over HTTPS', () => {
  it.each([
    '/',
    '/sign-in',
    '/api/status',
    '/api/users',
    '/oidc/jwks',
    '/oidc/auth',
    '/no-such-page',
    '/demo-app',
  ])('[ASVS-3.4.1] HSTS is valid for one year: %s', async (path) => {
    const response = await secure.fetch(path)
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect((await app.fetch(path)).headers.get('strict-transport-security')).toBeNull()
    const local = await atOrigin(app, 'https://acme.localhost').fetch(path)
    expect(local.headers.get('strict-transport-security')).toBeNull()
  })

  it('[ASVS-3.4.1-2] HSTS includes subdomains if HOSTS requests it, even on a cached page', async () => {
    const hosted = openTestApp({
      ENVIRONMENT: 'production',
      HOSTS: 'id.example=default/includeSubDomains other.example=default',
    })
    for (const [host, value] of [
      ['id.example', 'max-age=31536000; includeSubDomains'],
      ['other.example', 'max-age=31536000'],
      ['id.example', 'max-age=31536000; includeSubDomains'],
    ])
      for (const path of ['/sign-in', '/sign-in', '/api/status', '/no-such-page']) {
        const { headers } = await hosted.fetch(`https://${host}${path}`)
        expect(headers.get('strict-transport-security')).toBe(value)
      }
  })
})

describe('a static file’s headers', () => {
  it.each(['/favicon.svg', '/logo.svg', '/api-docs/start.js'])(
    '[ASVS-3.2.1-3] are complete at %s',
    async (path) => {
      const { headers, status } = await env.ASSETS.fetch(`https://id.example${path}`)
      expect(status).toBe(200)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).toContain(NOT_FRAMED)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      // If the response contained HSTS, it would override the host's own setting.
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toContain('camera=()')
    },
  )
})
