import { describe, expect, it } from 'vitest'
import { asOperator, machineToken } from '../kit/clients/management-client.ts'
import { atOrigin, openTestApp } from '../kit/test-app.ts'

const app = openTestApp()

describe('protected resource metadata (RFC 9728)', () => {
  it.each([
    {
      path: '/api',
      call: '/api/users',
      scopes: expect.arrayContaining(['all', 'users:read', 'settings:write']),
    },
    { path: '/api/me', call: '/api/me', scopes: expect.arrayContaining(['openid', 'profile', 'address']) },
  ])('is served for $path at the URL in the challenge', async ({ path, call, scopes }) => {
    const challenge = (await app.fetch(call)).headers.get('www-authenticate') ?? ''
    const url = new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '')
    // The well-known path is inserted between the host and the path of the resource (RFC 9728 §3.1).
    expect(url.href).toBe(`${app.origin}/.well-known/oauth-protected-resource${path}`)
    const response = await app.fetch(url.pathname, { headers: { origin: 'https://agent.example' } })
    expect(await response.json()).toMatchObject({
      resource: app.origin + path,
      authorization_servers: [`${app.origin}/oidc`],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cache-control')).toContain('max-age=60')
  })

  it('can be fetched cross-origin with custom headers', async () => {
    const headers = {
      origin: 'https://agent.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mcp-protocol-version',
    }
    const path = '/.well-known/oauth-protected-resource/api/me'
    const preflight = await app.fetch(path, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version')
    expect((await app.fetch(path, { method: 'POST' })).status).toBe(405)
    expect((await app.fetch('/.well-known/oauth-protected-resource/other')).status).toBe(404)
  })
})

describe('discovery at a URL that ends with the issuer’s path (RFC 8414 §3.1)', () => {
  it.each(['openid-configuration', 'oauth-authorization-server'])(
    'serves the provider’s document at /.well-known/%s/oidc',
    async (name) => {
      const [inserted, appended] = [`/.well-known/${name}/oidc`, `/oidc/.well-known/${name}`]
      const headers = { origin: 'https://agent.example' }
      const [response, other] = [
        await app.fetch(inserted, { headers }),
        await app.fetch(appended, { headers }),
      ]
      const document = await response.json()
      expect(document).toMatchObject({ issuer: `${app.origin}/oidc` })
      expect(document).toEqual(await other.json())
      for (const header of ['access-control-allow-origin', 'cache-control', 'content-type'])
        expect([header, response.headers.get(header)]).toEqual([
          header,
          other.headers.get(header) ?? 'present',
        ])

      expect((await app.fetch(inserted, { method: 'HEAD' })).status).toBe(200)
      const post = await app.fetch(inserted, { method: 'POST' })
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect((await app.fetch(`${inserted}/`)).status).toBe(404)
      expect((await app.fetch(`/.well-known/${name}`)).status).toBe(404)
    },
  )

  it('returns the same document at every URL, with the requested host’s issuer', async () => {
    const token = await machineToken(app, undefined, 'manage:tenant', 'urn:vestibule:services')
    const operator = asOperator(app, token)
    const created = (await (await operator.send('POST', '/tenants', {})).json()) as { origin: string }
    for (const site of [app, atOrigin(app, created.origin)]) {
      const documents = await Promise.all(
        [
          '/.well-known/oauth-authorization-server/oidc',
          '/.well-known/openid-configuration/oidc',
          '/oidc/.well-known/oauth-authorization-server',
          '/oidc/.well-known/openid-configuration',
        ].map(async (path) => (await site.fetch(path)).json()),
      )
      expect(documents[0]).toMatchObject({
        issuer: `${site.origin}/oidc`,
        jwks_uri: `${site.origin}/oidc/jwks`,
      })
      expect(new Set(documents.map((document) => JSON.stringify(document))).size).toBe(1)
    }
    expect(created.origin).not.toBe(app.origin)
  })
})
