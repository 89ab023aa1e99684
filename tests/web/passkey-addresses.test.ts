import { afterAll, describe, expect, it } from 'vitest'
import { enablePasskeys } from '../kit/clients/passkey-client.ts'
import { setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp } from '../kit/test-app.ts'

// spec/pages#passkey-addresses
const WEBAUTHN = '/.well-known/webauthn'
const ENDPOINTS = '/.well-known/passkey-endpoints'
const manageUrl = 'https://shop.example.com/account/passkeys'
afterAll(() => setTenantSettings(openTestApp(), {}))

describe('the well-known URLs for passkeys', () => {
  it('return the tenant’s origins and the page for managing passkeys', async () => {
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

  it('respond with 404 if passkeys are disabled or no page can manage them', async () => {
    await enablePasskeys(openTestApp())
    const enabled = openTestApp()
    expect((await enabled.fetch(WEBAUTHN)).status).toBe(200)
    expect((await enabled.fetch(ENDPOINTS)).status).toBe(404)
    // The account centre manages passkeys if it is enabled and users may manage their own passkeys.
    const passkeys = { enabled: true, rpId: 'localhost' }
    await setTenantSettings(enabled, { passkeys, accountCentre: { enabled: true } })
    expect(await (await openTestApp().fetch(ENDPOINTS)).json()).toEqual({
      enroll: `${enabled.origin}/account/passkeys/new`,
      manage: `${enabled.origin}/account/passkeys`,
    })
    await setTenantSettings(enabled, {})
    const disabled = openTestApp()
    for (const path of [WEBAUTHN, ENDPOINTS]) expect((await disabled.fetch(path)).status).toBe(404)
  })
})
