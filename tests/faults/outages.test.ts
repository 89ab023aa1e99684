import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { newMember } from '../kit/clients/account-client.ts'
import { authorizationRequest, newCookieClient, ORIGIN } from '../kit/clients/cookie-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { createTenantFixture } from '../kit/tenant-fixture.ts'
import { atOrigin, openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * Tests what is available while the database is down (spec/storage#last-good-copies, spec/provider#protocol-errors).
 */

const TENANT_ORIGIN = 'http://acme.localhost:8787'
const origins = [ORIGIN, TENANT_ORIGIN]
const documents = [
  '/oidc/jwks',
  '/oidc/.well-known/openid-configuration',
  '/oidc/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration/oidc',
  '/.well-known/oauth-authorization-server/oidc',
]

const breakDatabase = (app: TestApp) =>
  app.beforeEachTrip(() => {
    throw new Error('D1_ERROR: Network connection lost.')
  })

/**
 * Opens an isolate that starts while the database is down. It uses the test's KV directly, because no test
 * here depends on the caches of KV.
 */
function openInOutage(): TestApp {
  const app = openTestApp({ INTERACTIONS: env.INTERACTIONS })
  breakDatabase(app)
  return app
}

beforeAll(async () => {
  await createTenantFixture(openTestApp(), 'acme', 'fr')
})

describe('the Worker without a database', () => {
  it('serves discovery and keys, even from an isolate that has just started', async () => {
    const app = openTestApp({ INTERACTIONS: env.INTERACTIONS })
    for (const origin of origins) {
      for (const path of documents) {
        const good = await atOrigin(app, origin).fetch(path)
        expect(good.headers.get('cache-control')).toBe('public, max-age=60, stale-if-error=86400')
        const answer = await atOrigin(openInOutage(), origin).fetch(path)
        expect([path, answer.status]).toEqual([path, 200])
        for (const name of ['content-type', 'cache-control'])
          expect(answer.headers.get(name)).toBe(good.headers.get(name))
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
        expect(answer.headers.has('retry-after')).toBe(false)
        expect(await answer.text()).toBe(await good.text())
      }
    }
    // Each copy is available only at the hosts of its own tenant.
    expect((await atOrigin(openInOutage(), 'http://other.localhost:8787').fetch('/oidc/jwks')).status).toBe(
      503,
    )
  })

  it('serves a copy of the key set that contains only public keys that have not been withdrawn', async () => {
    const app = openTestApp({ INTERACTIONS: env.INTERACTIONS })
    const keysOf = async (answer: Response) =>
      ((await answer.json()) as { keys: (object & { kid: string })[] }).keys
    const before = await keysOf(await app.fetch('/oidc/jwks'))
    expect(before.flatMap(Object.keys)).not.toContain('d')
    const operator = await newOperator(app)
    await operator.send('POST', '/configs/signing-keys/rotate', { withdraw: true })
    await app.fetch('/oidc/jwks')
    const after = await keysOf(await openInOutage().fetch('/oidc/jwks'))
    expect(after.length).toBe(3)
    expect(after.filter(({ kid }) => before.some((key) => key.kid === kid))).toEqual([])
  })

  it.each([
    '/oidc/token',
    '/oidc/request',
    '/oidc/token/introspection',
    '/oidc/token/revocation',
    '/oidc/me',
  ])('responds with an OAuth error and a `Retry-After` header at %s', async (path) => {
    const warm = openTestApp()
    await warm.fetch('/oidc/jwks')
    breakDatabase(warm)
    for (const app of [openInOutage(), warm, atOrigin(openInOutage(), TENANT_ORIGIN)]) {
      for (const accept of ['*/*', 'text/html']) {
        const answer = await app.fetch(path, {
          method: 'POST',
          headers: { accept, ...(path === '/oidc/me' && { authorization: `Bearer ${'x'.repeat(43)}` }) },
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            refresh_token: 'x',
            token: 'x',
            ...(path !== '/oidc/me' && { client_id: 'shop', client_secret: 'x' }),
          }),
        })
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
        expect(await answer.json()).toMatchObject({ error: 'temporarily_unavailable' })
        expect(answer.headers.get('cache-control')).toBe('no-store')
      }
    }
  })

  it('shows browsers an error page at /oidc/auth', async () => {
    const warm = openTestApp()
    const { client } = await newMember(warm)
    breakDatabase(warm)
    const browser = newCookieClient(warm)
    for (const [name, cookie] of client.cookies) browser.cookies.set(name, cookie)
    const clients = [
      browser,
      newCookieClient(openInOutage()),
      newCookieClient(atOrigin(openInOutage(), TENANT_ORIGIN)),
    ]
    for (const each of clients) {
      const answer = await each.get((await authorizationRequest()).url, { accept: 'text/html,*/*;q=0.8' })
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.getSetCookie().filter((line) => /^_(?:session|interaction)/.test(line))).toEqual(
        [],
      )
      expect(await answer.text()).toContain('<h1')
    }
  })
})
