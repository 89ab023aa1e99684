import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SecondFactorSettings } from '../../../src/contract/tenants/settings.ts'
import { DAY } from '../../../src/contract/time.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openRacingApp } from '../../kit/racing-app.ts'
import {
  codeOf,
  enrol,
  forgetUsedSteps,
  raiseLevel,
  signInByPassword,
  signInWithBoth,
  TWO_FACTORS,
} from '../../kit/second-factor.ts'
import { storeAccount, storeAuthenticator } from '../../kit/stored-account.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests remembered browsers, in which sign-ins need no second factor for some days (spec/accounts#remembered-browser).
 */
const database = openTestApp()
let app: TestApp
let operator: Operator
beforeAll(async () => {
  await setExperience(database, { methods: everyMethod })
  app = await appWith({})
  operator = await newOperator(app)
})
afterAll(() => setTenantSettings(database, {}))

/** Opens a new app for each set of settings, because settings are cached. */
async function appWith(secondFactor: Partial<SecondFactorSettings>): Promise<TestApp> {
  await setTenantSettings(database, { secondFactor: { policy: 'optional', ...secondFactor } })
  return openTestApp({}, { hasCalmDatabase: true })
}

const asksFor = [422, 'user.second_factor_required', { factors: ['totp', 'backupCode'] }]
const isSignedIn = [200, null]

/** Creates a user with an authenticator app. */
async function newOwner() {
  const { id: userId, username, email } = await storeAccount()
  return { username, userId, email, ...(await storeAuthenticator(userId)) }
}

/** Signs in with both factors in a browser that the user wants to be remembered. */
const signInToRemember = (owner: { username: string; secret: string }) =>
  signInWithBoth(app, owner, { statement: { remembersBrowser: true } })

/**
 * Stores a user with an authenticator app and a remembered browser, with the same rows as after `signInToRemember`,
 * which makes eight calls.
 */
async function storeRemembered() {
  const { client, username, userId, call } = await storeMember(app)
  const email = freshEmail()
  const factors = await storeAuthenticator(userId)
  await raiseLevel(app, { userId })
  // The token of a sign-in with `max_age` allows changes of credentials.
  const requested = { id_token: { auth_time: { essential: true } } }
  await app.env.DB.batch([
    app.env.DB.prepare(
      `update oidc_model_instances set payload = json_set(payload, '$.claims', json(?))
       where model_name = 'AccessToken' and json_extract(payload, '$.accountId') = ?`,
    ).bind(JSON.stringify(requested), userId),
    app.env.DB.prepare('update users set primary_email = ? where id = ?').bind(email, userId),
    app.env.DB.prepare(
      'update trusted_browsers set remembered_at = ?, remembered_until = ? where user_id = ?',
    ).bind(Date.now(), Date.now() + 30 * DAY, userId),
  ])
  return { client, username, userId, email, call, ...factors }
}
type Remembered = Awaited<ReturnType<typeof storeRemembered>>

/** Returns the browser after the user has signed out, with only its trusted-browser cookie. */
function signedOut(client: CookieClient, at = app): CookieClient {
  const browser = newCookieClient(at)
  for (const [name, cookie] of client.cookies) if (name.endsWith('_known')) browser.cookies.set(name, cookie)
  expect(browser.cookies.size).toBe(1)
  return browser
}

const submitIn = async (client: CookieClient, username: string, parameters = {}) =>
  outcomeOf(await (await signInByPassword(app, username, client, parameters)).submit())

const rememberedUntil = async ({ userId }: Pick<Remembered, 'userId'>) => {
  const listed = await (await operator.get(`/users/${userId}/trusted-browsers`)).json()
  return (listed as { rememberedUntil: number | null }[]).map((browser) => browser.rememberedUntil)
}

const setTime = (table: string, column: string, { userId }: Remembered, value: number) =>
  app.env.DB.prepare(`update ${table} set ${column} = ? where ${table === 'users' ? 'id' : 'user_id'} = ?`)
    .bind(value, userId)
    .run()

