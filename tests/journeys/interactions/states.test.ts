import type { Page } from 'playwright'
import { afterAll, describe, expect, it } from 'vitest'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freshEmail, wrongCode } from '../../kit/clients/interaction-client.ts'
import { pairsOf } from '../../kit/sweep.ts'
import {
  browserSweep,
  desktopOptions,
  mobileOptions,
  narrowOptions,
  openPage,
  pictureSweep,
  savePicture,
  someOf,
} from '../browser.ts'
import { expectSound, smallTargets, untilSettled, watchContext } from '../inspection.ts'
import { openSite } from '../site.ts'
import { forgetInteraction, typeCode } from '../steps.ts'
import { bothThemes, openTenant, type Tenant } from '../tenant.ts'
import { textFaults } from '../text-inspection.ts'

/**
 * Tests the states of a screen while it is used, each in one size, language and theme. The exhaustive run
 * uses both themes and all languages. pages.test.ts and every-language.test.ts cover screens with their own
 * URL.
 */

const terms = await openSite({ '/terms': '<h1>Our terms</h1>' })
afterAll(() => terms.close())

type At = Pick<Tenant, 'origin' | 'codeTo'> & {
  callback: string
  open(page: Page, parameters?: Parameters): Promise<unknown>
}

async function openAt(experience: Record<string, unknown>): Promise<At> {
  const { origin, codeTo, openApplication } = await openTenant({ color: bothThemes, ...experience })
  const { callback, authorizationUrl } = await openApplication()
  return {
    origin,
    codeTo,
    callback,
    open: async (page, parameters = {}) => page.goto((await authorizationUrl(parameters)).url),
  }
}

type Way = (page: Page, at: At) => Promise<unknown>
type Parameters = Record<string, string>

const toRegistration = { interaction_mode: 'signUp' }
const field = (page: Page, name: string) => page.locator(`main [name=${name}]`)
const send = (page: Page) => page.locator('main button[name=submit]').first().click()
const dialog = (page: Page) => page.locator('dialog[open]').last().waitFor()
const problem = (page: Page) =>
  page.locator('main [role=alert]').filter({ hasText: /\p{L}/u }).first().waitFor()

async function register(page: Page): Promise<void> {
  await field(page, 'identifier').fill(freshName())
  await send(page)
  await page.waitForURL('**/register/password?**')
  await field(page, 'newPassword').fill(PASSWORD)
  if (await field(page, 'confirmPassword').count()) await field(page, 'confirmPassword').fill(PASSWORD)
  await send(page)
}

async function toCode(page: Page, { codeTo, open }: At): Promise<string> {
  const email = freshEmail()
  await open(page)
  await field(page, 'identifier').fill(email)
  await send(page)
  await page.waitForURL('**/verification-code?**')
  return codeTo(email)
}

const withNames: Record<string, Way> = {
  'sign-in-refused': async (page, { open }) => {
    await open(page)
    await field(page, 'identifier').fill('nobody_here')
    await field(page, 'password').fill('wrong-horse-7')
    await send(page)
    await problem(page)
  },
  'password-refused': async (page, { open }) => {
    await open(page, toRegistration)
    await field(page, 'identifier').fill(freshName())
    await send(page)
    await page.waitForURL('**/register/password?**')
    await field(page, 'newPassword').fill('short')
    await field(page, 'confirmPassword').fill('other')
    await send(page)
    await problem(page)
  },
  'no-answer': async (page, { open }) => {
    // Simulates a lost network connection without the browser's own error messages.
    await page.route('**/api/interaction', (route) => route.fulfill({ status: 422, json: {} }))
    await open(page)
    await field(page, 'identifier').fill('someone')
    await field(page, 'password').fill('wrong-horse-7')
    await send(page)
    await page.locator('.form-repeat').waitFor()
  },
  consent: async (page, { open }) => {
    // Never respond to the call, so that the page remains in this state.
    await page.route('**/api/interaction/consent', () => {})
    await open(page, { ...toRegistration, prompt: 'consent' })
    await register(page)
    await page.waitForURL('**/sign-in/consent?**')
  },
  'consent-refused': async (page, { open }) => {
    await page.route('**/api/interaction/consent', (route) =>
      route.fulfill({ status: 422, json: { code: 'server.internal', message: 'That did not work.' } }),
    )
    await open(page, { ...toRegistration, prompt: 'consent' })
    await register(page)
    await page.getByText('That did not work.').first().waitFor()
  },
  expired: async (page, { open }) => {
    await open(page)
    await forgetInteraction(page)
    await field(page, 'identifier').fill('someone')
    await field(page, 'password').fill('wrong-horse-7')
    await send(page)
    await page.locator('.content-empty').waitFor()
  },
  'sign-out': async (page, { callback, open, origin }) => {
    await open(page, toRegistration)
    await register(page)
    await page.waitForURL(`${callback}**`)
    await page.goto(`${origin}/oidc/session/end`)
  },
  'demo-app': async (page, { origin }) => {
    await page.goto(`${origin}/demo-app`)
    await page.getByRole('button').first().waitFor()
  },
  'demo-app-waiting': async (page, { origin }) => {
    await page.route('**/assets/demo-*.js', (route) => route.fulfill({ contentType: 'text/javascript' }))
    await page.goto(`${origin}/demo-app?code=1&state=2`)
    await page.getByRole('heading', { name: 'Signing you in…' }).waitFor()
  },
  'demo-app-signed-in': async (page, { origin }) => {
    await page.goto(`${origin}/demo-app`)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/register?**')
    await page.locator('.notification').waitFor()
    await register(page)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  },
}

