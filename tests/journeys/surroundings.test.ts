import type { Page } from 'playwright'
import { afterAll, describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { desktopOptions, mobileOptions, openPage, savePicture, someOf } from './browser.ts'
import { axeViolations, overflowOf, untilHydrated, untilPainted, untilSettled } from './inspection.ts'
import { openSite } from './site.ts'
import { isLightColor, pressButton, typeCode, usernameField } from './steps.ts'
import { openTenant } from './tenant.ts'

/**
 * Tests what surrounds the forms: the operator's custom content and design, terms, notifications, native
 * apps, and settings of the browser.
 */

const terms = await openSite({
  '/terms': '<h1>Our terms</h1><script>document.querySelector("h1").textContent = "Script ran"</script>',
})
const closed = await openSite({ '/privacy': '<h1>Privacy</h1>' }, { 'x-frame-options': 'DENY' })
afterAll(() => {
  terms.close()
  closed.close()
})

async function openPages(experience: Record<string, unknown> = {}) {
  const tenant = await openTenant(experience)
  const { authorizationUrl } = await tenant.openApplication()
  const toSignIn = async (page: Page, parameters: Record<string, string> = {}) =>
    page.goto((await authorizationUrl(parameters)).url)
  return {
    ...tenant,
    toSignIn,
    toRegistration: (page: Page) => toSignIn(page, { interaction_mode: 'signUp' }),
  }
}

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not seen`)
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

const CONTENT = `
  <h2>Plan the week in one quiet place</h2>
  <p>Example keeps calendars, notes and people together. <a href="https://example.com/tour">Take the tour</a>.</p>
  <ul><li>Shared boards for every team</li><li>Works offline, syncs later</li></ul>`

const HOSTILE = `${CONTENT}
  <script>window.ran = 'script'</script>
  <img src="https://127.0.0.1:1/x" onerror="window.ran = 'handler'" alt="">
  <svg onload="window.ran = 'svg'"><script>window.ran = 'svg script'</script></svg>
  <a id="boot" name="app" href="javascript:window.ran = 'link'">Do not follow</a>
  <iframe srcdoc="<script>parent.ran = 'frame'</script>"></iframe>
  <form action="https://127.0.0.1:1/"><input name="identifier" value="theirs"></form>
  <style>.vestibule-main { display: none }</style>
  <img src=x onerror="window.ran = 'unclosed'"`

describe("the operator's custom content", async () => {
  const { toSignIn } = await openPages({
    customContent: { '/sign-in': HOSTILE, '/register': '<h2>Join us</h2>' },
  })

  it("is shown beside the card, and can neither run scripts nor replace the page's elements", async () => {
    const { page, complaints } = await openPage(desktopOptions)
    await toSignIn(page)
    await usernameField(page).fill('ada')
    await page.getByRole('link', { name: 'Do not follow' }).or(page.getByText('Do not follow')).click()
    await page.waitForLoadState('load')
    await untilPainted(page)
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
    expect(await page.locator('[name=identifier]').count()).toBe(1)
    expect(page.frames()).toHaveLength(1)

    const content = await boxOf(page, '.vestibule-custom-content')
    const card = await boxOf(page, '.vestibule-main')
    expect(content.right).toBeLessThan(card.x)
    expect(await page.locator('.vestibule-custom-content + .vestibule-main').count()).toBe(1)
    expect(await overflowOf(page)).toBe(0)
    // The only error is that the image in the content cannot be loaded. There are no hydration errors.
    expect(complaints.filter((text) => !/ERR_/.test(text))).toEqual([])
    await savePicture(page, 'custom-content-hostile')
  })

  it('changes from page to page without reloading', async () => {
    const { page, complaints } = await openPage(desktopOptions)
    await toSignIn(page)
    await page.getByRole('link', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Join us' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Plan the week' }).waitFor()
    expect(complaints.filter((text) => !/ERR_/.test(text))).toEqual([])
  })

  it('is beside or below the card on every screen', async () => {
    const { page } = await openPage(desktopOptions)
    await toSignIn(page)
    for (const { width, height, isBelow } of [
      { width: 1000, height: 800, isBelow: true },
      { width: 500, height: 800, isBelow: true },
      { width: 1920, height: 1080, isBelow: false },
      { width: 3840, height: 2160, isBelow: false },
    ]) {
      await page.setViewportSize({ width, height })
      const content = await boxOf(page, '.vestibule-custom-content')
      const card = await boxOf(page, '.vestibule-main')
      expect(content.y >= card.bottom, `${width} by ${height}`).toBe(isBelow)
      expect(await overflowOf(page)).toBe(0)
      await savePicture(page, `custom-content-${width}`)
    }
    expect(await axeViolations(page)).toEqual([])
  })

  it('is not shown on a phone', async () => {
    const { page } = await openPage(mobileOptions)
    await toSignIn(page)
    expect(await page.locator('.vestibule-custom-content').count()).toBe(0)
  })
})

describe("the operator's design", () => {
  const color = { primaryColor: '#6139F6', darkPrimaryColor: '#8768F8' }

  describe('with CSS and a favicon', async () => {
    const { toSignIn } = await openPages({
      customCss: '.vestibule-main{border-radius:3px} body.dark .title{color:rgb(1, 2, 3)}',
      branding: { logoUrl: '/logo.svg', darkLogoUrl: '/logo-dark.svg', favicon: '/logo.svg' },
      color: { ...color, isDarkModeEnabled: true },
    })

    it("is applied, and follows the system's theme when that changes", async () => {
      const { page, complaints } = await openPage({ ...desktopOptions, colorScheme: 'light' })
      await toSignIn(page)
      const look = async () => {
        const { ground, ...others } = await page.evaluate(() => ({
          radius: getComputedStyle(document.querySelector('.vestibule-main') ?? document.body).borderRadius,
          ground: getComputedStyle(document.body).backgroundColor,
          brand: getComputedStyle(document.documentElement).getPropertyValue('--color-brand-default'),
          logo: document.querySelector<HTMLImageElement>('img.logo')?.currentSrc.split('/').at(-1),
          theme: document.body.className.match(/dark|light/)?.[0],
        }))
        return { ...others, isLight: isLightColor(ground) }
      }
      await page.locator('body.light').waitFor()
      expect(await look()).toEqual({
        radius: '3px',
        isLight: true,
        brand: '#6139F6',
        logo: 'logo.svg',
        theme: 'light',
      })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('body.dark').waitFor()
      await expect.poll(look).toEqual({
        radius: '3px',
        isLight: false,
        brand: '#8768F8',
        logo: 'logo-dark.svg',
        theme: 'dark',
      })
      expect(await page.locator('.title').evaluate((title) => getComputedStyle(title).color)).toBe(
        'rgb(1, 2, 3)',
      )
      expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/logo.svg')
      expect(complaints).toEqual([])
    })
  })

  it('is light even on a dark system if dark mode is disabled', async () => {
    const { toSignIn } = await openPages()
    const { page } = await openPage({ ...desktopOptions, colorScheme: 'dark' })
    await toSignIn(page)
    await page.locator('body.light').waitFor()
    expect(await page.locator('picture source').count()).toBe(0)
  })
})

describe('the terms', async () => {
  const { offer, origin, toRegistration, toSignIn } = await openPages({
    termsOfUseUrl: `${terms.origin}/terms`,
    privacyPolicyUrl: `${closed.origin}/privacy`,
  })

  const sheet = (page: Page) => page.locator('.sheet')

  it('open over the page on a phone, in a frame that runs no scripts', async () => {
    const { page, complaints } = await openPage(mobileOptions)
    await toSignIn(page)
    const link = page.getByRole('link', { name: 'Terms of Use' })
    await link.click()
    await sheet(page).waitFor()
    await sheet(page).frameLocator('iframe').getByRole('heading', { name: 'Our terms' }).waitFor()
    await page.locator('.sheet-bar[data-done]').waitFor({ state: 'attached' })
    expect(await page.locator('.sheet iframe').getAttribute('sandbox')).toBe('')
    await untilSettled(page)
    await savePicture(page, 'terms-sheet')
    expect(await axeViolations(page)).toEqual([])

    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('.sheet[data-closing]').waitFor()
    await sheet(page).waitFor({ state: 'detached' })
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(complaints.filter((text) => !/sandboxed/.test(text))).toEqual([])
  })

  it('can be opened in a new tab if their site cannot be framed', async () => {
    const { context, page } = await openPage(mobileOptions)
    await toSignIn(page)
    await page.getByRole('link', { name: 'Privacy Policy' }).click()
    await page.locator('.sheet-bar[data-done]').waitFor({ state: 'attached' })
    const tab = context.waitForEvent('page')
    await sheet(page).getByRole('link', { name: 'Open in a new tab' }).click()
    await (await tab).getByRole('heading', { name: 'Privacy' }).waitFor()
    await page.keyboard.press('Escape')
    await sheet(page).waitFor({ state: 'detached' })
  })

  it('open without affecting the checkbox, form or dialog that contains their link', async () => {
    const { page, complaints } = await openPage(mobileOptions)
    await toRegistration(page)
    const close = async () => {
      await sheet(page).getByRole('button', { name: 'Close' }).click()
      await sheet(page).waitFor({ state: 'detached' })
    }
    await page.locator('main').getByRole('link', { name: 'Terms of Use' }).click()
    await close()
    expect(await page.getByRole('checkbox').isChecked()).toBe(false)

    await usernameField(page).fill(freshName())
    await pressButton(page, 'Continue')
    const question = page.locator('.dialog')
    await question.getByRole('link', { name: 'Terms of Use' }).click()
    await close()
    expect(await question.isVisible()).toBe(true)
    await pressButton(page, 'Agree')
    await page.waitForURL('**/register/password?**')
    expect(complaints.filter((text) => !/sandboxed/.test(text))).toEqual([])
  })

  it('can be accepted with Enter or Space, and declined with Escape', async () => {
    for (const key of someOf(['Enter', ' '], 1)) {
      const { page } = await openPage(desktopOptions)
      await toRegistration(page)
      await untilHydrated(page)
      await usernameField(page).fill(freshName())
      await pressButton(page, 'Continue')
      await page.locator('.dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.dialog').waitFor({ state: 'detached' })
      expect(await page.getByRole('checkbox').isChecked()).toBe(false)

      await pressButton(page, 'Continue')
      await page.locator('.dialog').waitFor()
      await page.keyboard.press(key)
      await page.waitForURL('**/register/password?**')
    }
  })

  it('have stacked buttons of equal width on a phone', async () => {
    const { page } = await openPage(mobileOptions)
    await toRegistration(page)
    await untilHydrated(page)
    await usernameField(page).fill(freshName())
    await pressButton(page, 'Continue')
    const yes = await boxOf(page, '.dialog-actions > :last-child')
    const no = await boxOf(page, '.dialog-actions > :first-child')
    expect([yes.width, yes.bottom < no.y]).toEqual([no.width, true])
  })

  const devices = [
    { on: 'a computer', options: desktopOptions },
    { on: 'a phone without JavaScript', options: { ...mobileOptions, javaScriptEnabled: false } },
  ]
  it.each(someOf(devices, 1))('open in a new tab on $on', async ({ options }) => {
    const { context, page } = await openPage(options)
    await toSignIn(page)
    const tab = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Terms of Use (opens in a new tab)' }).click()
    expect((await tab).url()).toBe(`${terms.origin}/terms`)
    expect(await sheet(page).count()).toBe(0)
  })

  it('are the only pages that may be framed', async () => {
    const policy = async () =>
      (await fetch(`${origin}/unknown-session?no_cache`)).headers.get('content-security-policy') ?? ''
    expect(await policy()).toContain(`; frame-src ${terms.origin} ${closed.origin};`)
    await offer({ termsOfUseUrl: null, privacyPolicyUrl: null })
    expect(await policy()).not.toContain('frame-src')
  })
})

describe('the demo application’s notification', async () => {
  const { origin } = await openTenant()

  const windows = [
    [320, 256],
    [390, 844],
  ] as const
  it.each(someOf(windows, 1))(
    'is "offset at least 32 px" on a phone of %i by %i px',
    async (width, height) => {
      const { page } = await openPage({ ...mobileOptions, viewport: { width, height } })
      await page.goto(`${origin}/demo-app`)
      await pressButton(page, 'Sign in')
      await page.locator('.notification').waitFor()
      const banner = await boxOf(page, '.notification')
      expect(banner.y).toBeGreaterThanOrEqual(32)
      expect(banner.y + banner.height).toBeLessThanOrEqual((await boxOf(page, '.vestibule-main')).y)
    },
  )

  it('is 24 px above the card, but at least 32 px from the top', async () => {
    const { page } = await openPage(desktopOptions)
    await page.goto(`${origin}/demo-app`)
    await pressButton(page, 'Sign in')
    const tip = page.locator('.notification')
    await tip.getByText('Create an account first to test the sign-in experience.').waitFor()
    const placed = async () => {
      const [banner, card] = [await boxOf(page, '.notification'), await boxOf(page, '.vestibule-main')]
      expect(banner.y).toBeCloseTo(Math.max(32, card.y - banner.height - 24), 0)
    }
    for (const [width, height] of [
      [1280, 720],
      [1280, 1400],
      [1100, 1550],
      [1280, 500],
      [900, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      await placed()
    }

    await untilHydrated(page)
    await page.getByRole('link', { name: 'Create account' }).click()
    await tip.waitFor()
    await tip.getByRole('link', { name: 'Got it' }).click()
    expect(await tip.count()).toBe(0)
    await page.reload()
    await tip.waitFor()
  })
})

describe('a page in a native app', async () => {
  const { toSignIn } = await openPages({ customContent: { '/sign-in': '<h2>Beside</h2>' } })

  it('has the mobile layout, and shows messages from the app', async () => {
    const { page, complaints } = await openPage(desktopOptions)
    await page.addInitScript(() => {
      Reflect.set(window, 'vestibuleNative', { platform: 'ios', getPostMessage: () => () => {} })
    })
    await toSignIn(page)
    await page.locator('body.mobile').waitFor()
    expect(await page.locator('body').getAttribute('class')).not.toContain('desktop')
    expect(await page.locator('.vestibule-custom-content').count()).toBe(0)
    await page.evaluate(() => window.postMessage({ error: 'The app says no.' }, '*'))
    await page.getByRole('alert').filter({ hasText: '{"error":"The app says no."}' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('ignores such messages in an ordinary browser', async () => {
    const { page } = await openPage(desktopOptions)
    await toSignIn(page)
    await page.evaluate(() => window.postMessage({ error: 'Not asked for.' }, '*'))
    await untilPainted(page)
    expect(await page.getByText('Not asked for.').count()).toBe(0)
  })
})

describe('a window that an application has opened', async () => {
  const { origin } = await openTenant()

  it('can be closed from a page on which the sign-in cannot continue', async () => {
    const { context, page } = await openPage(desktopOptions)
    await page.goto(`${terms.origin}/terms`)
    const opened = context.waitForEvent('page')
    await page.evaluate((address) => {
      window.open(address)
    }, `${origin}/unknown-session`)
    const popup = await opened
    await popup.getByRole('button', { name: 'Close' }).waitFor()
    await savePicture(popup, 'close-bar')
    // The window may close before the click has ended.
    await Promise.all([popup.waitForEvent('close'), pressButton(popup, 'Close').catch(() => {})])
    await page.goto(`${origin}/unknown-session`)
    await page.locator('h1').waitFor()
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
  })
})

describe('a page', async () => {
  const { toRegistration, toSignIn } = await openPages({
    termsOfUseUrl: 'https://example.com/terms',
    customContent: { '/sign-in': CONTENT, '/register': CONTENT },
  })

  const pages = [
    { path: 'register', go: toRegistration },
    { path: 'sign-in', go: toSignIn },
  ]
  it.each(someOf(pages, 1))('does not scroll sideways at 400% zoom: $path', async ({ path, go }) => {
    const { page } = await openPage({ viewport: { width: 320, height: 256 } })
    await go(page)
    expect(await overflowOf(page)).toBe(0)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.vestibule-page *')]
        .filter((element) => element.getClientRects().length > 0)
        .filter((element) => getComputedStyle(element).clipPath === 'none')
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.outerHTML.slice(0, 80)),
    )
    expect(cut).toEqual([])
    await savePicture(page, `enlarged-${path}`)
  })

  it('shows the focus and every outline in forced colours', async () => {
    const { page } = await openPage({ ...desktopOptions, forcedColors: 'active', colorScheme: 'dark' })
    await toSignIn(page)
    const seen = () =>
      page.evaluate(() => {
        const focused = document.activeElement
        const box = focused?.closest('.field-box') ?? focused
        const style = getComputedStyle(box ?? document.body)
        return { line: style.outlineStyle, wide: Number.parseFloat(style.outlineWidth) > 0 }
      })
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press('Tab')
      expect(await seen()).toMatchObject({ wide: true })
      expect((await seen()).line).not.toBe('none')
    }
    const borders = await page
      .locator('.field-box, .button, .vestibule-main')
      .evaluateAll((boxes) => boxes.map((each) => getComputedStyle(each).borderTopWidth))
    expect(borders).not.toContain('0px')
    await savePicture(page, 'forced-colors')
  })

  it('has no animations if the user prefers reduced motion', async () => {
    const { page } = await openPage({ ...mobileOptions, reducedMotion: 'reduce' })
    await toRegistration(page)
    await usernameField(page).fill(freshName())
    await pressButton(page, 'Continue')
    await page.locator('.dialog').waitFor()
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => effect instanceof KeyframeEffect)
        .flatMap(({ effect }) => (effect instanceof KeyframeEffect ? effect.getKeyframes() : []))
        .filter((frame) => 'transform' in frame || 'translate' in frame),
    )
    expect(moving).toEqual([])
  })

  it('centres its card in the upper half of very large screens', async () => {
    const { toSignIn } = await openPages()
    const { page } = await openPage({ viewport: { width: 3840, height: 2160 } })
    await toSignIn(page)
    const card = await boxOf(page, '.vestibule-main')
    expect(card.x + card.width / 2).toBeCloseTo(1920, 0)
    expect(card.y).toBeGreaterThan(180)
    expect(card.y + card.height).toBeLessThan(1080)
  })
})

describe('the URL for changing a password', async () => {
  const both = { password: true, verificationCode: true, isPasswordPrimary: true }
  const { codeTo, createUser, origin } = await openTenant({
    signIn: { methods: [{ identifier: 'email', ...both }] },
    signUp: { identifiers: ['email'], password: true, verify: true },
  })

  it('takes the user through a reset and a sign-in to a confirmation page', async () => {
    const email = `${freshName()}@example.com`
    await createUser({ primaryEmail: email, password: PASSWORD })
    const { page, complaints } = await openPage(desktopOptions)
    await page.goto(`${origin}/.well-known/change-password`)
    await page.waitForURL('**/forgot-password?**')
    await page.locator('[name=identifier]').fill(email)
    await page.locator('button[type=submit]').first().click()
    await page.waitForURL('**/forgot-password/verification-code?**')
    await typeCode(page, await codeTo(email))
    await page.waitForURL('**/forgot-password/reset?**')
    await page.locator('[name=newPassword]').fill(`${PASSWORD}-new`)
    await page.locator('button[type=submit]').first().click()
    await page.waitForURL('**/sign-in?**')
    await page.locator('[name=identifier]').fill(email)
    await page.locator('button[name=submit]').click()
    await page.waitForURL('**/sign-in/password?**')
    await page.locator('[name=password]').fill(`${PASSWORD}-new`)
    await page.locator('button[name=submit]').click()
    await page.getByRole('heading', { name: 'You’re signed in', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.has('code')).toBe(false)
    await savePicture(page, 'password-changed')
    expect(complaints).toEqual([])
  })
})
