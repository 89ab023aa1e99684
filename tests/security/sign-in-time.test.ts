import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Dependencies } from '../../src/application/dependencies.ts'
import { authenticationLevels } from '../../src/domain/interactions/authentication.ts'
import { accountPages } from '../../src/web/account/pages.ts'
import { accountRoutes } from '../../src/web/account/routes.ts'
import { ageSignIn } from '../kit/account-centre.ts'
import { asBearer, newMember } from '../kit/clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import { beginInteraction } from '../kit/clients/interaction-client.ts'
import { asOperator, newOperator, type Operator } from '../kit/clients/management-client.ts'
import {
  type Application,
  askForToken,
  authorize,
  giveRoles,
  newApi,
  newApplication,
} from '../kit/clients/token-client.ts'
import type { OpenApi } from '../kit/openapi-document.ts'
import { fieldsOf, formWith } from '../kit/page-forms.ts'
import { storeVisitor } from '../kit/stored-session.ts'
import { pairsOf, spread } from '../kit/sweep.ts'
import { setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * Only a sign-in sets the time and the level of a session (spec/provider#authentication-levels). After any
 * other call in an old session, a request with `prompt=none` must return the original time and level. The
 * calls are read from the route table and the OpenAPI document, so new calls are tested automatically.
 */

const MAX_AGE = 600 // seconds
const AGE = 2 * MAX_AGE
/**
 * The age of a recent sign-in in seconds. It is less than ten minutes, the time during which the account centre
 * accepts a sign-in as recent.
 */
const YOUNG_AGE = 480
/**
 * This must differ from the password in the OpenAPI examples, because a call with the right password would
 * sign in.
 */
const NEW_PASSWORD = 'other-horse-battery-8'
const MANAGEMENT = 'urn:vestibule:management-api'

const document: OpenApi = await (await openTestApp().fetch('/api/openapi.json')).json()

let app: TestApp
let operator: Operator
let desk: Application
beforeAll(async () => {
  await setTenantSettings(openTestApp(), { accountCentre: { enabled: true } })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
  desk = await newApplication(operator, { customClientMetadata: { allowedBuiltInResources: [MANAGEMENT] } })
})

type SignIn = { sub: string; auth_time: number; acr: string }
type Visitor = {
  browser: CookieClient
  username: string
  userId: string
  token: string
  before: SignIn
  /** The age of the sign-in in seconds. */
  age: number
}

/**
 * A `present` user has verified the password for pages and calls that require it. A `thief` has only the old
 * session.
 */
type Kind = 'thief' | 'present' | 'operator'

async function newVisitor(kind: Kind): Promise<Visitor> {
  const { client: browser, username } = await storeVisitor(app)
  const { userId, token } = await newMember(app, {
    client: browser,
    username,
    parameters: { max_age: '300' },
  })
  if (kind === 'operator') await giveRoles(operator, username, ['admin-role'])
  const age = kind === 'present' ? YOUNG_AGE : AGE
  await ageSignIn(app, browser, age)
  await ageTokens(userId, age)
  const before = await silently(browser)
  if (typeof before === 'string') throw new Error(before)
  return { browser, username, userId, token, before, age }
}

/** Backdates the sign-in time in the user's access tokens. */
const ageTokens = (userId: string, seconds: number) =>
  app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload, '$.extra.auth_time', payload ->> '$.extra.auth_time' - ?)
     where model_name = 'AccessToken' and account_id = ?`,
  )
    .bind(seconds, userId)
    .run()

/** Returns the claims about the sign-in that an application gets with `prompt=none`, or the error. */
async function silently(
  browser: CookieClient,
  parameters: Record<string, string> = {},
): Promise<SignIn | string> {
  const request = await authorizationRequest({ prompt: 'none', ...parameters })
  const location = (await browser.get(request.url)).headers.get('location') ?? ''
  const { searchParams } = new URL(location, ORIGIN)
  const code = searchParams.get('code')
  if (code === null) return searchParams.get('error') ?? location
  const { id_token: idToken } = (await (await redeemCode(app, request, code)).json()) as { id_token: string }
  return decodeJwt<SignIn>(idToken)
}

/**
 * Checks that the session is not newer or stronger than before. Returns false if the session has ended or
 * belongs to a newly registered user.
 */
async function isUnchanged({ browser, before, age }: Visitor): Promise<boolean> {
  const after = await silently(browser)
  if (typeof after === 'string' || after.sub !== before.sub) return false
  expect(await silently(browser, { max_age: String(age / 2) })).toBe('login_required')
  expect(after.auth_time).toBeLessThanOrEqual(before.auth_time)
  expect(rank(after)).toBeLessThanOrEqual(rank(before))
  return true
}

const rank = ({ acr }: SignIn) => authenticationLevels.map(String).indexOf(acr)

const visitors = new Map<Kind, Visitor>()

/** Returns a visitor that calls share until one of them ends the session or changes the password. */
async function visitorOf(kind: Kind): Promise<Visitor> {
  const known = visitors.get(kind)
  if (known && (kind !== 'present' || (await showPassword(known)))) return known
  const visitor = await newVisitor(kind)
  if (kind === 'present') expect(await showPassword(visitor)).toBe(true)
  visitors.set(kind, visitor)
  return visitor
}

/**
 * Checks the account centre and the application, because the next call tests nothing without a valid session.
 */
const isSignedIn = async ({ browser, token }: Visitor) =>
  (await browser.get('/account')).status === 200 && (await asBearer(app, token)('GET')).ok

const showPassword = async ({ token }: Visitor) =>
  (await asBearer(app, token)('POST', '/password/verify', { password: PASSWORD })).ok

type Call = { call: string; send(visitor: Visitor): Promise<unknown> }

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security = document.security, requestBody }]) => ({
    path,
    method: method.toUpperCase(),
    schemes: security.flatMap((way) => Object.keys(way)),
    example: requestBody?.content['application/json']?.example,
  })),
)
const ofApi = (isWanted: (operation: (typeof operations)[number]) => boolean) =>
  operations.filter(isWanted).map((operation) => ({
    ...operation,
    call: `${operation.method} ${operation.path}`,
  }))

/** The values to enter into form fields, by field name. */
const typed: Record<string, string> = {
  newPassword: NEW_PASSWORD,
  confirmPassword: NEW_PASSWORD,
  password: PASSWORD,
  identifier: 'ann@example.com',
  code: '123456',
  confirm: 'yes',
  locale: 'de',
  'address.country': 'USA',
}

const noDependencies: Dependencies = JSON.parse('{}')
const addresses = accountRoutes(noDependencies, { fetch: () => new Response() }).routes.filter(
  ({ method, path }) => ['GET', 'POST'].includes(method) && path.startsWith('/account'),
)
const centreCalls: Call[] = addresses.flatMap(({ method, path }): Call[] => {
  if (method === 'GET') return [{ call: `GET ${path}`, send: ({ browser }) => browser.get(path) }]
  const intents = Object.keys(accountPages[path]?.actions ?? { '': null })
  return intents.map((intent) => ({
    call: `POST ${path} ${intent}`,
    async send({ browser }) {
      const fields = fieldsOf(formWith(intent, await (await browser.get(path)).text()) ?? '')
      const filled = Object.entries(fields).map(([name, value]) => [name, value || (typed[name] ?? 'x')])
      return browser.post(path, { ...typed, ...Object.fromEntries(filled), intent })
    },
  }))
})

const ownCalls: Call[] = ofApi(({ schemes }) => schemes.includes('account')).map(
  ({ method, path, example, call }) => ({
    call,
    async send({ token, before }) {
      const sessions = await asBearer(app, token)('GET', '/sessions')
      const [session] = (await sessions.json()) as { id: string }[]
      const address = path.replace('/api/me', '').replace('{id}', session?.id ?? before.sub)
      return asBearer(app, token)(method, address, example)
    },
  }),
)

/** Authorization parameters that make the provider show a page even if there is a session. */
const reasons: Record<string, string>[] = [
  { max_age: String(MAX_AGE) },
  { prompt: 'login' },
  { prompt: 'consent' },
]

const events = [undefined, 'SignIn', 'ForgotPassword'] as const

/**
 * Makes each call with and without choosing an event first, and then continues the interaction as far as
 * possible.
 */
const interactionCalls: Call[] = ofApi(({ path }) => path.startsWith('/api/interaction')).map(
  ({ method, path, example, call }) => ({
    call,
    async send({ browser }) {
      for (const [reason, event] of pairsOf(env.TEST_SWEEP, reasons, events)) {
        const interaction = await beginInteraction(app, browser, reason)
        if (event) await interaction.start(event)
        const answer = await interaction.call(method, path.replace('/api/interaction', ''), example)
        if (!path.endsWith('/submit')) await interaction.submit()
        const { redirectTo } = (answer.status === 200 ? await answer.json() : {}) as { redirectTo?: string }
        await browser.get(redirectTo ?? `/oidc/auth/${interaction.uid}`)
      }
    },
  }),
)

/** The order of the calls: reads, then changes to users, and finally changes on which other calls depend. */
const turns = [/^GET /, /\/api\/users/, /^(?!.*(configs|connectors))/, /./]
const turnOf = ({ call }: { call: string }) => turns.findIndex((calls) => calls.test(call))

const managementCalls: Call[] = ofApi(({ schemes }) => schemes.includes('management'))
  .toSorted((one, other) => turnOf(one) - turnOf(other))
  .map(({ method, path, example, call }) => ({
    call,
    async send({ userId, token, browser }) {
      const sessions = (await (await operator.get(`/users/${userId}/sessions`)).json()) as { id: string }[]
      const ids: Record<string, string> = {
        sessionId: sessions[0]?.id ?? 'x',
        userId,
        applicationId: desk.id,
        roleId: 'admin-role',
      }
      const address = path
        .replace('/api', '')
        .replace('/users/{id}', `/users/${userId}`)
        .replace('/roles/{id}', '/roles/admin-role')
        .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'x')
      for (const caller of [await ownOperator(browser, token), operator])
        await caller.send(method, address, example)
      if (path.includes('/signing-keys')) operator = await newOperator(app)
    },
  }))

/** Returns a management client for the session's user, with a token from the session. */
async function ownOperator(browser: CookieClient, other: string): Promise<Operator> {
  const parameters = { scope: 'openid all', resource: MANAGEMENT, prompt: 'none' }
  const { redemption } = await authorize(browser, desk, parameters)
  const answer = await askForToken(app, desk, { ...redemption, resource: MANAGEMENT })
  return asOperator(app, answer.access_token ?? other)
}

/**
 * Returns every call in an exhaustive run, and otherwise two of each kind. Read-only calls share one check
 * of the session.
 */
function inGroups(calls: readonly Call[]) {
  const { isExhaustive } = env.TEST_SWEEP
  const kindOf = ({ call }: Call) =>
    `${call.startsWith('GET ') ? 'reads' : 'changes'} ${/^\w+ \/api\/users/.test(call) ? 'users' : ''}`
  const isReading = ({ call }: Call) => !isExhaustive && call.startsWith('GET ')
  const kinds = [...Map.groupBy(calls, kindOf).values()]
  const chosen = isExhaustive ? calls : kinds.flatMap((kind) => spread(kind, 2))
  const groups = Map.groupBy(chosen, (each) => (isReading(each) ? 'calls that only read' : each.call))
  return [...groups].map(([name, group]) => ({ name, group }))
}

async function expectStillOld(kind: Kind, group: readonly Call[]): Promise<void> {
  const visitor = await visitorOf(kind)
  for (const { send } of group) await send(visitor)
  visitors.delete(kind)
  if ((await isUnchanged(visitor)) && (await isSignedIn(visitor))) visitors.set(kind, visitor)
}

async function endOthers({ browser }: Visitor): Promise<number> {
  const page = await (await browser.get('/account/sessions')).text()
  const form = fieldsOf(formWith('endOthers', page) ?? '')
  return (await browser.post('/account/sessions', { ...form, intent: 'endOthers' })).status
}

/** Backdates the revocation of the other sessions by ten minutes. */
const waitTenMinutes = ({ userId }: Visitor) =>
  app.env.DB.prepare('update users set revoked_at = revoked_at - 600000 where id = ?').bind(userId).run()

/** Returns the statuses of an account API call, of a page, and of a userinfo request with a new application's token. */
async function statuses({ browser, token }: Visitor) {
  const shop = await newApplication(operator)
  const { redemption } = await authorize(browser, shop)
  const answer = await askForToken(app, shop, redemption)
  const headers = { authorization: `Bearer ${answer.access_token}` }
  const replies = [
    await asBearer(app, token)('GET'),
    await browser.get('/account/sessions'),
    await app.fetch('/oidc/me', { headers }),
  ]
  return replies.map(({ status }) => status)
}

describe('a session that ends all others', () => {
  it('[OIDC-2-2] keeps its tokens and its sign-in time', async () => {
    const visitor = await newVisitor('thief')
    for (let round = 0; round < 2; round++) {
      const other = await storeVisitor(app, { username: visitor.username })
      expect(await endOthers(visitor)).toBe(303)
      expect(await silently(other.client)).toBe('login_required')
      expect(await isUnchanged(visitor)).toBe(true)
      expect(await statuses(visitor)).toEqual([200, 200, 200])
      await waitTenMinutes(visitor)
    }
    // The session gets a new id, as it does after every page.
    const { error } = await authorize(visitor.browser, desk, { prompt: 'consent' })
    expect(error).toBeNull()
    expect(await isUnchanged(visitor)).toBe(true)
    expect(await statuses(visitor)).toEqual([200, 200, 200])
  })

  it('[OIDC-2-3] gets no management token if its operator signed in more than an hour ago', async () => {
    const visitor = await newVisitor('operator')
    await ageSignIn(app, visitor.browser, 3_700 - AGE)
    const parameters = { scope: 'openid all', resource: MANAGEMENT, prompt: 'none' }
    for (let round = 0; round < 2; round++) {
      expect((await authorize(visitor.browser, desk, parameters)).error).toBe('login_required')
      expect(await endOthers(visitor)).toBe(303)
      await waitTenMinutes(visitor)
    }
  })

  it('[OIDC-2-4] gets tokens that keep its sign-in time, even when they are refreshed or exchanged', async () => {
    const api = await newApi(operator, 'https://orders.example', ['read'])
    const agent = await newApplication(operator, {
      customClientMetadata: { tokenExchangeClients: [desk.id], tokenExchangeResources: [api.indicator] },
    })
    const visitor = await newVisitor('thief')
    await giveRoles(operator, visitor.username, [api.roleId])
    const parameters = { scope: 'openid offline_access read', resource: api.indicator, prompt: 'consent' }
    const tokens = async () => {
      const { redemption } = await authorize(visitor.browser, desk, parameters)
      return askForToken(app, desk, { ...redemption, resource: api.indicator })
    }
    const first = await tokens()
    expect(await endOthers(visitor)).toBe(303)
    const later = await tokens()
    const refreshed = await Promise.all(
      [first, later].map(({ refresh_token = '' }) =>
        askForToken(app, desk, { grant_type: 'refresh_token', refresh_token, resource: api.indicator }),
      ),
    )
    const exchanged = await askForToken(app, agent, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: later.access_token,
      resource: api.indicator,
    })
    const times = [first, later, ...refreshed, exchanged].map(
      ({ access_token: token }) => decodeJwt(token).auth_time,
    )
    expect(times).toEqual(times.map(() => visitor.before.auth_time))
  })

  it('is exempt from revocation only until its next sign-in', async () => {
    const visitor = await newVisitor('present')
    expect(await endOthers(visitor)).toBe(303)
    const exemptions = async () => {
      const { results } = await app.env.DB.prepare(
        "select payload ->> '$.exemptedAt' as at from oidc_model_instances where model_name = 'Session' and account_id = ?",
      )
        .bind(visitor.userId)
        .all<{ at: number | null }>()
      return results.map(({ at }) => at)
    }
    expect(await exemptions()).toEqual([expect.any(Number)])
    const uid = await openSignInPage(visitor.browser, await authorizationRequest({ prompt: 'login' }))
    await resumeAuthorization(visitor.browser, await signIn(visitor.browser, uid, visitor.username, PASSWORD))
    expect(await exemptions()).toEqual([null])
    const ended = await operator.send('DELETE', `/users/${visitor.userId}/sessions`)
    expect([ended.status, await silently(visitor.browser)]).toEqual([204, 'login_required'])
  })
})

it('[ASVS-7.5.2-3] a session can end the others only once in ten minutes', async () => {
  const visitor = await newVisitor('thief')
  expect(await endOthers(visitor)).toBe(303)
  expect(await endOthers(visitor)).toBe(429)
  const row = await app.env.DB.prepare('select revoked_at as at from users where id = ?')
    .bind(visitor.userId)
    .first<{ at: number }>()
  expect(row?.at).toBeLessThan(Date.now() + 2_000)
})

it('a session is not exempt from revocation if a copied cookie was used to change its id', async () => {
  const visitor = await newVisitor('thief')
  // A thief with a copy of the cookie makes a request, which gives the session a new id. The owner's cookie
  // no longer refers to the session.
  await app.env.DB.prepare(
    "update oidc_model_instances set id = 'renewed' where model_name = 'Session' and account_id = ?",
  )
    .bind(visitor.userId)
    .run()
  const { browser } = visitor
  const form = fieldsOf(formWith('endOthers', await (await browser.get('/account/sessions')).text()) ?? '')
  await browser.post('/account/sessions', { ...form, intent: 'endOthers' })
  const row = await app.env.DB.prepare('select revoked_at as at from users where id = ?')
    .bind(visitor.userId)
    .first<{ at: number | null }>()
  expect(row?.at).toBe(null)
})

it('a copy of the account cookie that is older than the last sign-in is rejected', async () => {
  const { client: browser, username } = await storeVisitor(app)
  const copy = newCookieClient(app)
  for (const [name, cookie] of browser.cookies) if (name === '_account') copy.cookies.set(name, cookie)
  await ageSignIn(app, copy, 60)
  expect((await copy.get('/account')).status).toBe(200)
  const uid = await openSignInPage(browser, await authorizationRequest({ prompt: 'login' }))
  await resumeAuthorization(browser, await signIn(browser, uid, username, PASSWORD))
  expect((await copy.get('/account')).status).not.toBe(200)
})

it.each([
  {
    way: 'the account centre',
    change: async ({ browser }: Visitor) => browser.post('/account/password', { ...typed, intent: 'change' }),
  },
  {
    way: 'an application',
    change: async ({ token }: Visitor) =>
      asBearer(app, token)('POST', '/password', { password: NEW_PASSWORD }),
  },
])(
  '[OIDC-2-5] a password change in $way ends the other sessions, but is not treated as a sign-in',
  async ({ change }) => {
    const visitor = await newVisitor('present')
    const other = await storeVisitor(app, { username: visitor.username })
    expect(await showPassword(visitor)).toBe(true)
    expect((await change(visitor)).status).toBeLessThan(400)
    expect(await silently(other.client)).toBe('login_required')
    expect(await isUnchanged(visitor)).toBe(true)
    expect(await showPassword(visitor)).toBe(false)
  },
)

// These tests come last, because the calls also change the tenant's settings.
describe('a session twice as old as `max_age`', () => {
  const ofAccount = [...inGroups(centreCalls), ...inGroups(ownCalls)]
  it.each(ofAccount)('[OIDC-2-6] is not refreshed or upgraded by $name without a password', ({ group }) =>
    expectStillOld('thief', group),
  )
  it.each(ofAccount)('[OIDC-2-7] is not refreshed or upgraded by $name with the password', ({ group }) =>
    expectStillOld('present', group),
  )
  it.each(inGroups(interactionCalls))('is not refreshed or upgraded by $name', ({ group }) =>
    expectStillOld('thief', group),
  )
  it.each(inGroups(managementCalls))('is not refreshed or upgraded by $name', ({ group }) =>
    expectStillOld('operator', group),
  )
})
