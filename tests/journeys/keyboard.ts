import type { Page } from 'playwright'
import { expect } from 'vitest'
import { PASSWORD } from '../kit/clients/cookie-client.ts'
import { untilHydrated } from './inspection.ts'

/** The actions of keyboard users. Every element that receives focus must show it visibly. */

/**
 * Returns the name of the focused element and checks that its focus is visible. On a new page, no element is focused.
 */
export async function focused(page: Page): Promise<string> {
  const { name, isSeen } = await page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const lines = [element, element.closest('.field-box, .checkbox-label')].flatMap((each) => {
      if (!each) return []
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
      return [outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0, boxShadow !== 'none']
    })
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    const { top, bottom } = element.getBoundingClientRect()
    // Links focus the content, and pages their heading.
    if (element.matches('body, main, h1')) return { name: '', isSeen: true }
    return {
      name: element.getAttribute('aria-label') ?? label ?? element.textContent ?? '',
      isSeen: lines.includes(true) && top >= 0 && bottom <= innerHeight,
    }
  })
  expect(isSeen, `the focus of ${name} is visible`).toBe(true)
  return name
}

/** Moves the focus to an element with Tab, and checks every stop on the way. */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const stops: string[] = []
  for (let pressed = 0; pressed < 14; pressed++) {
    const stop = await focused(page)
    if (stop.match(name)) return
    stops.push(stop)
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${name}, but to ${stops.join(', ')}`)
}

/** Moves the focus to a button, link or checkbox, and presses a key. */
export async function pressOn(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press(key)
}

/** Waits for a page and an element of it, because the URL changes before the page is rendered. */
export async function arriveAt(page: Page, path: string, element: string): Promise<void> {
  await page.waitForURL(({ pathname }) => pathname === path)
  await page
    .locator('main')
    .getByText(element)
    .or(page.getByLabel(element, { exact: true }))
    .first()
    .waitFor()
  await untilHydrated(page)
}

/** Waits until a rejected code is reported and the focus is where another code can be typed. */
export async function untilCodeRejected(page: Page): Promise<void> {
  await page.locator('.field-problem').filter({ hasText: /\w/ }).waitFor()
  await untilHydrated(page)
  await expect.poll(() => focused(page)).toBe('Digit 1 of 6')
}

/** Fills in the first page, whose first field gets the focus. Without a name, the page has already filled it in. */
export async function typeSignIn(page: Page, username?: string): Promise<void> {
  await expect.poll(() => focused(page)).toMatch('Username')
  if (username) await page.keyboard.type(username)
  await tabTo(page, /^Password/)
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
}
