import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SecondFactorSettings } from '../../../src/contract/tenants/settings.ts'
import { newMember } from '../../kit/clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  outcomeOf,
  receivedMessages,
} from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { BERLIN, from, PARIS, type RequestPlace, TOKYO } from '../../kit/placed-app.ts'
import { codeOf, enrol, forgetUsedSteps, signInByPassword } from '../../kit/second-factor.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests unusual sign-ins under the policy `adaptive` (spec/accounts#unusual-sign-in). */

const ok = [200, null]
const isRefused = [422, 'user.unusual_sign_in']
const asksFor = (...factors: string[]) => [
  422,
  'user.second_factor_required',
  { factors, mayRemember: false, unusual: true },
]

let app: TestApp
let operator: Operator
beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  app = await appWith({ policy: 'adaptive' })
  operator = await newOperator(app)
})
afterAll(() => setTenantSettings(app, {}))

/** Opens a new app for each policy, because settings are cached. */
async function appWith(secondFactor: Pick<SecondFactorSettings, 'policy'> & Partial<SecondFactorSettings>) {
  await setTenantSettings(openTestApp(), { secondFactor })
  return openTestApp({}, { hasCalmDatabase: true })
}

const signInFrom = (place: RequestPlace, username: string, client?: CookieClient) => {
  const placed = from(place, app)
  return signInByPassword(placed, username, client ? carried(client, placed) : newCookieClient(placed))
}

/** Returns a browser in another place with the cookies of this browser, except its session cookie. */
function carried(client: CookieClient, placed: TestApp): CookieClient {
  const moved = newCookieClient(placed)
  for (const [name, cookie] of client.cookies) if (name !== '_session') moved.cookies.set(name, cookie)
  return moved
}

const placesOf = async (userId: string) =>
  (
    await app.env.DB.prepare(
      'select country, latitude, longitude from sign_in_places where user_id = ? order by signed_in_at',
    )
      .bind(userId)
      .all()
  ).results

/** Backdates all sign-in places of a user. */
const agePlaces = (userId: string, hours: number) =>
  app.env.DB.prepare('update sign_in_places set signed_in_at = signed_in_at - ? where user_id = ?')
    .bind(hours * 60 * 60 * 1000, userId)
    .run()

/** Backdates all browsers of a user. */
const ageBrowsers = (userId: string, hours: number) =>
  app.env.DB.prepare('update trusted_browsers set created_at = created_at - ? where user_id = ?')
    .bind(hours * 60 * 60 * 1000, userId)
    .run()

const auditOf = async (userId: string) => {
  const listed = await operator.get(`/logs?logKey=Interaction.SignIn.Submit&userId=${userId}`)
  return ((await listed.json()) as { payload: Record<string, unknown> }[]).map(({ payload }) => payload)
}

const give = (userId: string, changes: object) => operator.send('PATCH', `/users/${userId}`, changes)

describe('an account without a second factor', () => {
  it('requires a code sent to its email address for a sign-in from a new place, but only once', async () => {
    const { username, userId } = await newMember(from(BERLIN, app))
    expect(await placesOf(userId)).toEqual([{ country: 'DE', latitude: 52.5, longitude: 13.4 }])
    expect(await outcomeOf(await (await signInFrom(BERLIN, username)).submit())).toEqual(ok)
    await agePlaces(userId, 20)
    expect(await outcomeOf(await (await signInFrom(PARIS, username)).submit())).toEqual(isRefused)

    const primaryEmail = freshEmail()
    await give(userId, { primaryEmail })
    const interaction = await signInFrom(PARIS, username)
    // No code is sent until a submit requires it, because the tenant does not list this factor.
    const send = () => interaction.call('POST', '/factors/code', { factor: 'email' })
    expect((await send()).status).toBe(422)
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor('email'))
    expect(await receivedMessages(app, { email: primaryEmail })).toHaveLength(1)
    // Setting up an authenticator app does not count as verifying a factor.
    await enrol(interaction)
    app.trips()
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor('email'))
    // The second trip finds out that a code has been sent.
    expect(app.trips().awaited).toBe(2)
    expect((await send()).status).toBe(200)
    const emailCode = await codeTo(app, { email: primaryEmail })
    expect((await interaction.call('PATCH', '/identifiers', { emailCode })).status).toBe(204)
    app.trips()
    expect(await outcomeOf(await interaction.submit())).toEqual(ok)
    expect(app.trips().awaited).toBe(2)
    expect(await placesOf(userId)).toMatchObject([{ country: 'DE' }, { country: 'FR' }])
    // The audit log contains the risk rule and the rejection that it caused.
    expect(await auditOf(userId)).toMatchObject([
      { result: 'Success', risks: ['newCountry'] },
      // Identical rejections in one interaction share an audit row.
      { result: 'Error', risks: ['newCountry'], error: { data: { factors: ['email'] } }, count: 2 },
      { result: 'Error', risks: ['newCountry'], error: { code: 'user.unusual_sign_in' } },
      { result: 'Success' },
    ])
  })

  it('gets tokens that claim a single factor and contain no location', async () => {
    const email = freshEmail()
    const { username, userId } = await newMember(from(BERLIN, app))
    await give(userId, { primaryEmail: email })
    await agePlaces(userId, 20)
    const placed = newCookieClient(from(PARIS, app))
    const request = await authorizationRequest({ redirect_uri: `${app.origin}/demo-app` })
    const uid = await openSignInPage(placed, request)
    const call = (method: string, path: string, body?: object) =>
      placed.send(method, `/api/interaction${path}`, body, { Interaction: uid })
    await call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } })
    await call('POST', '/submit')
    await call('POST', '/factors/code', { factor: 'email' })
    await call('PATCH', '/identifiers', { emailCode: await codeTo(app, { email }) })
    const back = await resumeAuthorization(placed, await call('POST', '/submit', { remembersBrowser: true }))
    const answer = await redeemCode(app, request, back.searchParams.get('code') ?? '')
    const { id_token: idToken } = (await answer.json()) as { id_token: string }
    const claims = decodeJwt(idToken)
    expect(claims).toMatchObject({ acr: 'urn:vestibule:acr:1fa', amr: ['pwd'] })
    // No claim equals the country code, although random ids may contain its letters.
    expect(Object.values(claims).flat()).not.toContain('FR')
    const listed = await (await operator.get(`/users/${userId}/trusted-browsers`)).json()
    expect((listed as { rememberedUntil: unknown }[]).map(({ rememberedUntil }) => rememberedUntil)).toEqual([
      null,
      null,
    ])
  })
})

