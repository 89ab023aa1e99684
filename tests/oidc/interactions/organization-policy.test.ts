import { beforeAll, describe, expect, it } from 'vitest'
import { RETURNING_PATH } from '../../../src/contract/sessions/remembered-accounts.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { beginInteraction, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { enrol, signInByPassword } from '../../kit/second-factor.ts'
import { newOrganizationApplication, storeOrganization } from '../../kit/stored-organization.ts'
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
