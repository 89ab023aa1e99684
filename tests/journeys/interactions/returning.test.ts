import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { browserSweep, hasScript, mobileOptions, openPage, scripted, scriptless, someOf } from '../browser.ts'
import { expectSound, expectStill, untilHydrated, watchContext } from '../inspection.ts'
import { pressOn, tabTo } from '../keyboard.ts'
import { followLink, passwordField, pressButton, signInByCalls, typeCode } from '../steps.ts'
import { openTenant } from '../tenant.ts'

/** Tests the page that welcomes returning users (spec/pages#returning). */

const both = { password: true, verificationCode: true, isPasswordPrimary: true }
const tenant = await openTenant({
  branding: { name: 'Northwind' },
  signIn: {
    methods: [
      { identifier: 'email', ...both },
      { identifier: 'username', ...both, verificationCode: false },
    ],
  },
  signUp: { identifiers: ['email'], password: true, verify: true },
})
const { authorizationUrl, callback } = await tenant.openApplication('Payroll Pro')

/** Creates a user with an address, and opens the first page of a browser in which this user has signed in. */
async function comeBack(page: Page, users = 1) {
  const people = []
  for (let count = 0; count < users; count++) {
    const username = freshName()
    const primaryEmail = `${username}@example.com`
    const { id } = await tenant.createUser({ username, primaryEmail, password: PASSWORD })
    await signInByCalls(page, tenant, username)
    await page.context().clearCookies({ name: /_session/ })
    people.push({ id, username, primaryEmail })
  }
  await open(page)
  return people
}
const open = async (page: Page) => page.goto((await authorizationUrl({ prompt: 'login' })).url)
/** The line of the page with accounts. Without JavaScript, the URL is still that of the authorization request. */
const welcome = (page: Page) => page.getByText('Welcome back')
const mask = 'user****@example.com'

describe.each([scripted, scriptless])('a returning user, $script', ({ options }) => {
  // Without JavaScript, the forms of the other accounts and methods are sent in the same way as the first one.
  const inOneWay = it.runIf(browserSweep.isExhaustive || options === scripted.options)

  it('is welcomed and continues with the password', async () => {
    const { page, complaints } = await openPage(options)
    const [person] = await comeBack(page)
    await welcome(page).waitFor()
    if (hasScript(page)) expect(new URL(page.url()).pathname).toBe('/sign-in/account')
    await page.getByText(mask).waitFor()
    await page.getByText('You’re signing in to Payroll Pro').waitFor()
    expect(await page.content()).not.toContain(person?.username)
    if (hasScript(page)) await expectSound(page)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/password?**')
    expect(await page.content()).not.toContain(person?.username)
    await page
      .locator('.chip')
      .getByText(/user\*{4}/)
      .waitFor()
    await passwordField(page).fill('wrong-horse-7')
    await pressButton(page, 'Sign in')
    await page.locator('.field-problem').getByText('That password isn’t right.').waitFor()
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Sign in')
    await page.waitForURL(`${callback}**`)
    // Nobody introduces the application to this browser again.
    await open(page)
    await welcome(page).waitFor()
    expect(await page.getByText('Payroll Pro').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  inOneWay('can get a code instead, which the page then remembers', async () => {
    const { page } = await openPage(options)
    const [person] = await comeBack(page)
    await pressButton(page, 'Continue')
    await pressButton(page, 'Email me a code instead')
    await page.waitForURL('**/sign-in/verification-code?**')
    await page.getByText(mask).first().waitFor()
    await typeCode(page, await tenant.codeTo(person?.primaryEmail ?? ''))
    await page.waitForURL(`${callback}**`)
    await open(page)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/verification-code?**')
  })

  inOneWay('can use another account, or be removed from the browser', async () => {
    const { page } = await openPage(options)
    await comeBack(page)
    await followLink(page, 'Use another account')
    await page.waitForURL('**/sign-in?**')
    await expect.poll(() => page.locator('[name=identifier]').inputValue()).toBe('')
    await page.goBack()
    await pressButton(page, 'Remove from this browser')
    await page.waitForURL('**/sign-in?**')
    await open(page)
    await page.locator('[name=identifier]').waitFor()
    expect(await welcome(page).count()).toBe(0)
  })

  inOneWay('chooses among several accounts', async () => {
    const { page } = await openPage(options)
    await comeBack(page, 2)
    await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
    if (hasScript(page)) await expectSound(page)
    const rows = page.getByRole('button', { name: /^\w.*Password/ })
    expect(await rows.count()).toBe(2)
    expect(await page.getByText('Last used').count()).toBe(1)
    await untilHydrated(page)
    await page
      .getByRole('button', { name: `Remove ${mask} from this browser` })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Sign in to Northwind' }).waitFor()
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/password?**')
  })

  inOneWay('whose account has ended comes to the first page, which says so', async () => {
    const { page } = await openPage(options)
    const [person] = await comeBack(page)
    await tenant.call('DELETE', `/users/${person?.id}`)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in?**')
    await page.getByText('This browser no longer remembers that account.').first().waitFor()
    await page.locator('[name=identifier]').fill('somebody@example.com')
  })
})

describe('the page that welcomes returning users', () => {
  it('can be used with the keyboard alone', async () => {
    const { page } = await openPage()
    await comeBack(page, 2)
    await untilHydrated(page)
    await tabTo(page, /^Remove/)
    await tabTo(page, 'Use another account')
    await tabTo(page, /Password/, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in/password?**')
    await page.goBack()
    await page.waitForURL('**/sign-in/account?**')
    await pressOn(page, /^Remove/)
    await welcome(page).waitFor()
  })

  it.each(someOf(['ar', 'en'], 1))('moves nothing while it loads, in %s', async (locale) => {
    const { page, context } = await openPage({ ...mobileOptions, locale })
    await watchContext(context)
    await comeBack(page)
    await expectStill(page)
  })
})
