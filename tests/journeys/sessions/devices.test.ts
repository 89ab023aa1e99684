import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { poll, startDevice } from '../../kit/clients/device-client.ts'
import {
  desktopOptions,
  mobileOptions,
  narrowOptions,
  openPage,
  pictureSweep,
  savePicture,
  withoutScript,
} from '../browser.ts'
import { expectSound, smallTargets, untilHydrated } from '../inspection.ts'
import { signInByCalls } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'

/**
 * Tests the pages for devices in a browser (spec/pages#devices). tests/oidc/sessions/device-flow.test.ts checks who may
 * do what.
 */

const tenant = await openTenant({
  color: bothThemes,
})
const { id: television } = await tenant.call<{ id: string }>('POST', '/applications', {
  name: 'Television',
  type: 'Native',
  customClientMetadata: { deviceFlow: true },
})
const site = { fetch: (path: string, init?: RequestInit) => fetch(tenant.origin + path, init) }

const looks = [
  { name: 'arabic', options: { ...narrowOptions, locale: 'ar' } },
  { name: 'phone', options: mobileOptions },
  { name: 'desktop', options: desktopOptions },
  { name: 'dark', options: { ...desktopOptions, colorScheme: 'dark' as const } },
  { name: 'scriptless', options: withoutScript },
]

// tests/oidc/sessions/device-flow.test.ts submits the forms over HTTP.
it.each(pictureSweep.isExhaustive ? looks : looks.slice(0, 1))(
  'a user authorizes a device: $name',
  async ({ name, options }) => {
    const username = await tenant.registeredName()
    const { page, complaints } = await openPage(options)
    const look = async (what: string) => {
      if (name === 'scriptless') return
      await expectSound(page)
      expect(await smallTargets(page)).toEqual([])
      await savePicture(page, `device-${what}-${name}`)
    }
    const submit = (by: string) => page.locator(`main ${by}`).click()

    const started = await startDevice(site, television)
    await page.goto(`${tenant.origin}/device`)
    await look('code')
    await page.locator('main [name=user_code]').fill('bcdf ghjk')
    await submit('button')
    await page.locator('main [aria-invalid=true]').waitFor()
    await look('unknown')
    await page.goto(started.verification_uri_complete)
    await submit('button')
    await page.locator('main [name=identifier]').fill(username)
    await page.locator('main [name=password]').fill(PASSWORD)
    await submit('button[name=submit]')
    await page.waitForURL('**/sign-in/consent?**')
    await page.getByText(started.user_code).waitFor()
    await look('question')
    await submit('[name=decision][value=allow]')
    await page.waitForURL('**/oidc/device/**')
    await page.locator('main h1').waitFor()
    await look('end')
    expect(await poll(site, television, started.device_code)).toMatchObject({ status: 200 })

    const second = await startDevice(site, television)
    await page.goto(second.verification_uri_complete)
    await submit('button')
    await page.getByText(username).first().waitFor()
    await submit('[name=decision][value=deny]')
    await page.waitForURL('**/oidc/device/**')
    await page.locator('main h1').waitFor()
    await look('denied')
    expect(complaints).toEqual([])
  },
)

it('a user connects a device to another account with only the keyboard', async () => {
  const [first, second] = [await tenant.registeredName(), await tenant.registeredName()]
  const { page } = await openPage(desktopOptions)
  await signInByCalls(page, tenant, first)
  const { user_code: code, device_code: device } = await startDevice(site, television)
  await page.goto(`${tenant.origin}/device`)
  await tabTo(page, '[name=user_code]')
  await page.keyboard.type(code.toLowerCase().replace('-', ''))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sign-in/consent?**')
  await untilHydrated(page)
  await tabTo(page, '.chip a')
  await page.keyboard.press('Enter')
  // The code is filled in again, and the sign-in comes next.
  await page.getByText('Next, you’ll sign in.').waitFor()
  await tabTo(page, 'main button')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sign-in?**')
  await untilHydrated(page)
  await page.keyboard.type(second)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sign-in/consent?**')
  await untilHydrated(page)
  expect(await page.locator('.chip-name').textContent()).toBe(second)
  await tabTo(page, '[value=allow]')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your device is connected' }).waitFor()
  expect(await poll(site, television, device)).toMatchObject({ status: 200 })
})

/** Moves the focus to an element as a keyboard user does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let pressed = 0; pressed < 12; pressed += 1) {
    if (await page.evaluate((target) => document.activeElement?.matches(target), selector)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not reach ${selector}`)
}
