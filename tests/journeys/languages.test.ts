import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import english from '../../locales/en.json'
import type { Phrases } from '../../src/contract/boot.ts'
import { knownLanguages } from '../../src/contract/known-languages.ts'
import { builtInLanguages } from '../../src/contract/languages.ts'
import { catalogues } from '../client/catalogues.ts'
import { freshName } from '../kit/cookie-client.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, mobile, person, picture } from './browser.ts'
import { violations } from './inspection.ts'
import { management } from './management.ts'

const origin = inject('origin')
const withoutScript = { ...desktop, javaScriptEnabled: false }

let application: Application
let operate: Awaited<ReturnType<typeof management>>
beforeAll(async () => {
  application = await openApplication('Application')
  operate = await management()
})
afterAll(() => application.close())

async function visit(options: BrowserContextOptions, parameters?: Record<string, string>) {
  const client = await person(options)
  await client.page.goto((await application.authorizationUrl(parameters)).url)
  return client
}

const languageOf = (page: Page) => page.locator('html').getAttribute('lang')
const identifier = (page: Page) => page.locator('main input[name=identifier]')
const password = (page: Page) => page.locator('main input[name=password]')
const picker = (page: Page) => page.locator('details.languages')
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)
const isOpen = (page: Page) => picker(page).evaluate((details: HTMLDetailsElement) => details.open)

