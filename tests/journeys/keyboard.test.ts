import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD } from '../kit/cookie-client.ts'
import { freshEmail } from '../kit/interaction-client.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, person } from './browser.ts'
import { during } from './experience.ts'
import { codeTo } from './messages.ts'

/** A whole journey with Tab, Enter and Space, by somebody who sees where they are. */

let application: Application
beforeAll(async () => {
  application = await openApplication('Application')
})
afterAll(() => application.close())
during({
  signIn: {
    methods: [{ identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: false }],
  },
  signUp: { identifiers: ['email'], password: true, verify: true },
  termsOfUseUrl: 'https://example.com/terms',
})

/** What has the focus, by its name; it must show. Nothing has it where a page has just begun. */
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
  expect(isSeen, `one sees that ${name} has the focus`).toBe(true)
  return name
}

/** Every stop on the way is looked at. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let stops = 0; stops < 12; stops++) {
    if ((await focused(page)).match(name)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no number of tabs leads to ${name}`)
}

/** The address changes before the page does: one who sees it waits for its first field. */
async function arriveAt(page: Page, path: string, field: string): Promise<void> {
  await page.waitForURL(`**${path}?**`)
  await page.getByLabel(field, { exact: true }).first().waitFor()
}

it('somebody without a pointer registers, proves an address, chooses a password and arrives', async () => {
  const { page, context, complaints } = await person(desktop)
  const email = freshEmail()
  await page.goto((await application.authorizationUrl()).url)
  await page.locator('body.light').waitFor()
  await tabTo(page, 'Create account')
  await page.keyboard.press('Enter')
  await arriveAt(page, '/register', 'Email')
  await tabTo(page, 'Email')
  await page.keyboard.type(email)
  await tabTo(page, 'I have read')
  await page.keyboard.press('Space')
  expect(await page.getByRole('checkbox').isChecked()).toBe(true)
  await tabTo(page, /^Create account/)
  await page.keyboard.press('Enter')

  await arriveAt(page, '/register/verification-code', 'Digit 1 of 6')
  await tabTo(page, 'Digit 1 of 6')
  await page.keyboard.type(await codeTo(email))

  await arriveAt(page, '/continue/password', 'Password')
  await tabTo(page, 'Password')
  await page.keyboard.type(PASSWORD)
  await tabTo(page, 'Show password')
  await page.keyboard.press('Space')
  expect(await page.locator('[name=newPassword]').getAttribute('type')).toBe('text')
  await tabTo(page, 'Save password')
  await page.keyboard.press('Space')
  await page.waitForURL(`${application.callback}**`)
  expect(complaints).toEqual([])
  await context.close()
})
