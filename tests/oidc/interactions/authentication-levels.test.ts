import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEMO_APP_ID } from '../../../src/contract/product.ts'
import { HOUR_SECONDS } from '../../../src/contract/time.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { codeTo, freshEmail } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { addPasskey, provePasskey, RP_ID } from '../../kit/clients/passkey-client.ts'
import { storeAccount } from '../../kit/stored-account.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests how `acr_values`, `claims` and `max_age` determine whether a session is sufficient
 * (spec/provider#authentication-levels).
 */

const ONE = 'urn:vestibule:acr:1fa'
const TWO = 'urn:vestibule:acr:2fa'
const PHR = 'phr'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  const first = openTestApp()
  await setExperience(first, { methods: everyMethod })
  const passkeys = { enabled: true, rpId: RP_ID, manageUrl: null }
  await setTenantSettings(first, { secondFactor: { policy: 'off', factors: ['email'] }, passkeys })
  app = openTestApp()
  operator = await newOperator(app)
})

type User = { username: string; email: string }
type Strength = 'one' | 'two'

/**
 * Signs in with a password and, if `strength` is `two`, a code. Returns the URL to which the resumed authorization
 * redirects.
 */
async function signInAs(
  { browser, user }: { browser: CookieClient; user: User },
  uid: string,
  strength: Strength,
): Promise<URL> {
  const call = (method: string, path: string, body?: object) =>
    browser.send(method, `/api/interaction${path}`, body, { Interaction: uid })
  const { username, email } = user
  await call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } })
  if (strength === 'two') {
    await call('POST', '/verification/verification-code', { email })
    const verificationCode = await codeTo(app, { email })
    expect((await call('PATCH', '/identifiers', { email, verificationCode })).status).toBe(204)
  }
  return resumeAuthorization(browser, await call('POST', '/submit'))
}

async function authorize(browser: CookieClient, parameters: Record<string, string>) {
  const request = await authorizationRequest({ scope: 'openid', ...parameters })
  const response = await browser.get(request.url)
  return { request, to: new URL(response.headers.get('location') ?? '', ORIGIN) }
}

/** Returns the result of the authorization: the claims of the ID token, an error, or `page` if a page is shown. */
async function outcomeOf({ request, to }: Awaited<ReturnType<typeof authorize>>) {
  const code = to.searchParams.get('code')
  if (!code) return to.searchParams.get('error') ?? 'page'
  const answer = await redeemCode(app, request, code)
  const { id_token: idToken } = (await answer.json()) as { id_token: string }
  return decodeJwt(idToken)
}

/** Opens a browser whose user signed in with this strength `age` seconds ago, or never if the strength is null. */
async function newSession(strength: Strength | null, age = 0) {
  if (strength === 'one') {
    const { client: browser, username, userId } = await storeMember(app, { scope: 'openid' })
    const email = freshEmail()
    await app.env.DB.prepare('update users set primary_email = ? where id = ?').bind(email, userId).run()
    await ageSessions(age)
    return { browser, user: { username, email } }
  }
  const visitor = { browser: newCookieClient(app), user: await storeAccount() }
  if (!strength) return visitor
  const { to } = await authorize(visitor.browser, {})
  await signInAs(visitor, to.searchParams.get('interaction') ?? '', strength)
  await ageSessions(age)
  return visitor
}

async function ageSessions(age: number): Promise<void> {
  if (age > 0)
    await app.env.DB.prepare(
      `update oidc_model_instances set payload = json_set(payload, '$.loginTs', payload ->> '$.loginTs' - ?)
       where model_name = 'Session'`,
    )
      .bind(age)
      .run()
}

const essential = (acr: object) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, ...acr } } }),
})
const silent = { prompt: 'none' }

type Row = {
  session: Strength | null
  age?: number
  asks: Record<string, string>
  /** The returned `acr` or error. If a page is shown, the strength of the sign-in on the page and its result. */
  gets: string | { page: Strength; next: string }
}

