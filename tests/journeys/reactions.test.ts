import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import english from '../../locales/en.json'
import { freshName, PASSWORD } from '../kit/cookie-client.ts'
import { freshEmail, freshPhone, wrongCode } from '../kit/interaction-client.ts'
import { type Application, openApplication } from './application.ts'
import { desktop, person } from './browser.ts'
import { ageCodes } from './database.ts'
import { during, offer } from './experience.ts'
import { management, type NewUser } from './management.ts'
import { codeTo } from './messages.ts'
import { choosePassword, follow, interactionOf, password, press, signIn } from './steps.ts'

/**
 * What pages do about refusals (product 8, contract 10.4), brought about with the real server. Rows that need no more
 * than a wrong password, a wrong code or a question at the end of a code are in sign-in.test.ts and codes.test.ts.
 */

const origin = inject('origin')
const messages = english.errors.verification_code
const both = { password: true, verificationCode: true, isPasswordPrimary: false }
const methods = [
  { identifier: 'username', password: true, verificationCode: false, isPasswordPrimary: true },
  { identifier: 'email', ...both },
  { identifier: 'phone', ...both },
]
const byEmail = { identifiers: ['email'], password: false, verify: true }

let application: Application
beforeAll(async () => {
  application = await openApplication('Application')
})
afterAll(() => application.close())
during({ signIn: { methods }, signUp: byEmail })

const arrival = () => `${application.callback}**`
const identifier = (page: Page) => page.locator('main [name=identifier]')
const said = (page: Page, text: string | RegExp) =>
  page.locator('main [role=alert]').filter({ hasText: text }).waitFor()
const toasted = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text }).waitFor()
const typeCode = async (page: Page, code: string) => page.locator('.code-box').first().fill(code)

async function visit(parameters: Record<string, string> = {}) {
  const client = await person(desktop)
  await client.page.goto((await application.authorizationUrl(parameters)).url)
  return client
}
const toRegistration = { interaction_mode: 'signUp' }

async function sendCode(page: Page, address: string, button = 'Sign in'): Promise<string> {
  await identifier(page).fill(address)
  await press(page, button)
  await page.waitForURL('**/verification-code?**')
  return codeTo(address.replace('+', ''))
}

/** By an operator. */
async function newUser(user: Record<string, string>): Promise<NewUser> {
  const call = await management()
  return call<NewUser>('POST', '/users', user)
}

/** As the pages of this browser call, beside them. */
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

