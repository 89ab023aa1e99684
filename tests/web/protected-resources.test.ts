import { describe, expect, it } from 'vitest'
import { asOperator, machineToken } from '../kit/clients/management-client.ts'
import { atOrigin, openTestApp } from '../kit/test-app.ts'

const app = openTestApp()

describe('The metadata of a protected resource (RFC 9728)', () => {
  it.each([
    {
      path: '/api',
      call: '/api/users',
      scopes: expect.arrayContaining(['all', 'users:read', 'settings:write']),
    },
    { path: '/api/me', call: '/api/me', scopes: expect.arrayContaining(['openid', 'profile', 'address']) },
  ])('of $path is where its challenge says', async ({ path, call, scopes }) => {
    const challenge = (await app.fetch(call)).headers.get('www-authenticate') ?? ''
    const address = new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '')
    // RFC 9728 §3.1: between the host and the path of the resource.
    expect(address.href).toBe(`${app.origin}/.well-known/oauth-protected-resource${path}`)
    const answer = await app.fetch(address.pathname, { headers: { origin: 'https://agent.example' } })
    expect(await answer.json()).toMatchObject({
      resource: app.origin + path,
      authorization_servers: [`${app.origin}/oidc`],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('cache-control')).toContain('max-age=60')
  })

  it('may be asked for by pages of other origins, with headers of theirs', async () => {
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

describe('Discovery with the path of the issuer last (RFC 8414 §3.1)', () => {
  it.each(['openid-configuration', 'oauth-authorization-server'])(
    'answers /.well-known/%s/oidc',
    async (name) => {
      const [inserted, appended] = [`/.well-known/${name}/oidc`, `/oidc/.well-known/${name}`]
      const headers = { origin: 'https://agent.example' }
      const [answer, other] = [await app.fetch(inserted, { headers }), await app.fetch(appended, { headers })]
      const document = await answer.json()
      expect(document).toMatchObject({ issuer: `${app.origin}/oidc` })
      expect(document).toEqual(await other.json())
      for (const header of ['access-control-allow-origin', 'cache-control', 'content-type'])
        expect([header, answer.headers.get(header)]).toEqual([header, other.headers.get(header) ?? 'present'])

      expect((await app.fetch(inserted, { method: 'HEAD' })).status).toBe(200)
      const refused = await app.fetch(inserted, { method: 'POST' })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect((await app.fetch(`${inserted}/`)).status).toBe(404)
      expect((await app.fetch(`/.well-known/${name}`)).status).toBe(404)
    },
  )

  it('is the same wherever clients look, and names the host that was asked, of each tenant', async () => {
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