// Every user has an email address that the tenant accepts as a second factor. Single-factor sign-ins must therefore
// verify it if the request requires two factors.
const rows: Row[] = [
  { session: null, asks: { acr_values: ONE }, gets: { page: 'one', next: ONE } },
  {
    session: null,
    asks: { acr_values: TWO },
    gets: { page: 'one', next: 'page' },
  },
  { session: null, asks: { acr_values: TWO }, gets: { page: 'two', next: TWO } },
  { session: null, asks: { acr_values: TWO, ...silent }, gets: 'login_required' },
  { session: null, asks: { acr_values: 'gold' }, gets: 'unmet_authentication_requirements' },
  { session: null, asks: { acr_values: 'gold', ...silent }, gets: 'unmet_authentication_requirements' },
  { session: 'one', asks: {}, gets: ONE },
  { session: 'one', asks: { acr_values: ONE }, gets: ONE },
  { session: 'one', asks: { acr_values: `${TWO} ${ONE}` }, gets: ONE },
  { session: 'one', asks: { acr_values: `gold ${ONE}` }, gets: ONE },
  { session: 'one', asks: { acr_values: TWO }, gets: { page: 'two', next: TWO } },
  {
    session: 'one',
    asks: { acr_values: TWO },
    gets: { page: 'one', next: 'page' },
  },
  { session: 'one', asks: { acr_values: TWO, ...silent }, gets: 'login_required' },
  { session: 'one', asks: { acr_values: ONE, prompt: 'login' }, gets: { page: 'one', next: ONE } },
  {
    session: 'one',
    asks: { acr_values: TWO, prompt: 'login' },
    gets: { page: 'one', next: 'page' },
  },
  { session: 'one', asks: essential({ value: TWO }), gets: { page: 'two', next: TWO } },
  { session: 'one', asks: { ...essential({ values: [TWO, PHR] }), ...silent }, gets: 'login_required' },
  { session: 'one', asks: essential({ value: 'gold' }), gets: 'unmet_authentication_requirements' },
  { session: 'one', asks: essential({}), gets: ONE },
  { session: 'one', asks: { claims: JSON.stringify({ id_token: { acr: { value: TWO } } }) }, gets: ONE },
  { session: 'one', asks: essential({ values: TWO }), gets: 'invalid_request' },
  { session: 'one', asks: { claims: 'acr' }, gets: 'invalid_request' },
  { session: 'two', asks: {}, gets: TWO },
  { session: 'two', asks: { acr_values: ONE }, gets: ONE },
  { session: 'two', asks: { acr_values: TWO, ...silent }, gets: TWO },
  { session: 'two', asks: essential({ values: [ONE, TWO] }), gets: ONE },
  {
    session: 'two',
    asks: { acr_values: PHR },
    gets: { page: 'two', next: 'unmet_authentication_requirements' },
  },
  { session: null, asks: { acr_values: PHR, ...silent }, gets: 'login_required' },
  { session: 'two', asks: { acr_values: PHR, ...silent }, gets: 'login_required' },
  {
    session: 'two',
    age: 2 * HOUR_SECONDS,
    asks: { max_age: '3600', acr_values: TWO, ...silent },
    gets: 'login_required',
  },
  {
    session: 'two',
    age: 2 * HOUR_SECONDS,
    asks: { max_age: '86400', acr_values: TWO, ...silent },
    gets: TWO,
  },
  { session: 'one', age: 2 * HOUR_SECONDS, asks: { max_age: '3600' }, gets: { page: 'one', next: ONE } },
  { session: 'one', age: 2 * HOUR_SECONDS, asks: { max_age: '3600', ...silent }, gets: 'login_required' },
  { session: 'one', age: 2 * HOUR_SECONDS, asks: { max_age: '86400' }, gets: ONE },
  { session: 'one', age: 2 * HOUR_SECONDS, asks: { max_age: '0' }, gets: { page: 'one', next: ONE } },
  {
    session: 'two',
    age: 2 * HOUR_SECONDS,
    asks: { max_age: '3600', acr_values: TWO },
    gets: { page: 'one', next: 'page' },
  },
  {
    session: 'two',
    age: 2 * HOUR_SECONDS,
    asks: { max_age: '3600', acr_values: TWO },
    gets: { page: 'two', next: TWO },
  },
]

const level = (outcome: Awaited<ReturnType<typeof outcomeOf>>) =>
  typeof outcome === 'string' ? outcome : outcome.acr

