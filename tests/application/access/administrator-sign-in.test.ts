import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailSettings } from '../../../console/areas/start/identifier-question.ts'
import { DEFAULT_EXPERIENCE } from '../../../src/contract/experience/experience.ts'
import { DEVICE_GRANT } from '../../../src/oidc/applications/clients.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  RESUMED,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import {
  answerDevice,
  enterCode,
  newDeviceApplication,
  startDevice,
} from '../../kit/clients/device-client.ts'
import { freshEmail, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { asOperator, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { newReceiver } from '../../kit/receiver.ts'
import { codeOf, enrol, forgetUsedSteps, signInByPassword, TWO_FACTORS } from '../../kit/second-factor.ts'
import { storeMember, storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import { atTokenEndpoint, type ClientApplication, codeGrant, newClient } from '../../security/parties.ts'

/**
 * Tests that administrators can always sign in (spec/interaction#missing-profile), and that tokens with their scopes
 * require the second factor that the tenant requires of them, however an application gets the tokens
 * (spec/accounts#administrators-policy).
 */

const MANAGEMENT = 'urn:vestibule:management-api'
const forManagement = { scope: 'openid all', resource: MANAGEMENT }

let app: TestApp
/** An app whose tenant requires a second factor of administrators. Settings are cached, so it is opened afterwards. */
let strict: TestApp
let operator: Operator
let tool: ClientApplication
let device: string
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  tool = await newClient(app, 'SPA', { custom: { allowedBuiltInResources: [MANAGEMENT] } })
  device = await newDeviceApplication(operator, { allowedBuiltInResources: [MANAGEMENT] })
  strict = await openWith({ administratorsNeedSecondFactor: true })
})
afterAll(() => setTenantSettings(app, {}))

async function openWith(settings: Parameters<typeof setTenantSettings>[1]): Promise<TestApp> {
  await setTenantSettings(app, settings)
  return openTestApp({}, { hasCalmDatabase: true })
}

type User = { username: string; userId: string; browser: CookieClient }

/** Creates a user who has signed in with one factor. */
async function newUser(): Promise<User> {
  const { username, userId, client } = await storeMember(app)
  return { username, userId, browser: client }
}
const promote = async ({ userId }: User) =>
  expect((await operator.send('POST', '/roles/admin-role/users', { userIds: [userId] })).status).toBe(201)

const requestOf = (parameters: Record<string, string> = {}) =>
  authorizationRequest({
    client_id: tool.id,
    redirect_uri: tool.redirectUri,
    ...forManagement,
    ...parameters,
  })

/** Returns a client with the browser's cookies that calls another app. */
function browserAt(other: TestApp, { cookies }: CookieClient): CookieClient {
  const client = newCookieClient(other)
  for (const [name, cookie] of cookies) client.cookies.set(name, cookie)
  return client
}

const locationOf = (answer: Response) => new URL(answer.headers.get('location') ?? '', ORIGIN)

/** Makes an authorization request with `prompt=none`, and returns the error or the code. */
async function silently(browser: CookieClient, more: Record<string, string> = {}) {
  const request = await requestOf({ prompt: 'none', ...more })
  const { searchParams } = locationOf(await browser.get(request.url))
  return { request, error: searchParams.get('error'), code: searchParams.get('code') ?? '' }
}

const redeem = (app: TestApp, grant: Parameters<typeof codeGrant>[1]) =>
  atTokenEndpoint(app, { ...codeGrant(tool, grant), resource: MANAGEMENT })

async function tokensOf({ secret, ...grant }: Awaited<ReturnType<typeof signInStrictly>>) {
  return { secret, tokens: (await redeem(strict, grant)).tokens }
}

/** Checks whether the account centre offers to set up an authenticator app. */
async function mayAddApp({ username }: User): Promise<boolean> {
  const { client } = await storeVisitor(app, { username })
  const page = await browserAt(strict, client).get('/account/factors')
  expect(page.status).toBe(200)
  return (await page.text()).includes('href="/account/factors/app"')
}

const mayReadUsers = async (token: string) => (await asOperator(strict, token).get('/users')).status === 200

type StrictSignIn = {
  /** The secret of the authenticator app. Without one, the sign-in sets up an app. */
  secret?: string
  statement?: object
  parameters?: Record<string, string>
}

/** Signs in to the strict app with the password and an authenticator app, and returns the code. */
async function signInStrictly(
  client: CookieClient,
  { username }: Pick<User, 'username'>,
  { secret, statement, parameters }: StrictSignIn = {},
) {
  await forgetUsedSteps(strict)
  const request = await requestOf(parameters)
  const headers = { Interaction: await openSignInPage(client, request) }
  const call = (method: string, path: string, body?: object) =>
    client.send(method, `/api/interaction${path}`, body, headers)
  await call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } })
  expect(await outcomeOf(await call('POST', '/submit'))).toEqual([
    422,
    secret ? 'user.second_factor_required' : 'user.second_factor_missing',
    expect.objectContaining({ factors: secret ? ['totp', 'backupCode'] : ['totp'] }),
  ])
  const proof = secret
    ? (await call('PATCH', '/identifiers', { totpCode: await codeOf(secret) })) && { secret }
    : await enrol({ call })
  const back = await resumeAuthorization(client, await call('POST', '/submit', statement))
  return { request, code: back.searchParams.get('code') ?? '', secret: proof.secret }
}

