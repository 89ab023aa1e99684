import { beforeEach, describe, expect, it } from 'vitest'
import type { SignInMethod, SignUp } from '../../../src/contract/experience/experience.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  type PreparedAuthorization,
  redeemCode,
} from '../../kit/clients/cookie-client.ts'
import {
  codeTo,
  freshEmail,
  freshPhone,
  receivedMessages,
  wrongCode,
} from '../../kit/clients/interaction-client.ts'
import { seenText } from '../../kit/seen-text.ts'
import { storeAccount } from '../../kit/stored-account.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests sign-in flows with codes on pages without JavaScript, with the whole Worker and its real database.
 */

type Address = { email: string } | { phone: string }

const SAME_ORIGIN = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

/** Sign-in methods that send a code as soon as an address is submitted. */
const codeMethods: SignInMethod[] = everyMethod.map((method) => ({ ...method, isPasswordPrimary: false }))
const byName: SignUp = { identifiers: ['username'], password: true, verify: false }
const byEmail: SignUp = { identifiers: ['email'], password: false, verify: true }
const byEmailAndPassword: SignUp = { identifiers: ['email'], password: true, verify: true }
const byNameAndEmail: SignUp = { identifiers: ['username', 'email'], password: true, verify: true }

let app: TestApp
let client: CookieClient
let request: PreparedAuthorization
let uid: string

/** Applies the settings and begins an interaction with a new app, whose cache contains no other settings. */
async function configure(
  signUp: SignUp,
  signInMode: 'SignIn' | 'Register' | 'SignInAndRegister' = 'SignInAndRegister',
  methods = codeMethods,
) {
  app = openTestApp()
  await setExperience(app, { methods, signUp, signInMode })
  await beginInteraction()
}

async function beginInteraction(): Promise<void> {
  client = newCookieClient(app)
  request = await authorizationRequest()
  uid = await openSignInPage(client, request)
}

/** Submits a form, follows redirects as a browser does and returns the last page. */
async function send(path: string, form: Record<string, string>) {
  const answer = await client.post(path, { interaction: uid, ...form }, SAME_ORIGIN)
  return arriveAt(answer)
}

async function arriveAt(answer: Response) {
  const location = answer.headers.get('location')
  if (answer.status === 303 && location && !location.includes('/oidc/')) {
    const page = await client.get(location)
    return { status: page.status, location, html: await page.text() }
  }
  return { status: answer.status, location, html: await answer.text() }
}

const path = ({ location }: { location: string | null }) => new URL(location ?? '/', ORIGIN).pathname

const boxes = (code: string) =>
  Object.fromEntries([...code].map((digit, index) => [`passcode_${index}`, digit]))

/** Submits the form with the code that was sent to the address, or with `otherCode`. */
const typeCode = async (page: string, address: Address, otherCode?: string) =>
  send(page, boxes(otherCode ?? (await codeTo(app, address))))

const visible = (html: string) =>
  html
    .replace(/<script.*?<\/script>/gs, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\u2066\u2069]/g, '')

async function expectAtApplication({ location }: { location: string | null }) {
  const code = new URL(location ?? '', ORIGIN).searchParams.get('code') ?? ''
  expect((await redeemCode(app, request, code)).status).toBe(200)
}

/** Stores an account with all three identifiers and a password. */
async function newAccount() {
  const phone = freshPhone()
  return { ...(await storeAccount({ phone })), phone }
}

const userBy = (column: 'username' | 'primary_email', value: string) =>
  app.env.DB.prepare(`select * from users where ${column} = ?`)
    .bind(value)
    .first<{ username: string | null; primary_email: string | null; password_encrypted: string | null }>()

