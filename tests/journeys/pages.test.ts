import type { Page } from 'playwright'
import { afterAll, describe, expect, it } from 'vitest'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import {
  browserSweep,
  desktopOptions,
  mobileOptions,
  openBrowser,
  pictureSweep,
  savePicture,
  type UserAgent,
} from './browser.ts'
import {
  expectSound,
  expectStill,
  overflowOf,
  smallTargets,
  untilSettled,
  watchContext,
} from './inspection.ts'
import { enablePasskeys } from './passkeys/virtual-authenticator.ts'
import { screenGroups } from './screens.ts'
import { interactionOf } from './steps.ts'
import { bothThemes, openTenant } from './tenant.ts'

/**
 * Tests every screen with its own URL in both themes, sizes and directions and in two languages. `npm test`
 * shows every third screen in one view, chosen in turn.
 */

const sizes = { desktop: desktopOptions, mobile: mobileOptions }
type View = { size: keyof typeof sizes; language: 'en' | 'de'; colorScheme: 'light' | 'dark' }

/**
 * The views in the order in which `npm test` uses them. Any two consecutive views cover both sizes, languages
 * and themes.
 */
const views: View[] = [
  { size: 'desktop', language: 'en', colorScheme: 'light' },
  { size: 'mobile', language: 'de', colorScheme: 'dark' },
  { size: 'desktop', language: 'de', colorScheme: 'dark' },
  { size: 'mobile', language: 'en', colorScheme: 'light' },
  { size: 'desktop', language: 'de', colorScheme: 'light' },
  { size: 'mobile', language: 'en', colorScheme: 'dark' },
  { size: 'desktop', language: 'en', colorScheme: 'dark' },
  { size: 'mobile', language: 'de', colorScheme: 'light' },
]
let taken = 0
/** Returns the next view in turn, so that `npm test` uses every view for several screens. */
function nextViews(): readonly View[] {
  return browserSweep.isExhaustive ? views : [views[taken++ % views.length] as View]
}

type Client = UserAgent & { uid: string; others: string[] }

describe.each(screenGroups)('with $called', async ({ called, experience, hasPasskeys, screens }) => {
  const tenant = await openTenant({ color: bothThemes, ...experience })
  if (hasPasskeys) await enablePasskeys(tenant)
  const application = await tenant.openApplication()
  const clients = new Map<View['size'], Client>()

  async function clientOf(size: View['size']): Promise<Client> {
    const known = clients.get(size)
    if (known) return known
    const opened = await openBrowser(sizes[size])
    const { others } = await watchContext(opened.context, tenant.origin)
    await opened.page.goto((await application.authorizationUrl()).url)
    const client = { ...opened, others, uid: interactionOf(opened.page) }
    clients.set(size, client)
    return client
  }
  afterAll(async () => {
    for (const { context } of clients.values()) await context.close()
  })

  const inspected = screens.filter((_, index) => browserSweep.isExhaustive || index % 3 === 0)
  const cases = inspected.map(([path, navigation]) => ({
    path,
    navigation,
    viewed: nextViews(),
    kind: navigation ? (navigation.identifier?.type ?? 'no identifier') : 'no state',
  }))

  it.each(cases)('/$path, with $kind, is accessible and stable, and stays on its origin', async (screen) => {
    const { path, navigation, viewed, kind } = screen
    const shot = [called, path, kind].join('-').replaceAll(/\W+/g, '-')
    for (const { size, language, colorScheme } of viewed) {
      const { context, page, complaints, others, uid } = await clientOf(size)
      if (navigation) await remember(page, uid, navigation)
      await page.emulateMedia({ colorScheme })
      const url = new URL(path, `${tenant.origin}/`)
      url.searchParams.set('interaction', uid)
      url.searchParams.set('lng', language)
      await page.goto(url.href)
      await untilSettled(page)
      await expectStill(page)
      await savePicture(page, `${shot}-${language}-${colorScheme}-${size}`)
      await expectSound(page)
      if (size === 'mobile') await expectTouchable(page)
      await expectFit(page, size, `${shot}-${language}-rtl-${colorScheme}`)

      expect(complaints.splice(0)).toEqual([])
      expect(others.splice(0)).toEqual([])
      await context.clearCookies({ name: '__Host-i18next' })
    }
  })

  /** Stores the navigation state that the previous page would have stored. */
  async function remember(page: Page, uid: string, navigation: NavigationState): Promise<void> {
    const answer = await page.request.put(`${tenant.origin}/api/interaction/step`, {
      headers: { interaction: uid },
      data: navigation,
    })
    expect(answer.ok()).toBe(true)
  }
})

/** Checks the size of the touch targets while the list of languages is open, also on a very narrow phone. */
async function expectTouchable(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('.languages')?.setAttribute('open', ''))
  expect(await smallTargets(page), 'a fingertip').toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await smallTargets(page), 'a fingertip on a narrow phone').toEqual([])
  await page.setViewportSize(mobileOptions.viewport)
}

/**
 * Checks that everything fits on a mirrored page and at 400% zoom. states.test.ts checks the accessibility of
 * mirrored pages, in Arabic.
 */
async function expectFit(page: Page, size: View['size'], shot: string): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await savePicture(page, shot)
  if (pictureSweep.isExhaustive) await expectSound(page)
  else expect(await overflowOf(page), 'mirrored').toBe(0)
  await page.setViewportSize({ width: 320, height: 256 })
  expect(await overflowOf(page), 'mirrored and enlarged').toBe(0)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'))
  expect(await overflowOf(page), 'enlarged').toBe(0)
  await page.setViewportSize(sizes[size].viewport)
}