describe('the only owner, if no message can be sent', () => {
  let connector: string
  beforeAll(async () => {
    const { hostname, port } = new URL((await newReceiver({ delay: 120_000 })).url)
    await openWith({ allowPrivateTargets: true })
    const installed = await operator.send('POST', '/connectors', {
      connectorId: 'simple-mail-transfer-protocol',
      config: { host: hostname, port: Number(port), fromEmail: 'no-reply@example.com', socketTimeout: 300 },
    })
    connector = ((await installed.json()) as { id: string }).id
  })
  afterAll(async () => {
    expect((await operator.send('DELETE', `/connectors/${connector}`)).status).toBe(204)
    strict = await openWith({ administratorsNeedSecondFactor: true })
  })

  it.each([null, freshEmail()])(
    'sets up an app and uses it although the tenant accepts only codes, with the address %s',
    async (primaryEmail) => {
      strict = await openWith({
        allowPrivateTargets: true,
        administratorsNeedSecondFactor: true,
        secondFactor: { policy: 'required', factors: ['email', 'phone'] },
        accountCentre: { enabled: true, fields: { factors: 'edit' } },
      })
      const [owner, customer] = [await newUser(), await newUser()]
      await promote(owner)
      const updated = await operator.send('PATCH', `/users/${owner.userId}`, { primaryEmail })
      expect(updated.status).toBe(200)
      expect(await mayAddApp(owner)).toBe(true)
      const { tokens, secret } = await tokensOf(await signInStrictly(newCookieClient(strict), owner))
      expect(await mayReadUsers(tokens.access_token)).toBe(true)
      const again = await tokensOf(await signInStrictly(newCookieClient(strict), owner, { secret }))
      expect(decodeJwt(again.tokens.access_token)).toMatchObject({ scope: 'all', acr: TWO_FACTORS })

      // Other users can still not set up an app.
      const { call, submit } = await signInByPassword(strict, customer.username)
      expect(await outcomeOf(await submit())).toEqual([422, 'user.second_factor_missing', { factors: [] }])
      expect((await call('POST', '/factors/totp')).status).toBe(422)
      expect(await mayAddApp(customer)).toBe(false)
    },
  )

  it('signs in without an address after users were switched to email addresses', async () => {
    const switched = await operator.send('PATCH', '/sign-in-exp', emailSettings(DEFAULT_EXPERIENCE))
    expect(switched.status).toBe(200)
    const changed = await openWith({ allowPrivateTargets: true })

    const [owner, customer] = [await newUser(), await newUser()]
    await promote(owner)
    const { call, submit } = await signInByPassword(changed, customer.username)
    expect(await outcomeOf(await submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['email'] },
    ])
    const code = await call('POST', '/verification/verification-code', { email: freshEmail() })
    expect(await outcomeOf(code)).toEqual([400, 'connector.general'])

    const request = await requestOf()
    const client = newCookieClient(changed)
    const submitted = await signIn(client, await openSignInPage(client, request), owner.username)
    const back = await resumeAuthorization(client, submitted)
    const { tokens } = await redeem(changed, { request, code: back.searchParams.get('code') ?? '' })
    expect(await mayReadUsers(tokens.access_token)).toBe(true)

    const { signIn: methods, signUp } = DEFAULT_EXPERIENCE
    expect((await operator.send('PATCH', '/sign-in-exp', { signIn: methods, signUp })).status).toBe(200)
  })
})

