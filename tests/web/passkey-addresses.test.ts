import { afterAll, describe, expect, it } from 'vitest'
import { enablePasskeys } from '../kit/clients/passkey-client.ts'
import { setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp } from '../kit/test-app.ts'

/** spec/pages#passkey-addresses */
const WEBAUTHN = '/.well-known/webauthn'
const ENDPOINTS = '/.well-known/passkey-endpoints'
const manageUrl = 'https://shop.example.com/account/passkeys'
afterAll(() => setTenantSettings(openTestApp(), {}))

describe('the addresses of passkeys', () => {
  it('name the origins of the tenant and where passkeys are managed', async () => {
    await enablePasskeys(openTestApp(), { manageUrl })
    const app = openTestApp({
      ENVIRONMENT: 'production',
      HOSTS: 'localhost:8787=default,login.example.org=default,acme.example.net=acme',
    })
    const webauthn = await app.fetch(WEBAUTHN)
    expect(webauthn.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await webauthn.json()).toEqual({
      origins: ['https://localhost:8787', 'https://login.example.org'],
    })
    expect(await (await app.fetch(ENDPOINTS)).json()).toEqual({ enroll: manageUrl, manage: manageUrl })
  })

  it('do not exist where passkeys are not enabled, nor one without a page to manage them', async () => {
    await enablePasskeys(openTestApp())
    const enabled = openTestApp()
    expect((await enabled.fetch(WEBAUTHN)).status).toBe(200)
    expect((await enabled.fetch(ENDPOINTS)).status).toBe(404)
    // The account centre manages them where it is there and the tenant leaves them to its users.
    const passkeys = { enabled: true, rpId: 'localhost' }
    await setTenantSettings(enabled, { passkeys, accountCentre: { enabled: true } })
    expect(await (await openTestApp().fetch(ENDPOINTS)).json()).toEqual({
      enroll: `${enabled.origin}/account/passkeys/new`,
      manage: `${enabled.origin}/account/passkeys`,
    })
    await setTenantSettings(enabled, {})
    const without = openTestApp()
    for (const address of [WEBAUTHN, ENDPOINTS]) expect((await without.fetch(address)).status).toBe(404)
  })
})
