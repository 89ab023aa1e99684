import { expect, it } from 'vitest'
import { desktopOptions, mobileOptions, openPage, savePicture } from '../browser.ts'
import { overflowOf, smallTargets } from '../inspection.ts'
import { pressOn } from '../keyboard.ts'
import { openTenant } from '../tenant.ts'

/**
 * Tests the development inbox in a browser (spec/pages#dev-inbox). The frame runs no scripts, not even those of a test,
 * so tests/web/pages/dev-inbox.test.ts covers its content.
 */

const tenant = await openTenant()

it.each([
  { device: 'desktop', options: desktopOptions },
  { device: 'phone', options: mobileOptions },
])(
  'without JavaScript, an e-mail is read as HTML, in light and dark, as text and as source: $device',
  async ({ device, options }) => {
    const to = `${device}@inbox.example`
    await tenant.call('POST', '/verification-codes', { email: to })
    const code = await tenant.codeTo(to)
    const { page, complaints } = await openPage({ ...options, javaScriptEnabled: false })
    await page.goto(`${tenant.origin}/dev/inbox?to=${to}`)
    await pressOn(page, 'Your verification code')
    const untilFrameShows = (theme: string) =>
      expect.poll(() => page.frames()[1]?.url()).toContain(`/html?theme=${theme}`)
    await page.getByRole('link', { name: 'Source' }).waitFor()
    await untilFrameShows('light')
    expect([await overflowOf(page), await smallTargets(page)]).toEqual([0, []])
    await savePicture(page, `inbox-${device}`)

    await pressOn(page, 'Dark')
    await page.waitForURL('**theme=dark')
    await untilFrameShows('dark')
    await savePicture(page, `inbox-${device}-dark`)

    await page.getByRole('link', { name: 'Text' }).click()
    await page.getByText(`Your code: ${code}`).waitFor()
    await page.getByRole('link', { name: 'Source' }).click()
    await page.getByText('<!doctype html>').waitFor()
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.waitForURL('**/dev/inbox?to=*')
    expect(complaints).toEqual([])
  },
)
