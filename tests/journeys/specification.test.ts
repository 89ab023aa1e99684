import type { Page, Route } from 'playwright'
import { afterAll, describe, expect, it } from 'vitest'
import { freshEmail } from '../kit/clients/interaction-client.ts'
import { desktopOptions, mobileOptions, openPage, someOf } from './browser.ts'
import { untilHydrated } from './inspection.ts'
import { openSite } from './site.ts'
import { pressButton, typeCode } from './steps.ts'
import { openTenant } from './tenant.ts'

/**
 * Times that the original specification states, and details that only a browser can show. Each title quotes it. Where a
 * test measures times, the clock of the page stands still, and the test moves it.
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
  color: { primaryColor: '#204060', darkPrimaryColor: '#204060', isDarkModeEnabled: true },
  branding: { logoUrl: '/logo.svg', darkLogoUrl: '/logo-dark.svg' },
})
const application = await openApplication()
const toSignIn = async (page: Page, parameters: Record<string, string> = {}) => {
  await page.goto((await application.authorizationUrl(parameters)).url)
  await untilHydrated(page)
}

async function toCode(page: Page, email: string, parameters: Record<string, string> = {}): Promise<string> {
  await toSignIn(page, { interaction_mode: 'signUp', ...parameters })
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

it('the "hover and pressed shades" of a button are the brand colour, lighter and darker "by 10 percent"', async () => {
  const { page } = await openPage(desktopOptions)
  await toSignIn(page)
  const button = page.locator('.button-primary').first()
  const background = () => button.evaluate((element) => getComputedStyle(element).backgroundColor)
  await expect.poll(background).toBe('rgb(32, 64, 96)') // hsl(210, 50%, 25%)
  await button.hover()
  await expect.poll(background).toBe('rgb(45, 89, 134)') // hsl(210, 50%, 35%)
  await page.mouse.down()
  await expect.poll(background).toBe('rgb(19, 38, 57)') // hsl(210, 50%, 15%)
})

it('"the iframe modal’s loading bar starts on open and completes on load or error"', async () => {
  for (const outcome of someOf(['load', 'error'] as const, 1)) {
    const { page } = await openPage({ ...mobileOptions, reducedMotion: 'no-preference' })
    const termsRequest = Promise.withResolvers<Route>()
    await page.route(`${terms.origin}/`, termsRequest.resolve)
    await toSignIn(page)
    await page.getByRole('link', { name: 'Terms of Use' }).click()
    const route = await termsRequest.promise
    const bar = page.locator('.sheet').getByRole('progressbar')
    const progress = () =>
      bar.evaluate((element) => ({
        isDone: element.hasAttribute('data-done'),
        running: element.getAnimations().map(({ playState }) => playState),
      }))
    expect(await progress()).toEqual({ isDone: false, running: ['running'] })
    await (outcome === 'load' ? route.continue() : route.abort())
    await expect.poll(async () => (await progress()).isDone, { message: outcome }).toBe(true)
  }
})

it('the consent page shows "the branding logo (light or dark by theme) and a spinner, posts the consent on load", and "any successful response with redirectTo causes a full page redirect"', async () => {
  const logos = [
    ['dark', 'logo-dark.svg'],
    ['light', 'logo.svg'],
  ] as const
  for (const [colorScheme, logo] of someOf(logos, 1)) {
    const { page } = await openPage({ ...desktopOptions, colorScheme })
    const code = await toCode(page, freshEmail(), { prompt: 'consent' })
    const loaded: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loaded.push(request.url())
    })
    const answers: { redirectTo: string }[] = []
    const posted = Promise.withResolvers<() => Promise<void>>()
    await page.route(/\/api\/interaction\/(?:submit|consent)$/, async (route) => {
      const response = await route.fetch()
      answers.push(await response.json())
      if (route.request().url().endsWith('/submit')) return route.fulfill({ response })
      posted.resolve(() => route.fulfill({ response }))
    })
    await typeCode(page, code)
    // Nobody has pressed a button on the consent page.
    const answerConsent = await posted.promise
    await page.locator('.content-passing .spinner').waitFor()
    expect(await page.locator('img.logo').evaluate((image) => (image as HTMLImageElement).currentSrc)).toBe(
      `${origin}/${logo}`,
    )
    await answerConsent()
    await page.waitForURL(`${application.callback}**`)
    expect(answers).toHaveLength(2)
    expect(loaded).toEqual(expect.arrayContaining(answers.map(({ redirectTo }) => redirectTo)))
  }
})
