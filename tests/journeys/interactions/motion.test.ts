import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshEmail } from '../../kit/clients/interaction-client.ts'
import { desktopOptions, openPage, withMotion } from '../browser.ts'
import { untilHydrated } from '../inspection.ts'
import { pressButton, signInOnPage } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/** Tests what moves on the pages, and that nothing waits for it (spec/pages#motion). */

const email = { identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false }
const byCode = await openTenant({
  signIn: { methods: [email] },
  signUp: { identifiers: ['email'], password: false, verify: true },
})
const application = await byCode.openApplication()
const byPassword = await openTenant()
const name = 'Payroll Pro'
const passwordApplication = await byPassword.openApplication(name)

/** Opens the first page in a browser whose animations hardly advance, so that they are running when a test looks. */
async function visit(parameters: Record<string, string> = {}) {
  const client = await openPage(withMotion)
  const devTools = await client.context.newCDPSession(client.page)
  await devTools.send('Animation.enable')
  await devTools.send('Animation.setPlaybackRate', { playbackRate: 0.01 })
  await client.page.goto((await application.authorizationUrl(parameters)).url)
  await untilHydrated(client.page)
  return client
}

async function submitAddress(page: Page, button: string): Promise<void> {
  await page.locator('main [name=identifier]').fill(freshEmail())
  await pressButton(page, button)
  await page.waitForURL('**/verification-code?**')
}

/** Returns where the sliding content comes from, in pixels. */
const offset = (page: Page) =>
  page.evaluate(() => {
    const [slide] = document.querySelector('.content')?.getAnimations() ?? []
    const [first] = slide?.effect instanceof KeyframeEffect ? slide.effect.getKeyframes() : []
    return first?.translate ?? null
  })

describe('a step', () => {
  it('slides in, can be used at once, and comes from the other side on the way back', async () => {
    const { page, complaints } = await visit()
    expect(await offset(page)).toBeNull()
    await submitAddress(page, 'Continue')
    expect(await offset(page)).toBe('12px')
    await page.keyboard.type('12')
    expect(await page.locator('.code-box').nth(1).inputValue()).toBe('2')
    await page.getByRole('link', { name: 'Back' }).dispatchEvent('click')
    await page.waitForURL('**/sign-in?**')
    expect(await offset(page)).toBe('-12px')
    expect(complaints).toEqual([])
  })

  it('comes from the left in a language that is written from right to left', async () => {
    const { page } = await visit({ ui_locales: 'ar' })
    await submitAddress(page, 'متابعة')
    expect(await offset(page)).toBe('-12px')
  })
})

describe('a sign-in that is complete', () => {
  /**
   * Signs in, and holds the request with which the browser leaves until the page that says so is shown. Returns what
   * was shown in the meantime, each with the number of running animations. Playwright cannot look at a page that the
   * browser is leaving, so the page reports by itself.
   */
  async function leaveSlowly(options: Parameters<typeof openPage>[0]) {
    const { page } = await openPage(options)
    const animationsByContent = new Map<string, number>()
    const arrival = Promise.withResolvers<void>()
    await page.exposeFunction('report', (what: string, animations: number) => {
      animationsByContent.set(what, animations)
      if (what !== 'tick') arrival.resolve()
    })
    await page.addInitScript(() => {
      const report: (what: string, animations: number) => void = Reflect.get(window, 'report')
      new MutationObserver(() => {
        const heading = document.querySelector('.content-empty')?.textContent
        const hasTick = document.querySelector('[aria-busy=true] .button-wait .icon')
        // The styles of an element that has just been added are computed first.
        if (heading || hasTick) report(heading ?? 'tick', document.getAnimations().length)
      }).observe(document, { childList: true, subtree: true })
    })
    await page.route(`${passwordApplication.callback}**`, async (route) => {
      await arrival.promise
      await route.continue().catch(() => undefined)
    })
    await page.goto((await passwordApplication.authorizationUrl()).url)
    await untilHydrated(page)
    await signInOnPage(page, await byPassword.registeredName())
    await page.waitForURL(`${passwordApplication.callback}**`)
    return animationsByContent
  }

  it('ticks its button and then says where the browser goes, until it gets there', async () => {
    const animationsByContent = await leaveSlowly(withMotion)
    expect([...animationsByContent.keys()]).toEqual([
      'tick',
      `You’re signed inTaking you back to your app…${name}`,
    ])
    // The line grows.
    expect([...animationsByContent.values()].at(-1)).toBeGreaterThan(0)
  })

  it('moves nothing if the user prefers reduced motion', async () => {
    const animationsByContent = await leaveSlowly(desktopOptions)
    expect([...animationsByContent.values()]).toEqual([0, 0])
  })
})

describe('hydration', () => {
  it('waits until the page has been painted', async () => {
    const { page } = await openPage()
    await page.addInitScript(() => {
      const frames: FrameRequestCallback[] = []
      performance.getEntriesByType = () => []
      window.requestAnimationFrame = (frame) => frames.push(frame)
      const paint = () => {
        for (const frame of frames.splice(0)) frame(0)
      }
      Object.assign(window, { paint })
    })
    await page.goto((await application.authorizationUrl()).url)
    await expect.poll(() => page.evaluate(() => document.body.className)).toContain('light')
    const isHydrated = () => page.locator('form[novalidate]').count()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    expect(await isHydrated()).toBe(0)
    await page.locator('main [name=identifier]').fill('ada@example.com')
    await page.evaluate(() => Reflect.get(window, 'paint')())
    await expect.poll(isHydrated).toBeGreaterThan(0)
    expect(await page.locator('main [name=identifier]').inputValue()).toBe('ada@example.com')
  })
})
