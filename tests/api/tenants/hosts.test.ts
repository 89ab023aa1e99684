import { describe, expect, it } from 'vitest'
import { commitChange, notAudited } from '../../../src/storage/commit.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { tenantCreationStatements } from '../../../src/storage/tenants/tenant-list.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
} from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { atOrigin, openTestApp, type TestApp } from '../../kit/test-app.ts'

const DISCOVERY = '/oidc/.well-known/openid-configuration'
const HTML = { headers: { accept: 'text/html' } }

async function newTenant(app: TestApp, id = freshName().replace('_', '-')): Promise<string> {
  const db = openD1(app.env.DB)
  const owner = { type: 'app' as const, id: 'operator' }
  await commitChange(db, {
    tenantId: id,
    statements: tenantCreationStatements(
      db,
      { id, createdAt: Date.now() },
      { owner, mayOwnMany: true, roleNames: [] },
    ),
    audit: notAudited('a fixture'),
  })
  return id
}

const production = (HOSTS: string) => openTestApp({ ENVIRONMENT: 'production', HOSTS })

describe('a host', () => {
  it('[DISCOVERY-4.2-2] is its tenant’s issuer, and each tenant has its own keys', async () => {
    const app = production('id.example.com *.t.example=* shop.example=shop')
    await newTenant(app, 'shop')
    const other = await newTenant(app)
    const origins = ['https://id.example.com', `https://${other}.t.example`, 'https://shop.example']

    const keys: string[] = []
    for (const origin of origins) {
      expect(await (await app.fetch(origin + DISCOVERY)).json()).toMatchObject({ issuer: `${origin}/oidc` })
      const set: { keys: { kid: string }[] } = await (await app.fetch(`${origin}/oidc/jwks`)).json()
      keys.push(...set.keys.map(({ kid }) => kid))
    }
    expect(keys).toHaveLength(9)
    expect(new Set(keys).size).toBe(9)
  })

  it('has the same keys as its tenant’s other hosts', async () => {
    const app = production('id.example.com id2.example.com')
    const sets = await Promise.all(
      ['https://id.example.com', 'https://id2.example.com'].map(async (origin) =>
        (await app.fetch(`${origin}/oidc/jwks`)).text(),
      ),
    )
    expect(sets[0]).toBe(sets[1])
  })

  it.each([
    'https://evil.example',
    'https://unknown.t.example',
    'https://a.b.t.example',
    'https://t.example',
    'https://typo.example',
  ])('returns 404 for every path if it belongs to no tenant: %s', async (origin) => {
    const app = production('id.example.com *.t.example=* typo.example=no-such-tenant')
    for (const path of ['/', '/sign-in', '/demo-app', '/api/status', '/api/users', '/api/docs', DISCOVERY]) {
      const response = await app.fetch(origin + path)
      expect([path, response.status, response.headers.get('x-request-id')]).toEqual([
        path,
        404,
        expect.any(String),
      ])
      expect(await response.json()).toMatchObject({ code: 'entity.not_found' })
      expect(response.headers.getSetCookie()).toEqual([])

      const answer = await app.fetch(origin + path, HTML)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ])
    }
  })

  it('serves pages without any tenant’s styles if it belongs to no tenant', async () => {
    const app = production('id.example.com')
    await app.env.DB.prepare(
      `update sign_in_experiences set custom_css = '.of-default{}' where tenant_id = 'default'`,
    ).run()
    expect(await (await app.fetch('https://id.example.com/unknown-session', HTML)).text()).toContain(
      '.of-default',
    )
    expect(await (await app.fetch('https://evil.example/unknown-session', HTML)).text()).not.toContain(
      '.of-default',
    )
  })

  it('can be a subdomain of localhost in development, where localhost itself belongs to the default tenant', async () => {
    const app = openTestApp()
    const id = await newTenant(app)
    const subdomain = await atOrigin(app, `http://${id}.localhost:8787`).fetch('/api/.well-known/sign-in-exp')
    expect(await subdomain.json()).toMatchObject({ tenantId: id })
    const localhost = await app.fetch('/api/.well-known/sign-in-exp')
    expect(await localhost.json()).toMatchObject({ tenantId: 'default' })
    expect((await app.fetch('http://unknown.localhost:8787/api/status')).status).toBe(404)
  })

  it('prevents the server from starting if it is invalid', async () => {
    await expect(async () => production('https://id.example.com').fetch('/')).rejects.toThrow(
      /The configuration is incomplete\. hosts: "https:\/\/id\.example\.com" is not a host/,
    )
  })
})

