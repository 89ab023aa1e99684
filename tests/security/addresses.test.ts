import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { pageTable } from '../../client/app/routes.ts'
import { newMember } from '../kit/clients/account-client.ts'
import { authorizationRequest, newCookieClient, ORIGIN } from '../kit/clients/cookie-client.ts'
import { beginInteraction } from '../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { pairsOf } from '../kit/sweep.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { newClient } from './parties.ts'

/** URLs in query parameters never cause a redirect to evil.example (ASVS 3.7.2, RFC 9700 §4.11). */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const evil = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'javascript:alert(document.domain)',
  'data:text/html,<script>alert(1)</script>',
  'http://localhost:8787@evil.example/',
  'http://localhost:8787.evil.example/',
  '%2F%2Fevil.example',
  '\t//evil.example',
]

/** Common names of redirect parameters, and every parameter that the product reads. */
const names = [
  ...['redirect_uri', 'post_logout_redirect_uri', 'redirect_to', 'redirectTo', 'native_callback', 'callback'],
  ...[
    'next',
    'url',
    'return',
    'returnTo',
    'return_to',
    'continue',
    'goto',
    'r',
    'u',
    'interaction',
    'lng',
    'state',
  ],
  ...['initiate_login_uri', 'target_link_uri', 'iss', 'login_hint', 'logo', 'connectorId', 'preview'],
]
const everything = (address: string) => names.map((name) => [name, address])

const leadsAway = (location: string | null) => {
  if (location === null) return false
  const to = URL.parse(location, ORIGIN)
  return !to || to.hostname.endsWith('evil.example') || !/^https?:$/.test(to.protocol)
}

const addresses = pageTable.map(({ path }) => path.replace(/:\w+$/, 'email'))
const others = [
  '/',
  '/restart',
  '/demo-app',
  '/callback/x',
  '/springboard',
  '/social/landing/x',
  '/no-such-page',
]
const more = [
  '/.well-known/change-password',
  '/oidc/auth',
  '/oidc/session/end',
  '/oidc/session/end/success',
  '/oidc/me',
]

describe('a URL that contains a foreign URL', () => {
  it.each([...addresses, ...others, ...more])(
    '[RFC9700-2.1-3] never redirects to another site: %s',
    async (path) => {
      const { client, uid } = await beginInteraction(app)
      for (const [address, ask] of pairsOf(env.TEST_SWEEP, evil, [client.get, app.fetch])) {
        const query = new URLSearchParams([...everything(address), ['interaction', uid]])
        const response = await ask(`${path}?${query}`)
        expect([path, address, leadsAway(response.headers.get('location'))]).toEqual([path, address, false])
        expect(response.headers.get('refresh') ?? '').not.toContain('evil')
        const html = await response.text()
        expect(html).not.toMatch(/(?:href|src|action|content)="[^"]*(?:\/\/|\\\\)evil\.example/i)
        // Backup codes are downloaded as plain text, in which a browser runs nothing.
        expect(html).not.toMatch(/(?:href|src|action)="(?:javascript|data:text\/(?!plain;))/i)
      }
    },
  )

  it.each([
    '//evil.example/',
    '/\\evil.example',
    '/.//evil.example',
    '/%5Cevil.example/',
    '/%2F/evil.example',
  ])('does not redirect to a URL in its path: %s', async (path) => {
    const response = await app.fetch(`${ORIGIN}${path}`)
    expect(leadsAway(response.headers.get('location'))).toBe(false)
  })

  it('[LOGOUT-2-2] is rejected as the redirect URI for a sign-out, even with a valid session', async () => {
    const { client, request } = await newMember(app)
    expect(request.redirectUri).toContain('/demo-app')
    for (const address of evil) {
      const query = new URLSearchParams({ client_id: 'demo-app', post_logout_redirect_uri: address })
      const response = await client.get(`/oidc/session/end?${query}`, { accept: 'application/json' })
      expect([address, response.status, response.headers.get('location')]).toEqual([address, 400, null])
    }
  })

  it('[LOGOUT-2] is rejected as the redirect URI for a sign-out unless it matches exactly', async () => {
    const client = await newClient(app, 'SPA')
    for (const address of [
      'https://shop.example/bye/',
      'https://shop.example/bye?x',
      'https://SHOP.example/bye',
    ]) {
      const query = new URLSearchParams({ client_id: client.id, post_logout_redirect_uri: address })
      const { status } = await newCookieClient(app).get(`/oidc/session/end?${query}`, {
        accept: 'application/json',
      })
      expect(status).toBe(400)
    }
    const query = new URLSearchParams({
      client_id: client.id,
      post_logout_redirect_uri: 'https://shop.example/bye',
    })
    expect((await newCookieClient(app).get(`/oidc/session/end?${query}`)).status).toBe(200)
  })

  it('[RFC9700-4.13-2] is not affected by forwarding headers', async () => {
    const { url } = await authorizationRequest()
    for (const name of [
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-original-url',
      'forwarded',
      'x-forwarded-prefix',
    ]) {
      const headers = { [name]: 'evil.example', accept: 'application/json' }
      const discovery = await (await app.fetch('/oidc/.well-known/openid-configuration', { headers })).text()
      expect(discovery).not.toContain('evil')
      const response = await newCookieClient(app).get(url, headers)
      expect(response.headers.get('location')).toMatch(/^\/sign-in\?/)
    }
  })
})

describe('an application’s redirect URI', () => {
  it.each([
    'javascript:alert(1)//',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'https://shop.example/back#x',
    'https://shop.example/ back',
    'https://shop.example/\nback',
    'not an address',
    '*',
    'https://*.example/back',
  ])('[RFC9700-4.1.3] cannot be %j', async (address) => {
    const response = await operator.send('POST', '/applications', {
      name: 'Evil',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: [address], postLogoutRedirectUris: [address] },
    })
    if (address === 'https://*.example/back') {
      // An asterisk is an ordinary character, not a wildcard.
      const { id } = (await response.json()) as { id: string }
      const { url } = await authorizationRequest({ client_id: id, redirect_uri: 'https://evil.example/back' })
      expect((await newCookieClient(app).get(url, { accept: 'application/json' })).status).toBe(400)
    } else expect(response.status).toBe(400)
  })
})
