import { afterAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  registerAccount,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { freshEmail, freshPhone, receivedMessages } from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { from } from '../../kit/placed-app.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp } from '../../kit/test-app.ts'

/** Tests the notice of a sign-in in a new browser (spec/accounts#new-sign-in). */
const app = openTestApp({}, { hasCalmDatabase: true })
const berlin = { country: 'DE', city: 'Berlin', timezone: 'Europe/Berlin' }
const here = from(berlin, app)
afterAll(() => setTenantSettings(app, {}))

/** Registers a user in a browser, and then adds an e-mail address and a phone number. */
async function newOwner() {
  const browser = newCookieClient(here)
  const username = freshName()
  const uid = await openSignInPage(browser, await authorizationRequest())
  expect((await registerAccount(browser, uid, username)).status).toBe(200)
  const address = { email: freshEmail() }
  const phone = freshPhone()
  await app.env.DB.prepare(
    'update users set primary_email = ?, primary_phone = ?, phone_verified = 1 where username = ?',
  )
    .bind(address.email, phone, username)
    .run()
  const passTime = () => passTimeOf(username)
  await passTime()
  return { username, browser, address, phone, passTime, notices: () => receivedMessages(app, address) }
}

/** Makes the user's browsers older than the interval in which notices share a message. */
const passTimeOf = (username: string) =>
  app.env.DB.prepare(
    'update trusted_browsers set created_at = created_at - 1000000 where user_id = (select id from users where username = ?)',
  )
    .bind(username)
    .run()

async function signInWith(browser: CookieClient, username: string) {
  const uid = await openSignInPage(browser, await authorizationRequest({ prompt: 'login' }))
  expect((await signIn(browser, uid, username)).status).toBe(200)
}

describe('the notice of a new sign-in', () => {
  it('says when, where and with which device somebody signed in with a browser that the account has not used', async () => {
    const { username, notices, phone } = await newOwner()
    await signInWith(newCookieClient(here), username)
    const [notice, ...others] = await notices()
    expect(others).toEqual([])
    expect(notice).toMatchObject({ type: 'NewSignIn', code: '', channel: 'email' })
    expect(notice?.body).toMatch(/When: \w+ \d+, \d{4} at \d+:\d\d [AP]M GMT\+[12]\n/)
    expect(notice?.body).toContain('Place: Berlin, Germany')
    // It costs no text message.
    expect(await receivedMessages(app, { phone })).toEqual([])
  })

  it('is sent neither for the registration nor for the browsers that were used before', async () => {
    const { username, browser, notices } = await newOwner()
    const second = newCookieClient(here)
    for (const each of [browser, second, second, browser]) await signInWith(each, username)
    expect((await notices()).map(({ type }) => type)).toEqual(['NewSignIn'])
  })

  it('is sent for a browser that somebody else has used', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    await signInWith(other.browser, owner.username)
    expect((await owner.notices()).map(({ type }) => type)).toEqual(['NewSignIn'])
  })

  it('is sent for a copy of the cookie from before the first sign-in of the account in a shared browser', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const copy = newCookieClient(here)
    for (const [name, cookie] of other.browser.cookies) copy.cookies.set(name, cookie)
    await signInWith(other.browser, owner.username)
    await owner.passTime()
    await signInWith(copy, owner.username)
    expect(await owner.notices()).toHaveLength(2)
  })

  it('covers all new browsers of the next ten minutes after the first one', async () => {
    const { username, notices, passTime } = await newOwner()
    for (let count = 0; count < 4; count++) await signInWith(newCookieClient(here), username)
    expect(await notices()).toHaveLength(1)
    await app.env.DB.prepare("update notices set next_attempt_at = 1 where type = 'NewSignIn'").run()
    await app.sweep()
    expect(await notices()).toHaveLength(2)
    await passTime()
    await signInWith(newCookieClient(here), username)
    expect(await notices()).toHaveLength(3)
  })

  it.each([
    { what: 'was imported', lastSignInAt: Date.now() - 86_400_000 },
    { what: 'has never been used', lastSignInAt: null },
  ])(
    'is not sent for the first sign-in of an account that $what, but for the next new browser',
    async ({ lastSignInAt }) => {
      const operator = await newOperator(app)
      const [username, email] = [freshName(), freshEmail()]
      const users = [{ username, primaryEmail: email, password: PASSWORD, lastSignInAt }]
      expect((await operator.send('POST', '/users/import', { users })).status).toBe(200)
      await signInWith(newCookieClient(here), username)
      await passTimeOf(username)
      expect(await receivedMessages(app, { email })).toEqual([])
      await signInWith(newCookieClient(here), username)
      expect((await receivedMessages(app, { email })).map(({ type }) => type)).toEqual(['NewSignIn'])
    },
  )

  it('is sent for an account that has not been used for so long that its browsers have been deleted', async () => {
    const { username, notices } = await newOwner()
    const isOf = '(select id from users where username = ?)'
    for (const change of [
      `delete from trusted_browsers where user_id = ${isOf}`,
      `delete from logs where user_id = ${isOf}`,
      'update users set last_sign_in_at = 1 where username = ?',
    ])
      await app.env.DB.prepare(change).bind(username).run()
    await signInWith(newCookieClient(here), username)
    expect(await notices()).toHaveLength(1)
  })

  it('is sent again for a browser that the user has removed', async () => {
    const { username, browser, notices } = await newOwner()
    await app.env.DB.prepare(
      'delete from trusted_browsers where user_id = (select id from users where username = ?)',
    )
      .bind(username)
      .run()
    await signInWith(browser, username)
    await app.sweep()
    expect(await notices()).toHaveLength(1)
  })

  it('is sent again for a browser that was used before the user was signed out everywhere', async () => {
    const { username, browser, notices } = await newOwner()
    await app.env.DB.prepare('update users set revoked_at = ? where username = ?')
      .bind(Date.now(), username)
      .run()
    await signInWith(browser, username)
    await app.sweep()
    expect(await notices()).toHaveLength(1)
  })

  it('links to the steps for a stranger’s sign-in only where there is an account centre', async () => {
    const bodyWith = async (enabled: boolean) => {
      const { username, notices } = await newOwner()
      await setTenantSettings(app, { accountCentre: { enabled } })
      await signInWith(newCookieClient(openTestApp({}, { hasCalmDatabase: true })), username)
      return (await notices())[0]?.body
    }
    expect(await bodyWith(true)).toContain('This wasn’t me:\nhttp://localhost:8787/account/not-me\n')
    expect(await bodyWith(false)).not.toContain('/account')
  })

  it('can be turned off', async () => {
    const { username, notices } = await newOwner()
    await setTenantSettings(app, { newSignInNotices: false })
    await signInWith(newCookieClient(openTestApp({}, { hasCalmDatabase: true })), username)
    expect(await notices()).toEqual([])
  })
})
