import { beforeAll, describe, expect, it } from 'vitest'
import type { SignUp } from '../../../src/contract/experience/experience.ts'
import {
  authorizationRequest,
  freshName,
  openSignInPage,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  freshPhone,
  type InteractionClient,
  outcomeOf,
  receivedMessages,
} from '../../kit/clients/interaction-client.ts'
import { everyMethod, setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Every flow without a social provider, call by call as a front end makes it (spec/interaction#flows). */

/** With an app of its own, whose caches hold no other settings. */
async function appAsking(signUp: SignUp): Promise<TestApp> {
  const app = openTestApp()
  await setExperience(app, { methods: everyMethod, signUp })
  return app
}

const byName: SignUp = { identifiers: ['username'], password: true, verify: false }
const byEmail: SignUp = { identifiers: ['email'], password: false, verify: true }
const byPhone: SignUp = { identifiers: ['phone'], password: false, verify: true }
const byEither: SignUp = { identifiers: ['email', 'phone'], password: false, verify: true }
const byAll: SignUp = { identifiers: ['username', 'email'], password: true, verify: true }

type Row = { id: string; primary_email: string; primary_phone: string; last_sign_in_at: number }

const userBy = (app: TestApp, column: 'username' | 'primary_email' | 'primary_phone', value: string) =>
  app.env.DB.prepare(`select * from users where ${column} = ?`).bind(value).first<Row>()

/** An account with all three identifiers and a password. */
async function newAccount(app: TestApp) {
  const [username, email, phone] = [freshName(), freshEmail(), freshPhone()]
  const interaction = await beginInteraction(app)
  await interaction.start('Register', { profile: { username, password: PASSWORD } })
  expect((await interaction.submit()).status).toBe(200)
  await app.env.DB.prepare('update users set primary_email = ?, primary_phone = ? where username = ?')
    .bind(email, phone, username)
    .run()
  return { username, email, phone }
}

const landed = async ({ client }: InteractionClient, submitted: Response) => {
  expect(submitted.status).toBe(200)
  expect((await resumeAuthorization(client, submitted)).searchParams.get('code')).toBeTruthy()
}

describe('signing in', () => {
  let app: TestApp
  let account: Awaited<ReturnType<typeof newAccount>>
  beforeAll(async () => {
    app = await appAsking(byName)
    account = await newAccount(app)
  })

  it.each(['username', 'email', 'phone'] as const)('with %s and password', async (type) => {
    const interaction = await beginInteraction(app)
    const identifier = { [type]: account[type], password: PASSWORD }
    expect((await interaction.start('SignIn', { identifier })).status).toBe(204)
    await landed(interaction, await interaction.submit())
  })

  it('with an e-mail address in another case', async () => {
    const interaction = await beginInteraction(app)
    const identifier = { email: account.email.toUpperCase(), password: PASSWORD }
    expect((await interaction.start('SignIn', { identifier })).status).toBe(204)
  })

  it.each(['email', 'phone'] as const)('with a code sent by %s', async (type) => {
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    const address = type === 'email' ? { email: account.email } : { phone: account.phone }
    expect((await interaction.sendCode(address)).status).toBe(204)
    const [message] = await receivedMessages(app, address)
    expect(message).toMatchObject({
      to: account[type],
      channel: type === 'email' ? 'email' : 'sms',
      type: 'SignIn',
      language: 'en',
      code: expect.stringMatching(/^\d{6}$/),
    })
    const proof = { ...address, verificationCode: message?.code }
    expect((await interaction.call('PATCH', '/identifiers', proof)).status).toBe(204)
    const before = Date.now()
    await landed(interaction, await interaction.submit())
    expect((await userBy(app, 'username', account.username))?.last_sign_in_at).toBeGreaterThanOrEqual(before)
  })

  it('with a code, in a call that starts the sign-in again', async () => {
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    await interaction.sendCode({ email: account.email })
    const identifier = {
      email: account.email,
      verificationCode: await codeTo(app, { email: account.email }),
    }
    expect((await interaction.start('SignIn', { identifier })).status).toBe(204)
    await landed(interaction, await interaction.submit())
  })

  it('writes the code in the language of the page', async () => {
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    const email = freshEmail()
    await interaction.call(
      'POST',
      '/verification/verification-code',
      { email },
      { 'accept-language': 'de-AT' },
    )
    expect((await receivedMessages(app, { email })).map(({ language }) => language)).toEqual(['de'])
  })

  it('leaves audit rows for the sent and the entered code, without its value', async () => {
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    const email = freshEmail()
    await interaction.prove({ email })
    const { results } = await app.env.DB.prepare(
      "select key, payload from logs where payload like ? and key like '%VerificationCode.Create'",
    )
      .bind(`%${email}%`)
      .all<{ key: string; payload: string }>()
    expect(results.map(({ key }) => key)).toEqual(['Interaction.SignIn.Identifier.VerificationCode.Create'])
    expect(JSON.parse(results[0]?.payload ?? '')).toMatchObject({
      email,
      connectorId: 'dev-inbox',
      result: 'Success',
    })
    const { results: all } = await app.env.DB.prepare('select payload from logs').all<{ payload: string }>()
    expect(JSON.stringify(all)).not.toContain(`"${await codeTo(app, { email })}"`)
  })
})

describe.each([
  { type: 'email', signUp: byEmail, column: 'primary_email', fresh: () => ({ email: freshEmail() }) },
  { type: 'phone', signUp: byPhone, column: 'primary_phone', fresh: () => ({ phone: freshPhone() }) },
] as const)('an address ($type) that', ({ type, signUp, column, fresh }) => {
  let app: TestApp
  beforeAll(async () => {
    app = await appAsking(signUp)
  })

  async function registered() {
    const address = fresh()
    const interaction = await beginInteraction(app)
    await interaction.start('Register')
    expect((await interaction.prove(address)).status).toBe(204)
    expect((await interaction.call('PATCH', '/profile', address)).status).toBe(204)
    await landed(interaction, await interaction.submit())
    return address
  }

  it('registers, and belongs to the account from then on', async () => {
    const address = await registered()
    expect(await userBy(app, column, Object.values(address)[0] ?? '')).toBeTruthy()
  })

  it('signs in and has no account, registers with the proof already given', async () => {
    const interaction = await beginInteraction(app)
    const address = fresh()
    await interaction.start('SignIn')
    await interaction.prove(address)
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'user.user_not_exist',
      { identifier: Object.values(address)[0] },
    ])
    expect((await interaction.call('PUT', '/event', { event: 'Register' })).status).toBe(204)
    expect((await interaction.call('PUT', '/profile', address)).status).toBe(204)
    await landed(interaction, await interaction.submit())
  })

  it('registers and has an account, signs in with the proof already given', async () => {
    const address = await registered()
    const interaction = await beginInteraction(app)
    await interaction.start('Register')
    await interaction.prove(address)
    await interaction.call('PATCH', '/profile', address)
    expect(await outcomeOf(await interaction.submit())).toEqual([422, `user.${type}_already_in_use`])
    expect((await interaction.call('DELETE', '/profile')).status).toBe(204)
    expect((await interaction.call('PUT', '/event', { event: 'SignIn' })).status).toBe(204)
    await landed(interaction, await interaction.submit())
  })

  it('proved for one event is not asked for again after the switch, but a code does not carry over', async () => {
    const interaction = await beginInteraction(app)
    const address = fresh()
    await interaction.start('SignIn')
    await interaction.sendCode(address)
    const verificationCode = await codeTo(app, address)
    await interaction.call('PUT', '/event', { event: 'Register' })
    expect(
      await outcomeOf(await interaction.call('PATCH', '/identifiers', { ...address, verificationCode })),
    ).toEqual([400, 'verification_code.not_found'])
    await interaction.call('PUT', '/event', { event: 'SignIn' })
    expect((await interaction.call('PATCH', '/identifiers', { ...address, verificationCode })).status).toBe(
      204,
    )
  })
})