describe('a policy that does not allow remembered browsers', () => {
  const asksEachTime = [...asksFor.slice(0, 2), { ...(asksFor[2] as object), mayRemember: false }]
  const create = async (path: string, body: object) => {
    const created = await operator.send('POST', path, { ...body, rememberDays: 0 })
    expect(created.status).toBe(200)
    return ((await created.json()) as { id: string }).id
  }
  const newStrictApplication = () =>
    create('/applications', {
      name: 'Vault',
      type: 'SPA',
      oidcClientMetadata: { redirectUris: [`${app.origin}/demo-app`] },
    })

  it('requires a second factor in a remembered browser if it is a role’s policy, but only from users with the role', async () => {
    const [holder, other] = [await storeRemembered(), await storeRemembered()]
    const role = await create('/roles', { name: crypto.randomUUID(), description: 'Staff' })
    await operator.send('POST', `/roles/${role}/users`, { userIds: [holder.userId] })
    expect(await submitIn(signedOut(holder.client), holder.username)).toEqual(asksEachTime)
    expect(await submitIn(signedOut(other.client), other.username)).toEqual(isSignedIn)
    await operator.send('PATCH', `/roles/${role}`, { rememberDays: null })
    expect(await submitIn(signedOut(holder.client), holder.username)).toEqual(isSignedIn)
  })

  it('requires a second factor in a remembered browser if it is an application’s policy, even with a session', async () => {
    const owner = await storeRemembered()
    const vault = { client_id: await newStrictApplication() }
    expect(await submitIn(signedOut(owner.client), owner.username, vault)).toEqual(asksEachTime)

    const browser = signedOut(owner.client)
    const elsewhere = await signInByPassword(app, owner.username, browser)
    await resumeAuthorization(browser, await elsewhere.submit())
    const silently = async (parameters: object) => {
      const redirectUri = { redirect_uri: `${app.origin}/demo-app` }
      const request = await authorizationRequest({ ...redirectUri, ...parameters, prompt: 'none' })
      return (await browser.get(request.url)).headers.get('location')
    }
    expect(await silently({})).toContain('code=')
    expect(await silently(vault)).toContain('error=login_required')
  })

  it('prevents a browser from being remembered, even if the user requests it', async () => {
    const owner = await newOwner()
    const role = await create('/roles', { name: crypto.randomUUID(), description: 'Staff' })
    await operator.send('POST', `/roles/${role}/users`, { userIds: [owner.userId] })
    await signInWithBoth(app, owner, { statement: { remembersBrowser: true } })
    expect(await rememberedUntil(owner)).toEqual(expect.not.arrayContaining([expect.any(Number)]))
  })

  it.each([1, 30, -1, '0', true])(
    'cannot be configured with `rememberDays` set to %s',
    async (rememberDays) => {
      const body = { name: crypto.randomUUID(), description: '', rememberDays }
      expect((await operator.send('POST', '/roles', body)).status).toBe(400)
    },
  )
})

