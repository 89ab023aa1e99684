import type { Page } from 'playwright'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { freshEmail, wrongCode } from '../kit/clients/interaction-client.ts'
import { desktopOptions, inExhaustiveRun, mobileOptions, openPage } from './browser.ts'
import { untilHydrated } from './inspection.ts'
import { followLink, passwordField, pressButton } from './steps.ts'
import { openTenant } from './tenant.ts'

/**
 * Tests pages whose JavaScript never arrives, or arrives only after the form has been sent. sign-in.test.ts
 * and identifiers.test.ts cover signing in with a username or a phone number without JavaScript.
 */

const methods = [
  { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
  { identifier: 'email', password: true, verificationCode: true, isPasswordPrimary: false },
]
const byEmail = { identifiers: ['email'], password: false, verify: true }

const usual = { signIn: { methods }, signUp: byEmail }

const tenant = await openTenant(usual)
const { codeTo, createUser: newUser, offer } = tenant
const application = await tenant.openApplication()

/** Changes the settings for the rest of one test. */
async function offerHere(experience: Record<string, unknown>): Promise<void> {
  onTestFinished(() => offer(usual))
  await offer(experience)
}

const arrival = () => `${application.callback}**`
const identifier = (page: Page) => page.locator('main [name=identifier]')

async function toCode(page: Page, email: string, button: string): Promise<string> {
  await identifier(page).fill(email)
  await pressButton(page, button)
  await page.waitForURL('**/verification-code?**')
  return codeTo(email)
}

/** Types one digit into each field, because without JavaScript nothing moves the focus. */
async function typeDigits(page: Page, code: string): Promise<void> {
  const boxes = page.locator('.code-box')
  for (const [index, digit] of [...code].entries()) await boxes.nth(index).fill(digit)
}

describe('without JavaScript', () => {
  async function visit(parameters: Record<string, string> = {}) {
    const client = await openPage({ ...mobileOptions, javaScriptEnabled: false })
    await client.page.goto((await application.authorizationUrl(parameters)).url)
    return client
  }

  it('a user registers with an e-mail address after a wrong code, and sets a password', async () => {
    await offerHere({ signUp: { ...byEmail, password: true } })
    const { page } = await visit()
    const email = freshEmail()
    await followLink(page, 'Create account')
    const code = await toCode(page, email, 'Continue')
    await typeDigits(page, wrongCode(code))
    await pressButton(page, 'Continue')
    await page.getByText('That code isn’t right. Use the code from our latest message.').waitFor()
    await typeDigits(page, code)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/continue/password?**')
    await passwordField(page).fill('short')
    await pressButton(page, 'Continue')
    await page.locator('#newPassword-problem').filter({ hasText: /\w/ }).waitFor()
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Continue')
    await page.waitForURL(arrival())
  })

  // tests/web/pages/code-forms.test.ts covers these forms over HTTP.
  inExhaustiveRun('a user with an unknown address is offered an account', async () => {
    const { page } = await visit()
    await typeDigits(page, await toCode(page, freshEmail(), 'Continue'))
    await pressButton(page, 'Continue')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(arrival())
  })

  // tests/web/pages/code-forms.test.ts covers these forms over HTTP, and codes.test.ts the reset with JavaScript.
  inExhaustiveRun('a user resets the password and signs in with it', async () => {
    const email = freshEmail()
    await newUser({ primaryEmail: email, password: PASSWORD })
    const { page } = await visit()
    await toCode(page, email, 'Continue')
    await followLink(page, 'Use password instead')
    await followLink(page, 'Forgot your password?')
    await page.waitForURL('**/forgot-password?**')
    await typeDigits(page, await toCode(page, email, 'Continue'))
    await pressButton(page, 'Continue')
    await page.waitForURL('**/forgot-password/reset?**')
    await passwordField(page).fill(`${PASSWORD}-new`)
    await pressButton(page, 'Save password')
    await page.getByRole('status').filter({ hasText: 'Password changed' }).waitFor()
    await toCode(page, email, 'Continue')
    await followLink(page, 'Use password instead')
    await passwordField(page).fill(`${PASSWORD}-new`)
    await pressButton(page, 'Sign in')
    await page.waitForURL(arrival())
  })

  inExhaustiveRun('a user adds a missing address, but cannot add another account’s address', async () => {
    const [username, taken] = [freshName(), freshEmail()]
    await newUser({ username, password: PASSWORD })
    await newUser({ primaryEmail: taken })
    const { page } = await visit()
    await identifier(page).fill(username)
    await pressButton(page, 'Continue')
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Sign in')
    await page.waitForURL('**/continue/email?**')
    await typeDigits(page, await toCode(page, taken, 'Continue'))
    await pressButton(page, 'Continue')
    const alert = page.getByRole('dialog').filter({ hasText: `${taken} is already in use` })
    await alert.getByRole('link', { name: 'Change email' }).click()
    await page.waitForURL('**/continue/email?**')
    await typeDigits(page, await toCode(page, freshEmail(), 'Continue'))
    await pressButton(page, 'Continue')
    await page.waitForURL(arrival())
  })
})

describe('JavaScript that loads late', () => {
  /**
   * Delivers the scripts after the form has been sent but before the response arrives. Chromium does not run them then.
   * A browser that runs them must not send the form again.
   */
  async function late(page: Page) {
    const scripts = Promise.withResolvers<void>()
    let sent = 0
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise
      // The page may already be closed.
      await route.continue().catch(() => undefined)
    })
    await page.route('**/*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      sent++
      scripts.resolve()
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.continue()
    })
    return { sent: () => sent }
  }

  it('does not submit a password twice', async () => {
    const username = freshName()
    await newUser({ username, primaryEmail: freshEmail(), password: PASSWORD })
    await offerHere({ signIn: { methods: methods.slice(0, 1) }, signUp: { ...byEmail, identifiers: [] } })
    const { page, complaints } = await openPage(desktopOptions)
    const script = await late(page)
    await page.goto((await application.authorizationUrl()).url, { waitUntil: 'commit' })
    await identifier(page).fill(username)
    await passwordField(page).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(arrival())
    expect([script.sent(), complaints]).toEqual([1, []])
  })

  // The test of a password above covers the script, and tests/web/pages/code-forms.test.ts a code that is sent twice.
  inExhaustiveRun('does not submit a code twice', async () => {
    const { page, complaints } = await openPage(desktopOptions)
    await page.goto((await application.authorizationUrl({ interaction_mode: 'signUp' })).url)
    const code = await toCode(page, freshEmail(), 'Continue')
    const script = await late(page)
    await page.reload({ waitUntil: 'commit' })
    await typeDigits(page, code)
    await page.keyboard.press('Enter')
    await page.waitForURL(arrival())
    expect([script.sent(), complaints]).toEqual([1, []])
  })

  it('keeps what was typed before it loaded', async () => {
    const { page, complaints } = await openPage(desktopOptions)
    const scripts = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise
      await route.continue()
    })
    await page.goto((await application.authorizationUrl()).url, { waitUntil: 'commit' })
    const email = freshEmail()
    await identifier(page).fill(email)
    scripts.resolve()
    await untilHydrated(page)
    expect(await identifier(page).inputValue()).toBe(email)
    expect(await toCode(page, email, 'Continue')).toMatch(/^\d{6}$/)
    expect(complaints).toEqual([])
  })
})

describe('the style sheets of other pages (spec/pages#styles)', () => {
  it('load after the current page and before the next page is shown', async () => {
    const { page } = await openPage(desktopOptions)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/*.css', async (route) => {
      await released
      await route.continue()
    })
    await page.goto((await application.authorizationUrl()).url)
    await untilHydrated(page)
    await identifier(page).fill(freshEmail())
    await pressButton(page, 'Continue')
    await page.locator('button[aria-busy=true]').waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    release()
    await page.locator('.code-box').first().waitFor()
    expect(await page.locator('style + link[rel=stylesheet]').count()).toBe(1)
  })

  it('are not requested without JavaScript', async () => {
    const { page } = await openPage({ ...desktopOptions, javaScriptEnabled: false })
    const resourceTypes: string[] = []
    page.on('request', (request) => resourceTypes.push(request.resourceType()))
    await page.goto((await application.authorizationUrl()).url)
    await followLink(page, 'Create account')
    await page.waitForURL('**/register?**')
    expect(resourceTypes).not.toContain('stylesheet')
  })
})