describe('a missing item', () => {
  it('a password, then the account: registering with a username', async () => {
    const app = await appAsking(byName)
    const interaction = await beginInteraction(app)
    await interaction.start('Register', { profile: { username: freshName() } })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['password'] },
    ])
    await interaction.call('PATCH', '/profile', { password: PASSWORD })
    await landed(interaction, await interaction.submit())
  })

  it('an e-mail address is asked for and proved, when registering and when signing in', async () => {
    const signingUp = await appAsking(byAll)
    const interaction = await beginInteraction(signingUp)
    const username = freshName()
    const email = freshEmail()
    await interaction.start('Register', { profile: { username, password: PASSWORD } })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['email'] },
    ])
    await interaction.call('PATCH', '/profile', { email })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'session.verification_session_not_found',
    ])
    expect((await interaction.prove({ email })).status).toBe(204)
    expect((await receivedMessages(signingUp, { email })).at(0)?.type).toBe('Register')
    await landed(interaction, await interaction.submit())

    await signingUp.env.DB.prepare('update users set primary_email = null where username = ?')
      .bind(username)
      .run()
    const again = await beginInteraction(signingUp)
    await again.start('SignIn', { identifier: { username, password: PASSWORD } })
    expect(await outcomeOf(await again.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['email'] },
    ])
    await again.prove({ email })
    await again.call('PATCH', '/profile', { email })
    await landed(again, await again.submit())
    expect((await userBy(signingUp, 'username', username))?.primary_email).toBe(email)
  })

  it('is satisfied by either address', async () => {
    const app = await appAsking(byEither)
    const interaction = await beginInteraction(app)
    await interaction.start('Register')
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['emailOrPhone'] },
    ])
    const phone = freshPhone()
    await interaction.prove({ phone })
    await interaction.call('PATCH', '/profile', { phone })
    await landed(interaction, await interaction.submit())
  })

  it('a password is set by the owner of an account that was registered without one', async () => {
    const email = freshEmail()
    const before = await appAsking(byEmail)
    const interaction = await beginInteraction(before)
    await interaction.start('Register')
    await interaction.prove({ email })
    await interaction.call('PATCH', '/profile', { email })
    await landed(interaction, await interaction.submit())

    const asking = await appAsking({ identifiers: ['email'], password: true, verify: true })
    const again = await beginInteraction(asking)
    await again.start('SignIn')
    await again.prove({ email })
    expect(await outcomeOf(await again.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['password'] },
    ])
    await again.call('PATCH', '/profile', { password: PASSWORD })
    await landed(again, await again.submit())

    const third = await beginInteraction(asking)
    await third.start('SignIn', { identifier: { email, password: PASSWORD } })
    await landed(third, await third.submit())
  })
})

