import { createHash, randomBytes } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright'
import { DEMO_APP_ID } from '../../src/contract/product.ts'
import type { BrowserState } from './chromium.ts'
import { type Exchange, recordTraffic } from './traffic.ts'

/**
 * The credentials of a user. The benchmark finds form fields by name, because operators can change the labels.
 */
export type BenchAccount = { name: string; password: string }

const random = () => randomBytes(9).toString('hex')
const press = (page: Page) => page.locator('main button[name=submit]').click()

/** The authorization request of the demo application, without the parameters that require consent. */
export type BenchAuthorization = { url: string; verifier: string; callback: string }

export function newAuthorization(origin: string, extra: Record<string, string> = {}): BenchAuthorization {
  const verifier = randomBytes(32).toString('base64url')
  const callback = `${origin}/demo-app`
  const query = new URLSearchParams({
    client_id: DEMO_APP_ID,
    response_type: 'code',
    scope: 'openid profile',
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...extra,
  })
  return { url: `${origin}/oidc/auth?${query}`, verifier, callback }
}

/** A URL, and the browser's cookies when it was reached. */
export type SavedBrowser = { url: string; state: BrowserState }

/** Registers a user. Returns the account and the page on which the password is chosen. */
export async function registerInBrowser(
  context: BrowserContext,
  origin: string,
): Promise<[BenchAccount, SavedBrowser]> {
  const account = { name: `b${random()}`, password: `P-${random()}` }
  const page = await context.newPage()
  await page.goto(newAuthorization(origin, { interaction_mode: 'signUp' }).url)
  await page.locator('main [name=identifier]').fill(account.name)
  await press(page)
  await page.locator('main [name=newPassword]').fill(account.password)
  await page.locator('main [name=confirmPassword]').fill(account.password)
  const spot = { url: page.url(), state: await context.storageState() }
  await press(page)
  await page.waitForURL(`${origin}/demo-app?**`)
  await page.close()
  return [account, spot]
}

/** Signs in, from the click in the demo application until the application has tokens. */
export async function signInAtDemo(
  context: BrowserContext,
  origin: string,
  account: BenchAccount,
): Promise<readonly Exchange[]> {
  const page = await context.newPage()
  await page.goto(`${origin}/demo-app`, { waitUntil: 'networkidle' })
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true })
  const traffic = await recordTraffic(page)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await enterCredentials(page, account)
  await signOut.waitFor()
  const all = await traffic.stop()
  await page.close()
  const last = all.findIndex(({ url, method }) => method === 'POST' && url.endsWith('/oidc/token'))
  return all.slice(0, last + 1).filter(isOurs(origin))
}

/**
 * Signs in to a server-side application, which runs no JavaScript in the browser, from the redirect to its tokens.
 */
export async function signInAtServer(
  context: BrowserContext,
  origin: string,
  account: BenchAccount,
): Promise<{ all: readonly Exchange[]; decisive: readonly Exchange[] }> {
  const page = await context.newPage()
  const { url, verifier, callback } = newAuthorization(origin, { prompt: 'login' })
  const traffic = await recordTraffic(page)
  await page.goto(url)
  // Don't read the page's URL, because the demo application removes the code from it.
  const arrival = page.waitForRequest((request) => request.url().startsWith(`${callback}?`))
  await enterCredentials(page, account)
  const code = new URL((await arrival).url()).searchParams.get('code')
  const all = await traffic.stop()
  await page.close()
  if (!code) throw new Error('the sign-in ended without a code')
  const callbackIndex = all.findIndex((each) => each.url.startsWith(callback))
  const signIn = all.slice(0, callbackIndex < 0 ? undefined : callbackIndex).filter(isOurs(origin))
  const submitted = signIn.findIndex(({ method }) => method !== 'GET')
  return {
    all: [...signIn, await redeemCode(origin, { code, verifier, callback })],
    decisive: signIn.slice(submitted).filter(({ kind }) => kind === 'Document' || kind === 'Fetch'),
  }
}

/** Enters the credentials, as a user would, once the page has fully loaded. */
async function enterCredentials(page: Page, { name, password }: BenchAccount): Promise<void> {
  const identifier = page.locator('main [name=identifier]')
  await identifier.waitFor()
  await page.waitForLoadState('networkidle')
  await identifier.fill(name)
  await page.locator('main [name=password]').fill(password)
  await press(page)
}

async function redeemCode(
  origin: string,
  { code, verifier, callback }: { code: string; verifier: string; callback: string },
): Promise<Exchange> {
  const url = `${origin}/oidc/token`
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: DEMO_APP_ID,
    code,
    redirect_uri: callback,
    code_verifier: verifier,
  })
  const response = await fetch(url, { method: 'POST', body })
  const { length } = await response.text()
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
  return { url, method: 'POST', kind: 'Fetch', isFromScript: false, bytes: length, content: length }
}

/** The application's own page is not counted. */
const isOurs = (origin: string) => (each: Exchange) => {
  const url = new URL(each.url)
  return url.origin === origin && url.pathname !== '/demo-app'
}