describe.each(rows)(
  'an authorization request with $asks (session factors: $session, session age: $age s)',
  ({ session, age = 0, asks, gets }) => {
    it(`results in ${JSON.stringify(gets)}`, async () => {
      const visitor = await newSession(session, age)
      const authorization = await authorize(visitor.browser, asks)
      if (typeof gets === 'string') return expect(level(await outcomeOf(authorization))).toBe(gets)

      expect(await outcomeOf(authorization)).toBe('page')
      const uid = authorization.to.searchParams.get('interaction') ?? ''
      const to = await signInAs(visitor, uid, gets.page)
      expect(level(await outcomeOf({ request: authorization.request, to }))).toBe(gets.next)
    })
  },
)

describe('the authentication claims', () => {
  it('are in the ID token but not in userinfo', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { browser } = await newSession('two')
    const claims = await outcomeOf(await authorize(browser, {}))
    expect(claims).toMatchObject({ acr: TWO, amr: ['mfa', 'otp', 'pwd'], auth_time: expect.any(Number) })
    expect((claims as { auth_time: number }).auth_time).toBeGreaterThanOrEqual(before)
    const member = await storeMember(app)
    const userinfo = await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${member.token}` } })
    expect(Object.keys((await userinfo.json()) as object)).not.toEqual(expect.arrayContaining(['acr']))
  })

  it('report that a passkey is phishing-resistant, even for a silent sign-in', async () => {
    const passkey = await addPasskey(app, await storeMember(app))
    const browser = newCookieClient(app)
    const authorization = await authorize(browser, { acr_values: PHR })
    const headers = { Interaction: authorization.to.searchParams.get('interaction') ?? '' }
    const call = (method: string, path: string, body?: unknown) =>
      browser.send(method, `/api/interaction${path}`, body, headers)
    expect((await provePasskey({ call }, passkey)).status).toBe(204)
    const to = await resumeAuthorization(browser, await call('POST', '/submit'))
    const expected = { acr: PHR, amr: ['mfa', 'swk', 'user'] }
    expect(await outcomeOf({ request: authorization.request, to })).toMatchObject(expected)
    expect(await outcomeOf(await authorize(browser, { acr_values: PHR, ...silent }))).toMatchObject(expected)
  })

  it('report a single factor after a registration', async () => {
    const browser = newCookieClient(app)
    const authorization = await authorize(browser, {})
    const uid = authorization.to.searchParams.get('interaction') ?? ''
    const call = (method: string, path: string, body?: object) =>
      browser.send(method, `/api/interaction${path}`, body, { Interaction: uid })
    await call('PUT', '', { event: 'Register', profile: { username: freshName(), password: PASSWORD } })
    const to = await resumeAuthorization(browser, await call('POST', '/submit'))
    expect(await outcomeOf({ request: authorization.request, to })).toMatchObject({ acr: ONE, amr: ['pwd'] })
  })

  it('are in access tokens for a resource, even after a token refresh', async () => {
    const indicator = `https://orders.example/${freshName()}`
    await operator.send('POST', '/resources', { name: 'Orders', indicator })
    const { browser } = await newSession('two')
    const parameters = { resource: indicator, scope: 'openid offline_access', prompt: 'consent' }
    const authorization = await authorize(browser, parameters)
    const consented = await browser.send('POST', '/api/interaction/consent', undefined, {
      Interaction: authorization.to.searchParams.get('interaction') ?? '',
    })
    const code = (await resumeAuthorization(browser, consented)).searchParams.get('code') ?? ''
    const token = async (form: Record<string, string>) => {
      const body = new URLSearchParams({ client_id: DEMO_APP_ID, resource: indicator, ...form })
      const answer = await app.fetch('/oidc/token', { method: 'POST', body })
      return (await answer.json()) as { access_token: string; refresh_token: string }
    }
    const first = await token({
      grant_type: 'authorization_code',
      code,
      code_verifier: authorization.request.verifier,
      redirect_uri: authorization.request.redirectUri,
    })
    const expected = { acr: TWO, amr: ['mfa', 'otp', 'pwd'], auth_time: expect.any(Number) }
    expect(decodeJwt(first.access_token)).toMatchObject(expected)
    const second = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
    expect(decodeJwt(second.access_token)).toMatchObject(expected)
  })

  it('are listed in the discovery document', async () => {
    const document = (await (await app.fetch('/oidc/.well-known/openid-configuration')).json()) as object
    expect(document).toMatchObject({
      acr_values_supported: [ONE, TWO, PHR],
      claims_parameter_supported: true,
      claims_supported: expect.arrayContaining(['acr', 'amr', 'auth_time']),
    })
  })
})
