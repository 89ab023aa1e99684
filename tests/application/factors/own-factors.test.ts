import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Member, newMember } from '../../kit/clients/account-client.ts'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  freshEmail,
  freshPhone,
  outcomeOf,
  receivedMessages,
  wrongCode,
} from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  codeOf,
  type Enrolled,
  forgetUsedSteps,
  signInByPassword,
  signInWithBoth,
  TWO_FACTORS,
} from '../../kit/second-factor.ts'
import { storeAuthenticator } from '../../kit/stored-account.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests how users manage their second factors through `/me`, and how operators reset them
 * (spec/accounts#factor-changes).
 */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  const database = openTestApp()
  await setTenantSettings(database, { secondFactor: { policy: 'optional' } })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})
afterAll(() => setTenantSettings(openTestApp(), {}))

const tooOld = [401, 'auth.insufficient_user_authentication', { maxAge: 600 }]
const tooWeak = [401, 'auth.insufficient_user_authentication', { maxAge: 600, acrValues: TWO_FACTORS }]
const none = { totp: null, backupCodesLeft: 0, hasFewBackupCodes: false, passkeys: 0 }

type Begun = { secret: string; address: string; enrolment: string }
const prove = ({ call }: Pick<Member, 'call'>) => call('POST', '/password/verify', { password: PASSWORD })
const begin = async ({ call }: Pick<Member, 'call'>) =>
  (await (await call('POST', '/factors/totp')).json()) as Begun
const factorsOf = async ({ call }: Pick<Member, 'call'>) => (await call('GET', '/factors')).json()

/** Sets up an authenticator app through the API, which also notifies the user. */
async function setUpApp(member: Member): Promise<Enrolled> {
  await prove(member)
  const { secret, enrolment } = await begin(member)
  const added = await member.call('PUT', '/factors/totp', { enrolment, totpCode: await codeOf(secret) })
  expect(added.status).toBe(200)
  await forgetUsedSteps(app)
  const { backupCodes } = (await added.json()) as { backupCodes: string[] }
  return { secret, backupCodes }
}

async function newHolder(addApp = ({ userId }: Member) => storeAuthenticator(userId)) {
  const member = await storeMember(app)
  const email = freshEmail()
  await app.env.DB.prepare('update users set primary_email = ? where id = ?').bind(email, member.userId).run()
  const { secret, backupCodes } = await addApp(member)
  const { call } = await signInWithBoth(app, { ...member, secret }, { parameters: {} })
  await prove({ call })
  return { ...member, weak: member.call, call, email, secret, backupCodes }
}

/** Signs in with a second factor, and returns the statuses of the factor verification and the submit. */
async function signInWith(username: string, proof: object): Promise<[proved: number, submitted: number]> {
  const interaction = await signInByPassword(app, username)
  await interaction.submit()
  const proved = await interaction.call('PATCH', '/identifiers', proof)
  return [proved.status, (await interaction.submit()).status]
}