describe('signing in with a code', () => {
  beforeEach(() => configure(byEmail))

  it('takes the user from the address to the code and then to the application', async () => {
    const { email } = await newAccount()
    const code = await send('/sign-in', { identifier: email })
    expect(code.location).toBe(`/sign-in/verification-code?interaction=${uid}`)
    expect(visible(code.html)).toContain(`We sent a 6-digit code to ${email}.`)
    await expectAtApplication(await typeCode('/sign-in/verification-code', { email }))
  })

  it('shows the phone number with its calling code', async () => {
    const { phone } = await newAccount()
    await app.env.DB.prepare('update users set primary_phone = ? where primary_phone = ?')
      .bind('4917012345678', phone)
      .run()
    const code = await send('/sign-in', { identifier: '+49 170 12345678' })
    expect(visible(code.html)).toContain('+49 17012345678')
    await expectAtApplication(await typeCode('/sign-in/verification-code', { phone: '4917012345678' }))
  })

  it('accepts the whole code in one box, as some keyboards autofill it', async () => {
    const { email } = await newAccount()
    await send('/sign-in', { identifier: email })
    const code = await codeTo(app, { email })
    await expectAtApplication(await send('/sign-in/verification-code', { passcode_0: code, passcode_1: '' }))
  })

  it('offers to create an account without a second code', async () => {
    const email = freshEmail()
    await send('/sign-in', { identifier: email })
    const offer = await typeCode('/sign-in/verification-code', { email })
    expect(offer.status).toBe(422)
    expect(visible(offer.html)).toContain(
      `The account with email ${email} does not exist. Would you like to create a new account?`,
    )
    expect(offer.html).toMatch(/<dialog[^>]* open=""/)
    expect(offer.html).toContain('<input type="hidden" name="intent" value="register"/>')

    await expectAtApplication(await send('/sign-in/verification-code', { intent: 'register' }))
    expect(await userBy('primary_email', email)).toMatchObject({ primary_email: email })
  })

  it('asks a new user for a password if accounts require one', async () => {
    await configure(byEmailAndPassword)
    const email = freshEmail()
    await send('/sign-in', { identifier: email })
    await typeCode('/sign-in/verification-code', { email })
    const missing = await send('/sign-in/verification-code', { intent: 'register' })
    expect(path(missing)).toBe('/continue/password')
    expect(missing.html).toContain('<title>Create account</title>')
    await expectAtApplication(await send('/continue/password', { newPassword: PASSWORD }))
    expect((await userBy('primary_email', email))?.password_encrypted).toBeTruthy()
  })

  it('shows an alert if no account can be created', async () => {
    await configure(byEmail, 'SignIn')
    const email = freshEmail()
    await send('/sign-in', { identifier: email })
    const alert = await typeCode('/sign-in/verification-code', { email })
    expect(visible(alert.html)).toContain(`The account with email ${email} does not exist.Change email`)
    expect(alert.html).not.toContain('value="register"')
    expect(alert.html).toMatch(/<dialog.*href="\/sign-in\?interaction=[^"]*".*<\/dialog>/s)
  })

  it('shows an error below the boxes for a wrong code, and clears the boxes', async () => {
    const { email } = await newAccount()
    await send('/sign-in', { identifier: email })
    const wrong = wrongCode(await codeTo(app, { email }))
    const answer = await typeCode('/sign-in/verification-code', { email }, wrong)
    expect(answer.status).toBe(422)
    expect(answer.html).toContain(
      'id="passcode-problem" role="alert">That code isn’t right. Use the code from our latest message.<',
    )
    expect(answer.html).toContain('<title>Error: Sign in</title>')
    expect(/<input[^>]*autofocus[^>]*>/i.exec(answer.html)?.[0]).toContain('name="passcode_0"')
    expect(answer.html).not.toMatch(/<input[^>]*name="passcode_\d"[^>]* value=/)
    await expectAtApplication(await typeCode('/sign-in/verification-code', { email }))
  })

  it('rejects an incomplete code without accessing the database', async () => {
    const { email } = await newAccount()
    await send('/sign-in', { identifier: email })
    app.trips()
    const answer = await typeCode('/sign-in/verification-code', { email }, '123')
    expect(answer.html).toContain('The verification code is invalid')
    expect(app.trips().awaited).toBe(0)
  })

  it('shows that a code has expired', async () => {
    const { email } = await newAccount()
    await send('/sign-in', { identifier: email })
    const { results } = await app.env.DB.prepare('select id from passcodes where email = ?')
      .bind(email)
      .all<{ id: string }>()
    await app.env.DB.prepare('update passcodes set created_at = created_at - 700000 where id = ?')
      .bind(results[0]?.id)
      .run()
    const answer = await typeCode('/sign-in/verification-code', { email })
    expect(answer.html).toContain('This code has expired. Please request a new one.')
  })

  it('sends another code, which invalidates the first one, and confirms this once', async () => {
    const { email } = await newAccount()
    await send('/sign-in', { identifier: email })
    const first = await codeTo(app, { email })
    const again = await send('/sign-in/verification-code', { intent: 'resend' })
    expect(path(again)).toBe('/sign-in/verification-code')
    expect(again.html).toMatch(/role="status">New code sent\./)
    expect(await receivedMessages(app, { email })).toHaveLength(2)
    const reloaded = await client.get(again.location ?? '')
    expect(await reloaded.text()).not.toMatch(/role="status">New code sent\./)

    if (first !== (await codeTo(app, { email }))) {
      expect((await typeCode('/sign-in/verification-code', { email }, first)).status).toBe(422)
    }
    await expectAtApplication(await typeCode('/sign-in/verification-code', { email }))
  })

  it('shows how long to wait after too many codes have been requested', async () => {
    const { email } = await newAccount()
    await send('/sign-in', { identifier: email })
    for (let sent = 1; sent < 5; sent++) await send('/sign-in/verification-code', { intent: 'resend' })
    const refused = await send('/sign-in/verification-code', { intent: 'resend' })
    expect(refused.status).toBe(422)
    expect(visible(refused.html)).toMatch(/Too many attempts\. Please try again in \d+ minutes\./)
    await expectAtApplication(await typeCode('/sign-in/verification-code', { email }))
  })

  it('offers to start again if the code is submitted twice', async () => {
    const { email } = await newAccount()
    await send('/sign-in', { identifier: email })
    const oldCookies = new Map(client.cookies)
    await typeCode('/sign-in/verification-code', { email })
    for (const [name, cookie] of oldCookies) client.cookies.set(name, cookie)
    const answer = await typeCode('/sign-in/verification-code', { email })
    expect(answer.html).toContain('/oidc/auth?client_id=demo-app')
  })

  it('asks the user to start again if the navigation state is missing', async () => {
    await send('/sign-in', { identifier: freshEmail() })
    for (const name of client.cookies.keys()) if (name.startsWith('_step_')) client.cookies.delete(name)
    const answer = await send('/sign-in/verification-code', boxes('123456'))
    expect(visible(answer.html)).toContain('Session not found. Please go back and sign in again.')
  })

  it('offers the password as an alternative if the account has one', async () => {
    const { email } = await newAccount()
    const code = await send('/sign-in', { identifier: email })
    const link = /<a[^>]*href="(\/sign-in\/password[^"]*)"[^>]*><span[^>]*>Use password instead/.exec(
      code.html,
    )?.[1]
    const password = await client.get(link?.replaceAll('&amp;', '&') ?? '')
    expect(await password.text()).toContain('name="password"')
    await expectAtApplication(await send('/sign-in/password', { password: PASSWORD }))
  })
})

