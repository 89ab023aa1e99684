import { expect, it } from 'vitest'
import { newMember } from '../../kit/clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
} from '../../kit/clients/cookie-client.ts'
import { codeOf, forgetUsedSteps } from '../../kit/second-factor.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp } from '../../kit/test-app.ts'

/**
 * Tests second factors on pages without JavaScript (spec/pages#second-factor), with the whole Worker and its real
 * database.
 */

const SAME_ORIGIN = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
const WRONG_CODE = 'That code isn’t right or has already been used.'

/** Removes the scripts from a page, because they contain data and phrases that the page does not show. */
const withoutScripts = (html: string) => html.replaceAll(/<script.*?<\/script>/gs, '')

/** Signs in with the password. `send` submits a form and returns the next page, or the URL of the application. */
async function signIn(client: CookieClient, username: string) {
  const uid = await openSignInPage(client, await authorizationRequest())
  let here = '/sign-in'
  const follow = async (answer: Response): Promise<string> => {
    const location = answer.headers.get('location')
    if (answer.status !== 303 || !location) return withoutScripts(await answer.text())
    const to = new URL(location, ORIGIN)
    if (to.searchParams.has('code')) return to.origin + to.pathname
    here = to.pathname + to.search
    return follow(await client.get(here))
  }
  const send = async (form: Record<string, string>) =>
    follow(await client.post(here, { interaction: uid, ...form }, SAME_ORIGIN))
  const first = await send({ identifier: username, password: PASSWORD })
  const path = () => here.split('?')[0]
  /** Follows the page's link to another factor. */
  const choose = async (way: string) => {
    here = `/second-factor/${way}?interaction=${uid}`
    return follow(await client.get(here))
  }
  return { first, send, path, choose }
}

/** Returns the form of a user who types one digit into each box. */
const digitsOf = (code: string) =>
  Object.fromEntries([...code].map((digit, index) => [`totpCode_${index}`, digit]))

/** Returns a user who registered before the policy was set, and an app with the policy. */
async function underPolicy(secondFactor: { policy: 'required' | 'prompt'; putOffs?: number }) {
  const before = openTestApp()
  await setTenantSettings(before, { secondFactor: { policy: 'off' } })
  const { username } = await newMember(before)
  await setTenantSettings(before, { secondFactor })
  return { app: openTestApp(), username }
}

it('a user sets up an authenticator app and signs in with its codes and with a backup code', async () => {
  const { app, username } = await underPolicy({ policy: 'required' })
  const client = newCookieClient(app)
  const setUp = await signIn(client, username)
  expect(setUp.path()).toBe('/second-factor/set-up')
  const scan = await setUp.send({ intent: 'begin' })
  const secret = (/factor-text[^>]*>([A-Z2-7 ]+)</.exec(scan)?.[1] ?? '').replaceAll(' ', '')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(await setUp.send({ totpCode_0: '000000' })).toContain(WRONG_CODE)
  const code = await codeOf(secret)
  const saved = await setUp.send(digitsOf(code))
  expect(setUp.path()).toBe('/second-factor/backup-codes')
  const backupCodes = [...saved.matchAll(/<li><code>([^<]+)</g)].map(([, backupCode = '']) => backupCode)
  expect(backupCodes).toHaveLength(10)
  expect(await setUp.send({})).toBe(`${ORIGIN}/demo-app`)

  await forgetUsedSteps(app)
  const usedCode = await codeOf(secret)
  const second = await signIn(newCookieClient(app), username)
  expect(second.path()).toBe('/second-factor')
  expect(await second.send(digitsOf(usedCode))).toBe(`${ORIGIN}/demo-app`)

  const browser = newCookieClient(app)
  const third = await signIn(browser, username)
  expect(await third.send({ totpCode_0: usedCode })).toContain(WRONG_CODE)
  await third.choose('backup-code')
  const rejected = await third.send({ backupCode: '0000-0000-0000-0000', remembersBrowser: 'on' })
  expect(rejected).toContain(WRONG_CODE)
  expect(rejected).toMatch(/<input[^>]*name="remembersBrowser"[^>]*checked/)
  const backupCode = backupCodes[0]?.toLowerCase() ?? ''
  expect(await third.send({ backupCode, remembersBrowser: 'on' })).toBe(`${ORIGIN}/demo-app`)

  // The browser remains trusted after its session cookies are deleted.
  for (const name of browser.cookies.keys()) if (name.includes('_session')) browser.cookies.delete(name)
  expect((await signIn(browser, username)).first).toBe(`${ORIGIN}/demo-app`)
})

it('a user can postpone setting up an authenticator app as often as the tenant allows', async () => {
  const { app, username } = await underPolicy({ policy: 'prompt', putOffs: 1 })
  const first = await signIn(newCookieClient(app), username)
  expect(await first.send({ intent: 'begin' })).toContain('You can skip this 1 more time.')
  expect(await first.send({ intent: 'later' })).toBe(`${ORIGIN}/demo-app`)
  const second = await signIn(newCookieClient(app), username)
  expect([second.path(), second.first.includes('Not now')]).toEqual(['/second-factor/set-up', false])
})