describe('a user who becomes an administrator during a session with one factor', () => {
  it('[ASVS-8.2.1-24] gets scopes of administrators only after a sign-in with a second factor', async () => {
    const user = await newUser()
    const client = browserAt(strict, user.browser)
    const plain = await redeem(strict, await silently(client))
    expect(decodeJwt(plain.tokens.access_token).scope ?? '').toBe('')

    await promote(user)
    expect(await silently(client)).toMatchObject({ error: 'login_required' })
    expect(await silently(client, { acr_values: 'urn:vestibule:acr:1fa' })).toMatchObject({
      error: 'login_required',
    })
    // The session still works for everything else.
    expect(await silently(client, { scope: 'openid', resource: '' })).toMatchObject({ error: null })
    expect(await silently(client, { scope: 'openid' })).toMatchObject({ error: null })

    const { tokens } = await redeem(strict, await signInStrictly(client, user))
    expect(decodeJwt(tokens.access_token)).toMatchObject({ scope: 'all', acr: TWO_FACTORS })
    expect(await mayReadUsers(tokens.access_token)).toBe(true)
    expect((await redeem(strict, await silently(client))).status).toBe(200)
    const lower = await silently(client, { acr_values: 'urn:vestibule:acr:1fa' })
    expect((await redeem(strict, lower)).status).toBe(200)
  })

  it('signs in again if the promotion happens between the submission and its redirect', async () => {
    const user = await newUser()
    const client = newCookieClient(strict)
    const submitted = await signIn(
      client,
      await openSignInPage(client, await requestOf(RESUMED)),
      user.username,
    )
    await promote(user)
    const back = await resumeAuthorization(client, submitted)
    expect([back.pathname, back.searchParams.get('code')]).toEqual(['/sign-in/account', null])
  })

  it('cannot refresh an earlier token to get the scopes', async () => {
    const user = await newUser()
    const scope = 'openid offline_access all'
    const earlier = await consentedTokens(user.browser, scope)
    await promote(user)
    const refresh = (more: Record<string, string>) => refreshOf(strict, earlier.refresh_token, more)
    expect((await refresh({ resource: MANAGEMENT, scope: 'openid all' })).tokens.error).toBe('invalid_scope')
    const { tokens } = await refresh({ resource: MANAGEMENT })
    expect(await mayReadUsers(tokens.access_token)).toBe(false)
  })

  it('cannot approve a device with the session', async () => {
    const user = await newUser()
    await promote(user)
    const { user_code: code } = await startDevice(app, device, forManagement)
    const page = locationOf(await enterCode(browserAt(strict, user.browser), code))
    expect(page.pathname).toMatch(/^\/sign-in(\/account)?$/)
  })
})

describe('an administrator who signed in with one factor before it was required', () => {
  it('[ASVS-8.2.1-25] cannot redeem a code, refresh a token or get a device’s token', async () => {
    const lenient = await openWith({})
    const user = await newUser()
    await promote(user)
    const browser = browserAt(lenient, user.browser)
    const { refresh_token: token } = await consentedTokens(browser, 'openid offline_access all')
    const started = await startDevice(lenient, device, forManagement)
    await answerDevice(browser, started.user_code, 'allow')
    const code = await silently(browser)
    strict = await openWith({ administratorsNeedSecondFactor: true })

    expect((await redeem(strict, code)).tokens.error).toBe('invalid_target')
    const polled = await atTokenEndpoint(strict, {
      grant_type: DEVICE_GRANT,
      client_id: device,
      device_code: started.device_code,
      resource: MANAGEMENT,
    })
    expect(polled.tokens.error).toBe('invalid_target')
    expect((await refreshOf(strict, token, { resource: MANAGEMENT })).tokens.error).toBe('invalid_target')
    // The refresh token has not been used up.
    expect((await refreshOf(strict, token)).status).toBe(200)
  })
})