it('[ASVS-6.3.3-4] the adaptive policy requires the authenticator app only for unusual sign-ins, even in a remembered browser', async () => {
  const strict = await appWith({ policy: 'required' })
  const { username, userId, client } = await newMember(from(BERLIN, app))
  const first = await signInByPassword(strict, username, carried(client, strict))
  await first.submit()
  const { secret } = await enrol(first)
  expect((await first.call('POST', '/submit', { remembersBrowser: true })).status).toBe(200)
  // With only the strict policy, no sign-in places are stored.
  expect(await placesOf(userId)).toHaveLength(1)

  const mine = first.client
  expect(await outcomeOf(await (await signInFrom(BERLIN, username, mine)).submit())).toEqual(ok)
  const abroad = await signInFrom(TOKYO, username, mine)
  expect(await outcomeOf(await abroad.submit())).toEqual(asksFor('totp', 'backupCode'))
  await forgetUsedSteps(app)
  await abroad.call('PATCH', '/identifiers', { totpCode: await codeOf(secret) })
  expect(await outcomeOf(await abroad.submit())).toEqual(ok)
  // Both countries are known now, but nobody can travel from one to the other in a second.
  expect(await outcomeOf(await (await signInFrom(BERLIN, username, mine)).submit())).toEqual(
    asksFor('totp', 'backupCode'),
  )
  await agePlaces(userId, 20)
  expect(await outcomeOf(await (await signInFrom(BERLIN, username, mine)).submit())).toEqual(ok)
  // A sign-in without a location counts as one from an unknown place.
  for (const hidden of [{}, { country: 'T1' }])
    expect(await outcomeOf(await (await signInFrom(hidden, username, mine)).submit())).toEqual(
      asksFor('totp', 'backupCode'),
    )
  const rules = (await auditOf(userId)).map(({ risks }) => risks)
  expect(rules.slice(0, 4)).toEqual([['newCountry'], ['newCountry'], undefined, ['impossibleTravel']])
  expect(rules[4]).toEqual(['newCountry', 'impossibleTravel'])
})

