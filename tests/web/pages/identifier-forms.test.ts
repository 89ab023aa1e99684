import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
} from '../../kit/clients/cookie-client.ts'
import { codeTo, freshEmail } from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** The headers that a browser sends with a form on one of our own pages. */
const SAME_ORIGIN = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

const byPassword = { password: true, verificationCode: false, isPasswordPrimary: true }
const byEither = { password: true, verificationCode: true, isPasswordPrimary: true }
const byCode = { password: true, verificationCode: true, isPasswordPrimary: false }

let app: TestApp
let client: CookieClient
let uid: string

beforeAll(() => {
  app = openTestApp()
})

beforeEach(async () => {
  client = newCookieClient(app)
})

async function configure(experience: Record<string, unknown>): Promise<void> {
  const operator = await newOperator(app)
  const answer = await operator.send('PATCH', '/sign-in-exp', experience)
  expect(answer.status).toBe(200)
}

async function beginInteraction(parameters: Record<string, string> = {}): Promise<void> {
  uid = await openSignInPage(client, await authorizationRequest(parameters))
}

const post = (path: string, form: Record<string, string> = {}) =>
  client.post(path, { interaction: uid, ...form }, SAME_ORIGIN)
const location = (answer: Response) => answer.headers.get('location') ?? ''
/** The beginning of the address of the application after a completed sign-in. */
const WITH_CODE = `${ORIGIN}/demo-app?code=`

/** Returns a German mobile number that no other account has, without its country code. */
const freshNational = () => `170${String(Math.random()).slice(2, 9).padEnd(7, '7')}`

async function newAccount() {
  const [email, national] = [freshEmail(), freshNational()]
  const operator = await newOperator(app)
  const created = await operator.send('POST', '/users', {
    primaryEmail: email,
    primaryPhone: `49${national}`,
    username: freshName(),
    password: PASSWORD,
  })
  expect(created.status).toBe(200)
  return { email, national }
}

describe('the identifier form without JavaScript (passwords only)', () => {
  beforeAll(async () => {
    await configure({
      signIn: {
        methods: [
          { identifier: 'email', ...byPassword },
          { identifier: 'phone', ...byPassword },
        ],
      },
      signUp: { identifiers: [], password: true, verify: false },
    })
  })

  it('accepts an e-mail address', async () => {
    const { email } = await newAccount()
    await beginInteraction()
    const answer = await post('/sign-in', { identifier: ` ${email.toUpperCase()} `, password: PASSWORD })
    expect([answer.status, location(answer)]).toEqual([303, expect.stringContaining(WITH_CODE)])
  })

  it.each([
    { written: 'with its country code', language: 'en', write: (national: string) => `+49 ${national}` },
    { written: 'with two leading zeros', language: 'en', write: (national: string) => `0049${national}` },
    { written: 'in national format', language: 'de', write: (national: string) => `0${national}` },
  ])('accepts a phone number written $written', async ({ language, write }) => {
    const { national } = await newAccount()
    await beginInteraction({ ui_locales: language })
    const answer = await post('/sign-in', { identifier: write(national), password: PASSWORD })
    expect([answer.status, location(answer)]).toEqual([303, expect.stringContaining(WITH_CODE)])
  })

  it('rejects an invalid number and keeps the country code that a script selected', async () => {
    await beginInteraction()
    const answer = await post('/sign-in', { identifier: '555', countryCode: '49', password: PASSWORD })
    const html = await answer.text()
    expect(answer.status).toBe(422)
    expect(html).toContain('The email or phone number is invalid')
    expect(/<input[^>]*name="countryCode"[^>]*>/.exec(html)?.[0]).toContain('value="49"')
    expect(html).toContain('value="555"')
    expect(html).not.toContain(PASSWORD)
  })
})

describe('the identifier form without JavaScript (passwords and codes)', () => {
  beforeAll(async () => {
    await configure({
      signIn: {
        methods: [
          { identifier: 'username', ...byPassword },
          { identifier: 'email', ...byCode },
          { identifier: 'phone', ...byEither },
        ],
      },
      signUp: { identifiers: ['email'], password: true, verify: true },
    })
  })

  it('asks for a phone number first and then for the password', async () => {
    const { national } = await newAccount()
    await beginInteraction()
    const first = await post('/sign-in', { identifier: `+49 ${national}` })
    expect([first.status, location(first)]).toEqual([303, `/sign-in/password?interaction=${uid}`])
    const page = await (await client.get(location(first))).text()
    // The specification: "Shows the identifier (masked for phone)". After "Edit", the field contains it in full.
    expect(page).toContain(`aria-hidden="true" title="****${national.slice(-4)}">`)
    expect(page).not.toContain(`+49 ${national}`)
    expect(page).toContain(`href="/forgot-password?interaction=${uid}"`)
    const edited = await (await client.get(`/sign-in?interaction=${uid}`)).text()
    expect(/<input[^>]*name="identifier"[^>]*>/.exec(edited)?.[0]).toContain(`value="${national}"`)

    const wrong = await post('/sign-in/password', { password: 'wrong-horse-7' })
    expect(wrong.status).toBe(422)
    expect(await wrong.text()).toContain('That password isn’t right')
    const right = await post('/sign-in/password', { password: PASSWORD })
    expect([right.status, location(right)]).toEqual([303, expect.stringContaining(WITH_CODE)])
  })

  it('lets a user with a phone number request a code instead of entering the password', async () => {
    const { national } = await newAccount()
    await beginInteraction()
    await post('/sign-in', { identifier: `+49 ${national}` })
    const answer = await post('/sign-in/password', { intent: 'code' })
    expect(location(answer)).toBe(`/sign-in/verification-code?interaction=${uid}`)
    expect(await codeTo(app, { phone: `49${national}` })).toMatch(/^\d{6}$/)
  })

  it('sends a code to the user’s e-mail address at sign-in', async () => {
    const { email } = await newAccount()
    await beginInteraction()
    const answer = await post('/sign-in', { identifier: email })
    expect(location(answer)).toBe(`/sign-in/verification-code?interaction=${uid}`)
    expect(await codeTo(app, { email })).toMatch(/^\d{6}$/)
  })

  it('sends a code to the user’s e-mail address at registration', async () => {
    const email = freshEmail()
    await beginInteraction()
    const answer = await post('/register', { identifier: email })
    expect([answer.status, location(answer)]).toEqual([303, `/register/verification-code?interaction=${uid}`])
    expect(await codeTo(app, { email })).toMatch(/^\d{6}$/)
  })

  it.each(['', 'ada@example', '+49 170 1234567'])(
    'does not accept "%s" as an e-mail address for registration',
    async (identifier) => {
      await beginInteraction()
      app.trips()
      const answer = await post('/register', { identifier })
      expect(answer.status).toBe(422)
      expect(await answer.text()).toMatch(
        /Email is required|The email is invalid. Enter an address like name@example.com./,
      )
      expect(app.trips().awaited).toBe(0)
    },
  )

  it('cannot be skipped: the password page rejects a form without an identifier', async () => {
    await beginInteraction()
    const page = await client.get(`/sign-in/password?interaction=${uid}`)
    expect(await page.text()).toContain('Session not found. Please go back and sign in again.')
    const answer = await post('/sign-in/password', { password: PASSWORD })
    expect(location(answer)).not.toContain(WITH_CODE)
  })
})