describe('registering with a code', () => {
  it('creates an account with that address', async () => {
    await configure(byEmail)
    const email = freshEmail()
    expect(path(await send('/register', { identifier: email }))).toBe('/register/verification-code')
    expect((await receivedMessages(app, { email })).at(0)?.type).toBe('Register')
    await expectAtApplication(await typeCode('/register/verification-code', { email }))
    expect(await userBy('primary_email', email)).toBeTruthy()
  })

  it('asks for a password if accounts require one', async () => {
    await configure(byEmailAndPassword)
    const email = freshEmail()
    await send('/register', { identifier: email })
    expect(path(await typeCode('/register/verification-code', { email }))).toBe('/continue/password')
    await expectAtApplication(await send('/continue/password', { newPassword: PASSWORD }))
  })

  it('offers to sign in with the password if an account has the address and sign-in requires a password', async () => {
    const methods = codeMethods.map((method) => ({ ...method, password: true, verificationCode: false }))
    await configure(byEmailAndPassword, 'SignInAndRegister', methods)
    const { email } = await newAccount()
    await send('/register', { identifier: email })
    await typeCode('/register/verification-code', { email })
    const page = await send('/register/verification-code', { intent: 'signIn' })
    expect(path(page)).toBe('/sign-in/password')
    expect(page.html).toContain(email)
    await expectAtApplication(await send('/sign-in/password', { password: PASSWORD }))

    const { pathname, search } = new URL(`/sign-in/verification-code?interaction=${uid}`, ORIGIN)
    expect(await (await client.get(pathname + search)).text()).not.toContain('passcode_0')
  })

  it('offers to sign in without a second code if an account has the address', async () => {
    await configure(byEmail)
    const { email } = await newAccount()
    await send('/register', { identifier: email })
    const offer = await typeCode('/register/verification-code', { email })
    expect(visible(offer.html)).toContain(
      `The account with email ${email} already exists, would you like to sign in?`,
    )
    await expectAtApplication(await send('/register/verification-code', { intent: 'signIn' }))
  })

  it('shows an alert if an account has the address and sign-in is disabled', async () => {
    await configure(byEmail, 'Register')
    const { email } = await newAccount()
    await configure(byEmail, 'Register')
    await send('/register', { identifier: email })
    const alert = await typeCode('/register/verification-code', { email })
    expect(visible(alert.html)).toContain(`${email} is already in use. Try another email.`)
    expect(alert.html).not.toContain('value="signIn"')
  })
})

