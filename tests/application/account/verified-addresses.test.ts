import { beforeAll, describe, expect, it } from 'vitest'
import { ALL_SCOPES, asBearer } from '../../kit/clients/account-client.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail, freshPhone } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
} from '../../kit/clients/social-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests that applications can tell verified addresses from unverified ones (spec/accounts#verified-addresses). */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  app = openTestApp()
  operator = await newOperator(app)
})

type Flags = { id: string; emailVerified: boolean; phoneVerified: boolean }
const json = async (response: Response | Promise<Response>) => (await (await response).json()) as Flags
const create = (body: object) => json(operator.send('POST', '/users', body))
const change = (id: string, body: object) => json(operator.send('PATCH', `/users/${id}`, body))
const flags = (emailVerified: boolean, phoneVerified: boolean) => ({ emailVerified, phoneVerified })

describe('an address that an operator sets', () => {
  it('is marked as verified unless the operator specifies otherwise', async () => {
    const [email, phone] = [freshEmail(), freshPhone()]
    expect(await create({ primaryEmail: email })).toMatchObject(flags(true, false))
    const { id } = await create({ primaryEmail: freshEmail(), emailVerified: false, primaryPhone: phone })
    expect(await change(id, {})).toMatchObject(flags(false, true))
    expect(await change(id, { phoneVerified: false })).toMatchObject(flags(false, false))
    expect(await change(id, { primaryPhone: phone })).toMatchObject(flags(false, false))
    expect(await change(id, { primaryEmail: freshEmail() })).toMatchObject(flags(true, false))
    expect(await change(id, { primaryEmail: freshEmail(), emailVerified: false })).toMatchObject(
      flags(false, false),
    )
    expect(await change(id, { primaryEmail: null })).toMatchObject(flags(false, false))
  })

  it('keeps its verified flag through export and import', async () => {
    const users = [
      { id: 'aaverified1', primaryEmail: freshEmail(), emailVerified: false },
      { id: 'aaverified2', primaryPhone: freshPhone() },
    ]
    await operator.send('POST', '/users/import', { users })
    expect(await json(operator.get('/users/aaverified1'))).toMatchObject(flags(false, false))
    expect(await json(operator.get('/users/aaverified2'))).toMatchObject(flags(false, true))
    const exported = await operator.get('/users/export?after=aaverified0&limit=2')
    expect(await exported.json()).toMatchObject({ users: [users[0], { ...users[1], phoneVerified: true }] })
  })
})

describe('a social account’s address', () => {
  it('is marked as verified only if the provider has verified it', async () => {
    await installUpstream(app, ['oidc'])
    for (const isVerified of [true, false]) {
      const email = freshEmail()
      const account = await newProviderAccount({ email, isVerified })
      const user = { username: freshName(), password: PASSWORD, primaryEmail: email, emailVerified: false }
      const { id } = await create(user)
      await app.env.DB.prepare('update users set identities = ? where id = ?')
        .bind(JSON.stringify({ oidc: { userId: account.id } }), id)
        .run()
      const { start, proveBy, submit } = await beginSocialInteraction(app)
      await start('SignIn')
      expect((await proveBy('oidc', account)).status).toBe(204)
      expect((await submit()).status).toBe(200)
      expect(await json(operator.get(`/users/${id}`))).toMatchObject(flags(isVerified, false))
    }
  })
})

/** Signs in with an emailed code and returns an access token. */
async function signInByCode(email: string) {
  const client = newCookieClient(app)
  const request = await authorizationRequest({ scope: ALL_SCOPES })
  const uid = await openSignInPage(client, request)
  const headers = { Interaction: uid }
  await client.send('PUT', '/api/interaction', { event: 'SignIn' }, headers)
  await client.send('POST', '/api/interaction/verification/verification-code', { email }, headers)
  const proof = { email, verificationCode: await codeTo(app, { email }) }
  await client.send('PATCH', '/api/interaction/identifiers', proof, headers)
  const back = await resumeAuthorization(
    client,
    await client.send('POST', '/api/interaction/submit', undefined, headers),
  )
  const tokens = await redeemCode(app, request, back.searchParams.get('code') ?? '')
  return ((await tokens.json()) as { access_token: string }).access_token
}

const claimsOf = async (token: string) =>
  (await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })).json()

describe('a verification code', () => {
  it('marks the address as verified at sign-in, and the claims and the profile page reflect this', async () => {
    const email = freshEmail()
    const { id } = await create({
      username: freshName(),
      password: PASSWORD,
      primaryEmail: email,
      emailVerified: false,
      primaryPhone: freshPhone(),
      phoneVerified: false,
    })
    const token = await signInByCode(email)
    expect(await json(operator.get(`/users/${id}`))).toMatchObject(flags(true, false))
    expect(await claimsOf(token)).toMatchObject({ email_verified: true, phone_number_verified: false })
    expect(await json(asBearer(app, token)('GET'))).toMatchObject(flags(true, false))
    await change(id, { emailVerified: false })
    expect(await claimsOf(token)).toMatchObject({ email_verified: false })
  })

  it('marks the address as verified when used in a password reset or in the account API', async () => {
    const email = freshEmail()
    const { id } = await create({ primaryEmail: email, emailVerified: false })
    const { start, prove, call, submit } = await beginInteraction(app)
    await start('ForgotPassword')
    await prove({ email })
    await call('PUT', '/profile', { password: 'another-horse-8' })
    expect((await submit()).status).toBe(204)
    expect(await json(operator.get(`/users/${id}`))).toMatchObject(flags(true, false))

    const member = await storeMember(app)
    const phone = freshPhone()
    await change(member.userId, { primaryPhone: phone, phoneVerified: false })
    await member.call('POST', '/verification-codes', { phone })
    const code = { phone, verificationCode: await codeTo(app, { phone }) }
    expect((await member.call('POST', '/verification-codes/verify', code)).status).toBe(204)
    expect(await json(operator.get(`/users/${member.userId}`))).toMatchObject(flags(false, true))
  })
})
