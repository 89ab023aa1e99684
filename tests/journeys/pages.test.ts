import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Phrases } from '../../src/contract/boot.ts'
import type { NavigationState } from '../../src/contract/interaction.ts'
import { type BuiltInLanguage, builtInLanguages } from '../../src/contract/languages.ts'
import { textDirection } from '../../src/domain/direction.ts'
import { phraseCatalogues } from '../client/catalogues.ts'
import {
  browserSweep,
  desktopOptions,
  mobileOptions,
  openBrowser,
  savePicture,
  type UserAgent,
} from './browser.ts'
import {
  cutTexts,
  expectSound,
  expectStill,
  overflowOf,
  shownTexts,
  smallTargets,
  untilSettled,
  watchContext,
} from './inspection.ts'
import { type Screen, screenGroups } from './screens.ts'
import { interactionOf } from './steps.ts'
import { openTenant } from './tenant.ts'

/** Every screen that has an address, inspected in both themes, sizes and directions and in two languages. */

const sizes = { desktop: desktopOptions, mobile: mobileOptions }
type View = { size: keyof typeof sizes; language: 'en' | 'de'; colorScheme: 'light' | 'dark' }

const views = Object.keys(sizes).flatMap((size) =>
  (['en', 'de'] as const).flatMap((language) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ size, language, colorScheme }) as View),
  ),
)

/** Both sizes, languages and themes in two views; every pair of two of them within four screens. */
const rounds: View[][] = [
  [
    { size: 'desktop', language: 'en', colorScheme: 'light' },
    { size: 'mobile', language: 'de', colorScheme: 'dark' },
  ],
  [
    { size: 'desktop', language: 'de', colorScheme: 'dark' },
    { size: 'mobile', language: 'en', colorScheme: 'light' },
  ],
  [
    { size: 'desktop', language: 'de', colorScheme: 'light' },
    { size: 'mobile', language: 'en', colorScheme: 'dark' },
  ],
  [
    { size: 'desktop', language: 'en', colorScheme: 'dark' },
    { size: 'mobile', language: 'de', colorScheme: 'light' },
  ],
]
const viewsOf = (number: number) =>
  browserSweep.isExhaustive ? views : (rounds[number % rounds.length] ?? [])

const allScreens = screenGroups.flatMap(({ screens }) => screens)

/** One language after the other, screen by screen; the exhaustive run draws every screen in every language. */
function languagesOf(screen: Screen): readonly BuiltInLanguage[] {
  const others = builtInLanguages.filter((language) => language !== 'en' && language !== 'de')
  if (browserSweep.isExhaustive) return others
  return others.filter((_, index) => index === allScreens.indexOf(screen) % others.length)
}

/** English phrases that this language has other words for. */
function englishAlone(language: BuiltInLanguage): Set<string> {
  const own = new Set(phraseTexts(phraseCatalogues[language].translation))
  return new Set(phraseTexts(phraseCatalogues.en.translation).filter((text) => !own.has(text)))
}

const phraseTexts = (part: Phrases): string[] =>
  Object.values(part).flatMap((value) => (typeof value === 'string' ? [value] : phraseTexts(value)))

type Client = UserAgent & { uid: string; others: string[] }

describe.each(screenGroups)('with $called', async ({ called, experience, screens }) => {
  const color = { primaryColor: '#6139F6', isDarkModeEnabled: true, darkPrimaryColor: '#8768F8' }
  const tenant = await openTenant({ color, ...experience })
  const application = await tenant.openApplication()
  const clients = new Map<View['size'], Client>()

  beforeAll(async () => {
    for (const size of ['desktop', 'mobile'] as const) {
      const client = await openBrowser(sizes[size])
      const { others } = await watchContext(client.context, tenant.origin)
      await client.page.goto((await application.authorizationUrl()).url)
      clients.set(size, { ...client, others, uid: interactionOf(client.page) })
    }
  })
  afterAll(async () => {
    for (const { context } of clients.values()) await context.close()
  })

  const numbered = screens.map(([path, navigation], number) => ({
    ...{ path, navigation, number },
    kind: navigation ? (navigation.identifier?.type ?? 'no identifier') : 'no state',
  }))

  it.each(numbered)('/$path, with $kind, is accessible, still and quiet', async (screen) => {
    const { path, navigation, number, kind } = screen
    const shot = [called, path, kind].join('-').replaceAll(/\W+/g, '-')
    for (const { size, language, colorScheme } of viewsOf(number)) {
      const { context, page, complaints, others, uid } = clients.get(size) as Client
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
      if (size === 'desktop') await expectFit(page, `${shot}-${language}-rtl-${colorScheme}`)

      expect(complaints.splice(0)).toEqual([])
      expect(others.splice(0)).toEqual([])
      await context.clearCookies({ name: 'i18next' })
    }
  })

  const foreign = numbered.flatMap((screen) =>
    languagesOf(screens[screen.number] as Screen).map((language) => ({ ...screen, language })),
  )

  it.each(foreign)('/$path, with $kind, has room for its texts in $language', async (screen) => {
    const { path, navigation, kind, language } = screen
    const { page, context, complaints, uid } = clients.get('mobile') as Client
    if (navigation) await remember(page, uid, navigation)
    const url = new URL(path, `${tenant.origin}/`)
    url.searchParams.set('interaction', uid)
    url.searchParams.set('lng', language)
    await page.goto(url.href)
    await untilSettled(page)
    await expectStill(page)
    await savePicture(page, [called, path, kind, language].join('-').replaceAll(/\W+/g, '-'))
    expect(await page.locator('html').getAttribute('dir')).toBe(textDirection(language))

    const english = (await shownTexts(page)).filter((text) => englishAlone(language).has(text))
    expect(english, 'no phrase is left in English').toEqual([])
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 640 })
      expect(await overflowOf(page), `${width} px wide`).toBe(0)
      expect(await cutTexts(page), `${width} px wide`).toEqual([])
    }
    await page.setViewportSize(mobileOptions.viewport)
    expect(complaints.splice(0)).toEqual([])
    await context.clearCookies({ name: 'i18next' })
  })

  /** As the page before does. */
  async function remember(page: Page, uid: string, navigation: NavigationState): Promise<void> {
    const answer = await page.request.put(`${tenant.origin}/api/interaction/step`, {
      headers: { interaction: uid },
      data: navigation,
    })
    expect(answer.ok()).toBe(true)
  }
})

/** On the narrowest of phones, too, with the list of languages open. */
async function expectTouchable(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('.languages')?.setAttribute('open', ''))
  expect(await smallTargets(page), 'a fingertip').toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await smallTargets(page), 'a fingertip on a narrow phone').toEqual([])
  await page.setViewportSize(mobileOptions.viewport)
}

/** Mirrored, and enlarged four times, everything still fits. */
async function expectFit(page: Page, shot: string): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await savePicture(page, shot)
  if (browserSweep.isExhaustive) await expectSound(page)
  else expect(await overflowOf(page), 'mirrored').toBe(0)
  await page.setViewportSize({ width: 320, height: 256 })
  expect(await overflowOf(page), 'mirrored and enlarged').toBe(0)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'))
  expect(await overflowOf(page), 'enlarged').toBe(0)
  await page.setViewportSize(desktopOptions.viewport)
}