describe('a signed-in user', () => {
  it('sets up an authenticator app after a recent verification, and signs in with it', async () => {
    const member = await storeMember(app)
    expect(await outcomeOf(await member.call('POST', '/factors/totp'))).toEqual(tooOld)
    expect(await factorsOf(member)).toEqual(none)
    const holder = await newHolder()
    expect(holder.backupCodes).toHaveLength(10)
    expect(await factorsOf(holder)).toEqual({
      totp: { createdAt: expect.any(Number), lastUsedAt: expect.any(Number) },
      backupCodesLeft: 10,
      hasFewBackupCodes: false,
      passkeys: 0,
    })
    expect(await signInWith(holder.username, { totpCode: await codeOf(holder.secret) })).toEqual([204, 200])
    expect(await factorsOf(holder)).toMatchObject({ totp: { lastUsedAt: expect.any(Number) } })
  })

  it('cannot set up an authenticator app with a wrong code or another user’s enrolment', async () => {
    const [member, other] = [await storeMember(app), await storeMember(app)]
    await prove(member)
    await prove(other)
    const { secret, enrolment } = await begin(member)
    const right = await codeOf(secret)
    const put = async (who: Member, body: object) => outcomeOf(await who.call('PUT', '/factors/totp', body))
    expect(await put(member, { enrolment, totpCode: wrongCode(right) })).toEqual([
      422,
      'session.invalid_second_factor',
    ])
    const unknown = [404, 'session.verification_session_not_found']
    expect(await put(other, { enrolment, totpCode: right })).toEqual(unknown)
    expect(await put(member, { enrolment: `${enrolment}x`, totpCode: right })).toEqual(unknown)
    expect([await factorsOf(member), await factorsOf(other)]).toEqual([none, none])
  })

  it('replaces the authenticator app and backup codes without verifying again', async () => {
    const holder = await newHolder()
    const { secret, enrolment } = await begin(holder)
    const replaced = await holder.call('PUT', '/factors/totp', { enrolment, totpCode: await codeOf(secret) })
    expect(replaced.status).toBe(200)
    await forgetUsedSteps(app)
    expect(await signInWith(holder.username, { totpCode: await codeOf(holder.secret) })).toEqual([422, 422])
    expect(await signInWith(holder.username, { backupCode: holder.backupCodes[0] })).toEqual([422, 422])
    expect(await signInWith(holder.username, { totpCode: await codeOf(secret) })).toEqual([204, 200])
  })

  it('renews the backup codes and removes all factors', async () => {
    const holder = await newHolder()
    const renewed = await holder.call('POST', '/factors/backup-codes')
    const { backupCodes } = (await renewed.json()) as { backupCodes: string[] }
    expect(await signInWith(holder.username, { backupCode: holder.backupCodes[0] })).toEqual([422, 422])
    expect(await signInWith(holder.username, { backupCode: backupCodes[0] })).toEqual([204, 200])
    expect(await factorsOf(holder)).toMatchObject({ backupCodesLeft: 9 })

    expect((await holder.call('DELETE', '/factors')).status).toBe(204)
    expect(await factorsOf(holder)).toEqual(none)
    expect((await (await signInByPassword(app, holder.username)).submit()).status).toBe(200)
    for (const [method, path] of [
      ['DELETE', '/factors'],
      ['POST', '/factors/backup-codes'],
    ] as const)
      expect((await holder.call(method, path)).status).toBe(404)
  })

  it('[ASVS-2.4.1-32] cannot cause a flood of notices, because repeated notices are combined', async () => {
    const holder = await newHolder(setUpApp)
    const { DB } = app.env
    const phone = freshPhone()
    await DB.prepare('update users set primary_phone = ?, phone_verified = 1 where id = ?')
      .bind(phone, holder.userId)
      .run()
    // The notice of the holder's own sign-in is of another kind.
    await DB.prepare("delete from notices where type = 'NewSignIn'").run()
    await DB.prepare("delete from counters where key like 'sms/calling-code/%'").run()
    const received = async () => ({
      email: (await receivedMessages(app, { email: holder.email })).length,
      phone: (await receivedMessages(app, { phone })).length,
    })
    const waiting = () =>
      DB.prepare('select recipient from notices where user_id = ?').bind(holder.userId).all()

    for (let count = 0; count < 4; count++)
      expect((await holder.call('POST', '/factors/backup-codes')).status).toBe(200)
    // When the app was set up, the account had no phone number to notify.
    expect(await received()).toEqual({ email: 2, phone: 1 })
    expect((await waiting()).results).toHaveLength(2)

    await DB.prepare('update notices set next_attempt_at = 1').run()
    await app.sweep()
    expect(await received()).toEqual({ email: 3, phone: 2 })

    // A different kind of change is reported immediately, except to this number, which is over its daily limit.
    await DB.prepare("update counters set count = 10 where key = 'notice/phone/' || ?").bind(phone).run()
    expect((await holder.call('DELETE', '/factors')).status).toBe(204)
    expect(await received()).toEqual({ email: 4, phone: 2 })
    expect((await waiting()).results).toEqual([])
    const sms = await DB.prepare(
      "select sum(count) as sent from counters where key like 'sms/calling-code/%'",
    ).first()
    expect(sms).toEqual({ sent: 2 })
  })

  it('needs a recent verification for each change, and is notified of the change', async () => {
    const holder = await newHolder(setUpApp)
    await holder.call('POST', '/factors/backup-codes')
    await holder.call('DELETE', '/factors')
    const types = (await receivedMessages(app, { email: holder.email })).map(({ type }) => type)
    expect(types).toEqual(['FactorsChanged', 'FactorsChanged', 'FactorsChanged'])
    await app.env.DB.prepare('delete from verification_statuses where user_id = ?').bind(holder.userId).run()
    for (const [method, path] of [
      ['POST', '/factors/totp'],
      ['POST', '/factors/backup-codes'],
      ['DELETE', '/factors'],
    ] as const)
      expect(await outcomeOf(await holder.call(method, path))).toEqual(tooOld)
  })
})