describe('an administrator in a remembered browser', () => {
  it('gets scopes of administrators after a sign-in that needed no second factor', async () => {
    const secondFactor = { policy: 'off' as const, rememberDays: 30 }
    strict = await openWith({ administratorsNeedSecondFactor: true, secondFactor })
    const user = await newUser()
    await promote(user)
    const client = newCookieClient(strict)
    await signInStrictly(client, user, { statement: { remembersBrowser: true } })

    const request = await requestOf({ prompt: 'login' })
    const submitted = await signIn(client, await openSignInPage(client, request), user.username)
    const code = (await resumeAuthorization(client, submitted)).searchParams.get('code') ?? ''
    const { tokens } = await redeem(strict, { request, code })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ scope: 'all', acr: 'urn:vestibule:acr:1fa' })
    expect((await silently(client)).code).not.toBe('')
    // A sign-in that begins at another application counts as well.
    const elsewhere = await authorizationRequest({ redirect_uri: `${ORIGIN}/demo-app`, prompt: 'login' })
    const atOther = await signIn(client, await openSignInPage(client, elsewhere), user.username)
    expect((await resumeAuthorization(client, atOther)).searchParams.get('code')).toBeTruthy()
    expect((await redeem(strict, await silently(client))).status).toBe(200)
    // The session of another browser with one factor is not affected.
    expect(await silently(browserAt(strict, user.browser))).toMatchObject({ error: 'login_required' })
    strict = await openWith({ administratorsNeedSecondFactor: true })
  })
})

describe('an administrator who signs in with one factor right after the setting was turned off', () => {
  it('gets tokens at once, although another isolate’s cache still contains the setting', async () => {
    const user = await newUser()
    await promote(user)
    const client = newCookieClient(strict)
    expect(await silently(browserAt(strict, user.browser))).toMatchObject({ error: 'login_required' })
    await setTenantSettings(app, {})
    const request = await requestOf()
    const submitted = await signIn(client, await openSignInPage(client, request), user.username)
    const code = (await resumeAuthorization(client, submitted)).searchParams.get('code') ?? ''
    expect((await redeem(strict, { request, code })).status).toBe(200)
    strict = await openWith({ administratorsNeedSecondFactor: true })
  })
})

describe('a user who registers and becomes an administrator through a default role', () => {
  it('gets scopes of administrators only after proving a second factor', async () => {
    const name = freshName()
    const role = await operator.send('POST', '/roles', { name, description: '', scopeIds: ['users-read'] })
    expect(role.status).toBe(200)
    const open = openTestApp({ USER_DEFAULT_ROLE_NAMES: name }, { hasCalmDatabase: true })
    const parameters = { scope: 'openid users:read' }
    const [username, client] = [freshName(), newCookieClient(open)]
    const uid = await openSignInPage(client, await requestOf(parameters))
    const back = await resumeAuthorization(client, await registerAccount(client, uid, username))
    expect([back.pathname, back.searchParams.get('code')]).toEqual(['/sign-in/account', null])
    expect(await silently(client, parameters)).toMatchObject({ error: 'login_required' })

    const { tokens } = await tokensOf(await signInStrictly(client, { username }, { parameters }))
    expect(decodeJwt(tokens.access_token)).toMatchObject({ scope: 'users:read', acr: TWO_FACTORS })
  })
})

/** Gets tokens with a refresh token, for which the user consents. */
async function consentedTokens(browser: CookieClient, scope: string) {
  const request = await requestOf({ scope, prompt: 'consent' })
  const uid = await openSignInPage(browser, request)
  const consented = await browser.send('POST', '/api/interaction/consent', undefined, { Interaction: uid })
  const code = (await resumeAuthorization(browser, consented)).searchParams.get('code') ?? ''
  const { tokens } = await atTokenEndpoint(app, codeGrant(tool, { code, request }))
  expect(tokens.refresh_token).toBeTruthy()
  return tokens
}

const refreshOf = (app: TestApp, token = '', more: Record<string, string> = {}) =>
  atTokenEndpoint(app, {
    grant_type: 'refresh_token',
    client_id: tool.id,
    refresh_token: token,
    ...more,
  })
