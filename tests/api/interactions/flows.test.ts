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

/** Tests every flow without a social provider, making the same calls as a front end (spec/interaction#flows). */

/** Returns a new app with empty caches whose sign-up requires these identifiers. */
async function newAppWith(signUp: SignUp): Promise<TestApp> {
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

/** Creates an account with all three identifiers and a password. */
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

const expectAtApplication = async ({ client }: InteractionClient, submitted: Response) => {
  expect(submitted.status).toBe(200)
  expect((await resumeAuthorization(client, submitted)).searchParams.get('code')).toBeTruthy()
}

describe('signing in', () => {
  let app: TestApp
  let account: Awaited<ReturnType<typeof newAccount>>
  beforeAll(async () => {
    app = await newAppWith(byName)
    account = await newAccount(app)
  })

  it.each(['username', 'email', 'phone'] as const)('works with %s and a password', async (type) => {
    const interaction = await beginInteraction(app)
    const identifier = { [type]: account[type], password: PASSWORD }
    expect((await interaction.start('SignIn', { identifier })).status).toBe(204)
    await expectAtApplication(interaction, await interaction.submit())
  })

  it('works with an e-mail address that differs in case', async () => {
    const interaction = await beginInteraction(app)
    const identifier = { email: account.email.toUpperCase(), password: PASSWORD }
    expect((await interaction.start('SignIn', { identifier })).status).toBe(204)
  })

  it.each(['email', 'phone'] as const)('works with a code sent by %s', async (type) => {
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
    await expectAtApplication(interaction, await interaction.submit())
    expect((await userBy(app, 'username', account.username))?.last_sign_in_at).toBeGreaterThanOrEqual(before)
  })

  // The specification: "Phone values are a calling code plus national number, with a '+' prefix."
  it('works with a phone number that is entered with a plus sign', async () => {
    const phone = `+${account.phone}`
    const withPassword = await beginInteraction(app)
    const identifier = { phone, password: PASSWORD }
    expect((await withPassword.start('SignIn', { identifier })).status).toBe(204)
    await expectAtApplication(withPassword, await withPassword.submit())

    const withCode = await beginInteraction(app)
    await withCode.start('SignIn')
    expect((await withCode.sendCode({ phone })).status).toBe(204)
    const [message] = await receivedMessages(app, { phone: account.phone })
    expect(message?.to).toBe(account.phone)
    const proof = { phone, verificationCode: message?.code }
    expect((await withCode.call('PATCH', '/identifiers', proof)).status).toBe(204)
    await expectAtApplication(withCode, await withCode.submit())
  })

  it('works if the code is in the call that restarts the sign-in', async () => {
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    await interaction.sendCode({ email: account.email })
    const identifier = {
      email: account.email,
      verificationCode: await codeTo(app, { email: account.email }),
    }
    expect((await interaction.start('SignIn', { identifier })).status).toBe(204)
    await expectAtApplication(interaction, await interaction.submit())
  })

  it('sends the code in the page’s language', async () => {
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

  it('writes audit entries when a code is sent and entered, but without the code itself', async () => {
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

it('a phone number that is entered with a plus sign is registered without it', async () => {
  const app = await newAppWith(byPhone)
  const phone = freshPhone()
  const interaction = await beginInteraction(app)
  await interaction.start('Register')
  await interaction.prove({ phone })
  expect((await interaction.call('PATCH', '/profile', { phone: `+${phone}` })).status).toBe(204)
  await expectAtApplication(interaction, await interaction.submit())
  expect(await userBy(app, 'primary_phone', phone)).toBeTruthy()
})

describe.each([
  { type: 'email', signUp: byEmail, column: 'primary_email', fresh: () => ({ email: freshEmail() }) },
  { type: 'phone', signUp: byPhone, column: 'primary_phone', fresh: () => ({ phone: freshPhone() }) },
] as const)('an interaction with a verified address ($type)', ({ type, signUp, column, fresh }) => {
  let app: TestApp
  beforeAll(async () => {
    app = await newAppWith(signUp)
  })

  async function registerAddress() {
    const address = fresh()
    const interaction = await beginInteraction(app)
    await interaction.start('Register')
    expect((await interaction.prove(address)).status).toBe(204)
    expect((await interaction.call('PATCH', '/profile', address)).status).toBe(204)
    await expectAtApplication(interaction, await interaction.submit())
    return address
  }

  it('registers an account with that address', async () => {
    const address = await registerAddress()
    expect(await userBy(app, column, Object.values(address)[0] ?? '')).toBeTruthy()
  })

  it('can switch from sign-in to registration without a second code if no account has the address', async () => {
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
    await expectAtApplication(interaction, await interaction.submit())
  })

  it('can switch from registration to sign-in without a second code if an account has the address', async () => {
    const address = await registerAddress()
    const interaction = await beginInteraction(app)
    await interaction.start('Register')
    await interaction.prove(address)
    await interaction.call('PATCH', '/profile', address)
    expect(await outcomeOf(await interaction.submit())).toEqual([422, `user.${type}_already_in_use`])
    expect((await interaction.call('DELETE', '/profile')).status).toBe(204)
    expect((await interaction.call('PUT', '/event', { event: 'SignIn' })).status).toBe(204)
    await expectAtApplication(interaction, await interaction.submit())
  })

  it('rejects a code that was sent for another event', async () => {
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

describe('missing profile items', () => {
  it('include a password when a user registers with a username', async () => {
    const app = await newAppWith(byName)
    const interaction = await beginInteraction(app)
    await interaction.start('Register', { profile: { username: freshName() } })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['password'] },
    ])
    await interaction.call('PATCH', '/profile', { password: PASSWORD })
    await expectAtApplication(interaction, await interaction.submit())
  })

  it('include an e-mail address that must be verified at registration and sign-in', async () => {
    const app = await newAppWith(byAll)
    const interaction = await beginInteraction(app)
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
    expect((await receivedMessages(app, { email })).at(0)?.type).toBe('Register')
    await expectAtApplication(interaction, await interaction.submit())

    await app.env.DB.prepare('update users set primary_email = null where username = ?').bind(username).run()
    const again = await beginInteraction(app)
    await again.start('SignIn', { identifier: { username, password: PASSWORD } })
    expect(await outcomeOf(await again.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['email'] },
    ])
    await again.prove({ email })
    await again.call('PATCH', '/profile', { email })
    await expectAtApplication(again, await again.submit())
    expect((await userBy(app, 'username', username))?.primary_email).toBe(email)
  })

  it('include an e-mail address or a phone number if either is accepted', async () => {
    const app = await newAppWith(byEither)
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
    await expectAtApplication(interaction, await interaction.submit())
  })

  it('include a password when a user signs in to an account without one', async () => {
    const email = freshEmail()
    const before = await newAppWith(byEmail)
    const interaction = await beginInteraction(before)
    await interaction.start('Register')
    await interaction.prove({ email })
    await interaction.call('PATCH', '/profile', { email })
    await expectAtApplication(interaction, await interaction.submit())

    const after = await newAppWith({ identifiers: ['email'], password: true, verify: true })
    const again = await beginInteraction(after)
    await again.start('SignIn')
    await again.prove({ email })
    expect(await outcomeOf(await again.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['password'] },
    ])
    await again.call('PATCH', '/profile', { password: PASSWORD })
    await expectAtApplication(again, await again.submit())

    const third = await beginInteraction(after)
    await third.start('SignIn', { identifier: { email, password: PASSWORD } })
    await expectAtApplication(third, await third.submit())
  })
})

describe('resetting a forgotten password', () => {
  const NEW_PASSWORD = 'another-horse-8'
  let app: TestApp
  beforeAll(async () => {
    app = await newAppWith(byName)
  })

  async function startVerifiedReset(address: { email: string } | { phone: string }) {
    const interaction = await beginInteraction(app)
    expect((await interaction.start('ForgotPassword')).status).toBe(204)
    expect((await interaction.prove(address)).status).toBe(204)
    expect((await receivedMessages(app, address)).at(0)?.type).toBe('ForgotPassword')
    return interaction
  }

  it('[ASVS-7.4.3] replaces the password and ends all sessions', async () => {
    const account = await newAccount(app)
    const elsewhere = await beginInteraction(app)
    const request = await authorizationRequest({ scope: 'openid offline_access', prompt: 'login consent' })
    const other = await openSignInPage(elsewhere.client, request)
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
    const tokens = (await (await redeemCode(app, request, back.searchParams.get('code') ?? '')).json()) as {
      refresh_token: string
    }

    const interaction = await startVerifiedReset({ email: account.email })
    const oldCookies = new Map(interaction.client.cookies)
    expect(await outcomeOf(await interaction.submit())).toEqual([
      422,
      'user.new_password_required_in_profile',
    ])
    await interaction.call('PUT', '/profile', { password: PASSWORD })
    expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.same_password'])
    await interaction.call('PATCH', '/profile', { password: NEW_PASSWORD })
    const reset = await interaction.submit()
    expect([reset.status, await reset.text()]).toEqual([204, ''])

    // A submitted interaction cannot be used again, even with an older cookie.
    expect((await interaction.submit()).status).toBe(404)
    const newCookies = new Map(interaction.client.cookies)
    for (const [name, cookie] of oldCookies) interaction.client.cookies.set(name, cookie)
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'session.verification_session_not_found',
    ])
    for (const [name, cookie] of newCookies) interaction.client.cookies.set(name, cookie)

    const identifier = { username: account.username, password: PASSWORD }
    expect(await outcomeOf(await interaction.start('SignIn', { identifier }))).toEqual([
      422,
      'session.invalid_credentials',
    ])
    await interaction.start('SignIn', { identifier: { ...identifier, password: NEW_PASSWORD } })
    await expectAtApplication(interaction, await interaction.submit())

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

  it('works with a phone number, even if the account has no password', async () => {
    const account = await newAccount(app)
    await app.env.DB.prepare(
      'update users set password_encrypted = null, password_encryption_method = null where username = ?',
    )
      .bind(account.username)
      .run()
    const interaction = await startVerifiedReset({ phone: account.phone })
    await interaction.call('PUT', '/profile', { password: PASSWORD })
    expect((await interaction.submit()).status).toBe(204)
    await interaction.start('SignIn', { identifier: { phone: account.phone, password: PASSWORD } })
    await expectAtApplication(interaction, await interaction.submit())
  })

  it('rejects an unknown address only after the user has verified it', async () => {
    const email = freshEmail()
    const interaction = await startVerifiedReset({ email })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'user.user_not_exist',
      { identifier: email },
    ])
  })

  it('succeeds only once if it is submitted twice concurrently', async () => {
    const account = await newAccount(app)
    const interaction = await startVerifiedReset({ email: account.email })
    await interaction.call('PUT', '/profile', { password: NEW_PASSWORD })
    const both = await Promise.all([interaction.submit(), interaction.submit()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404])
  })

  it('cannot be turned into a sign-in by switching the event', async () => {
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
