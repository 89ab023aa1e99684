import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { PASSWORD } from '../kit/clients/cookie-client.ts'
import { freshEmail } from '../kit/clients/interaction-client.ts'
import { desktopOptions, openPage } from './browser.ts'
import { untilHydrated } from './inspection.ts'
import { openTenant } from './tenant.ts'

/** Tests a registration with only Tab, Enter and Space. Every element that receives focus must show it visibly. */

const { codeTo, openApplication } = await openTenant({
  signIn: {
    methods: [{ identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: false }],
  },
  signUp: { identifiers: ['email'], password: true, verify: true },
  termsOfUseUrl: 'https://example.com/terms',
})
const application = await openApplication()

/**
 * Returns the name of the focused element and checks that its focus is visible. On a new page, no element is focused.
 */
async function focused(page: Page): Promise<string> {
  const { name, isSeen } = await page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const lines = [element, element.closest('.field-box, .checkbox-label')].flatMap((each) => {
      if (!each) return []
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
      return [outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0, boxShadow !== 'none']
    })
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    const { top, bottom } = element.getBoundingClientRect()
    if (element === document.body) return { name: '', isSeen: true }
    return {
      name: element.getAttribute('aria-label') ?? label ?? element.textContent ?? '',
      isSeen: lines.includes(true) && top >= 0 && bottom <= innerHeight,
    }
  })
  expect(isSeen, `the focus of ${name} is visible`).toBe(true)
  return name
}

/** Moves the focus to an element with Tab, and checks every stop on the way. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let stops = 0; stops < 12; stops++) {
    if ((await focused(page)).match(name)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no number of tabs leads to ${name}`)
}

/** Waits for a page and its first field, because the URL changes before the page is rendered. */
async function arriveAt(page: Page, path: string, field: string): Promise<void> {
  await page.waitForURL(`**${path}?**`)
  await page.getByLabel(field, { exact: true }).first().waitFor()
}

it('a user registers with an address, a code and a password, using only the keyboard', async () => {
  const { page, complaints } = await openPage(desktopOptions)
  const email = freshEmail()
  await page.goto((await application.authorizationUrl()).url)
  await untilHydrated(page)
  await tabTo(page, 'Create account')
  await page.keyboard.press('Enter')
  await arriveAt(page, '/register', 'Email')
  await tabTo(page, 'Email')
  await page.keyboard.type(email)
  await tabTo(page, 'I have read')
  await page.keyboard.press('Space')
  expect(await page.getByRole('checkbox').isChecked()).toBe(true)
  await tabTo(page, /^Continue/)
  await page.keyboard.press('Enter')

  await arriveAt(page, '/register/verification-code', 'Digit 1 of 6')
  await tabTo(page, 'Digit 1 of 6')
  await untilHydrated(page)
  await page.keyboard.type(await codeTo(email))

  await arriveAt(page, '/continue/password', 'Password')
  await tabTo(page, 'Password')
  await page.keyboard.type(PASSWORD)
  await tabTo(page, 'Show password')
  await page.keyboard.press('Space')
  expect(await page.locator('[name=newPassword]').getAttribute('type')).toBe('text')
  await tabTo(page, 'Continue')
  await page.keyboard.press('Space')
  await page.waitForURL(`${application.callback}**`)
  expect(complaints).toEqual([])
})
