import type { Page } from 'playwright'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import english from '../../../locales/en.json'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freshEmail, freshPhone, wrongCode } from '../../kit/clients/interaction-client.ts'
import { browserSweep, desktopOptions, inExhaustiveRun, openPage } from '../browser.ts'
import { ageCodes } from '../database.ts'
import { boxOf } from '../inspection.ts'
import {
  choosePassword,
  followLink,
  interactionOf,
  passwordField,
  pressButton,
  signInOnPage,
  typeCode,
} from '../steps.ts'
import { openTenant } from '../tenant.ts'

/**
 * Tests how pages react to errors from the server (spec/errors#reactions). sign-in.test.ts covers wrong
 * passwords, and codes.test.ts covers wrong codes and the dialogs after a code.
 */

const messages = english.errors.verification_code
const both = { password: true, verificationCode: true, isPasswordPrimary: false }
const methods = [
  { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
  { identifier: 'email', ...both },
  { identifier: 'phone', ...both },
]
const byEmail = { identifiers: ['email'], password: false, verify: true }
const usual = { signIn: { methods }, signUp: byEmail, signInMode: 'SignInAndRegister' }

const { origin, call: operate, codeTo, createUser: newUser, offer, openApplication } = await openTenant(usual)
const application = await openApplication()

/** Changes the settings for the rest of one test. */
async function offerHere(experience: Record<string, unknown>): Promise<void> {
  onTestFinished(() => offer(usual))
  await offer(experience)
}

const arrival = () => `${application.callback}**`
const identifier = (page: Page) => page.locator('main [name=identifier]')
const reported = (page: Page, text: string | RegExp) =>
  page.locator('main [role=alert]').filter({ hasText: text }).waitFor()
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

async function visit(parameters: Record<string, string> = {}) {
  const client = await openPage(desktopOptions)
  await client.page.goto((await application.authorizationUrl(parameters)).url)
  return client
}
const toRegistration = { interaction_mode: 'signUp' }

async function sendCode(page: Page, address: string, button = 'Continue'): Promise<string> {
  await identifier(page).fill(address)
  await pressButton(page, button)
  await page.waitForURL('**/verification-code?**')
  return codeTo(address.replace('+', ''))
}

/** Makes a call with the cookies of this browser, independently of its pages. */
const call = (page: Page, method: string, path: string, data?: object) =>
  page.request.fetch(`${origin}/api/interaction${path}`, {
    method,
    headers: { interaction: interactionOf(page) },
    ...(data && { data }),
  })

async function expectAlert(page: Page, text: string | RegExp, button: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: text })
  await dialog.getByRole('link', { name: button }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('a verification code', () => {
  const late = async (_: Page, email: string) => ageCodes(email)
  const tooOften = async (page: Page, email: string) => {
    const verificationCode = wrongCode(await codeTo(email))
    for (let tries = 0; tries < 10; tries++) {
      await call(page, 'PATCH', '/identifiers', { email, verificationCode })
    }
  }
  const ofAnotherAddress = async (page: Page) => {
    await call(page, 'POST', '/verification/verification-code', { email: freshEmail() })
  }
  const ofAnotherEvent = async (page: Page) => {
    await call(page, 'PUT', '', { event: 'ForgotPassword' })
  }

  // tests/client/reaction-table.test.ts has a row for each of these errors, and codes.test.ts shows one of them.
  const refused = [
    { what: 'that was guessed too often', spoil: tooOften, row: 'exceed_max_try' },
    { what: 'that is too old', spoil: late, row: 'expired' },
    { what: 'that was sent to another address', spoil: ofAnotherAddress, row: 'email_mismatch' },
    { what: 'that was sent for another event', spoil: ofAnotherEvent, row: 'not_found' },
  ] as const
  inExhaustiveRun.each(refused)(
    'is rejected with an error below the boxes if it is one $what',
    async ({ spoil, row }) => {
      const { page } = await visit()
      const email = freshEmail()
      const code = await sendCode(page, email)
      await spoil(page, email)
      await typeCode(page, code)
      await page.locator('#passcode-problem').filter({ hasText: messages[row] }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/sign-in/verification-code')
    },
  )

  it('is not sent to an invalid address, and the field shows an error', async () => {
    const { page } = await visit()
    await identifier(page).fill(`${'a'.repeat(130)}@example.com`)
    await pressButton(page, 'Continue')
    await page
      .locator('#identifier-problem')
      .filter({ hasText: /invalid/ })
      .waitFor()
  })

  // A test below does the same with passwords.
  inExhaustiveRun(
    'cannot be requested over the rate limit, and the page shows how long to wait',
    async () => {
      const { page } = await visit()
      const email = freshEmail()
      for (let sent = 0; sent < 5; sent++) {
        await call(page, 'PUT', '', { event: 'SignIn' })
        await call(page, 'POST', '/verification/verification-code', { email })
      }
      await identifier(page).fill(email)
      await pressButton(page, 'Continue')
      await reported(page, /Too many attempts\. Please try again in (9|10) minutes\./)
    },
  )
})

describe('an address', () => {
  const taken = (email: string) => `${email} is already in use. Try another email.`

  it('causes an alert if it is in use and sign-in is disabled', async () => {
    const email = freshEmail()
    await newUser({ primaryEmail: email })
    await offerHere({ signInMode: 'Register' })
    const { page } = await visit()
    await page.waitForURL('**/register?**')
    await typeCode(page, await sendCode(page, email, 'Continue'))
    await expectAlert(page, taken(email), 'Change email')
    await page.waitForURL('**/register?**')
    expect(await identifier(page).inputValue()).toBe(email)
  })

  // tests/client/code-journeys.test.ts covers this alert and the next two.
  inExhaustiveRun('causes an alert if it has no account and registration is disabled', async () => {
    const email = freshEmail()
    await offerHere({ signInMode: 'SignIn' })
    const { page } = await visit()
    await typeCode(page, await sendCode(page, email))
    await expectAlert(page, `The account with email ${email} does not exist.`, 'Change email')
    await page.waitForURL('**/sign-in?**')
    expect(await identifier(page).inputValue()).toBe(email)
  })

  inExhaustiveRun('causes an alert during a password reset if it has no account', async () => {
    const email = freshEmail()
    const { page } = await visit()
    await page.goto(page.url().replace('/sign-in', '/forgot-password'))
    await typeCode(page, await sendCode(page, email, 'Continue'))
    await expectAlert(page, `The account with email ${email} does not exist.`, 'Change email')
    await page.waitForURL('**/forgot-password?**')
  })

  const kinds = ['phone', 'email'] as const
  inExhaustiveRun.each(kinds)('cannot be added to a second account: %s', async (type) => {
    const address =
      type === 'email' ? freshEmail() : '16502530000'.replace(/\d{4}$/, String(Date.now()).slice(-4))
    await newUser(type === 'email' ? { primaryEmail: address } : { primaryPhone: address })
    const username = freshName()
    await newUser({ username, password: PASSWORD })
    await offerHere({ signUp: { identifiers: [type], password: false, verify: true } })
    const { page } = await visit()
    await identifier(page).fill(username)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/password?**')
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Sign in')
    await page.waitForURL(`**/continue/${type}?**`)
    await typeCode(page, await sendCode(page, type === 'email' ? address : `+${address}`, 'Continue'))
    await expectAlert(page, /is already in use\. Try another/, /^Change/)
    await page.waitForURL(`**/continue/${type}?**`)
  })
})

describe('a missing profile item', () => {
  const name = { what: 'username', fill: async (page: Page) => complete(page, freshName()) }
  const addressed = (what: string, address: () => string) => ({
    what,
    fill: async (page: Page) => typeCode(page, await sendCode(page, address(), 'Continue')),
  })

  // tests/client/code-journeys.test.ts and tests/web/pages/code-forms.test.ts cover each of these items, too.
  const lacking = [
    { ...name, signUp: { identifiers: ['username'], password: true, verify: false }, has: 'email' },
    {
      ...addressed('emailOrPhone', freshEmail),
      signUp: { ...byEmail, identifiers: ['email', 'phone'] },
      has: 'username',
    },
    { ...addressed('email', freshEmail), signUp: byEmail, has: 'username' },
    {
      ...addressed('phone', () => `+${freshPhone().slice(0, 2)}170${String(Date.now()).slice(-7)}`),
      signUp: { ...byEmail, identifiers: ['phone'] },
      has: 'username',
    },
  ]
  it.each(browserSweep.isExhaustive ? lacking : lacking.slice(0, 1))(
    'is requested at sign-in: $what',
    async ({ what, fill, signUp, has }) => {
      const known = has === 'email' ? freshEmail() : freshName()
      await newUser({ password: PASSWORD, [has === 'email' ? 'primaryEmail' : 'username']: known })
      await offerHere({ signUp })
      const { page, complaints } = await visit()
      await identifier(page).fill(known)
      await pressButton(page, 'Continue')
      if (has === 'email') await followLink(page, 'Use password instead')
      await page.waitForURL('**/sign-in/password?**')
      await passwordField(page).fill(PASSWORD)
      await pressButton(page, 'Sign in')
      await page.waitForURL(`**/continue/${what}?**`)
      await fill(page)
      await page.waitForURL(arrival())
      expect(complaints).toEqual([])
    },
  )

  async function complete(page: Page, username: string): Promise<void> {
    const owner = freshName()
    await newUser({ username: owner, password: PASSWORD })
    await identifier(page).fill(owner)
    await pressButton(page, 'Continue')
    await reported(page, 'Username already exists')
    await identifier(page).fill(username)
    await pressButton(page, 'Continue')
  }

  it('makes the user start again if an operator sets it in the meantime', async () => {
    const email = freshEmail()
    const { id } = await newUser({ primaryEmail: email })
    await offerHere({ signUp: { ...byEmail, password: true } })
    const { page } = await visit()
    await typeCode(page, await sendCode(page, email))
    await page.waitForURL('**/continue/password?**')
    await operate('PATCH', `/users/${id}/password`, { password: `${PASSWORD}-other` })
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Continue')
    await followLink(page, 'Start again')
    await page.waitForURL('**/sign-in?**')
  })
})

describe('a new account', () => {
  // tests/client/reaction-table.test.ts has a row for this page.
  inExhaustiveRun('needs another username if the chosen one is taken in the meantime', async () => {
    await offerHere({ signUp: { identifiers: ['username'], password: true, verify: false } })
    const { page } = await visit(toRegistration)
    const username = freshName()
    await identifier(page).fill(username)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/register/password?**')
    await newUser({ username, password: PASSWORD })
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Continue')
    await expectAlert(page, 'Username already exists', 'Got it')
    await page.waitForURL('**/register?**')
  })
})

describe('a sign-up with username, email, password and code', () => {
  it('needs another username if its own is taken before the code is typed', async () => {
    await offerHere({ signUp: { identifiers: ['username', 'email'], password: true, verify: true } })
    const { page } = await visit(toRegistration)
    const username = freshName()
    const email = freshEmail()
    await identifier(page).fill(username)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/register/password?**')
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/continue/**')
    const code = await sendCode(page, email)
    await newUser({ username, password: PASSWORD })
    await typeCode(page, code)

    await expectAlert(page, 'Username already exists', 'Got it')
    await page.waitForURL('**/continue/username?**')
    expect(await identifier(page).inputValue()).toBe('')
    await identifier(page).fill(username)
    await pressButton(page, 'Continue')
    await reported(page, 'Username already exists')
    // The password and the address need not be entered again.
    await identifier(page).fill(freshName())
    await pressButton(page, 'Continue')
    await page.waitForURL(arrival())
  })
})

describe('a password', () => {
  // tests/client/reaction-table.test.ts has a row for this error.
  inExhaustiveRun('cannot be reset to the current password', async () => {
    const email = freshEmail()
    await newUser({ primaryEmail: email, password: PASSWORD })
    const { page, complaints } = await visit()
    await page.goto(page.url().replace('/sign-in', '/forgot-password'))
    await typeCode(page, await sendCode(page, email, 'Continue'))
    await page.waitForURL('**/forgot-password/reset?**')
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Save password')
    await page.locator('#newPassword-problem').filter({ hasText: /\w/ }).waitFor()
    await passwordField(page).fill(`${PASSWORD}-new`)
    await pressButton(page, 'Save password')
    await page.waitForURL('**/sign-in?**')
    expect(complaints).toEqual([])
  })

  const lost = /This sign-in has expired or was completed elsewhere/

  it('cannot be reset without a verified code: "Alert, then go back 2 steps"', async () => {
    const { page } = await visit()
    await page.goto(page.url().replace('/sign-in', '/forgot-password/reset'))
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Save password')
    await expectAlert(page, lost, 'Got it')
    await page.waitForURL('**/sign-in?**')
  })

  it('that completes an account leads two pages back in the history of the browser', async () => {
    const { page } = await visit()
    const username = freshName()
    await newUser({ username, password: PASSWORD })
    await offerHere({ signUp: { identifiers: ['email'], password: true, verify: true } })
    await page.reload()
    await identifier(page).fill(username)
    await pressButton(page, 'Continue')
    await page.waitForURL('**/sign-in/password?**')
    await passwordField(page).fill(PASSWORD)
    await pressButton(page, 'Sign in')
    await page.waitForURL('**/continue/email?**')
    await page.route('**/api/interaction/verification/verification-code', (route) =>
      route.fulfill({
        status: 404,
        json: {
          code: 'session.verification_session_not_found',
          message: english.errors.session.verification_session_not_found,
        },
      }),
    )
    await identifier(page).fill(freshEmail())
    await pressButton(page, 'Continue')
    await page.getByRole('dialog').filter({ hasText: lost }).getByRole('button', { name: 'Got it' }).click()
    await page.waitForURL('**/sign-in?**')
    expect(await identifier(page).inputValue()).toBe(username)
  })
})

describe('with usernames and passwords', () => {
  beforeAll(() =>
    offer({
      signUp: { identifiers: ['username'], password: true, verify: false },
      signIn: { methods: methods.slice(0, 1) },
    }),
  )

  it('the page shows how long to wait after too many wrong passwords', async () => {
    const username = freshName()
    const { page } = await visit()
    for (let tries = 0; tries < 10; tries++) {
      const guess = { username, password: `wrong-horse-${tries}` }
      await call(page, 'PUT', '', { event: 'SignIn', identifier: guess })
    }
    await signInOnPage(page, username)
    await reported(page, /Too many attempts\. Please try again in (9|10) minutes\./)
  })

  it('the page rejects a suspended user with an error', async () => {
    const username = freshName()
    const { id } = await newUser({ username, password: PASSWORD })
    await operate('PATCH', `/users/${id}/is-suspended`, { isSuspended: true })
    const { page } = await visit()
    await signInOnPage(page, username)
    await reported(page, 'suspended')
  })

  it('the page can restart an interaction that has ended', async () => {
    // The consent keeps the interaction open after the submit.
    const { page } = await visit({ ...toRegistration, prompt: 'login consent' })
    await identifier(page).fill(freshName())
    await pressButton(page, 'Continue')
    await page.waitForURL('**/register/password?**')
    await call(page, 'PATCH', '/profile', { password: PASSWORD })
    await call(page, 'POST', '/submit')
    await choosePassword(page)
    // There are no two pages to go back to.
    await page.getByRole('dialog').getByRole('button', { name: 'Got it' }).click()
    await page.getByRole('heading', { name: 'This page has expired' }).waitFor()
    // Moving the focus announces the page, so no live region announces it as well.
    expect(await focusedText(page)).toBe('This page has expired')
    expect(await page.title()).toBe('Create account · This page has expired')
    expect(await page.locator('[role=alert], [role=status]').allInnerTexts()).toEqual([''])
    await page.getByRole('link', { name: 'Start again' }).click()
    await page.waitForURL('**/register?**')
  })

  const start = '**/api/interaction'

  it('a call without a response times out after ten seconds', async () => {
    const { page, complaints } = await visit()
    await page.clock.install()
    const request = page.waitForRequest(start)
    await page.route(start, () => {})
    await signInOnPage(page, 'unknown_user')
    await request
    await page.clock.fastForward(10_000)
    await reported(page, 'Request timeout. Please try again later.')
    expect(complaints).toEqual([])
    // This test is not about the answer of the server, however busy it is.
    const repeated = page.waitForRequest(start)
    await pressButton(page, 'Try again')
    expect((await repeated).postDataJSON()).toMatchObject({ identifier: { username: 'unknown_user' } })
  })

  // tests/client/api.test.ts covers all of these responses.
  const strange = [
    {
      answer: 'a page from another server',
      status: 200,
      body: '<!doctype html><title>Welcome to the café</title>',
    },
    { answer: 'an error in an unknown format', status: 422, body: '{"error":"invalid"}' },
    { answer: 'an empty response', status: 200, body: '' },
  ]
  inExhaustiveRun.each(strange)('$answer is reported as an unknown error', async ({ status, body }) => {
    const { page } = await visit()
    await page.route(start, (route) => route.fulfill({ status, body, contentType: 'text/html' }))
    await signInOnPage(page, 'unknown_user')
    await reported(page, 'Unknown error. Please try again later.')
  })

  it('the page waits up to ten seconds if the server requests it, and reports a longer delay', async () => {
    const { page } = await visit()
    await page.clock.install()
    const delays = ['10', '11']
    await page.route(start, (route) =>
      route.fulfill({ status: 503, body: 'Busy', headers: { 'Retry-After': delays.shift() ?? '' } }),
    )
    await signInOnPage(page, 'unknown_user')
    await page.locator('button[aria-busy=true]').waitFor()
    const request = page.waitForRequest(start)
    await page.clock.fastForward(5000)
    expect(await page.locator('button[aria-busy=true]').count()).toBe(1)
    expect(delays).toEqual(['11'])
    await page.clock.fastForward(5000)
    await request
    await reported(page, 'Unknown error. Please try again later. You can try again in 11 seconds.')
  })

  // tests/client/retrying-fetch.test.ts covers the attempts, and the next test the message.
  inExhaustiveRun('a failed connection is retried and then reported', async () => {
    const { page } = await visit()
    let tries = 0
    await page.route(start, (route) => {
      tries++
      return route.abort()
    })
    await signInOnPage(page, 'unknown_user')
    await reported(page, 'You seem to be offline.')
    expect(tries).toBe(3)
  })

  it('without a network, the page keeps what was typed and offers to send it again', async () => {
    const username = freshName()
    await newUser({ username, password: PASSWORD })
    const { page, context, complaints } = await visit()
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await identifier(page).fill(username)
    await page.locator('[name=password]').fill(PASSWORD)
    await page.locator('[name=password]').press('Enter')
    const alert = page.getByRole('alert').filter({ hasText: 'You seem to be offline.' })
    await alert.waitFor()
    expect(await identifier(page).inputValue()).toBe(username)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')

    // The network is still down. The message is announced again, and the focus moves to the submit button, because
    // the pressed button is removed.
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'detached' })
    await alert.waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('submit')

    // The message disappears with its cause, and the focus is not lost with it.
    await alert.getByRole('button', { name: 'Try again' }).focus()
    await context.setOffline(false)
    await alert.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('submit')
    await page.keyboard.press('Enter')
    await page.waitForURL(arrival())
    expect(complaints.filter((each) => !each.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })

  it('a page that loads late gets its title and focus once it is shown', async () => {
    const { page } = await openPage(desktopOptions)
    const released = Promise.withResolvers<void>()
    await page.route('**/assets/register-*.js', async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto((await application.authorizationUrl({})).url, { waitUntil: 'commit' })
    await followLink(page, 'Create account')
    await page.locator('.spinner').waitFor()
    released.resolve()
    await page.getByRole('form', { name: 'Create your account' }).waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('identifier')
    expect(await page.title()).toBe('Create account')
  })

  it('an error that no page expects is "a toast for 3000 ms", and stays above the form until the next attempt', async () => {
    const { page } = await visit()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.route(start, (route) =>
      route.fulfill({ status: 422, json: { code: 'server.internal', message: 'That did not work.' } }),
    )
    await signInOnPage(page, 'unknown_user')
    await reported(page, 'That did not work.')
    const toast = page.locator('.toast')
    await toast.waitFor()
    expect(await toast.textContent()).toBe('That did not work.')
    const [message, card] = [await boxOf(page, '.toast'), await boxOf(page, 'main')]
    expect(card.top - message.top - message.height, 'apart from the card').toBeGreaterThanOrEqual(24)
    // It is announced once: the message above the form is, and the toast is not.
    expect(await page.getByRole('status').filter({ hasText: 'That did not work.' }).count()).toBe(1)
    expect(await page.locator('body').ariaSnapshot()).toMatch(
      /^(?!.*status: That).*alert.*That did not work\./s,
    )
    await page.clock.fastForward(2900)
    expect(await toast.count()).toBe(1)
    await page.clock.fastForward(400)
    expect(await toast.count()).toBe(0)
    await page.clock.fastForward(60_000)
    await reported(page, 'That did not work.')
    await page.locator('[name=password]').fill('')
    await pressButton(page, 'Sign in')
    await reported(page, 'Password is required')
    expect(await page.locator('.form-problem').count()).toBe(0)
  })
})