it('the adaptive policy requires a second factor soon after a password reset, but only in new browsers', async () => {
  const email = freshEmail()
  const berlin = from(BERLIN, app)
  const { username, userId, client } = await newMember(berlin)
  await give(userId, { primaryEmail: email })
  await ageBrowsers(userId, 73)
  // The thief already knew the password before the reset.
  const thief = await signInFrom(BERLIN, username)
  expect(await outcomeOf(await thief.submit())).toEqual(ok)
  const reset = await beginInteraction(berlin)
  await reset.start('ForgotPassword')
  await reset.prove({ email })
  await reset.call('PUT', '/profile', { password: 'battery-staple-8' })
  expect((await reset.submit()).status).toBe(204)
  const signIn = async (interaction: typeof reset) => {
    await interaction.start('SignIn', { identifier: { username, password: 'battery-staple-8' } })
    return outcomeOf(await interaction.submit())
  }
  expect(await signIn(await beginInteraction(berlin, carried(client, berlin)))).toEqual(ok)
  expect(await signIn(await beginInteraction(berlin))).toEqual(asksFor('email'))
  const stolen = carried(thief.client, berlin)
  expect(await signIn(await beginInteraction(berlin, stolen))).toEqual(asksFor('email'))
  expect((await auditOf(userId))[0]).toMatchObject({ risks: ['newBrowserAfterReset'] })
  // Within the same interaction, a code sent to this mailbox does not verify another user's factor.
  const other = await newMember(from(TOKYO, app))
  await give(other.userId, { primaryEmail: freshEmail() })
  await reset.start('SignIn', { identifier: { username: other.username, password: PASSWORD } })
  expect(await outcomeOf(await reset.submit())).toEqual(asksFor('email'))
  // The reset already verified the mailbox in this interaction.
  expect(await signIn(reset)).toEqual(ok)
})

describe('a tenant that never requires a second factor', () => {
  it('lets an application or a role require one, and stores no sign-in places otherwise', async () => {
    const off = await appWith({ policy: 'off' })
    const registered = await newMember(from(BERLIN, off))
    const { username, userId } = registered
    expect(await placesOf(userId)).toEqual([])
    const made = await operator.send('POST', '/applications', {
      name: 'Shop',
      type: 'SPA',
      secondFactorPolicy: 'adaptive',
      oidcClientMetadata: { redirectUris: ['https://shop.example/callback'] },
    })
    const { id } = (await made.json()) as { id: string }
    const toShop = { client_id: id, redirect_uri: 'https://shop.example/callback' }
    const submitFrom = async (place: RequestPlace, parameters?: Record<string, string>) => {
      const placed = from(place, off)
      const interaction = await signInByPassword(placed, username, newCookieClient(placed), parameters)
      off.trips()
      return [...(await outcomeOf(await interaction.submit())), off.trips().awaited]
    }
    expect(await submitFrom(BERLIN, toShop)).toEqual([...ok, 2])
    await agePlaces(userId, 20)
    expect(await submitFrom(PARIS, toShop)).toEqual([...isRefused, 1])
    expect(await submitFrom(PARIS)).toEqual([...ok, 2])
    expect(await placesOf(userId)).toHaveLength(1)

    const role = (await (
      await operator.send('POST', '/roles', {
        name: freshName(),
        description: '',
        secondFactorPolicy: 'adaptive',
      })
    ).json()) as { id: string }
    await operator.send('POST', `/users/${userId}/roles`, { roleIds: [role.id] })
    expect(await submitFrom(PARIS)).toEqual([...isRefused, 1])
    expect(await submitFrom(BERLIN)).toEqual([...ok, 2])
  })
})

it('the adaptive policy does not accept a recently added authenticator app if the account has an older address', async () => {
  const { username, userId } = await newMember(from(BERLIN, app))
  const primaryEmail = freshEmail()
  await give(userId, { primaryEmail })
  await agePlaces(userId, 20)
  // Anyone with the password could set up this authenticator app through another application.
  const lax = await appWith({ policy: 'optional' })
  const member = await newMember(lax, { username, parameters: { max_age: '600' } })
  const begun = (await (await member.call('POST', '/factors/totp')).json()) as Record<string, string>
  const totpCode = await codeOf(begun.secret ?? '')
  const made = await member.call('PUT', '/factors/totp', { enrolment: begun.enrolment, totpCode })
  expect(made.status).toBe(200)

  await forgetUsedSteps(app)
  const interaction = await signInFrom(PARIS, username)
  expect(await outcomeOf(await interaction.submit())).toEqual(asksFor('email'))
  await interaction.call('PATCH', '/identifiers', { totpCode: await codeOf(begun.secret ?? '') })
  expect(await outcomeOf(await interaction.submit())).toEqual(asksFor('email'))
  expect((await interaction.call('POST', '/factors/code', { factor: 'email' })).status).toBe(200)
  const emailCode = await codeTo(app, { email: primaryEmail })
  await interaction.call('PATCH', '/identifiers', { emailCode })
  expect(await outcomeOf(await interaction.submit())).toEqual(ok)
})

it('the adaptive policy requires the same factors to change credentials as for an unusual sign-in', async () => {
  const strict = await appWith({ policy: 'required' })
  const { username } = await newMember(from(BERLIN, app))
  const first = await signInByPassword(strict, username)
  await first.submit()
  await enrol(first)
  expect((await first.submit()).status).toBe(200)
  const { call } = await newMember(from(BERLIN, app), { username, parameters: { max_age: '600' } })
  expect((await outcomeOf(await call('DELETE', '/factors')))[2]).toMatchObject({
    acrValues: 'urn:vestibule:acr:2fa',
  })
})