describe('a remembered browser', () => {
  it('skips the second factor that the policy requires, without additional round trips', async () => {
    const { username, ...owner } = await newOwner()
    const { client, claims } = await signInToRemember({ ...owner, username })
    expect(claims).toMatchObject({ acr: TWO_FACTORS, amr: ['mfa', 'otp', 'pwd'] })
    const browser = signedOut(client)
    const request = await authorizationRequest({ redirect_uri: `${app.origin}/demo-app` })
    const uid = await openSignInPage(browser, request)
    const call = (method: string, path: string, body?: object) =>
      browser.send(method, `/api/interaction${path}`, body, { Interaction: uid })
    app.trips()
    await call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } })
    expect(app.trips().awaited).toBe(1)
    const submitted = await call('POST', '/submit')
    expect([submitted.status, app.trips().awaited]).toEqual([200, 2])
    const code = (await resumeAuthorization(browser, submitted)).searchParams.get('code') ?? ''
    const { id_token: idToken } = (await (await redeemCode(app, request, code)).json()) as {
      id_token: string
    }
    expect(decodeJwt(idToken)).toMatchObject({ acr: 'urn:vestibule:acr:1fa', amr: ['pwd'] })
    expect(await submitIn(newCookieClient(app), username)).toEqual(asksFor)
  })

  it('requires a second factor only if the request requires two factors', async () => {
    const { client, username } = await storeRemembered()
    const browser = signedOut(client)
    expect(await submitIn(browser, username, { acr_values: TWO_FACTORS })).toEqual(asksFor)
    expect(await submitIn(browser, username, { acr_values: 'phr' })).toEqual(asksFor)
    expect(await submitIn(browser, username, { max_age: '60', prompt: 'login' })).toEqual(isSignedIn)
  })

  it("is stored only after a second factor and at the user's request", async () => {
    const owner = await newOwner()
    const { client } = await signInWithBoth(app, owner)
    expect(await submitIn(signedOut(client), owner.username)).toEqual(asksFor)

    const member = await storeMember(app)
    const other = await signInByPassword(app, member.username)
    expect((await other.call('POST', '/submit', { remembersBrowser: true })).status).toBe(200)
    expect(await rememberedUntil(member)).toEqual([null, null])
    expect((await rememberedUntil(owner)).filter((until) => until !== null)).toEqual([])
  })

  it('is stored even if the user requested it in a rejected submission or has just set up an app', async () => {
    const { username } = await storeMember(app)
    const strict = await appWith({ policy: 'required' })
    const interaction = await signInByPassword(strict, username)
    const refused = await interaction.call('POST', '/submit', { remembersBrowser: true })
    expect((await outcomeOf(refused))[1]).toBe('user.second_factor_missing')
    await enrol(interaction)
    expect((await interaction.submit()).status).toBe(200)
    expect(await submitIn(signedOut(interaction.client, strict), username)).toEqual(isSignedIn)
  })

  it('skips the second factor only for its own account, not for the browser’s other users', async () => {
    const [ann, bob] = [await storeRemembered(), await newOwner()]
    const shared = signedOut(ann.client)
    expect(await submitIn(shared, bob.username)).toEqual(asksFor)
    await signInWithBoth(app, bob, { client: shared })
    expect(await submitIn(signedOut(shared), bob.username)).toEqual(asksFor)
    expect(await submitIn(signedOut(shared), ann.username)).toEqual(isSignedIn)
  })

  it('is forgotten after the configured number of days, and a later change can only shorten that time', async () => {
    const account = await newOwner()
    const owner = { ...account, ...(await signInToRemember(account)) }
    const [until] = (await rememberedUntil(owner)).filter((time) => time !== null)
    expect(until).toBeGreaterThan(Date.now() + 29 * DAY)
    expect(until).toBeLessThanOrEqual(Date.now() + 30 * DAY)
    await setTime('users', 'factors_changed_at', owner, Date.now() - 9 * DAY)
    await setTime('trusted_browsers', 'remembered_at', owner, Date.now() - 8 * DAY)
    await setTime('trusted_browsers', 'remembered_until', owner, Date.now() + 22 * DAY)
    const inEach = []
    for (const rememberDays of [9, 8, 0, 365]) {
      const changed = await appWith({ rememberDays })
      inEach.push((await submitIn(signedOut(owner.client, changed), owner.username))[0])
    }
    expect(inEach).toEqual([200, 422, 422, 200])
    await setTime('trusted_browsers', 'remembered_until', owner, Date.now() - 1)
    const longest = await appWith({ rememberDays: 365 })
    expect(await submitIn(signedOut(owner.client, longest), owner.username)).toEqual(asksFor)
  })

  it('is not stored if `rememberDays` is 0', async () => {
    const owner = await newOwner()
    const off = await appWith({ rememberDays: 0 })
    const interaction = await signInByPassword(off, owner.username)
    await interaction.submit()
    await interaction.call('PATCH', '/identifiers', { backupCode: owner.backupCodes[0] })
    expect((await interaction.call('POST', '/submit', { remembersBrowser: true })).status).toBe(200)
    expect(await submitIn(signedOut(interaction.client), owner.username)).toEqual(asksFor)
  })
})

