import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import { pairsOf } from '../../kit/sweep.ts'
import {
  browserSweep,
  desktopOptions,
  mobileOptions,
  openPage,
  savePicture,
  scripted,
  someOf,
  waysOf,
} from '../browser.ts'
import { axeViolations, untilHydrated, untilPainted, untilSettled } from '../inspection.ts'
import { followLink, passwordField, pressButton, typeCode } from '../steps.ts'
import { bothThemes, openTenant } from '../tenant.ts'

/** Tests usernames, addresses and phone numbers in a browser, including a single field for all of them. */

const codes = { password: true, verificationCode: true }

/** The sign-in methods: passwords for usernames and addresses, and codes for phone numbers. */
const everything = {
  color: bothThemes,
  signIn: {
    methods: [
      { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
      { identifier: 'email', ...codes, isPasswordPrimary: true },
      { identifier: 'phone', ...codes, isPasswordPrimary: false },
    ],
  },
  signUp: { identifiers: ['email', 'phone'], password: true, verify: true },
}
const phoneOnly = {
  color: bothThemes,
  signIn: { methods: [{ identifier: 'phone', ...codes, isPasswordPrimary: true }] },
  signUp: { identifiers: ['phone'], password: true, verify: true },
}

async function openPages(experience: Record<string, unknown>) {
  const { openApplication, ...tenant } = await openTenant(experience)
  const { authorizationUrl, callback } = await openApplication()
  return {
    ...tenant,
    callback,
    open: async (page: Page, parameters: Record<string, string> = {}) =>
      page.goto((await authorizationUrl(parameters)).url),
  }
}

const withEverything = await openPages(everything)
const withPhones = await openPages({ ...phoneOnly, termsOfUseUrl: 'https://example.com/terms' })
const withPhonesAlone = await openPages(phoneOnly)
const toRegistration = { interaction_mode: 'signUp' }
const identifier = (page: Page) => page.locator('[name=identifier]')
const country = (page: Page) => page.getByRole('button', { name: /^Country code/ })
const search = (page: Page) => page.getByRole('combobox', { name: 'Search countries' })
const highlighted = (page: Page) => page.getByRole('option', { selected: true })
const freshPhone = () => `170${Math.floor(Math.random() * 1e7 + 1e7)}`.slice(0, 10)

async function typeCodeTo(page: Page, to: string): Promise<void> {
  await page.waitForURL('**/verification-code?**')
  await typeCode(page, await withPhonesAlone.codeTo(to))
}

describe('a field that accepts several types of identifiers', () => {
  const { call, open } = withEverything

  it('shows a calling code while its text looks like a phone number', async () => {
    const { page, complaints } = await openPage()
    await open(page)
    await identifier(page).pressSequentially('12')
    expect(await country(page).count()).toBe(0)
    await identifier(page).pressSequentially('3')
    await country(page).waitFor()
    expect(await country(page).textContent()).toContain('+1')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    expect(await country(page).isVisible()).toBe(true)
    await page.keyboard.type('a')
    await country(page).waitFor({ state: 'hidden' })
    await identifier(page).fill('6502530000')
    await country(page).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await country(page).waitFor({ state: 'hidden' })
    expect([await identifier(page).inputValue(), complaints]).toEqual(['', []])
  })

  // tests/client/phones.test.ts covers the formats.
  it.each(someOf(['+49 170 1234567', '00491701234567'], 1))(
    'recognizes the country of a phone number that is pasted or autofilled: %s',
    async (text) => {
      const { page } = await openPage()
      await open(page)
      await identifier(page).fill(text)
      await page.getByRole('button', { name: 'Country code +49' }).waitFor()
      expect(await identifier(page).inputValue()).toBe('1701234567')
    },
  )

  it('recognizes the country of a typed phone number when it loses focus', async () => {
    const { page } = await openPage()
    await open(page)
    await identifier(page).pressSequentially('+491701234567')
    expect(await country(page).count()).toBe(0)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Country code +49' }).waitFor()
    expect(await identifier(page).inputValue()).toBe('1701234567')
  })

  it('loads the numbering plans and the list of countries only when they are needed', async () => {
    const { page } = await openPage()
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    const loaded = (name: string) => scripts.some((url) => url.includes(`/assets/${name}-`))
    await open(page)
    await identifier(page).pressSequentially('ada@example.com')
    await untilPainted(page)
    expect([loaded('phone-numbers'), loaded('country-dropdown')]).toEqual([false, false])
    await identifier(page).fill('6502530000')
    await country(page).waitFor()
    expect([loaded('phone-numbers'), loaded('country-dropdown')]).toEqual([true, false])
    await country(page).click()
    await search(page).waitFor()
    expect(loaded('country-dropdown')).toBe(true)
  })

  it('offers to correct a mistyped domain, in a space that stays, and asks no server (spec/pages#mistyped-domains)', async () => {
    const { page, complaints } = await openPage()
    const requests: string[] = []
    await open(page)
    await untilHydrated(page)
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    const offer = page.getByRole('status').getByRole('button')
    const buttonTop = async () => (await page.getByRole('button', { name: 'Continue' }).boundingBox())?.y
    const topBefore = await buttonTop()

    await identifier(page).pressSequentially('ada')
    expect(requests.filter((path) => path.includes('address-help'))).toEqual([])
    await identifier(page).pressSequentially('@gmial.co')
    await offer.waitFor()
    const top = await buttonTop()
    expect(top).toBeGreaterThan(topBefore ?? 0)
    await identifier(page).pressSequentially('m')
    expect(await offer.textContent()).toBe('Did you mean ada@gmail.com?')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Tab')
    expect(await buttonTop()).toBe(top)
    await page.keyboard.press('Enter')
    await offer.waitFor({ state: 'hidden' })
    expect(await identifier(page).inputValue()).toBe('ada@gmail.com')
    expect(await identifier(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await buttonTop()).toBe(top)
    expect(requests.filter((path) => !path.startsWith('/assets/'))).toEqual([])
    expect(complaints).toEqual([])
  })

  it('accepts a domain that looks mistyped', async () => {
    const { page } = await openPage()
    await open(page)
    // The offer appears only while the user types, so not for what was typed before.
    await untilHydrated(page)
    await identifier(page).pressSequentially('ada@gmial.com')
    await page.getByRole('button', { name: 'Did you mean ada@gmail.com?' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in/password?**')
    await page.getByText('ada@gmial.com').first().waitFor()
  })

  it('is aligned like its label in Arabic, whatever the direction of its text', async () => {
    const { page } = await openPage(desktopOptions)
    await withEverything.open(page, { ui_locales: 'ar' })
    const alignment = () =>
      identifier(page).evaluate((field) => {
        const { direction, textAlign } = getComputedStyle(field)
        return [direction, textAlign]
      })
    await identifier(page).fill('ada_lovelace')
    expect(await alignment()).toEqual(['ltr', 'right'])
    await identifier(page).fill('ليلى')
    expect(await alignment()).toEqual(['rtl', 'right'])
  })

  it('reports an invalid value without naming a type, and accepts an email address', async () => {
    const { page } = await openPage()
    await open(page)
    await identifier(page).fill('ada@example')
    await pressButton(page, 'Continue')
    await page.getByText('The username, email, or phone number is invalid').waitFor()
    await identifier(page).fill('ada@example.com')
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/password?**')
    await page.getByText('Sign in with the password for email ada@example.com').waitFor()
    await passwordField(page).fill('wrong-horse-7')
    await pressButton(page, 'Sign in')
    await page.getByText('That password isn’t right').waitFor()
    await page.goBack()
    await page.waitForURL('**/sign-in?**')
    expect(await identifier(page).inputValue()).toBe('ada@example.com')
  })

  it('passes its value on to the page for a forgotten password', async () => {
    const { forgotPassword } = await call<{ forgotPassword?: { email: boolean } }>(
      'GET',
      '/.well-known/sign-in-exp',
    )
    expect(forgotPassword?.email).toBe(true)
    const { page } = await openPage()
    await open(page)
    await identifier(page).fill('ada@example.com')
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/password?**')
    await followLink(page, 'Forgot your password?')
    await page.waitForURL('**/forgot-password?**')
    expect(await identifier(page).inputValue()).toBe('ada@example.com')
  })
})

describe('the list of countries', () => {
  const { open } = withEverything

  async function opened() {
    const { page, complaints } = await openPage()
    await open(page)
    await identifier(page).fill('6502530000')
    await country(page).click()
    await search(page).waitFor()
    return { page, complaints }
  }

  it('is operable with the arrow keys, a search and Enter', async () => {
    const { page, complaints } = await opened()
    expect(await highlighted(page).textContent()).toContain('+1')
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key)
    expect(await highlighted(page).textContent()).toContain('Åland Islands')
    await page.keyboard.type('+4e-.9')
    expect(await search(page).inputValue()).toBe('+49')
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['DEGermany +49'])
    await page.keyboard.press('Enter')
    await search(page).waitFor({ state: 'hidden' })
    expect(await country(page).textContent()).toContain('+49')
    expect(await identifier(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(complaints).toEqual([])
  })

  it('finds a country by its name or calling code, and selects it with the space bar', async () => {
    const { page } = await opened()
    await page.keyboard.type('united king')
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['GBUnited Kingdom +44'])
    await search(page).fill('33')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.keyboard.press('Space')
    await search(page).waitFor({ state: 'hidden' })
    expect(await country(page).textContent()).toContain('+33')
  })

  it('reports that no country matches, and keeps the selected country on Escape', async () => {
    const { page } = await opened()
    await page.keyboard.type('9999')
    await page.getByText('No region code found').waitFor()
    await page.keyboard.press('Escape')
    expect(await identifier(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await search(page).waitFor({ state: 'hidden' })
    expect(await country(page).textContent()).toContain('+1')
    expect(await identifier(page).inputValue()).toBe('6502530000')
  })

  it('is 8 px below the field and just as wide, and closes when the user clicks outside it', async () => {
    const { page } = await opened()
    await untilSettled(page)
    const field = await page.locator('.field-box').first().boundingBox()
    const list = await page.locator('.countries').boundingBox()
    expect(list?.y).toBeCloseTo((field?.y ?? 0) + (field?.height ?? 0) + 8, 0)
    expect([list?.x, list?.width]).toEqual([field?.x, field?.width])
    await page.mouse.click(5, 5)
    await search(page).waitFor({ state: 'hidden' })
  })

  it('fills the screen on a phone, and closes when the user presses its back button', async () => {
    const { page } = await openPage(mobileOptions)
    await open(page)
    await identifier(page).fill('6502530000')
    await country(page).click()
    await search(page).waitFor()
    await untilSettled(page)
    expect(await page.locator('.countries').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
    await page.getByRole('option', { name: 'United Kingdom' }).click()
    await search(page).waitFor({ state: 'hidden' })
    expect(await country(page).textContent()).toContain('+44')
    await country(page).click()
    const back = page.getByRole('dialog').getByRole('button', { name: 'Back' })
    const middles = await back.evaluate((button) => {
      const text = document.createRange()
      text.selectNodeContents(button.lastChild ?? button)
      const boxes = [button.querySelector('svg')?.getBoundingClientRect(), text.getBoundingClientRect()]
      return boxes.map((box) => Math.round(box ? (box.top + box.bottom) / 2 : 0))
    })
    expect(middles[0], 'in one line').toBe(middles[1])
    await back.click()
    await search(page).waitFor({ state: 'hidden' })
  })
})

// tests/web/pages/identifier-forms.test.ts and code-forms.test.ts cover each of these steps over HTTP, without
// JavaScript.
describe.each(waysOf(scripted))('a user with a phone number, $script,', ({ options }) => {
  const { callback, open } = withPhonesAlone

  it('registers with a code, and signs in with the password or another code', async () => {
    const national = freshPhone()
    const formatted = `+49 ${national}`
    const { page, context, complaints } = await openPage({ ...options, locale: 'de-DE' })
    await open(page, { ...toRegistration, ui_locales: 'en' })
    await identifier(page).fill(formatted)
    await pressButton(page, 'Continue')
    await typeCodeTo(page, `49${national}`)
    await page.waitForURL('**/continue/password?**')
    await passwordField(page).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${callback}**`)
    await context.clearCookies()

    await open(page, { ui_locales: 'en' })
    await identifier(page).fill(formatted)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/password?**')
    // The specification: "Shows the identifier (masked for phone)".
    await page.getByText(`phone number ****${national.slice(-4)}`).waitFor()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.waitForURL('**/sign-in?**')
    expect(await identifier(page).inputValue()).toBe(national)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/password?**')
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Sign in')
    await page.waitForURL(`${callback}**`)
    await context.clearCookies()

    await open(page, { ui_locales: 'en' })
    await identifier(page).fill(formatted)
    await pressButton(page, 'Continue')
    await pressButton(page, 'Text me a code instead')
    await typeCodeTo(page, `49${national}`)
    await page.waitForURL(`${callback}**`)
    expect(complaints).toEqual([])
  })
})

describe('the identifier field and its list', () => {
  const looks = pairsOf(browserSweep, ['mobile', 'desktop'] as const, ['dark', 'light'] as const)
  // tests/journeys/experience/layouts.test.ts and others inspect forms on a computer.
  it.each(browserSweep.isExhaustive ? looks : looks.slice(0, 1))(
    'are accessible: %s, %s',
    async (look, colorScheme) => {
      const { page } = await openPage({
        ...(look === 'mobile' ? mobileOptions : desktopOptions),
        colorScheme,
      })
      const inspect = async (name: string) => {
        // A page that is loaded by script renders its heading last.
        await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
        await untilSettled(page)
        await savePicture(page, `identifiers-${name}-${look}-${colorScheme}`)
        expect(await axeViolations(page), name).toEqual([])
      }
      await withEverything.open(page)
      await identifier(page).fill('6502530000')
      await country(page).waitFor()
      await inspect('sign-in-phone')
      await country(page).click()
      await search(page).waitFor()
      await inspect('countries')
      await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
      await page.evaluate(() => dispatchEvent(new Event('resize')))
      await inspect('countries-rtl')
      const box = await page.locator('.countries').boundingBox()
      const field = await page.locator('.field-box').first().boundingBox()
      if (look === 'desktop') expect([box?.x, box?.width]).toEqual([field?.x, field?.width])
      await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'))
      await page.evaluate(() => dispatchEvent(new Event('resize')))
      await search(page).fill('999')
      await page.getByText('No region code found').waitFor()
      await inspect('countries-none')
      await page.keyboard.press('Escape')
      await identifier(page).fill('123')
      await pressButton(page, 'Continue')
      await page.getByText('is invalid').waitFor()
      await inspect('sign-in-problem')
      await withPhones.open(page)
      await inspect('phone-sign-in')
      await followLink(page, 'Create account')
      await page.waitForURL('**/register?**')
      await inspect('phone-register')
    },
  )
})