const withTerms: Record<string, Way> = {
  'terms-question': async (page, { open }) => {
    await open(page, toRegistration)
    await field(page, 'identifier').fill(freshName())
    await send(page)
    await dialog(page)
  },
  'terms-not-agreed': async (page, { open }) => {
    await open(page, toRegistration)
    await field(page, 'identifier').fill(freshName())
    await send(page)
    await dialog(page)
    await page.keyboard.press('Escape')
    await problem(page)
  },
}

const withCodes: Record<string, Way> = {
  'countries-searched': async (page, { open }) => {
    await open(page)
    await field(page, 'identifier').fill('6502530000')
    await page.locator('main [aria-haspopup]').first().click()
    await page.getByRole('combobox').fill('united')
  },
  'code-wrong': async (page, at) => {
    await typeCode(page, wrongCode(await toCode(page, at)))
    await problem(page)
  },
  'code-sent-again': async (page, at) => {
    await page.clock.install()
    // The toast would disappear after three seconds, so keep it on the page for the check.
    await page.addInitScript(() => {
      const { setTimeout: later } = window
      Reflect.set(window, 'setTimeout', (run: () => void, wait: number) => wait === 3300 || later(run, wait))
    })
    await toCode(page, at)
    await page.clock.fastForward(60_000)
    await page.locator('.text-button').click()
    const toast = page.locator('.toast')
    await toast.waitFor()
    await toast.evaluate((element) => {
      for (const each of element.getAnimations())
        if (Reflect.get(each, 'animationName') === 'vanish') each.cancel()
    })
  },
  'account-unknown': async (page, at) => {
    await typeCode(page, await toCode(page, at))
    await dialog(page)
  },
  'reset-unknown': async (page, { codeTo, open }) => {
    const email = freshEmail()
    await open(page)
    await page.goto(page.url().replace('/sign-in', '/forgot-password'))
    await field(page, 'identifier').fill(email)
    await send(page)
    await page.waitForURL('**/forgot-password/verification-code?**')
    await typeCode(page, await codeTo(email))
    await dialog(page)
  },
}