describe('a username that another user takes before the code is entered', () => {
  it('leads to the page that asks for a username, and nothing else has to be entered again', async () => {
    await configure(byNameAndEmail)
    const [username, email] = [freshName(), freshEmail()]
    await send('/register', { identifier: username })
    await send('/register/password', { newPassword: PASSWORD })
    await send('/continue/email', { identifier: email })
    await storeAccount({ username })

    const taken = await typeCode('/continue/verification-code', { email })
    expect(taken.status).toBe(422)
    expect(seenText(taken.html)).toContain('Username already exists')
    const [, link = ''] =
      /<dialog.*<a[^>]* href="([^"]*)"[^>]*><span[^>]*>Got it<.*<\/dialog>/s.exec(taken.html) ?? []
    expect(link).toBe(`/continue/username?interaction=${uid}`)

    const page = await client.get(link)
    expect(await page.text()).toContain('name="identifier"')
    const other = freshName()
    await expectAtApplication(await send('/continue/username', { identifier: other }))
    expect(await userBy('username', other)).toMatchObject({
      primary_email: email,
      password_encrypted: expect.any(String),
    })
  })
})

describe('a form that finds no session', () => {
  const message = 'This sign-in has expired or was completed elsewhere. Please start again.'
  const dialogOf = (html: string) => /<dialog.*<\/dialog>/s.exec(html)?.[0] ?? ''

  it('shows an "Alert, then go back 2 steps"', async () => {
    await configure(byName)
    const alert = await send('/forgot-password/reset', { newPassword: PASSWORD })
    expect(alert.status).toBe(422)
    expect(seenText(alert.html)).toContain(message)
    expect(dialogOf(alert.html)).toMatch(/<a[^>]*href="\/sign-in\?interaction=[^"]*"[^>]*><span[^>]*>Got it/)
  })

  it('shows the alert above the page that starts again if there are no two steps', async () => {
    await configure(byEmailAndPassword)
    const alert = await send('/continue/password', { newPassword: PASSWORD })
    expect(alert.status).toBe(400)
    expect(seenText(alert.html)).toContain(message)
    expect(dialogOf(alert.html)).toMatch(/<form method="dialog">.*<button[^>]*><span[^>]*>Got it/s)
    expect(alert.html.replace(dialogOf(alert.html), '')).toMatch(
      /This page has expired.*<a[^>]* href="\/oidc\/auth\?client_id=demo-app[^"]*"[^>]*><span[^>]*>Start again/s,
    )
    // The page gives this reason if it has no link to start again.
    expect(alert.html).toContain(JSON.stringify({ code: 'session.not_found', message }))
  })
})

