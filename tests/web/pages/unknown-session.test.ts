import { expect, it } from 'vitest'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp } from '../../kit/test-app.ts'

/** spec/pages#unknown-session */
it("a page or form without an interaction redirects to the operator's URL", async () => {
  const elsewhere = 'https://www.example.com/welcome'
  for (const [sessionNotFoundRedirectUrl, to] of [
    [null, '/unknown-session'],
    [elsewhere, elsewhere],
  ] as const) {
    const app = openTestApp()
    await setTenantSettings(app, { sessionNotFoundRedirectUrl })
    const page = await app.fetch('/sign-in')
    expect([page.status, page.headers.get('location')]).toEqual([302, to])
    const form = await app.fetch('/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ identifier: 'ann', password: 'x' }),
    })
    expect([form.status, form.headers.get('location')]).toEqual([303, to])
  }
})
