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

/** Second factors on pages without JavaScript (spec/pages#second-factor), against the whole Worker and its real database. */

const OURS = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
const REFUSED = 'That code isn’t right, or was used already.'

/** Without the data and the phrases of a script. */
const shown = (html: string) => html.replaceAll(/<script.*?<\/script>/gs, '')

/** Signs in with the password; `send` answers the page that a form leads to, or the address of the application. */
async function signIn(client: CookieClient, username: string) {
  const uid = await openSignInPage(client, await authorizationRequest())
  let here = '/sign-in'
  const follow = async (answer: Response): Promise<string> => {
    const location = answer.headers.get('location')
    if (answer.status !== 303 || !location) return shown(await answer.text())
    const to = new URL(location, ORIGIN)
    if (to.searchParams.has('code')) return to.origin + to.pathname
    here = to.pathname + to.search
    return follow(await client.get(here))
  }
  const send = async (form: Record<string, string>) =>
    follow(await client.post(here, { interaction: uid, ...form }, OURS))
  const first = await send({ identifier: username, password: PASSWORD })
  const path = () => here.split('?')[0]
  /** Follows the link of the page to another way. */
  const choose = async (way: string) => {
    here = `/second-factor/${way}?interaction=${uid}`
    return follow(await client.get(here))
  }
  return { first, send, path, choose }
}

/** A user of before, and an app that reads the policy. */
async function underPolicy(secondFactor: { policy: 'required' | 'prompt'; putOffs?: number }) {
  const before = openTestApp()
  await setTenantSettings(before, { secondFactor: { policy: 'off' } })
  const { username } = await newMember(before)
  await setTenantSettings(before, { secondFactor })
  return { app: openTestApp(), username }
}

it('an authenticator app is set up, and its codes and a backup code let its user in', async () => {
  const { app, username } = await underPolicy({ policy: 'required' })
  const client = newCookieClient(app)
  const setUp = await signIn(client, username)
  expect(setUp.path()).toBe('/second-factor/set-up')
  const scan = await setUp.send({ intent: 'begin' })
  const secret = (/factor-text[^>]*>([A-Z2-7 ]+)</.exec(scan)?.[1] ?? '').replaceAll(' ', '')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(await setUp.send({ totpCode: '000000' })).toContain(REFUSED)
  const code = await codeOf(secret)
  const saved = await setUp.send({ totpCode: `${code.slice(0, 3)} ${code.slice(3)}` })
  expect(setUp.path()).toBe('/second-factor/backup-codes')
  const backupCodes = [...saved.matchAll(/<li><code>([^<]+)</g)].map(([, found = '']) => found)
  expect(backupCodes).toHaveLength(10)
  expect(await setUp.send({})).toBe(`${ORIGIN}/demo-app`)

  await forgetUsedSteps(app)
  const used = await codeOf(secret)
  const asked = await signIn(newCookieClient(app), username)
  expect(asked.path()).toBe('/second-factor')
  expect(await asked.send({ totpCode: used })).toBe(`${ORIGIN}/demo-app`)

  const browser = newCookieClient(app)
  const again = await signIn(browser, username)
  expect(await again.send({ totpCode: used })).toContain(REFUSED)
  await again.choose('backup-code')
  const refused = await again.send({ backupCode: '0000-0000-0000-0000', remembersBrowser: 'on' })
  expect(refused).toContain(REFUSED)
  expect(refused).toMatch(/<input[^>]*name="remembersBrowser"[^>]*checked/)
  const backupCode = backupCodes[0]?.toLowerCase() ?? ''
  expect(await again.send({ backupCode, remembersBrowser: 'on' })).toBe(`${ORIGIN}/demo-app`)

  // The session is over, the browser is remembered.
  for (const name of browser.cookies.keys()) if (name.includes('_session')) browser.cookies.delete(name)
  expect((await signIn(browser, username)).first).toBe(`${ORIGIN}/demo-app`)
})

it('an authenticator app is put off as often as the tenant allows', async () => {
  const { app, username } = await underPolicy({ policy: 'prompt', putOffs: 1 })
  const first = await signIn(newCookieClient(app), username)
  expect(await first.send({ intent: 'begin' })).toContain('Times you can still put this off')
  expect(await first.send({ intent: 'later' })).toBe(`${ORIGIN}/demo-app`)
  const second = await signIn(newCookieClient(app), username)
  expect([second.path(), second.first.includes('Not now')]).toEqual(['/second-factor/set-up', false])
})