describe('resetting a forgotten password', () => {
  const NEW_PASSWORD = 'another-horse-8'
  beforeEach(() => configure(byName))

  it('sets a new password that the user can then sign in with', async () => {
    const { username, email } = await newAccount()
    expect(path(await send('/forgot-password', { identifier: email }))).toBe(
      '/forgot-password/verification-code',
    )
    const reset = await typeCode('/forgot-password/verification-code', { email })
    expect(path(reset)).toBe('/forgot-password/reset')
    expect(reset.html).toMatch(new RegExp(`autoComplete="username"[^>]*value="${email}"`, 'i'))
    expect(reset.html).not.toContain('confirmPassword')

    const same = await send('/forgot-password/reset', { newPassword: PASSWORD })
    expect(same.html).toContain('id="newPassword-problem" role="alert">That’s your current password.')
    const done = await send('/forgot-password/reset', { newPassword: NEW_PASSWORD })
    expect(path(done)).toBe('/sign-in')
    expect(done.html).toMatch(/role="status">Password changed/)

    await send('/sign-in', { identifier: username })
    await expectAtApplication(await send('/sign-in/password', { password: NEW_PASSWORD }))
  })

  it('reveals that an address has no account only to users who have verified it', async () => {
    for (const accountExistence of ['friendly', 'hidden'] as const) {
      await setTenantSettings(app, { accountExistence })
      await configure(byName)
      const known = (await newAccount()).email
      const unknown = freshEmail()
      const pages = []
      for (const email of [known, unknown]) {
        await beginInteraction()
        const { status, html } = await send('/forgot-password', { identifier: email })
        pages.push([status, visible(html).replaceAll(email, '')])
      }
      expect(pages[0]).toEqual(pages[1])
      const alert = await typeCode('/forgot-password/verification-code', { email: unknown })
      expect(visible(alert.html)).toContain(`The account with email ${unknown} does not exist.`)
    }
    await setTenantSettings(app, {})
  })

  it('requires a valid address', async () => {
    const answer = await send('/forgot-password', { identifier: 'ada@' })
    expect(answer.status).toBe(422)
    expect(answer.html).toContain(
      'id="identifier-problem" role="alert">The email is invalid. Enter an address like name@example.com.',
    )
  })

  it('requires a verified address before a password can be set', async () => {
    const answer = await send('/forgot-password/reset', { newPassword: NEW_PASSWORD })
    expect(answer.html).toContain('/oidc/auth?client_id=demo-app')
  })
})

describe('a missing profile item', () => {
  it('is requested after signing in: a password', async () => {
    await configure(byEmail)
    const email = freshEmail()
    await send('/register', { identifier: email })
    await expectAtApplication(await typeCode('/register/verification-code', { email }))

    await configure(byEmailAndPassword)
    await send('/sign-in', { identifier: email })
    const missing = await typeCode('/sign-in/verification-code', { email })
    expect(path(missing)).toBe('/continue/password')
    expect(missing.html).toContain('<title>Sign in</title>')
    const weak = await send('/continue/password', { newPassword: 'short1' })
    expect(weak.html).toContain('Password requires a minimum of 8 characters')
    await expectAtApplication(await send('/continue/password', { newPassword: PASSWORD }))
  })

  it('is requested after signing in: a username, even if the first choice is taken', async () => {
    await configure(byEmail)
    const email = freshEmail()
    const usedName = (await newAccount()).username
    await send('/register', { identifier: email })
    await expectAtApplication(await typeCode('/register/verification-code', { email }))

    await configure({ identifiers: ['username'], password: false, verify: false })
    await send('/sign-in', { identifier: email })
    expect(path(await typeCode('/sign-in/verification-code', { email }))).toBe('/continue/username')
    const refused = await send('/continue/username', { identifier: usedName })
    expect(refused.html).toContain('id="identifier-problem" role="alert">Username already exists')
    expect((await send('/continue/username', { identifier: '1st' })).html).toContain(
      'Usernames can’t start with a number',
    )
    const username = freshName()
    await expectAtApplication(await send('/continue/username', { identifier: username }))
    expect(await userBy('username', username)).toMatchObject({ primary_email: email })
  })

  it('is requested during registration: an e-mail address, even if the first choice is in use', async () => {
    await configure(byNameAndEmail)
    const usedEmail = (await newAccount()).email
    const username = freshName()
    const email = freshEmail()
    await send('/register', { identifier: username })
    const missing = await send('/register/password', { newPassword: PASSWORD })
    expect(path(missing)).toBe('/continue/email')
    expect(missing.html).toContain('<title>Create account</title>')

    expect(path(await send('/continue/email', { identifier: usedEmail }))).toBe('/continue/verification-code')
    const alert = await typeCode('/continue/verification-code', { email: usedEmail })
    expect(visible(alert.html)).toContain(`${usedEmail} is already in use. Try another email.`)
    expect(alert.html).toMatch(/<dialog.*href="\/continue\/email\?interaction=[^"]*".*<\/dialog>/s)

    await send('/continue/email', { identifier: email })
    expect((await receivedMessages(app, { email })).at(0)?.type).toBe('Register')
    await expectAtApplication(await typeCode('/continue/verification-code', { email }))
    expect(await userBy('username', username)).toMatchObject({ primary_email: email })
  })
})
