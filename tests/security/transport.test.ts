import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deriveText } from '../../src/storage/seal.ts'
import { newMember } from '../kit/clients/account-client.ts'
import {
  authorizationRequest,
  newCookieClient,
  ORIGIN,
  PRODUCTION_ORIGIN,
} from '../kit/clients/cookie-client.ts'
import { openTestApp } from '../kit/test-app.ts'

/**
 * A deployment responds only at its own origins, and its cookies are bound to them (spec/storage#tenant-hosts,
 * spec/provider#cookies).
 */

const DISCOVERY = '/oidc/.well-known/openid-configuration'
const paths = [
  '/',
  '/sign-in',
  '/api/status',
  '/api/users',
  DISCOVERY,
  '/oidc/auth?client_id=demo-app',
  '/restart',
]
const production = (more: Record<string, string> = {}) =>
  openTestApp({ ENVIRONMENT: 'production', HOSTS: 'id.example', ...more })

describe('plain HTTP in production', () => {
  it('is redirected to HTTPS for GET and HEAD, without cookies', async () => {
    const app = production()
    for (const path of paths) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await app.fetch(`http://id.example${path}`, { method })
        expect([path, answer.status, answer.headers.get('location')]).toEqual([
          path,
          308,
          `https://id.example${path}`,
        ])
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    }
    expect((await app.fetch('http://evil.example/sign-in')).status).toBe(404)
  })

  it('is rejected for other methods, because their content was sent unencrypted', async () => {
    const app = production()
    for (const [method, path] of [
      ['POST', '/oidc/token'],
      ['PUT', '/api/interaction'],
      ['POST', '/sign-in'],
      ['DELETE', '/api/users/x'],
      ['OPTIONS', '/oidc/token'],
    ] as const) {
      const answer = await app.fetch(`http://id.example${path}`, { method })
      expect([path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        path,
        400,
        'guard.https_required',
      ])
    }
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
  })

  it('is accepted from a TLS proxy if one is configured', async () => {
    const app = production({ TLS_PROXY: 'true' })
    const discovery = await app.fetch(`http://id.example${DISCOVERY}`)
    expect(await discovery.json()).toMatchObject({ issuer: 'https://id.example/oidc' })
    const request = await authorizationRequest({ redirect_uri: 'https://id.example/demo-app' })
    const begun = await app.fetch(`http://id.example${request.url}`)
    expect(begun.status).toBe(303)
    expect(begun.headers.get('strict-transport-security')).toMatch(/^max-age=/)
    for (const line of begun.headers.getSetCookie()) expect(line.toLowerCase()).toContain('; secure')
    const forwarded = { headers: { 'x-forwarded-proto': 'http' } }
    expect((await app.fetch(`http://id.example${DISCOVERY}`, forwarded)).status).toBe(308)
    const token = await app.fetch('http://id.example/oidc/token', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`management:${app.env.MANAGEMENT_CLIENT_SECRET}`)}` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        resource: 'urn:vestibule:management-api',
      }),
    })
    expect(token.status).toBe(200)
    // Without the environment variable, the header has no effect.
    const claimed = { headers: { 'x-forwarded-proto': 'https' } }
    expect((await production().fetch(`http://id.example${DISCOVERY}`, claimed)).status).toBe(308)
  })
})

describe('a deployment without HOSTS', () => {
  it('responds only with instructions to set HOSTS', async () => {
    const app = production({ HOSTS: '' })
    for (const origin of ['https://vestibule.example.workers.dev', 'https://evil.example', ORIGIN]) {
      for (const path of paths) {
        const answer = await app.fetch(origin + path)
        expect([path, answer.status]).toEqual([path, 503])
        expect(await answer.json()).toMatchObject({ code: 'server.hosts_missing' })
        expect(answer.headers.getSetCookie()).toEqual([])
        const page = await app.fetch(origin + path, { headers: { accept: 'text/html' } })
        expect([path, page.status, page.headers.get('content-type')]).toEqual([
          path,
          503,
          'text/html; charset=utf-8',
        ])
        expect(await page.text()).toContain('HOSTS')
      }
    }
    const post = await app.fetch('https://evil.example/oidc/token', { method: 'POST' })
    expect([post.status, await post.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'server.hosts_missing' }),
    ])
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
  })
})

describe('in development', () => {
  it.each([
    'http://evil.example',
    'http://evil.example:8787',
    'http://localhost.evil.example:8787',
    'http://192.168.1.7:8787',
  ])('a page on %s gets no content through DNS rebinding', async (origin) => {
    const app = openTestApp({ HOSTS: 'evil.example' })
    for (const path of ['/dev/inbox.json', '/dev/inbox', '/demo-app', ...paths])
      expect([path, (await app.fetch(origin + path)).status]).toEqual([path, 404])
  })

  it.each([
    'http://localhost:8787',
    'http://default.localhost:8787',
    'http://127.0.0.1:8787',
    'http://[::1]:8787',
  ])('%s is served', async (origin) => {
    expect((await openTestApp().fetch(`${origin}/dev/inbox.json`)).status).toBe(200)
  })
})

describe('a session cookie with the old, unprefixed name', () => {
  const app = openTestApp({ ENVIRONMENT: 'production' })
  const redirectUri = `${PRODUCTION_ORIGIN}/demo-app`

  async function signedIn() {
    const { client } = await newMember(app, { redirectUri })
    return client.cookies.get('__Host-_session')?.value ?? ''
  }

  /**
   * Signs the cookie as an earlier version did, and uses it in an authorization request with `prompt=none`.
   */
  async function silently(value: string, signature?: string) {
    const key = await deriveText(app.env.ROOT_SECRET ?? '', 'cookies')
    const signed = signature ?? createHmac('sha1', key).update(`_session=${value}`).digest('base64url')
    const browser = newCookieClient(app)
    browser.cookies.set('_session', { value, path: '/' })
    browser.cookies.set('_session.sig', { value: signed, path: '/' })
    const { url } = await authorizationRequest({ redirect_uri: redirectUri, prompt: 'none' })
    const answer = await browser.get(url)
    const to = new URL(answer.headers.get('location') ?? '', PRODUCTION_ORIGIN)
    return { error: to.searchParams.get('error'), names: [...browser.cookies.keys()] }
  }

  it('[ASVS-3.3.3] is accepted once and renamed if it is from an earlier version', async () => {
    const value = await signedIn()
    // Another host of the domain could set a cookie with the old name, so such a cookie is rejected for a new
    // session.
    expect(await silently(value)).toMatchObject({ error: 'login_required' })

    await app.env.DB.prepare(
      "update oidc_model_instances set payload = json_remove(payload, '$.isHostCookie') where model_name = 'Session'",
    ).run()
    expect(await silently(value, 'forged')).toMatchObject({ error: 'login_required' })
    const { error, names } = await silently(value)
    expect(error).toBe(null)
    expect(names).toEqual(expect.arrayContaining(['__Host-_session', '__Host-_session.sig']))
    expect(names).not.toContain('_session')
    expect(await silently(value)).toMatchObject({ error: 'login_required' })
  })
})
