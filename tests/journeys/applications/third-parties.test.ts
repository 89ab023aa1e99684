import * as client from 'openid-client'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { PUBLISHED_CLIENT } from '../../faults/published-client.ts'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { poll, startDevice } from '../../kit/clients/device-client.ts'
import { openPage, withoutScript } from '../browser.ts'
import type { NewApplication } from '../management.ts'
import { openTenant } from '../tenant.ts'

/**
 * Tests applications whose users have to consent, from authorization to token, over https. consent.test.ts
 * covers the consent page itself.
 */

const CALLBACK = 'https://partner.example.test/callback'
const tenant = await openTenant()
const { origin, call } = tenant
const issuer = new URL(`${origin}/oidc`)
await call('PATCH', '/configs/settings', {
  unregisteredClients: { enabled: true },
  clientRegistration: { enabled: true, scopes: ['openid', 'profile'] },
})

type Party = { config: client.Configuration; callback: string }

const parties: { what: string; register(): Promise<Party> }[] = [
  {
    what: 'a third-party application',
    async register() {
      const { id, secret } = await call<NewApplication>('POST', '/applications', {
        name: 'Partner',
        type: 'Traditional',
        oidcClientMetadata: { redirectUris: [CALLBACK], postLogoutRedirectUris: [] },
        customClientMetadata: { isThirdParty: true },
      })
      return { config: await client.discovery(issuer, id, secret), callback: CALLBACK }
    },
  },
  {
    what: 'a client that registers itself',
    async register() {
      const { token } = await call<{ token: string }>('POST', '/registration-tokens', { name: 'Partners' })
      const metadata = { client_name: 'Partner', redirect_uris: [CALLBACK] }
      const config = await client.dynamicClientRegistration(issuer, metadata, undefined, {
        initialAccessToken: token,
      })
      return { config, callback: CALLBACK }
    },
  },
  {
    what: 'an agent with a metadata document',
    register: async () => ({
      config: await client.discovery(issuer, PUBLISHED_CLIENT, undefined, client.None()),
      callback: 'http://127.0.0.1:9/callback',
    }),
  },
]

it('a browser that has visited the host before upgrades plain http to https', async () => {
  const plain = `${origin.replace('https:', 'http:')}/unknown-session`
  const stranger = await openPage(withoutScript)
  await expect(stranger.page.goto(plain)).rejects.toThrow('ERR_')
  const { page } = await openPage(withoutScript)
  await page.goto(`${origin}/unknown-session`)
  await page.goto(plain)
  expect(page.url()).toBe(`${origin}/unknown-session`)
})

it.each(parties)('$what obtains consent and a token', async ({ register }) => {
  const { config, callback } = await register()
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const authorization = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  })
  const { page } = await openPage(withoutScript)
  await page.goto(authorization.href)
  await signIn(page)
  const answered = page.waitForRequest((request) => request.url().startsWith(callback))
  await page.locator('main [name=decision][value=allow]').click()
  const answer = new URL((await answered).url())
  const tokens = await client.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState })
  expect(tokens.claims()?.iss).toBe(issuer.href)
})

it('a third-party device obtains consent and a token', async () => {
  const { id } = await call<NewApplication>('POST', '/applications', {
    name: 'Television',
    type: 'Native',
    customClientMetadata: { deviceFlow: true, isThirdParty: true },
  })
  const site = { fetch: (path: string, init?: RequestInit) => fetch(origin + path, init) }
  const started = await startDevice(site, id)
  const { page } = await openPage(withoutScript)
  await page.goto(started.verification_uri_complete)
  await page.locator('main button').click()
  await signIn(page)
  await page.locator('main [name=decision][value=allow]').click()
  await page.waitForURL('**/oidc/device/**')
  expect(await poll(site, id, started.device_code)).toMatchObject({ status: 200 })
})

async function signIn(page: Page): Promise<void> {
  await page.locator('main [name=identifier]').fill(await tenant.registeredName())
  await page.locator('main [name=password]').fill(PASSWORD)
  await page.locator('main button[name=submit]').click()
}