describe('a remembered browser is forgotten', () => {
  const toOperator = (method: string, path: string, body?: object) => async (owner: Remembered) =>
    (await operator.send(method, `/users/${owner.userId}${path}`, body)).status
  const ends: Record<string, (owner: Remembered) => Promise<unknown>> = {
    'when the password is changed': ({ call }) => call('PUT', '/password', { password: 'battery-staple-8' }),
    'with a sign-out everywhere': toOperator('DELETE', '/sessions'),
    'with a suspension, even if it has been lifted': async (owner) => {
      await toOperator('PATCH', '/is-suspended', { isSuspended: true })(owner)
      await toOperator('PATCH', '/is-suspended', { isSuspended: false })(owner)
    },
    'with a different authenticator app': async ({ call }) => {
      const started = await call('POST', '/factors/totp')
      const { secret, enrolment } = (await started.json()) as Record<string, string>
      await call('PUT', '/factors/totp', { enrolment, totpCode: await codeOf(secret ?? '') })
    },
    'with new backup codes': ({ call }) => call('POST', '/factors/backup-codes'),
    'when the user removes it': async ({ call }) => {
      const listed = await (await call('GET', '/trusted-browsers')).json()
      const browser = (listed as { id: string; rememberedUntil: number | null }[]).find(
        (each) => each.rememberedUntil,
      )
      return call('DELETE', `/trusted-browsers/${browser?.id}`)
    },
    'when an operator removes it': async (owner) => {
      const listed = await (await operator.get(`/users/${owner.userId}/trusted-browsers`)).json()
      for (const { id } of listed as { id: string }[])
        await toOperator('DELETE', `/trusted-browsers/${id}`)(owner)
    },
  }

  it.each(Object.entries(ends))('%s', async (_, end) => {
    const owner = await storeRemembered()
    await end(owner)
    const password = { password: 'battery-staple-8' }
    const interaction = await beginInteraction(app, signedOut(owner.client))
    const started = await interaction.start('SignIn', {
      identifier: { username: owner.username, password: PASSWORD },
    })
    if (started.status !== 204)
      await interaction.start('SignIn', { identifier: { username: owner.username, ...password } })
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor)
    expect((await rememberedUntil(owner)).filter((until) => until !== null)).toEqual([])
  })

  it('with a password reset, even if a later sign-in makes the browser trusted again', async () => {
    const owner = await storeRemembered()
    const { email, username } = owner
    const reset = await beginInteraction(app)
    await reset.start('ForgotPassword')
    await reset.sendCode({ email })
    await reset.call('PATCH', '/identifiers', { email, verificationCode: await codeTo(app, { email }) })
    await reset.call('PUT', '/profile', { password: 'battery-staple-8' })
    expect((await reset.submit()).status).toBe(204)

    const browser = signedOut(owner.client)
    for (const factor of [{ totpCode: await codeOf(owner.secret) }, null]) {
      await forgetUsedSteps(app)
      const interaction = await beginInteraction(app, browser)
      await interaction.start('SignIn', { identifier: { username, password: 'battery-staple-8' } })
      expect(await outcomeOf(await interaction.submit())).toEqual(asksFor)
      if (!factor) continue
      await interaction.call('PATCH', '/identifiers', factor)
      expect((await interaction.submit()).status).toBe(200)
      browser.cookies.delete('_session')
    }
  })

  it('during a sign-in if a factor changes between the two database batches', async () => {
    await appWith({})
    const owner = await storeRemembered()
    const { app: racing, meanwhile } = openRacingApp(
      async () => (await owner.call('POST', '/factors/backup-codes')).status,
    )
    // The first submit makes the app cache the settings.
    await (await signInByPassword(racing, owner.username)).submit()
    const interaction = await signInByPassword(racing, owner.username, signedOut(owner.client, racing))
    const { answer, changed } = await meanwhile(2, () => interaction.submit())
    expect([changed, ...(await outcomeOf(answer))]).toEqual([
      200,
      404,
      'session.verification_session_not_found',
    ])
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor)
  })

  it('while it is being stored if a factor changes between the two database batches', async () => {
    await appWith({})
    const owner = await storeRemembered()
    const { app: racing, meanwhile } = openRacingApp(
      async () => (await owner.call('POST', '/factors/backup-codes')).status,
    )
    const interaction = await signInByPassword(racing, owner.username)
    await interaction.submit()
    await forgetUsedSteps(app)
    await interaction.call('PATCH', '/identifiers', { totpCode: await codeOf(owner.secret) })
    const { answer, changed } = await meanwhile(2, () =>
      interaction.call('POST', '/submit', { remembersBrowser: true }),
    )
    expect([answer.status, changed]).toEqual([200, 200])
    expect(await submitIn(signedOut(interaction.client), owner.username)).toEqual(asksFor)
  })
})

it('a copy of the cookie made before the sign-in does not identify a remembered browser', async () => {
  const owner = await newOwner()
  const first = await signInWithBoth(app, owner, {})
  const copy = signedOut(first.client)
  await forgetUsedSteps(app)
  const browser = signedOut(first.client)
  const interaction = await signInByPassword(app, owner.username, browser)
  await interaction.submit()
  await interaction.call('PATCH', '/identifiers', { totpCode: await codeOf(owner.secret) })
  expect((await interaction.call('POST', '/submit', { remembersBrowser: true })).status).toBe(200)
  expect(await submitIn(copy, owner.username)).toEqual(asksFor)
  expect(await submitIn(signedOut(browser), owner.username)).toEqual(isSignedIn)
})

it('the audit log records when a browser is remembered and when the second factor is skipped in it', async () => {
  const account = await newOwner()
  const owner = { ...account, ...(await signInToRemember(account)) }
  expect(await submitIn(signedOut(owner.client), owner.username)).toEqual(isSignedIn)
  const listed = await operator.get(`/logs?logKey=Interaction.SignIn.Submit&userId=${owner.userId}`)
  const payloads = ((await listed.json()) as { payload: Record<string, unknown> }[]).map(
    ({ payload }) => payload,
  )
  expect(payloads.filter(({ result }) => result === 'Success')).toMatchObject([
    { isBrowserRemembered: true },
    { rememberedUntil: expect.any(Number) },
  ])
})