const methods = [
  { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
  { identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: false },
  { identifier: 'phone', password: true, verificationCode: true, isPasswordPrimary: false },
]

const groups: { called: string; experience: Record<string, unknown>; ways: Record<string, Way> }[] = [
  { called: 'names', experience: {}, ways: withNames },
  { called: 'terms', experience: { termsOfUseUrl: `${terms.origin}/terms` }, ways: withTerms },
  {
    called: 'codes',
    experience: {
      signIn: { methods },
      signUp: { identifiers: ['email', 'phone'], password: true, verify: true },
    },
    ways: withCodes,
  },
]

/**
 * The languages that are most likely to cause problems, in both directions. The exhaustive run uses all
 * languages.
 */
const screens = [
  { size: 'desktop', options: desktopOptions, language: 'en' },
  { size: 'mobile', options: mobileOptions, language: 'ar' },
  { size: 'narrow', options: narrowOptions, language: 'de' },
  { size: 'desktop', options: desktopOptions, language: 'ar' },
  { size: 'narrow', options: narrowOptions, language: 'hi' },
  { size: 'narrow', options: narrowOptions, language: 'ja' },
]
const others = builtInLanguages.filter((tag) => !screens.some(({ language }) => language === tag))
const everyScreen = [
  ...screens,
  ...others.map((language) => ({ size: 'narrow', options: narrowOptions, language })),
]
const sweptScreens = browserSweep.isExhaustive ? everyScreen : screens

let taken = 0
/**
 * Returns the screens on which a group of states is tested. In `npm test`, each group takes as many screens
 * as it has states and continues after the screens of the previous group, so that the screens differ.
 */
function screensOf(states: number): typeof sweptScreens {
  if (pictureSweep.isExhaustive) return sweptScreens
  taken += states
  return Array.from(
    { length: states },
    (_, i) => sweptScreens[(taken - states + i) % sweptScreens.length] as (typeof sweptScreens)[number],
  )
}

/** The demo application exists only in English. */
const inEnglish = (name: string) => name.startsWith('demo-app')

describe.each(groups)('with $called', async ({ experience, ways }) => {
  const at = await openAt(experience)

  // `npm test` inspects every sixth state. screens/*.test.ts inspect further ones.
  const inspected = Object.entries(ways).filter((_, index) => pictureSweep.isExhaustive || index % 6 === 1)
  const cases = pairsOf(pictureSweep, inspected, screensOf(inspected.length)).map(([[name, go], screen]) => ({
    name,
    go,
    ...(inEnglish(name) ? { ...screen, language: 'en' } : screen),
  }))

  it.each(cases)(
    '$name is accessible, and requests nothing from other origins: $size, $language',
    async (each) => {
      const { name, go, size, options, language } = each
      const { context, page, complaints } = await openPage({ ...options, locale: language })
      const { others: foreign } = await watchContext(context, at.origin, new URL(at.callback).origin)
      await go(page, at)
      // Colours and roles are the same in every language, so the accessibility check skips some languages.
      if (screens.some((chosen) => chosen.language === language))
        await inspect(page, `${name}-${language}`, size)
      if (!inEnglish(name)) expect(await textFaults(page, language)).toEqual([])
      expect(complaints).toEqual([])
      expect(foreign).toEqual([])
    },
  )
})

describe('the terms of use, shown over the page on a phone,', async () => {
  const { open } = await openAt({ termsOfUseUrl: `${terms.origin}/terms` })

  it('are accessible', async () => {
    const { page } = await openPage(mobileOptions)
    await open(page)
    await page.locator('.terms a').first().click()
    await page.locator('.sheet-bar[data-done]').waitFor({ state: 'attached' })
    await inspect(page, 'terms-sheet', 'mobile')
  })
})

describe('a preview', async () => {
  const { origin } = await openTenant({ color: bothThemes })

  const settings = [
    { mode: 'dark', language: 'de', platform: 'mobile' },
    { mode: 'light', language: 'en', platform: 'web' },
  ]
  it.each(someOf(settings, 1))(
    'is accessible: $mode, $language, $platform',
    async ({ mode, language, platform }) => {
      const { page, complaints } = await openPage(desktopOptions)
      await page.goto(`${origin}/sign-in?preview=true`)
      await page.waitForFunction(() => document.getElementById('app')?.inert)
      await page.evaluate((config) => window.postMessage({ sender: 'vestibule_preview', config }), {
        signInExperience: {},
        mode,
        language,
        platform,
      })
      await page.locator(`html[lang=${language}] h1`).waitFor()
      await untilSettled(page)
      await savePicture(page, `preview-${mode}-${language}`)
      // Make the page active, because axe skips inert elements.
      await page.evaluate(() => document.getElementById('app')?.removeAttribute('inert'))
      await expectSound(page)
      expect(complaints).toEqual([])
    },
  )
})

const themes = ['light', 'dark'] as const

let inspected = 0
/**
 * Returns both themes in the exhaustive run, and otherwise one of them, alternately. The order is reversed
 * after each round of all screens.
 */
function nextThemes(): readonly (typeof themes)[number][] {
  if (pictureSweep.isExhaustive) return themes
  const rounds = Math.floor(inspected / screens.length)
  return [themes[(inspected++ + rounds) % themes.length] ?? 'light']
}

async function inspect(page: Page, name: string, size: string): Promise<void> {
  for (const colorScheme of nextThemes()) {
    await page.emulateMedia({ colorScheme })
    await untilSettled(page)
    await savePicture(page, `${name}-${colorScheme}-${size}`)
    await expectSound(page)
    expect(await smallTargets(page), 'nothing is smaller than a fingertip').toEqual([])
  }
}