describe.each(builtInLanguages)('a visitor whose browser asks for %s', (tag) => {
  const { description } = catalogues[tag].translation

  it.each([
    { script: 'without script', options: withoutScript },
    { script: 'with script', options: desktop },
  ])('is spoken to in it, $script', async ({ script, options }) => {
    const { context, page, complaints } = await visit({ ...options, locale: tag })
    expect(await languageOf(page)).toBe(tag)
    await page.getByRole('heading', { name: description.sign_in_to_your_account, exact: true }).waitFor()
    expect(await page.title()).toBe(description.sign_in)
    if (script === 'with script') await picture(page, `sign-in-${tag}-light-desktop`)

    const { url } = await application.authorizationUrl({ interaction_mode: 'signUp' })
    await page.goto(url)
    expect(await languageOf(page)).toBe(tag)
    await page.getByRole('heading', { name: description.create_your_account, exact: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('the choice of language', () => {
  it('is made with the keyboard alone, keeps what was typed but no password, and is remembered', async () => {
    const { context, page, complaints } = await visit(desktop)
    await identifier(page).fill('ada_lovelace')
    await password(page).fill('analytical-engine-1')

    await tabTo(page, picker(page).locator('summary'))
    await page.keyboard.press('Enter')
    expect(await isOpen(page)).toBe(true)
    await page.keyboard.press('Escape')
    expect([await isOpen(page), await focused(page)]).toEqual([false, 'SUMMARY'])

    await page.keyboard.press('Space')
    await picture(page, 'language-picker-light-desktop')
    await tabTo(page, page.getByRole('link', { name: 'Türkçe' }))
    await page.keyboard.press('Enter')
    await page.waitForURL('**lng=tr-TR**')
    expect(await languageOf(page)).toBe('tr-TR')
    await expect.poll(() => identifier(page).inputValue()).toBe('ada_lovelace')
    expect(await password(page).inputValue()).toBe('')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('analytical')

    await page.goto((await application.authorizationUrl()).url)
    expect(await languageOf(page)).toBe('tr-TR')
    expect(await identifier(page).inputValue()).toBe('')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('closes when the visitor goes on elsewhere', async () => {
    const { context, page } = await visit(desktop)
    const summary = picker(page).locator('summary')
    await summary.click()
    await page.getByRole('heading').first().click()
    expect(await isOpen(page)).toBe(false)

    await summary.click()
    await identifier(page).focus()
    expect(await isOpen(page)).toBe(false)
    await context.close()
  })

  it('is no step to go back to', async () => {
    const { context, page } = await visit(desktop)
    const before = await page.evaluate(() => history.length)
    await picker(page).locator('summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.waitForURL('**lng=de**')
    expect(await page.evaluate(() => history.length)).toBe(before)
    await context.close()
  })

  it('needs no script, and no interaction', async () => {
    const { context, page } = await person(withoutScript)
    await page.goto(`${origin}/unknown-session`)
    await picker(page).locator('summary').click()
    await page.getByRole('link', { name: '한국어' }).click()
    await page.waitForURL('**lng=ko**')
    expect(await languageOf(page)).toBe('ko')
    await page.goto(`${origin}/no-such-page`)
    expect(await languageOf(page)).toBe('ko')
    await context.close()
  })

  it('of many scrolls inside the window, on a screen of any size', async () => {
    const many = knownLanguages.filter((tag) => !builtInLanguages.some((known) => known === tag)).slice(0, 40)
    for (const tag of many) await operate('PUT', `/custom-phrases/${tag}`, { action: { agree: 'x' } })
    for (const options of [desktop, mobile, { viewport: { width: 320, height: 256 } }]) {
      const { context, page, complaints } = await visit(options)
      await picker(page).locator('summary').click()
      const list = picker(page).locator('ul')
      await expect.poll(() => isSeen(list)).toBe(true)
      await expect.poll(() => isSeen(list.locator('[aria-current]'))).toBe(true)
      expect(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true)
      await picture(page, `language-picker-many-${options.viewport.width}`)
      expect(await violations(page)).toEqual([])
      expect(complaints).toEqual([])
      await context.close()
    }
    for (const tag of many) await operate('DELETE', `/custom-phrases/${tag}`)
  })
})

describe('a language from right to left', () => {
  beforeAll(() => operate('PUT', '/custom-phrases/ar-AR', pseudoArabic(english.translation)))
  afterAll(() => operate('DELETE', '/custom-phrases/ar-AR'))

  const sizes = [
    { size: 'desktop', options: { ...desktop, locale: 'ar' } },
    { size: 'mobile', options: { ...mobile, locale: 'ar' } },
  ]

  it.each(sizes)('mirrors /sign-in on a $size screen', async ({ size, options }) => {
    const { context, page, complaints } = await visit(options)
    await expectRightToLeft(page)
    await password(page).fill('analytical-engine-1')
    const eye = page.locator('.field-box:has([name=password]) button').last()
    expect(await centre(eye)).toBeLessThan(await centre(password(page)))
    expect(await startsRight(page.locator('label').first())).toBe(true)

    await identifier(page).fill('ada_lovelace')
    const clear = page.locator('.field-box:has([name=identifier]) .field-clear')
    expect(await centre(clear)).toBeLessThan(await centre(identifier(page)))

    await picker(page).locator('summary').click()
    await picture(page, `sign-in-rtl-light-${size}`)
    await expectSound(page, complaints)
    await context.close()
  })

  it.each(sizes)('mirrors /register/password on a $size screen', async ({ size, options }) => {
    const { context, page, complaints } = await visit(options, { interaction_mode: 'signUp' })
    await identifier(page).fill(freshName())
    await page.locator('main button[name=submit]').click()
    await page.waitForURL('**/register/password?**')
    await expectRightToLeft(page)

    const back = page.locator('.back-link')
    expect(await startsRight(back)).toBe(true)
    const [mirrored] = await back
      .locator('.icon')
      .evaluate((icon) => getComputedStyle(icon).transform.match(/-?[\d.]+/g) ?? [])
    expect(mirrored).toBe('-1')
    expect(await startsRight(page.locator('.content h1'))).toBe(true)
    await picture(page, `register-password-rtl-light-${size}`)
    await expectSound(page, complaints)
    await context.close()
  })

  it('mirrors a dialog', async () => {
    await operate('PATCH', '/sign-in-exp', { termsOfUseUrl: 'https://example.com/terms' })
    const { context, page, complaints } = await visit(
      { ...desktop, locale: 'ar' },
      { interaction_mode: 'signUp' },
    )
    await identifier(page).fill(freshName())
    await page.locator('main button[name=submit]').click()
    const dialog = page.locator('dialog[open]').first()
    await dialog.waitFor()
    expect(await centre(dialog.locator('.icon-button'))).toBeLessThan(await centre(dialog))
    await picture(page, 'register-terms-dialog-rtl-light-desktop')
    await expectSound(page, complaints)
    await operate('PATCH', '/sign-in-exp', { termsOfUseUrl: null })
    await context.close()
  })
})

/** Every text in the letters of another script, with its places for values and links as they are. */
function pseudoArabic(part: Phrases): Phrases {
  const letters = 'ابجدهوزحطيكلمنسعفصقرشتثخذض'
  const written = (text: string) =>
    text.replaceAll(/(\{\{.*?\}\}|<\/?\w+>)|([a-z])/gi, (_, place: string | undefined, letter: string) =>
      place ? place : letters.charAt(letter.toLowerCase().charCodeAt(0) - 97),
    )
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      typeof value === 'string' ? written(value) : pseudoArabic(value),
    ]),
  )
}

async function expectRightToLeft(page: Page): Promise<void> {
  await page.getByRole('heading', { name: /[\u0600-\u06ff]/ }).waitFor()
  expect([await languageOf(page), await page.locator('html').getAttribute('dir')]).toEqual(['ar', 'rtl'])
}

/** Whether all of it is inside the window, and inside the list it may stand in. */
const isSeen = (element: Locator) =>
  element.evaluate((found) => {
    const { top, bottom, left, right } = found.getBoundingClientRect()
    const subApp = found.parentElement?.closest('ul')?.getBoundingClientRect() ?? {
      top: 0,
      bottom: innerHeight,
    }
    // Scrolling stops at whole pixels.
    return top > subApp.top - 1 && bottom < subApp.bottom + 1 && left >= 0 && right <= innerWidth
  })

const centre = (element: Locator) =>
  element.evaluate((found) => {
    const { left, right } = found.getBoundingClientRect()
    return (left + right) / 2
  })

/** Whether what an element says begins at the right edge of the box it stands in. */
const startsRight = (element: Locator) =>
  element.evaluate((found) => {
    const words = document.createRange()
    words.selectNodeContents(found)
    const said = words.getBoundingClientRect()
    const subApp = (found.closest('.content, .back-bar') ?? document.body).getBoundingClientRect()
    return subApp.right - said.right < 40 && said.left - subApp.left > 40
  })

async function expectSound(page: Page, complaints: readonly string[]): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(await violations(page)).toEqual([])
  expect(complaints).toEqual([])
}

/** As somebody without a pointer gets there. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await element.evaluate((found) => found === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('no number of tabs leads there')
}
