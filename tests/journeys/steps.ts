import type { Page } from 'playwright'
import { newAuthorization } from '../../bench/browser/sign-in.ts'
import { PASSWORD } from '../kit/clients/cookie-client.ts'
import { hasScript } from './browser.ts'
import { untilHydrated } from './inspection.ts'

/** The actions of users on a page, based on what they see there. */
export const usernameField = (page: Page) => page.getByRole('textbox', { name: 'Username' })
export const passwordField = (page: Page) => page.getByLabel('Password', { exact: true })

export async function pressButton(page: Page, name: string): Promise<void> {
  await untilHydrated(page)
  await page.getByRole('button', { name, exact: true }).click()
}

export async function followLink(page: Page, name: string): Promise<void> {
  await untilHydrated(page)
  await page.getByRole('link', { name, exact: true }).click()
}

export async function signInOnPage(page: Page, name: string, secret = PASSWORD): Promise<void> {
  await usernameField(page).fill(name)
  await passwordField(page).fill(secret)
  await pressButton(page, 'Sign in')
}

/** Signs in again in a browser that remembers the account, which has used its password last. */
export async function signInAgain(page: Page, secret = PASSWORD): Promise<void> {
  await page.waitForURL('**/sign-in/account?**')
  await pressButton(page, 'Continue')
  await page.waitForURL('**/sign-in/password?**')
  await passwordField(page).fill(secret)
  await pressButton(page, 'Sign in')
}

/** Signs in with the calls that the pages would make, for tests that do not test the sign-in itself. */
export async function signInByCalls(page: Page, { origin }: { origin: string }, username: string) {
  const { request } = page.context()
  const started = await request.get(newAuthorization(origin).url, { headers: { accept: 'text/html' } })
  const headers = { interaction: new URL(started.url()).searchParams.get('interaction') ?? '' }
  const identifier = { username, password: PASSWORD }
  await request.put(`${origin}/api/interaction`, { headers, data: { event: 'SignIn', identifier } })
  const submitted = await request.post(`${origin}/api/interaction/submit`, { headers })
  const { redirectTo } = (await submitted.json()) as { redirectTo: string }
  await request.get(redirectTo)
}

export async function chooseName(page: Page, name: string): Promise<void> {
  await usernameField(page).fill(name)
  await pressButton(page, 'Continue')
  await page.waitForURL('**/register/password?**')
}

export async function choosePassword(page: Page, secret = PASSWORD): Promise<void> {
  await passwordField(page).fill(secret)
  await page.getByLabel('Confirm password').fill(secret)
  await pressButton(page, 'Continue')
}

export async function registerOnPages(page: Page, name: string): Promise<void> {
  await chooseName(page, name)
  await choosePassword(page)
}

/**
 * Types a complete code, which the script submits. Without JavaScript, the first box accepts it and a button sends it.
 */
export async function typeCode(page: Page, code: string): Promise<void> {
  await untilHydrated(page)
  await page.locator('.code-box').first().fill(code)
  if (!hasScript(page)) await pressButton(page, 'Continue')
}

/** Returns the interaction that a page belongs to. */
export const interactionOf = (page: Page) => new URL(page.url()).searchParams.get('interaction') ?? ''

/** Deletes the interaction cookie, as if the cookie had expired or the browser had dropped it. */
export const forgetInteraction = (page: Page, uid = interactionOf(page)) =>
  page.context().clearCookies({ name: `__Host-_interaction_${uid}` })

/**
 * Reports whether a computed colour such as `rgb(245, 244, 250)` or `color(srgb 0.95 0.95 0.97)` is light.
 */
export function isLightColor(computed: string): boolean {
  const [red = 0, green = 0, blue = 0] = (computed.match(/[\d.]+/g) ?? []).map(Number)
  const whole = computed.startsWith('rgb') ? 255 : 1
  return (red + green + blue) / 3 > whole / 2
}
