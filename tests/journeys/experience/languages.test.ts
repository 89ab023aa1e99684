import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { knownLanguages } from '../../../src/contract/experience/known-languages.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { phraseCatalogues } from '../../client/catalogues.ts'
import { freshName, newCookieClient } from '../../kit/clients/cookie-client.ts'
import {
  browserSweep,
  desktopOptions,
  inExhaustiveRun,
  mobileOptions,
  openPage,
  savePicture,
  someOf,
  withoutScript,
} from '../browser.ts'
import { axeViolations, overflowOf, untilHydrated } from '../inspection.ts'
import { openTenant } from '../tenant.ts'

const { origin, openApplication } = await openTenant()
const application = await openApplication()

async function visit(options: BrowserContextOptions, parameters?: Record<string, string>) {
  const client = await openPage(options)
  await client.page.goto((await application.authorizationUrl(parameters)).url)
  return client
}

const languageOf = (page: Page) => page.locator('html').getAttribute('lang')
const identifier = (page: Page) => page.locator('main input[name=identifier]')
const password = (page: Page) => page.locator('main input[name=password]')
const picker = (page: Page) => page.locator('details.languages')
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)
const isOpen = (page: Page) => picker(page).evaluate((details: HTMLDetailsElement) => details.open)

/**
 * A right-to-left language. every-language.test.ts covers the others, and the
 * exhaustive run uses all languages.
 */
const chosen = browserSweep.isExhaustive ? builtInLanguages : builtInLanguages.filter((tag) => tag === 'ar')