describe('a dedicated console host (spec/console#own-host)', () => {
  const [CONSOLE, ID] = ['https://admin.example.com', 'https://id.example.com']
  const app = () => production('id.example.com admin.example.com=default/console')

  it('serves only the console, and other hosts redirect to it', async () => {
    const site = app()
    for (const path of ['/sign-in', '/api/status', '/api/docs', '/demo-app', '/account', DISCOVERY])
      expect([path, (await site.fetch(CONSOLE + path)).status]).toEqual([path, 404])
    expect((await site.fetch(`${CONSOLE}/console`, { method: 'POST' })).status).toBe(405)

    const page = await site.fetch(`${CONSOLE}/console/users`)
    expect(await page.text()).toContain(`<meta name="api-origin" content="${ID}">`)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain(`connect-src 'self' ${ID};`)
    expect(policy).toContain(`frame-src 'self' ${ID};`)

    const [root, redirected] = [await site.fetch(CONSOLE), await site.fetch(`${ID}/console/log?a=b`)]
    expect([root.status, root.headers.get('location')]).toEqual([302, `${CONSOLE}/console`])
    expect([redirected.status, redirected.headers.get('location')]).toEqual([
      302,
      `${CONSOLE}/console/log?a=b`,
    ])
    const posted = await site.fetch(`${ID}/console`, { method: 'POST' })
    expect(posted.status).toBe(404)
  })

  it('[ASVS-3.4.2-2] is the only host on which the console can sign in and call the management API', async () => {
    const site = app()
    const codeAt = async (origin: string) => {
      const query = new URLSearchParams({
        client_id: 'console',
        redirect_uri: `${origin}/console/`,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
        prompt: 'none',
      })
      const answer = await site.fetch(`${ID}/oidc/auth?${query}`)
      return new URL(answer.headers.get('location') ?? ID, ID).origin
    }
    expect([await codeAt(CONSOLE), await codeAt(ID)]).toEqual([CONSOLE, ID])
    expect((await site.fetch(`${ID}/oidc/auth?client_id=console&redirect_uri=${ID}/console/`)).status).toBe(
      400,
    )

    const preflight = (origin: string) =>
      site.fetch(`${ID}/api/users`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      })
    const allowedOrigin = async (answer: Promise<Response>) =>
      (await answer).headers.get('access-control-allow-origin')
    expect(await allowedOrigin(preflight(CONSOLE))).toBe(CONSOLE)
    expect((await preflight(CONSOLE)).headers.get('access-control-allow-headers')).toContain('If-Match')
    expect((await preflight(CONSOLE)).headers.get('access-control-allow-credentials')).toBe('true')
    const call = (path: string, origin: string) => site.fetch(ID + path, { headers: { origin } })
    expect(await allowedOrigin(call('/api/users', CONSOLE))).toBe(CONSOLE)
    expect((await call('/api/users', CONSOLE)).headers.get('access-control-expose-headers')).toContain('ETag')
    for (const origin of ['https://evil.example', ID, 'null', 'http://admin.example.com']) {
      expect([origin, await allowedOrigin(preflight(origin))]).toEqual([origin, null])
      expect([origin, await allowedOrigin(call('/api/users', origin))]).toEqual([origin, null])
    }
    expect(await allowedOrigin(call('/api/interaction/consent', CONSOLE))).toBe(null)
  })

  it('can frame previews and send settings to them', async () => {
    const preview = await app().fetch(`${ID}/sign-in?preview=true`)
    expect(preview.headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${CONSOLE};`)
    expect(await preview.text()).toContain(`"preview":{"origins":["${CONSOLE}"]}`)
  })

  it('cannot be its tenant’s only host', async () => {
    const consoleOnly = production('id.example.com admin.example.com=acme/console')
    await expect(async () => consoleOnly.fetch('/')).rejects.toThrow(
      /hosts: admin\.example\.com is for the console of a tenant without a host/,
    )
  })
})

describe('looking up a host’s tenant', () => {
  it('adds no round trip to a cached page', async () => {
    const app = openTestApp()
    const site = atOrigin(app, `http://${await newTenant(app)}.localhost:8787`)
    const client = newCookieClient(site)
    const uid = await openSignInPage(
      client,
      await authorizationRequest({ redirect_uri: `${await originOf(site)}/demo-app` }),
    )
    await client.get(`/sign-in?interaction=${uid}`)
    app.trips()
    expect((await client.get(`/sign-in?interaction=${uid}`)).status).toBe(200)
    expect(app.trips().awaited).toBe(0)
  })

  it('queries the database once for an unknown host', async () => {
    const app = openTestApp()
    for (let time = 0; time < 20; time++) await app.fetch('http://made-up.localhost:8787/api/status')
    expect(app.trips().awaited).toBe(1)
  })

  it('keeps known tenants in the cache during a flood of unknown hosts', async () => {
    const app = openTestApp()
    const id = await newTenant(app)
    expect((await app.fetch(`http://${id}.localhost:8787/api/status`)).status).toBe(204)
    app.trips()

    const flood = Array.from({ length: 400 }, (_, number) =>
      app.fetch(`http://made-up-${number}.localhost:8787/api/status`),
    )
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([404, 503]))
    expect(app.trips().awaited + app.trips().afterwards).toBeLessThanOrEqual(300)
    expect((await app.fetch(`http://${id}.localhost:8787/api/status`)).status).toBe(204)
  })

  it('does not query the database for a host name that cannot belong to a tenant', async () => {
    const app = openTestApp()
    for (const label of ['a.b', '-a', 'a_b', 'a'.repeat(22)])
      expect((await app.fetch(`http://${label}.localhost:8787/api/status`)).status).toBe(404)
    expect(app.trips().awaited).toBe(0)
  })
})

describe('the built-in management client', () => {
  it('can manage every tenant through that tenant’s host', async () => {
    const app = openTestApp()
    const id = await newTenant(app)
    const operator = await newOperator(atOrigin(app, `http://${id}.localhost:8787`))
    const created = await operator.send('POST', '/users', { username: freshName() })
    expect(created.status).toBe(200)
    const { count } = (await app.env.DB.prepare('select count(*) as count from users where tenant_id = ?')
      .bind(id)
      .first<{ count: number }>()) ?? { count: 0 }
    expect(count).toBe(1)
  })
})

const originOf = async (site: TestApp) => {
  const { issuer }: { issuer: string } = await (await site.fetch(DISCOVERY)).json()
  return new URL(issuer).origin
}
