import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_SCOPES, asBearer } from '../kit/clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
} from '../kit/clients/cookie-client.ts'
import { codeTo, freshEmail } from '../kit/clients/interaction-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { enrol, signInWithBoth } from '../kit/second-factor.ts'
import { storeAuthenticator } from '../kit/stored-account.ts'
import { storeMember } from '../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * The level of a sign-in must not exceed that of the verified factors (spec/provider#authentication-levels).
 */

const ONE = 'urn:vestibule:acr:1fa'

const database = openTestApp()
beforeAll(() => setExperience(database, { methods: everyMethod }))
afterAll(() => setTenantSettings(database, {}))

async function appWith(
  secondFactor: Parameters<typeof setTenantSettings>[1]['secondFactor'],
): Promise<TestApp> {
  await setTenantSettings(database, { secondFactor })
  return openTestApp({}, { hasCalmDatabase: true })
}

/** Creates a user with an authenticator app, an email address and a remembered browser. */
async function newRememberedOwner(app: TestApp) {
  const { username, userId } = await storeMember(app)
  const email = freshEmail()
  await app.env.DB.prepare('update users set primary_email = ?, email_verified = 1 where id = ?')
    .bind(email, userId)
    .run()
  const { secret } = await storeAuthenticator(userId)
  const { client } = await signInWithBoth(
    app,
    { username, secret },
    { statement: { remembersBrowser: true } },
  )
  const browser = newCookieClient(app)
  for (const [name, cookie] of client.cookies) if (name.endsWith('_known')) browser.cookies.set(name, cookie)
  return { username, email, browser }
}

async function begin(app: TestApp, client: CookieClient) {
  const request = await authorizationRequest({
    redirect_uri: `${app.origin}/demo-app`,
    scope: ALL_SCOPES,
    max_age: '600',
  })
  const uid = await openSignInPage(client, request)
  const call = (method: string, path: string, body?: unknown) =>
    client.send(method, `/api/interaction${path}`, body, { Interaction: uid })
  return {
    call,
    async finish() {
      const back = await resumeAuthorization(client, await call('POST', '/submit'))
      const answer = await redeemCode(app, request, back.searchParams.get('code') ?? '')
      const tokens = (await answer.json()) as { id_token: string; access_token: string }
      return { acr: decodeJwt(tokens.id_token).acr, me: asBearer(app, tokens.access_token) }
    },
  }
}

it('the level of a sign-in ignores an authenticator app that was set up but not stored in the account', async () => {
  const app = await appWith({ policy: 'optional', factors: ['totp'] })
  const { username, browser } = await newRememberedOwner(app)
  const { call, finish } = await begin(app, browser)
  await call('PUT', '', { event: 'Register' })
  await enrol({ call } as Parameters<typeof enrol>[0])
  await call('PUT', '/event', { event: 'SignIn' })
  await call('PATCH', '/identifiers', { username, password: PASSWORD })
  const { acr, me } = await finish()
  expect(acr).toBe(ONE)
  expect((await me('DELETE', '/factors')).status).toBe(401)
})

it('the level of a sign-in ignores an authenticator app that was set up for a different account', async () => {
  const app = await appWith({ policy: 'off' })
  const { username, userId } = await storeMember(app)
  const operator = await newOperator(app)
  const made = await operator.send('POST', '/roles', {
    name: freshName(),
    description: '',
    secondFactorPolicy: 'required',
  })
  const { id } = (await made.json()) as { id: string }
  await operator.send('POST', `/roles/${id}/users`, { userIds: [userId] })
  const { call, finish } = await begin(app, newCookieClient(app))
  await call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } })
  expect((await call('POST', '/submit')).status).toBe(422)
  await enrol({ call } as Parameters<typeof enrol>[0])
  await call('PUT', '/event', { event: 'Register' })
  await call('PUT', '/profile', { username: freshName(), password: PASSWORD })
  expect((await finish()).acr).toBe(ONE)
})

it('the level of a sign-in ignores an emailed code if the tenant accepts only authenticator apps', async () => {
  const app = await appWith({ policy: 'optional', factors: ['totp'] })
  const { username, email, browser } = await newRememberedOwner(app)
  const { call, finish } = await begin(app, browser)
  await call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } })
  await call('POST', '/verification/verification-code', { email })
  const verificationCode = await codeTo(app, { email })
  expect((await call('PATCH', '/identifiers', { email, verificationCode })).status).toBe(204)
  const { acr, me } = await finish()
  expect(acr).toBe(ONE)
  expect((await me('DELETE', '/factors')).status).toBe(401)
})