describe('a user with a second factor', () => {
  const changes: [method: string, path: string, body?: object][] = [
    ['POST', '/factors/totp'],
    ['POST', '/factors/backup-codes'],
    ['DELETE', '/factors'],
    ['PUT', '/password', { password: 'battery-staple-8' }],
  ]

  it('[ASVS-10.3.4] cannot change credentials after a single-factor sign-in, however recent', async () => {
    const holder = await newHolder()
    await prove({ call: holder.weak })
    for (const [method, path, body] of changes) {
      const refused = await holder.weak(method, path, body)
      expect(refused.headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_user_authentication", error_description="A recent, stronger sign-in is required", acr_values="${TWO_FACTORS}", max_age="600"`,
      )
      expect(await outcomeOf(refused)).toEqual(tooWeak)
    }
    expect(await factorsOf(holder)).toMatchObject({ backupCodesLeft: 10 })
  })

  it('satisfies a challenge by signing in with both factors, even in a remembered browser', async () => {
    const { username, secret } = await newHolder()
    const { client } = await signInWithBoth(
      app,
      { username, secret },
      { statement: { remembersBrowser: true } },
    )
    // This application ignores the `acr_values` of the challenge.
    client.cookies.delete('_session')
    const weak = await newMember(app, { client, username, parameters: { max_age: '600', prompt: 'login' } })
    expect(await outcomeOf(await weak.call('DELETE', '/factors'))).toEqual(tooWeak)
    const strong = await signInWithBoth(
      app,
      { username, secret },
      { client, parameters: { max_age: '600', prompt: 'login' } },
    )
    expect((await strong.call('DELETE', '/factors')).status).toBe(204)
  })

  it('needs the second factor only if the policy requires it at sign-in', async () => {
    const holder = await newHolder()
    await setTenantSettings(app, { secondFactor: { policy: 'off' } })
    const off = openTestApp({}, { hasCalmDatabase: true })
    const again = await newMember(off, { username: holder.username, parameters: { max_age: '600' } })
    expect((await again.call('DELETE', '/factors')).status).toBe(204)
    await setTenantSettings(app, { secondFactor: { policy: 'optional' } })
  })
})

describe('an operator', () => {
  it('lists and resets a user’s factors, and the user is signed out and notified', async () => {
    const holder = await newHolder()
    const path = `/users/${holder.userId}/factors`
    expect(await (await operator.get(path)).json()).toMatchObject({ backupCodesLeft: 10 })
    expect((await operator.send('DELETE', path)).status).toBe(204)
    expect(await (await operator.get(path)).json()).toEqual(none)
    expect((await holder.call('GET', '/factors')).status).toBe(401)
    expect((await receivedMessages(app, { email: holder.email }))[0]).toMatchObject({
      type: 'FactorsChanged',
    })
    expect((await (await signInByPassword(app, holder.username)).submit()).status).toBe(200)
    const listed = await operator.get(`/logs?logKey=Management.User.Update&userId=${holder.userId}`)
    expect(await listed.json()).toMatchObject([{ payload: { result: 'Success' } }])
  })

  it('gets a 404 for users that do not exist', async () => {
    for (const answer of [
      await operator.get('/users/nobody/factors'),
      await operator.send('DELETE', '/users/nobody/factors'),
    ])
      expect(await outcomeOf(answer)).toEqual([404, 'entity.not_found'])
  })
})
