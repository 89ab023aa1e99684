import type { Page } from 'playwright'
import { afterAll, describe, expect, it } from 'vitest'
import { freshEmail } from '../kit/clients/interaction-client.ts'
import { desktopOptions, mobileOptions, openPage } from './browser.ts'
import { untilHydrated } from './inspection.ts'
import { openSite } from './site.ts'
import { pressButton } from './steps.ts'
import { openTenant } from './tenant.ts'

/**
 * Times that the original specification states, and two details that only a browser can show. Each title quotes it. The
 * clock of the page stands still, and each test moves it.
 */

const both = { password: true, verificationCode: true, isPasswordPrimary: false }
const terms = await openSite({ '/': '<h1>Our terms</h1>' })
afterAll(() => terms.close())
const { origin, codeTo, openApplication } = await openTenant({
  signIn: {
    methods: [
      { identifier: 'email', ...both },
      { identifier: 'phone', ...both },
    ],
  },
  signUp: { identifiers: ['email'], password: false, verify: true },
  termsOfUseUrl: `${terms.origin}/`,
})
const application = await openApplication()
const toSignIn = async (page: Page, parameters: Record<string, string> = {}) => {
  await page.goto((await application.authorizationUrl(parameters)).url)
  await untilHydrated(page)
}

async function toCode(page: Page, email: string): Promise<string> {
  await toSignIn(page, { interaction_mode: 'signUp' })
  await page.locator('[name=identifier]').fill(email)
  await page.getByRole('checkbox').check()
  await pressButton(page, 'Continue')
  await page.waitForURL('**/verification-code?**')
  await untilHydrated(page)
  return codeTo(email)
}

/** Stops the clock of the page at this moment. */
const stopClock = (page: Page) => page.clock.pauseAt(Date.now() + 3_600_000)

describe('the times of the original specification', () => {
  it('a toast "auto-dismisses after 3000 ms", and then fades', async () => {
    const { page } = await openPage(desktopOptions)
    await page.clock.install()
    await toCode(page, freshEmail())
    await stopClock(page)
    await pressButton(page, 'Resend code')
    const toast = page.locator('.toast')
    await toast.waitFor()
    // The second animation fades it out.
    expect(await toast.evaluate((element) => getComputedStyle(element).animationDelay)).toBe('0s, 3s')
    await page.clock.runFor(3_000)
    expect(await toast.count()).toBe(1)
    await page.clock.runFor(300)
    await toast.waitFor({ state: 'detached' })
  })

  it('the "iframe modal close animation" takes "300 ms"', async () => {
    const { page } = await openPage(mobileOptions)
    await page.clock.install()
    await toSignIn(page)
    await page.getByRole('link', { name: 'Terms of Use' }).click()
    const sheet = page.locator('.sheet')
    await page.locator('.sheet-bar[data-done]').waitFor({ state: 'attached' })
    await stopClock(page)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('.sheet[data-closing]').waitFor()
    await page.clock.runFor(299)
    expect(await sheet.count()).toBe(1)
    await page.clock.runFor(1)
    await sheet.waitFor({ state: 'detached' })
  })

  it('the "country search debounce" is "100 ms", and the "dropdown close 200 ms"', async () => {
    const { page } = await openPage(desktopOptions)
    await page.clock.install()
    await toSignIn(page)
    await page.locator('[name=identifier]').fill('6502530000')
    await page.getByRole('button', { name: /^Country code/ }).click()
    const options = page.getByRole('option')
    await options.first().waitFor()
    await stopClock(page)
    await page.keyboard.type('49')
    const all = await options.count()
    await page.clock.runFor(99)
    expect(await options.count()).toBe(all)
    await page.clock.runFor(1)
    await expect.poll(() => options.count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.clock.runFor(199)
    expect(await page.locator('.countries').count()).toBe(1)
    await page.clock.runFor(1)
    await page.locator('.countries').waitFor({ state: 'detached' })
  })
})

it('the not-found screen has "a back button when history exists"', async () => {
  const { context, page } = await openPage(desktopOptions)
  const back = (of: Page) => of.getByRole('button', { name: 'Go back', includeHidden: true })
  await page.goto(`${origin}/unknown-session`)
  const opened = context.waitForEvent('page')
  await page.evaluate((url) => void window.open(url, '', 'noopener'), `${origin}/nowhere`)
  const first = await opened
  await untilHydrated(first)
  expect(await back(first).getAttribute('inert')).not.toBeNull()
  await page.goto(`${origin}/nowhere`)
  await untilHydrated(page)
  await back(page).click()
  await page.waitForURL('**/unknown-session')
})

it('the passcode field "is cleared on success"', async () => {
  const { page } = await openPage(desktopOptions)
  const code = await toCode(page, freshEmail())
  await page.keyboard.type(code)
  await page.waitForURL(`${application.callback}**`)
  await page.goBack()
  await page.waitForLoadState()
  const typed = await page
    .locator('.code-box')
    .evaluateAll((boxes) => boxes.map((each) => (each as HTMLInputElement).value).join(''))
  expect(typed).toBe('')
  expect(await page.content()).not.toContain(code)
})
