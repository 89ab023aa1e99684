import { expect, it } from 'vitest'
import { poll, startDevice } from '../../kit/clients/device-client.ts'
import { desktopOptions, mobileOptions, openPage, pictureSweep, savePicture } from '../browser.ts'
import { expectSound, smallTargets } from '../inspection.ts'
import { signInOnPage } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/**
 * Tests the pages for devices in a browser (spec/pages#devices). tests/oidc/sessions/device-flow.test.ts checks who may
 * do what.
 */

const tenant = await openTenant({
  color: { primaryColor: '#6139F6', isDarkModeEnabled: true, darkPrimaryColor: '#8768F8' },
})
const { id: television } = await tenant.call<{ id: string }>('POST', '/applications', {
  name: 'Television',
  type: 'Native',
  customClientMetadata: { deviceFlow: true },
})
const site = { fetch: (path: string, init?: RequestInit) => fetch(tenant.origin + path, init) }

const small = { ...mobileOptions, viewport: { width: 320, height: 640 } }
const looks = [
  { name: 'arabic', options: { ...small, locale: 'ar' } },
  { name: 'phone', options: small },
  { name: 'dark', options: { ...desktopOptions, colorScheme: 'dark' as const } },
]

it.each(pictureSweep.isExhaustive ? looks : looks.slice(0, 1))(
  'a user authorizes a device: $name',
  async ({ name, options }) => {
    const username = await tenant.registeredName()
    const { page, complaints } = await openPage(options)
    const look = async (what: string) => {
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
    await page.getByText('Television').first().waitFor()
    await look('question')
    await submit('[name=confirm]')
    await page.locator('main [name=identifier]').waitFor()
    if (name === 'arabic') {
      await page.locator('main [name=identifier]').fill(username)
      await page.locator('main [name=password]').fill('correct-horse-7')
      await page.locator('main button[name=submit]').click()
    } else await signInOnPage(page, username)
    await page.locator('main h1').waitFor()
    await page.waitForURL('**/oidc/device/**')
    await look('end')
    expect(await poll(site, television, started.device_code)).toMatchObject({ status: 200 })

    const second = await startDevice(site, television)
    await page.goto(second.verification_uri_complete)
    await submit('button')
    await page.getByText(username).waitFor()
    await look('account')
    await submit('[name=abort]')
    await page.locator('main h1').waitFor()
    await look('denied')
    expect(complaints).toEqual([])
  },
)
