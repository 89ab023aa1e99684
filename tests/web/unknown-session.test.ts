import { expect, it } from 'vitest'
import { openHouse } from '../house.ts'
import { setTenantSettings } from '../tenant.ts'

/** Contract 4.8: a page, and a form of it, that belong to no interaction. */
it('sends visitors who came with nothing where the operator wants them', async () => {
  const elsewhere = 'https://www.example.com/welcome'
  for (const [sessionNotFoundRedirectUrl, to] of [
    [null, '/unknown-session'],
    [elsewhere, elsewhere],
  ] as const) {
    const house = openHouse()
    await setTenantSettings(house, { sessionNotFoundRedirectUrl })
    const page = await house.fetch('/sign-in')
    expect([page.status, page.headers.get('location')]).toEqual([302, to])
    const form = await house.fetch('/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ identifier: 'ann', password: 'x' }),
    })
    expect([form.status, form.headers.get('location')]).toEqual([303, to])
  }
})