describe('a browser that requests a language', () => {
  it.each(chosen)('shows pages in that language: %s', async (tag) => {
    const { description } = phraseCatalogues[tag].translation
    const { page, complaints } = await visit({ ...desktopOptions, locale: tag })
    expect(await languageOf(page)).toBe(tag)
    await page.getByRole('heading', { name: description.sign_in_to_your_account, exact: true }).waitFor()
    expect(await page.title()).toBe(description.sign_in)
    await savePicture(page, `sign-in-${tag}-light-desktop`)

    const { url } = await application.authorizationUrl({ interaction_mode: 'signUp' })
    await page.goto(url)
    expect(await languageOf(page)).toBe(tag)
    await page.getByRole('heading', { name: description.create_your_account, exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  it.each(someOf(builtInLanguages, 8))('gets server-rendered pages in that language: %s', async (tag) => {
    const { description } = phraseCatalogues[tag].translation
    const client = newCookieClient({
      fetch: (path, init) => fetch(new URL(path, origin), { redirect: 'manual', ...init }),
    })
    const html = async (path: string) =>
      (await client.get(path, { accept: 'text/html', 'accept-language': tag })).text()
    for (const [mode, heading] of [
      ['signIn', description.sign_in_to_your_account],
      ['signUp', description.create_your_account],
    ] as const) {
      const { url } = await application.authorizationUrl({ interaction_mode: mode })
      const begun = new URL((await client.get(url)).headers.get('location') ?? '', origin)
      const page = await html(begun.pathname + begun.search)
      expect(/<html lang="([^"]+)"/.exec(page)?.[1]).toBe(tag)
      expect(/<h1[^>]*>([^<]*)<\/h1>/.exec(page)?.[1]).toBe(heading)
    }
  })
})

describe('the language picker', () => {
  it('is operable by keyboard, keeps typed values except passwords, and remembers the choice', async () => {
    const { page, complaints } = await visit(desktopOptions)
    await identifier(page).fill('ada_lovelace')
    await password(page).fill('analytical-engine-1')

    await tabTo(page, picker(page).locator('summary'))
    await page.keyboard.press('Enter')
    expect(await isOpen(page)).toBe(true)
    await page.keyboard.press('Escape')
    expect([await isOpen(page), await focused(page)]).toEqual([false, 'SUMMARY'])

    await page.keyboard.press('Space')
    await savePicture(page, 'language-picker-light-desktop')
    await tabTo(page, page.getByRole('button', { name: 'Türkçe' }))
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
  })

  it("begins with the browser's languages and the current one (spec/experience#language-picker)", async () => {
    const { page } = await openPage({ ...desktopOptions, locale: 'de-AT' })
    await page.goto((await application.authorizationUrl({ ui_locales: 'fr' })).url)
    await untilHydrated(page)
    const names = () => picker(page).getByRole('button').allTextContents()
    await picker(page).locator('summary').press('Enter')
    expect((await names()).slice(0, 2)).toEqual(['Deutsch', 'Français'])
    expect(new Set(await names()).size).toBe((await names()).length)
    await savePicture(page, 'language-picker-likely')
  })

  it('closes when the user focuses or clicks another element', async () => {
    const { page } = await visit(desktopOptions)
    const summary = picker(page).locator('summary')
    await summary.click()
    await page.mouse.click(4, 4)
    expect(await isOpen(page)).toBe(false)

    await summary.click()
    await identifier(page).focus()
    expect(await isOpen(page)).toBe(false)
  })

  it('adds no entry to the browser history', async () => {
    const { page } = await visit(desktopOptions)
    const before = await page.evaluate(() => history.length)
    await picker(page).locator('summary').click()
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await page.waitForURL('**lng=de**')
    expect(await page.evaluate(() => history.length)).toBe(before)
  })

  it('works without JavaScript and without an interaction', async () => {
    const { page } = await openPage(withoutScript)
    await page.goto(`${origin}/unknown-session`)
    await picker(page).locator('summary').click()
    await page.getByRole('button', { name: '한국어' }).click()
    await page.waitForURL('**lng=ko**')
    expect(await languageOf(page)).toBe('ko')
    await page.goto(`${origin}/no-such-page`)
    expect(await languageOf(page)).toBe('ko')
  })

  describe('with a long list of languages', async () => {
    const { call, openApplication: open } = await openTenant()
    const { authorizationUrl } = await open()
    beforeAll(async () => {
      const others = knownLanguages.filter((tag) => !builtInLanguages.some((known) => known === tag))
      for (const tag of others.slice(0, 40))
        await call('PUT', `/custom-phrases/${tag}`, { action: { agree: 'x' } })
    })

    const windows = [
      { width: 320, options: { viewport: { width: 320, height: 256 } } },
      { width: 390, options: mobileOptions },
      { width: 1280, options: desktopOptions },
    ]
    it.each(someOf(windows, 1))(
      'scrolls inside a window that is $width px wide',
      async ({ width, options }) => {
        const { page, complaints } = await openPage(options)
        await page.goto((await authorizationUrl()).url)
        await picker(page).locator('summary').click()
        const list = picker(page).locator('ul')
        await expect.poll(() => isSeen(list)).toBe(true)
        await expect.poll(() => isSeen(list.locator('[aria-current]'))).toBe(true)
        expect(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(
          true,
        )
        await savePicture(page, `language-picker-many-${width}`)
        expect(await axeViolations(page)).toEqual([])
        expect(complaints).toEqual([])
      },
    )
  })
})

it('Japanese text never breaks within a word', async () => {
  const { page } = await openPage(mobileOptions)
  await page.goto(`${origin}/no-such-page?lng=ja`)
  for (const width of [200, 220, 240, 260, 280, 300, 320]) {
    await page.setViewportSize({ width, height: 640 })
    expect(new Set(await topsOf(page, '移動しました')).size, `${width} px`).toBe(1)
  }
})

/** Returns the horizontal position of each letter of a word in the description. */
async function topsOf(page: Page, inDescription: string): Promise<number[]> {
  const tops = await page.locator('.description').evaluate(({ firstChild }, word) => {
    if (!(firstChild instanceof Text)) return []
    const start = firstChild.data.indexOf(word)
    return [...word].map((_, index) => {
      const letter = document.createRange()
      letter.setStart(firstChild, start + index)
      letter.setEnd(firstChild, start + index + 1)
      return letter.getBoundingClientRect().top
    })
  }, inDescription)
  expect(tops).toHaveLength(inDescription.length)
  return tops
}

describe('a right-to-left language', async () => {
  const { offer, openApplication: open } = await openTenant()
  const { authorizationUrl } = await open()

  async function visitRightToLeft(options: BrowserContextOptions, parameters?: Record<string, string>) {
    const client = await openPage(options)
    await client.page.goto((await authorizationUrl(parameters)).url)
    return client
  }

  const desktop = { size: 'desktop', options: { ...desktopOptions, locale: 'ar' } }
  const mobile = { size: 'mobile', options: { ...mobileOptions, locale: 'ar' } }

  it.each(someOf([desktop, mobile], 1))('mirrors /sign-in on a $size screen', async ({ size, options }) => {
    const { page, complaints } = await visitRightToLeft(options)
    await expectRightToLeft(page)
    await password(page).fill('analytical-engine-1')
    const eye = page.locator('.field-box:has([name=password]) button').last()
    expect(await centre(eye)).toBeLessThan(await centre(password(page)))
    expect(await startsRight(page.locator('label').first())).toBe(true)

    await identifier(page).fill('ada_lovelace')
    const clear = page.locator('.field-box:has([name=identifier]) .field-clear')
    expect(await centre(clear)).toBeLessThan(await centre(identifier(page)))

    await picker(page).locator('summary').click()
    await savePicture(page, `sign-in-rtl-light-${size}`)
    await expectSound(page, complaints)
  })

  // pages.test.ts mirrors every page.
  inExhaustiveRun.each([desktop, mobile])(
    'mirrors /register/password on a $size screen',
    async ({ size, options }) => {
      const { page, complaints } = await visitRightToLeft(options, { interaction_mode: 'signUp' })
      await identifier(page).fill(freshName())
      await page.locator('main button[name=submit]').click()
      await page.waitForURL('**/register/password?**')
      await expectRightToLeft(page)

      const back = page.locator('.back-bar')
      expect(await centre(back)).toBeGreaterThan(await centre(page.locator('main')))
      const [mirrored] = await back
        .locator('.icon')
        .evaluate((icon) => getComputedStyle(icon).transform.match(/-?[\d.]+/g) ?? [])
      expect(mirrored).toBe('-1')
      expect(await startsRight(page.locator('.content .field-label').first())).toBe(true)
      await savePicture(page, `register-password-rtl-light-${size}`)
      await expectSound(page, complaints)
    },
  )

  it('mirrors a dialog', async () => {
    await offer({ termsOfUseUrl: 'https://example.com/terms' })
    const { page, complaints } = await visitRightToLeft(
      { ...desktopOptions, locale: 'ar' },
      { interaction_mode: 'signUp' },
    )
    await identifier(page).fill(freshName())
    await page.locator('main button[name=submit]').click()
    const dialog = page.locator('dialog[open]').first()
    await dialog.waitFor()
    expect(await centre(dialog.locator('.icon-button'))).toBeLessThan(await centre(dialog))
    await savePicture(page, 'register-terms-dialog-rtl-light-desktop')
    await expectSound(page, complaints)
  })
})

async function expectRightToLeft(page: Page): Promise<void> {
  await page.getByRole('heading', { name: /[\u0600-\u06ff]/ }).waitFor()
  expect([await languageOf(page), await page.locator('html').getAttribute('dir')]).toEqual(['ar', 'rtl'])
}

/** Reports whether an element is completely inside the window and, if it is in a list, inside the list. */
const isSeen = (element: Locator) =>
  element.evaluate((node) => {
    const { top, bottom, left, right } = node.getBoundingClientRect()
    const frame = node.parentElement?.closest('ul')?.getBoundingClientRect() ?? {
      top: 0,
      bottom: innerHeight,
    }
    // Allow for scroll positions, which are whole pixels.
    return top > frame.top - 1 && bottom < frame.bottom + 1 && left >= 0 && right <= innerWidth
  })

const centre = (element: Locator) =>
  element.evaluate((node) => {
    const { left, right } = node.getBoundingClientRect()
    return (left + right) / 2
  })

/** Reports whether the text of an element begins at the right edge of its box. */
const startsRight = (element: Locator) =>
  element.evaluate((node) => {
    const words = document.createRange()
    words.selectNodeContents(node)
    const text = words.getBoundingClientRect()
    const box = (node.closest('.content') ?? document.body).getBoundingClientRect()
    return box.right - text.right < 40 && text.left - box.left > 40
  })

async function expectSound(page: Page, complaints: readonly string[]): Promise<void> {
  expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  expect(await axeViolations(page)).toEqual([])
  expect(complaints).toEqual([])
}

/** Moves the focus to an element without a pointer. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await element.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('no number of tabs leads there')
}
