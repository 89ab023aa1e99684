import { expect, it } from 'vitest'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp } from '../../kit/test-app.ts'

/** A page and its form without an interaction (spec/pages#unknown-session). */
it("redirects requests without an interaction to the operator's address", async () => {
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