describe('a forgotten password', () => {
  const NEW_PASSWORD = 'another-horse-8'
  let app: TestApp
  beforeAll(async () => {
    app = await appAsking(byName)
  })

  async function provedOwner(address: { email: string } | { phone: string }) {
    const interaction = await beginInteraction(app)
    expect((await interaction.start('ForgotPassword')).status).toBe(204)
    expect((await interaction.prove(address)).status).toBe(204)
    expect((await receivedMessages(app, address)).at(0)?.type).toBe('ForgotPassword')
    return interaction
  }

  it('[ASVS-7.4.3] is replaced by the user who receives the code, and all sessions end', async () => {
    const account = await newAccount(app)
    const elsewhere = await beginInteraction(app)
    const wanted = await authorizationRequest({ scope: 'openid offline_access', prompt: 'login consent' })
    const other = await openSignInPage(elsewhere.client, wanted)
    const byPassword = { event: 'SignIn', identifier: { username: account.username, password: PASSWORD } }
    const headers = { Interaction: other }
    await elsewhere.client.send('PUT', '/api/interaction', byPassword, headers)
    const submitted = await elsewhere.client.send('POST', '/api/interaction/submit', undefined, headers)
    const consent =
      (await resumeAuthorization(elsewhere.client, submitted)).searchParams.get('interaction') ?? ''
    const granted = await elsewhere.client.send('POST', '/api/interaction/consent', undefined, {
      Interaction: consent,
    })
    const back = await resumeAuthorization(elsewhere.client, granted)
    const tokens = (await (await redeemCode(app, wanted, back.searchParams.get('code') ?? '')).json()) as {
      refresh_token: string
    }

    const interaction = await provedOwner({ email: account.email })
    const older = new Map(interaction.client.cookies)
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.new_password_required_in_profile',
    ])
    await interaction.call('PUT', '/profile', { password: PASSWORD })
    expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.same_password'])
    await interaction.call('PATCH', '/profile', { password: NEW_PASSWORD })
    const reset = await interaction.submit()
    expect([reset.status, await reset.text()]).toEqual([204, ''])

    // The record does not count any more, also with an older cookie.
    expect((await interaction.submit()).status).toBe(404)
    const newest = new Map(interaction.client.cookies)
    for (const [name, cookie] of older) interaction.client.cookies.set(name, cookie)
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'session.verification_session_not_found',
    ])
    for (const [name, cookie] of newest) interaction.client.cookies.set(name, cookie)

    const identifier = { username: account.username, password: PASSWORD }
    expect(await outcomeOf(await interaction.start('SignIn', { identifier }))).toEqual([
      422,
      'session.invalid_credentials',
    ])
    await interaction.start('SignIn', { identifier: { ...identifier, password: NEW_PASSWORD } })
    await landed(interaction, await interaction.submit())

    const silent = await elsewhere.client.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(silent.headers.get('location')).toContain('error=login_required')
    const refreshed = await app.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
        client_id: 'demo-app',
      }),
    })
    expect(refreshed.status).toBe(400)
  })

  it('may be set by phone, and for an account that had none', async () => {
    const account = await newAccount(app)
    await app.env.DB.prepare(
      'update users set password_encrypted = null, password_encryption_method = null where username = ?',
    )
      .bind(account.username)
      .run()
    const interaction = await provedOwner({ phone: account.phone })
    await interaction.call('PUT', '/profile', { password: PASSWORD })
    expect((await interaction.submit()).status).toBe(204)
    await interaction.start('SignIn', { identifier: { phone: account.phone, password: PASSWORD } })
    await landed(interaction, await interaction.submit())
  })

  it('of an unknown address is refused once the address is proved', async () => {
    const email = freshEmail()
    const interaction = await provedOwner({ email })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'user.user_not_exist',
      { identifier: email },
    ])
  })

  it('is replaced once when two submits are sent at the same time', async () => {
    const account = await newAccount(app)
    const interaction = await provedOwner({ email: account.email })
    await interaction.call('PUT', '/profile', { password: NEW_PASSWORD })
    const both = await Promise.all([interaction.submit(), interaction.submit()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404])
  })

  it('cannot become a sign-in by switching the event', async () => {
    const interaction = await beginInteraction(app)
    await interaction.start('ForgotPassword')
    for (const event of ['SignIn', 'Register']) {
      expect(await outcomeOf(await interaction.call('PUT', '/event', { event }))).toEqual([
        404,
        'session.interaction_not_found',
      ])
    }
    expect((await interaction.call('PUT', '/event', { event: 'ForgotPassword' })).status).toBe(204)
  })
})