describe('a code', () => {
  const late = async (_: Page, email: string) => ageCodes(email)
  const tooOften = async (page: Page, email: string) => {
    const verificationCode = wrongCode(await codeTo(email))
    for (let tries = 0; tries < 10; tries++) {
      await call(page, 'PATCH', '/identifiers', { email, verificationCode })
    }
  }
  const forSomebodyElse = async (page: Page) => {
    await call(page, 'POST', '/verification/verification-code', { email: freshEmail() })
  }
  const forSomethingElse = async (page: Page) => {
    await call(page, 'PUT', '', { event: 'ForgotPassword' })
  }

  it.each([
    { what: 'that is too old', spoil: late, row: 'expired' },
    { what: 'that was guessed too often', spoil: tooOften, row: 'exceed_max_try' },
    { what: 'of another address', spoil: forSomebodyElse, row: 'email_mismatch' },
    { what: 'of another event', spoil: forSomethingElse, row: 'not_found' },
  ] as const)('$what is refused under the boxes', async ({ spoil, row }) => {
    const { page, context } = await visit()
    const email = freshEmail()
    const code = await sendCode(page, email)
    await spoil(page, email)
    await typeCode(page, code)
    await page.locator('#passcode-problem').filter({ hasText: messages[row] }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in/verification-code')
    await context.close()
  })

  it('is not sent to what the server cannot read as an address, which is said at its field', async () => {
    const { page, context } = await visit()
    await identifier(page).fill(`${'a'.repeat(130)}@example.com`)
    await press(page, 'Sign in')
    await page
      .locator('#identifier-problem')
      .filter({ hasText: /invalid/ })
      .waitFor()
    await context.close()
  })

  it('is not sent for ever, and the visitor is told how long to wait', async () => {
    const { page, context } = await visit()
    const email = freshEmail()
    for (let sent = 0; sent < 5; sent++) {
      await call(page, 'PUT', '', { event: 'SignIn' })
      await call(page, 'POST', '/verification/verification-code', { email })
    }
    await identifier(page).fill(email)
    await press(page, 'Sign in')
    await said(page, /Too many attempts\. Please try again in (9|10) minutes\./)
    await context.close()
  })
})

describe('an address', () => {
  const taken = (email: string) => `The account with email ${email} already exists. Please try another email.`

  it('that is somebody’s is only said to be where nobody signs in', async () => {
    const email = freshEmail()
    await newUser({ primaryEmail: email })
    await offer({ signInMode: 'Register' })
    const { page, context } = await visit()
    await page.waitForURL('**/register?**')
    await typeCode(page, await sendCode(page, email, 'Create account'))
    await expectAlert(page, taken(email), 'Change email')
    await page.waitForURL('**/register?**')
    expect(await identifier(page).inputValue()).toBe(email)
    await offer({ signInMode: 'SignInAndRegister' })
    await context.close()
  })

  it('that is nobody’s is only said to be where nobody registers', async () => {
    const email = freshEmail()
    await offer({ signInMode: 'SignIn' })
    const { page, context } = await visit()
    await typeCode(page, await sendCode(page, email))
    await expectAlert(page, `The account with email ${email} does not exist.`, 'Change email')
    await page.waitForURL('**/sign-in?**')
    expect(await identifier(page).inputValue()).toBe(email)
    await offer({ signInMode: 'SignInAndRegister' })
    await context.close()
  })

  it('that is nobody’s has no password to forget', async () => {
    const email = freshEmail()
    const { page, context } = await visit()
    await page.goto(page.url().replace('/sign-in', '/forgot-password'))
    await typeCode(page, await sendCode(page, email, 'Continue'))
    await expectAlert(page, `The account with email ${email} does not exist.`, 'Change email')
    await page.waitForURL('**/forgot-password?**')
    await context.close()
  })

  it.each(['email', 'phone'] as const)('that an account lacks may be somebody’s: %s', async (type) => {
    const address =
      type === 'email' ? freshEmail() : '16502530000'.replace(/\d{4}$/, String(Date.now()).slice(-4))
    await newUser(type === 'email' ? { primaryEmail: address } : { primaryPhone: address })
    const username = freshName()
    await newUser({ username, password: PASSWORD })
    await offer({ signUp: { identifiers: [type], password: false, verify: true } })
    const { page, context } = await visit()
    await identifier(page).fill(username)
    await press(page, 'Sign in')
    await page.waitForURL('**/sign-in/password?**')
    await password(page).fill(PASSWORD)
    await press(page, 'Sign in')
    await page.waitForURL(`**/continue/${type}?**`)
    await typeCode(page, await sendCode(page, type === 'email' ? address : `+${address}`, 'Continue'))
    await expectAlert(page, /already exists\. Please try another/, /^Change/)
    await page.waitForURL(`**/continue/${type}?**`)
    await offer({ signUp: byEmail })
    await context.close()
  })
})

describe('what an account lacks', () => {
  const name = { what: 'username', fill: async (page: Page) => complete(page, freshName()) }
  const addressed = (what: string, address: () => string) => ({
    what,
    fill: async (page: Page) => typeCode(page, await sendCode(page, address(), 'Continue')),
  })

  it.each([
    { ...name, signUp: { identifiers: ['username'], password: true, verify: false }, has: 'email' },
    { ...addressed('email', freshEmail), signUp: byEmail, has: 'username' },
    {
      ...addressed('phone', () => `+${freshPhone().slice(0, 2)}170${String(Date.now()).slice(-7)}`),
      signUp: { ...byEmail, identifiers: ['phone'] },
      has: 'username',
    },
    {
      ...addressed('emailOrPhone', freshEmail),
      signUp: { ...byEmail, identifiers: ['email', 'phone'] },
      has: 'username',
    },
  ])('is asked for: $what', async ({ what, fill, signUp, has }) => {
    const known = has === 'email' ? freshEmail() : freshName()
    await newUser({ password: PASSWORD, [has === 'email' ? 'primaryEmail' : 'username']: known })
    await offer({ signUp })
    const { page, context, complaints } = await visit()
    await identifier(page).fill(known)
    await press(page, 'Sign in')
    if (has === 'email') await follow(page, 'Sign in with password')
    await page.waitForURL('**/sign-in/password?**')
    await password(page).fill(PASSWORD)
    await press(page, 'Sign in')
    await page.waitForURL(`**/continue/${what}?**`)
    await fill(page)
    await page.waitForURL(arrival())
    expect(complaints).toEqual([])
    await offer({ signUp: byEmail })
    await context.close()
  })

  async function complete(page: Page, username: string): Promise<void> {
    const owner = freshName()
    await newUser({ username: owner, password: PASSWORD })
    await identifier(page).fill(owner)
    await press(page, 'Continue')
    await said(page, 'Username already exists')
    await identifier(page).fill(username)
    await press(page, 'Continue')
  }

  it('may have been given by somebody else meanwhile: a password', async () => {
    const email = freshEmail()
    const { id } = await newUser({ primaryEmail: email })
    await offer({ signUp: { ...byEmail, password: true } })
    const { page, context } = await visit()
    await typeCode(page, await sendCode(page, email))
    await page.waitForURL('**/continue/password?**')
    const operate = await management()
    await operate('PATCH', `/users/${id}/password`, { password: `${PASSWORD}-other` })
    await password(page).fill(PASSWORD)
    await press(page, 'Save password')
    await expectAlert(page, 'password', 'Got it')
    await page.waitForURL('**/sign-in?**')
    await offer({ signUp: byEmail })
    await context.close()
  })
})

describe('a new account', () => {
  it('whose name is taken while the password is chosen gets another', async () => {
    await offer({ signUp: { identifiers: ['username'], password: true, verify: false } })
    const { page, context } = await visit(toRegistration)
    const username = freshName()
    await identifier(page).fill(username)
    await press(page, 'Create account')
    await page.waitForURL('**/register/password?**')
    await newUser({ username, password: PASSWORD })
    await password(page).fill(PASSWORD)
    await press(page, 'Save password')
    await expectAlert(page, 'Username already exists', 'Got it')
    await page.waitForURL('**/register?**')
    await offer({ signUp: byEmail })
    await context.close()
  })
})

describe('a password', () => {
  it('is not reset to what it was', async () => {
    const email = freshEmail()
    await newUser({ primaryEmail: email, password: PASSWORD })
    const { page, context, complaints } = await visit()
    await page.goto(page.url().replace('/sign-in', '/forgot-password'))
    await typeCode(page, await sendCode(page, email, 'Continue'))
    await page.waitForURL('**/forgot-password/reset?**')
    await password(page).fill(PASSWORD)
    await press(page, 'Save password')
    await page.locator('#newPassword-problem').filter({ hasText: /\w/ }).waitFor()
    await password(page).fill(`${PASSWORD}-new`)
    await press(page, 'Save password')
    await page.waitForURL('**/sign-in?**')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is not reset by who has proved nothing', async () => {
    const { page, context } = await visit()
    await page.goto(page.url().replace('/sign-in', '/forgot-password/reset'))
    await password(page).fill(PASSWORD)
    await press(page, 'Save password')
    await page.getByRole('link', { name: 'Start again' }).click()
    await page.waitForURL('**/sign-in?**')
    await context.close()
  })
})

describe('with names and passwords', () => {
  beforeAll(() =>
    offer({
      signUp: { identifiers: ['username'], password: true, verify: false },
      signIn: { methods: methods.slice(0, 1) },
    }),
  )

  it('whoever guessed too often is told how long to wait', async () => {
    const username = freshName()
    const { page, context } = await visit()
    for (let tries = 0; tries < 10; tries++) {
      const guess = { username, password: `wrong-horse-${tries}` }
      await call(page, 'PUT', '', { event: 'SignIn', identifier: guess })
    }
    await signIn(page, username)
    await said(page, /Too many attempts\. Please try again in (9|10) minutes\./)
    await context.close()
  })

  it('whoever is suspended is told so', async () => {
    const username = freshName()
    const { id } = await newUser({ username, password: PASSWORD })
    const operate = await management()
    await operate('PATCH', `/users/${id}/is-suspended`, { isSuspended: true })
    const { page, context } = await visit()
    await signIn(page, username)
    await said(page, 'suspended')
    await context.close()
  })

  it('an interaction that is over is begun again, with what it was for', async () => {
    const { page, context } = await visit(toRegistration)
    await identifier(page).fill(freshName())
    await press(page, 'Create account')
    await page.waitForURL('**/register/password?**')
    await call(page, 'PATCH', '/profile', { password: PASSWORD })
    await call(page, 'POST', '/submit')
    await choosePassword(page)
    await page.getByRole('link', { name: 'Start again' }).click()
    await page.waitForURL('**/register?**')
    await context.close()
  })

  const start = '**/api/interaction'

  it('an answer that does not come is waited for ten seconds', async () => {
    const { page, context, complaints } = await visit()
    await page.clock.install()
    const asked = page.waitForRequest(start)
    await page.route(start, () => {})
    await signIn(page, 'somebody')
    await asked
    await page.clock.fastForward(10_000)
    await toasted(page, 'Request timeout. Please try again later.')
    expect(complaints).toEqual([])
    await page.unroute(start)
    await press(page, 'Sign in')
    await said(page, 'Incorrect account or password')
    await context.close()
  })

  it.each([
    {
      answer: 'a page of somebody else',
      status: 200,
      body: '<!doctype html><title>Welcome to the café</title>',
    },
    { answer: 'an error of another shape', status: 422, body: '{"error":"invalid"}' },
    { answer: 'nothing at all', status: 200, body: '' },
  ])('$answer is no answer', async ({ status, body }) => {
    const { page, context } = await visit()
    await page.route(start, (route) => route.fulfill({ status, body, contentType: 'text/html' }))
    await signIn(page, 'somebody')
    await toasted(page, 'Unknown error. Please try again later.')
    await context.close()
  })

  it('a line that is cut is tried again, and then said to be', async () => {
    const { page, context } = await visit()
    let tries = 0
    await page.route(start, (route) => {
      tries++
      return route.abort()
    })
    await signIn(page, 'somebody')
    await toasted(page, 'Unknown error. Please try again later.')
    expect(tries).toBe(3)
    await context.close()
  })
})
