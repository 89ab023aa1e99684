import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { NETWORK_PATH, ORGANIZATION_PATH } from '../../../src/contract/organisations/organizations.ts'
import { RETURNING_PATH } from '../../../src/contract/sessions/remembered-accounts.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { enterCode, newDeviceApplication, poll, startDevice } from '../../kit/clients/device-client.ts'
import { beginInteraction, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { newOrganizationApplication, storeOrganization } from '../../kit/organisations/organizations.ts'
import { enrol, signInByPassword, TWO_FACTORS } from '../../kit/second-factor.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the policies of organisations (spec/organisations#policy). */

let app: TestApp
let shop: { client_id: string; redirect_uri: string }
beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  app = openTestApp({}, { hasCalmDatabase: true })
  shop = await newOrganizationApplication(app)
})

/** Sends an authorization request and returns where the browser goes. */
async function authorize(client: CookieClient, parameters: Record<string, string>): Promise<URL> {
  const { url } = await authorizationRequest({ ...shop, ...parameters })
  return new URL((await client.get(url)).headers.get('location') ?? '', app.origin)
}

const silently = async (client: CookieClient, organization: string) =>
  (await authorize(client, { organization, prompt: 'none' })).searchParams.get('error')

const ageSession = (userId: string, seconds: number) =>
  app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload, '$.loginTs', json_extract(payload, '$.loginTs') - ?)
     where model_name = 'Session' and account_id = ?`,
  )
    .bind(seconds, userId)
    .run()

describe('a session', () => {
  it.each([
    ['no policy', {}, null],
    ['the method of the session', { methods: ['password', 'code'] }, null],
    ['another method', { methods: ['passkey'] }, 'login_required'],
    ['a second factor', { secondFactor: 'required' }, 'login_required'],
    ['a second factor, if the user has one', { secondFactor: 'optional' }, 'login_required'],
    ['a second factor of a later release', { secondFactor: 'twice' }, 'login_required'],
    ['a session of five minutes', { sessionMaxAgeSeconds: 300 }, null],
  ])('is judged by the policy of the organization: %s', async (_, policy, error) => {
    const { client, userId } = await storeMember(app)
    const organization = await storeOrganization({ policy, userIds: [userId] })
    expect(await silently(client, organization)).toBe(error)
    expect(await silently(client, 'personal')).toBeNull()
    const { pathname } = await authorize(client, { organization })
    expect(pathname).toBe(error ? RETURNING_PATH : '/callback')
  })

  it('is too old after the time that the organization allows', async () => {
    const { client, userId } = await storeMember(app)
    const organization = await storeOrganization({ policy: { sessionMaxAgeSeconds: 600 }, userIds: [userId] })
    await ageSession(userId, 540)
    expect(await silently(client, organization)).toBeNull()
    await ageSession(userId, 120)
    expect(await silently(client, organization)).toBe('login_required')
    expect(await silently(client, 'personal')).toBeNull()
  })

  it('that is too old can no longer be refreshed, but only for that organization', async () => {
    const { client, userId } = await storeMember(app)
    const organization = await storeOrganization({ policy: { sessionMaxAgeSeconds: 600 }, userIds: [userId] })
    const tokens = new Map<string, string>()
    for (const name of [organization, 'personal']) {
      const request = await authorizationRequest({
        ...shop,
        organization: name,
        scope: 'openid offline_access',
        prompt: 'none',
      })
      const back = new URL((await client.get(request.url)).headers.get('location') ?? '')
      const answer = await redeemCode(app, request, back.searchParams.get('code') ?? '', shop.client_id)
      const { refresh_token: token } = (await answer.json()) as { refresh_token?: string }
      tokens.set(name, token ?? '')
    }
    const refresh = async (name: string) => {
      const body = {
        grant_type: 'refresh_token',
        client_id: shop.client_id,
        refresh_token: tokens.get(name) ?? '',
      }
      app.trips()
      const answer = await app.fetch('/oidc/token', { method: 'POST', body: new URLSearchParams(body) })
      const { error, refresh_token: next } = (await answer.json()) as {
        error?: string
        refresh_token?: string
      }
      if (next) tokens.set(name, next)
      return [error, app.trips().awaited]
    }
    const [, trips] = await refresh('personal')
    expect(await refresh(organization)).toEqual([undefined, trips])
    await app.env.DB.prepare(
      `update oidc_model_instances set payload = json_set(payload, '$.authTime', json_extract(payload, '$.authTime') - 660)
       where model_name = 'RefreshToken' and account_id = ?`,
    )
      .bind(userId)
      .run()
    expect((await refresh(organization))[0]).toBe('invalid_grant')
    expect((await refresh('personal'))[0]).toBeUndefined()
  })

  it('is judged without another round trip', async () => {
    const { client, userId } = await storeMember(app)
    const lax = await storeOrganization({ userIds: [userId] })
    const strict = await storeOrganization({
      policy: { methods: ['password'], sessionMaxAgeSeconds: 300 },
      userIds: [userId],
    })
    const trips = []
    for (const organization of ['personal', lax, strict]) {
      app.trips()
      expect(await silently(client, organization)).toBeNull()
      trips.push(app.trips().awaited)
    }
    expect(new Set(trips).size).toBe(1)
  })
})

describe('the second factor of an organization', () => {
  it('is required of its members in the sign-in itself, and of nobody else', async () => {
    const [member, other] = [await storeMember(app), await storeMember(app)]
    const organization = await storeOrganization({
      policy: { secondFactor: 'required' },
      userIds: [member.userId],
    })
    const ofOther = await signInByPassword(app, other.username, newCookieClient(app), {
      ...shop,
      organization,
    })
    expect((await ofOther.submit()).status).toBe(200)

    const client = newCookieClient(app)
    const interaction = await signInByPassword(app, member.username, client, { ...shop, organization })
    expect((await outcomeOf(await interaction.submit())).slice(0, 2)).toEqual([
      422,
      'user.second_factor_missing',
    ])
    await enrol(interaction)
    const back = await resumeAuthorization(client, await interaction.submit())
    expect(back.searchParams.get('code')).not.toBeNull()
    expect(await silently(client, organization)).toBeNull()
  })

  it('leads from a session with one factor to a sign-in with two, whatever level the request names', async () => {
    const { client, userId, username } = await storeMember(app)
    const organization = await storeOrganization({ policy: { secondFactor: 'required' }, userIds: [userId] })
    const parameters = { ...shop, organization, acr_values: 'urn:vestibule:acr:1fa' }
    const interaction = await signInByPassword(app, username, client, parameters)
    expect((await interaction.submit()).status).toBe(422)
    await enrol(interaction)
    const back = await resumeAuthorization(client, await interaction.submit())
    expect(back.searchParams.get('code')).not.toBeNull()
  })

  it('is satisfied by a sign-in to which the same policy was applied', async () => {
    const { userId, username } = await storeMember(app)
    const optional = { policy: { secondFactor: 'optional' as const }, userIds: [userId] }
    const [organization, another] = [await storeOrganization(optional), await storeOrganization(optional)]
    const strict = await storeOrganization({ policy: { secondFactor: 'required' }, userIds: [userId] })
    const client = newCookieClient(app)
    const interaction = await signInByPassword(app, username, client, { ...shop, organization })
    await resumeAuthorization(client, await interaction.submit())
    expect(await silently(client, organization)).toBeNull()
    expect(await silently(client, another)).toBeNull()
    expect(await silently(client, strict)).toBe('login_required')
  })
})

describe('the methods of an organization', () => {
  it('are the only ones that a member is offered to sign in again', async () => {
    const { client, userId, username } = await storeMember(app)
    const organization = await storeOrganization({ policy: { methods: ['code'] }, userIds: [userId] })
    const interaction = await beginInteraction(app, client, { ...shop, organization })
    const page = await (await client.get(`/sign-in?interaction=${interaction.uid}`)).text()
    expect(page).not.toContain('type="password"')
    const identifier = { username, password: 'wrong' }
    expect(await outcomeOf(await interaction.start('SignIn', { identifier }))).toEqual([
      422,
      'user.sign_in_method_not_enabled',
    ])
  })

  it('ask again after a sign-in by another method, because only then it is known that the user is a member', async () => {
    const { userId, username } = await storeMember(app)
    const email = `${username}@example.com`
    await app.env.DB.prepare('update users set primary_email = ?, email_verified = 1 where id = ?')
      .bind(email, userId)
      .run()
    const organization = await storeOrganization({ policy: { methods: ['code'] }, userIds: [userId] })
    const client = newCookieClient(app)
    const first = await signInByPassword(app, username, client, { ...shop, organization })
    const { redirectTo } = (await (await first.submit()).json()) as { redirectTo: string }
    const next = new URL((await client.get(redirectTo)).headers.get('location') ?? '', app.origin)
    expect(next.pathname).toBe(RETURNING_PATH)
    const uid = next.searchParams.get('interaction') ?? ''
    expect(uid).not.toBe(first.uid)
    const call = (method: string, path: string, body?: object) =>
      client.send(method, `/api/interaction${path}`, body, { Interaction: uid })
    expect((await call('PUT', '', { event: 'SignIn' })).status).toBe(204)
    expect((await call('POST', '/verification/verification-code', { email })).status).toBe(204)
    const inbox = (await (await app.fetch(`/dev/inbox.json?to=${email}`)).json()) as { code: string }[]
    const proof = { email, verificationCode: inbox[0]?.code }
    expect((await call('PATCH', '/identifiers', proof)).status).toBe(204)
    const back = await resumeAuthorization(client, await call('POST', '/submit'))
    expect(back.searchParams.get('code')).not.toBeNull()
    expect(await silently(client, organization)).toBeNull()
  })
})

it('an organization that the user chooses after the sign-in asks once for another sign-in, and not again for the choice', async () => {
  const { client, userId, username } = await storeMember(app)
  const organization = await storeOrganization({ policy: { secondFactor: 'required' }, userIds: [userId] })
  const request = await authorizationRequest({ ...shop, scope: 'openid' })
  const interactionOf = (response: Response) => {
    const url = new URL(response.headers.get('location') ?? '', app.origin)
    return { path: url.pathname, uid: url.searchParams.get('interaction') ?? '' }
  }
  const choice = interactionOf(await client.get(request.url))
  expect(choice.path).toBe(ORGANIZATION_PATH)
  const callIn = (uid: string) => (method: string, path: string, body?: unknown) =>
    client.send(method, `/api/interaction${path}`, body, { Interaction: uid })
  const chosen = await callIn(choice.uid)('POST', '/organization', { organizationId: organization })
  const { redirectTo } = (await chosen.json()) as { redirectTo: string }

  const next = interactionOf(await client.get(redirectTo))
  expect(next.path).toBe(RETURNING_PATH)
  const call = callIn(next.uid)
  const identifier = { username, password: PASSWORD }
  expect((await call('PUT', '', { event: 'SignIn', identifier })).status).toBe(204)
  expect((await call('POST', '/submit')).status).toBe(422)
  await enrol({ call })
  const back = await resumeAuthorization(client, await call('POST', '/submit'))
  const tokens = await redeemCode(app, request, back.searchParams.get('code') ?? '', shop.client_id)
  const { id_token: idToken } = (await tokens.json()) as { id_token: string }
  expect(decodeJwt(idToken)).toMatchObject({ org_id: organization, acr: TWO_FACTORS })
})

describe('the networks of an organization', () => {
  const office = { 'cf-connecting-ip': '203.0.113.7' }
  const elsewhere = { 'cf-connecting-ip': '198.51.100.7' }
  const networks = ['203.0.113.0/24', '2001:db8::/32']

  async function storeBoundMember() {
    const member = await storeMember(app)
    const userIds = [member.userId]
    return { ...member, organization: await storeOrganization({ policy: { networks }, userIds }) }
  }

  it('refuse other networks with a page, and the application with access_denied', async () => {
    const { client, organization, userId } = await storeBoundMember()
    const from = async (headers: Record<string, string>, parameters: Record<string, string> = {}) => {
      const { url } = await authorizationRequest({ ...shop, organization, ...parameters })
      return new URL((await client.get(url, headers)).headers.get('location') ?? '', app.origin)
    }
    expect((await from(office)).searchParams.get('code')).not.toBeNull()
    expect((await from({ 'cf-connecting-ip': '2001:db8::7' })).searchParams.get('code')).not.toBeNull()
    expect((await from({})).pathname).toBe(NETWORK_PATH)
    expect((await from(elsewhere, { prompt: 'none' })).searchParams.get('error')).toBe('access_denied')
    expect((await from(elsewhere, { organization: 'personal' })).searchParams.get('code')).not.toBeNull()

    const page = await from(elsewhere)
    expect(page.pathname).toBe(NETWORK_PATH)
    const html = await (await client.get(page.pathname + page.search)).text()
    expect(html).toContain('Acme can only be used from certain networks.')
    const form = { interaction: page.searchParams.get('interaction') ?? '', intent: 'send' }
    const left = await client.post(page.pathname + page.search, form, { origin: app.origin })
    const back = await client.get(left.headers.get('location') ?? '', elsewhere)
    const answer = new URL(back.headers.get('location') ?? '')
    expect([answer.pathname, answer.searchParams.get('error')]).toEqual(['/callback', 'access_denied'])

    const refusals = await app.env.DB.prepare(
      `select json_extract(payload, '$.ip') as ip, json_extract(payload, '$.error.code') as code from logs
       where organization_id = ? and key = 'Organization.Network.Refuse' and json_extract(payload, '$.userId') = ?`,
    )
      .bind(organization, userId)
      .all()
    expect(refusals.results).toContainEqual({
      ip: elsewhere['cf-connecting-ip'],
      code: 'organization.network_not_allowed',
    })
  })

  it('let the user continue as soon as the network is allowed', async () => {
    const { client, organization } = await storeBoundMember()
    const { url } = await authorizationRequest({ ...shop, organization })
    const uid = new URL(
      (await client.get(url, elsewhere)).headers.get('location') ?? '',
      app.origin,
    ).searchParams.get('interaction')
    const again = await client.get(`/restart?interaction=${uid}`, office)
    const back = await client.get(again.headers.get('location') ?? '', office)
    expect(back.headers.get('location')).toContain('code=')
  })

  it('refuse a decision about a device', async () => {
    const { client, organization } = await storeBoundMember()
    const television = await newDeviceApplication(await newOperator(app), { organizationMode: 'optional' })
    const started = await startDevice(app, television, { organization })
    const question = await enterCode(client, started.user_code)
    const page = new URL(question.headers.get('location') ?? '', app.origin)
    expect(page.pathname).toBe(NETWORK_PATH)
    const headers = { Interaction: page.searchParams.get('interaction') ?? '' }
    const left = await client.send('DELETE', '/api/interaction', undefined, headers)
    await client.get(((await left.json()) as { redirectTo: string }).redirectTo)
    expect(await poll(app, television, started.device_code)).toMatchObject({ error: 'access_denied' })
  })
})
