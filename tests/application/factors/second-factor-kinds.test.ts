import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  DEFAULT_TENANT_SETTINGS,
  type SecondFactorKind,
  type TenantSettings,
} from '../../../src/contract/tenants/settings.ts'
import { createPasskey, FLAGS, type Said, type SoftPasskey } from '../../kit/authenticator.ts'
import { PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  freshPhone,
  type InteractionClient,
  outcomeOf,
  receivedMessages,
  wrongCode,
} from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { type CreationOptions, type RequestOptions, RP_ID } from '../../kit/clients/passkey-client.ts'
import { openRacingApp } from '../../kit/racing-app.ts'
import { signInByPassword, signInWithBoth } from '../../kit/second-factor.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests two kinds of second factors: security keys, and codes sent to the account's addresses
 * (spec/accounts#second-factors).
 */

const RACERS = 3
const database = openTestApp()
beforeAll(() => setExperience(database, { methods: everyMethod }))
afterAll(() => setTenantSettings(database, {}))

/** Opens a new app for each set of settings, because settings are cached. */
async function appWith(factors: SecondFactorKind[], more: Partial<TenantSettings> = {}): Promise<TestApp> {
  const passkeys = { enabled: true, rpId: RP_ID, manageUrl: null }
  await setTenantSettings(database, { secondFactor: { policy: 'optional', factors }, passkeys, ...more })
  return openTestApp({}, { hasCalmDatabase: true })
}

const asksFor = (...factors: string[]) => [422, 'user.second_factor_required', { factors }]
const notTaken = [422, 'user.sign_in_method_not_enabled']

async function newReader(app: TestApp) {
  const member = await storeMember(app)
  const [email, phone] = [freshEmail(), freshPhone()]
  await app.env.DB.prepare('update users set primary_email = ?, primary_phone = ? where id = ?')
    .bind(email, phone, member.userId)
    .run()
  return { ...member, email, phone }
}

/** Verifies the first factor of a sign-in and submits, so that a second factor is required. */
async function firstStep(app: TestApp, username: string): Promise<InteractionClient> {
  const interaction = await signInByPassword(app, username)
  expect((await outcomeOf(await interaction.submit()))[1]).toBe('user.second_factor_required')
  return interaction
}

const send = ({ call }: InteractionClient, factor: string) => call('POST', '/factors/code', { factor })
type Caller = Pick<InteractionClient, 'call'>

const prove = ({ call }: Caller, body: object) => call('PATCH', '/identifiers', body)

describe('a code sent to the account’s address', () => {
  const address = { email: 'emailCode', phone: 'phoneCode' } as const

  it.each(['email', 'phone'] as const)(
    'can be sent by %s as a second factor, without revealing the address to the client',
    async (by) => {
      const app = await appWith([by])
      const { username, ...reader } = await newReader(app)
      const interaction = await firstStep(app, username)
      const sent = await send(interaction, by)
      const { sentTo } = (await sent.json()) as { sentTo: string }
      expect(sentTo).toContain('****')
      expect(sentTo).not.toBe(reader[by])
      const to = by === 'email' ? { email: reader.email } : { phone: reader.phone }
      const code = await codeTo(app, to)
      expect((await outcomeOf(await prove(interaction, { [address[by]]: wrongCode(code) })))[1]).toBe(
        'verification_code.code_mismatch',
      )
      expect(await outcomeOf(await interaction.submit())).toEqual(asksFor(by))
      app.trips()
      expect((await prove(interaction, { [address[by]]: code })).status).toBe(204)
      expect(app.trips().awaited).toBe(2)
      expect((await interaction.submit()).status).toBe(200)
      // The first message was sent when the password was verified.
      const messages = await receivedMessages(app, to)
      expect(messages.map(({ type }) => type)).toEqual(['SignIn', 'SignIn'])
      for (const { body } of messages) {
        expect(body).toContain('to finish signing in')
        expect(body.includes('Someone may know your password.')).toBe(by === 'email')
      }
    },
  )

  it('is accepted only once in three concurrent attempts', async () => {
    const app = await appWith(['email'])
    const { username, email } = await newReader(app)
    const interaction = await firstStep(app, username)
    await send(interaction, 'email')
    const emailCode = await codeTo(app, { email })
    const tries = await Promise.all(
      Array.from({ length: RACERS }, async () => (await prove(interaction, { emailCode })).status),
    )
    expect(tries.filter((status) => status === 204)).toHaveLength(1)
    expect((await prove(interaction, { emailCode })).status).toBe(400)
  })

  it('is accepted only in the interaction and for the factor for which it was sent', async () => {
    const app = await appWith(['email', 'phone'])
    const { username, email } = await newReader(app)
    const [one, other] = [await firstStep(app, username), await firstStep(app, username)]
    await send(one, 'email')
    const code = await codeTo(app, { email })
    expect((await outcomeOf(await prove(other, { emailCode: code })))[1]).toBe('verification_code.not_found')
    expect((await outcomeOf(await prove(one, { phoneCode: code })))[1]).toBe(
      'verification_code.code_mismatch',
    )
    // A code for the first factor is not accepted for the second factor, and does not replace the second factor's code.
    await one.sendCode({ email })
    expect((await prove(one, { emailCode: await codeTo(app, { email }) })).status).toBe(400)
    expect((await prove(one, { emailCode: code })).status).toBe(204)
  })

  it('is not sent before the first factor is verified, or if the tenant does not list this factor', async () => {
    const app = await appWith(['email'])
    const { username, email, phone } = await newReader(app)
    const begun = await beginInteraction(app)
    await begun.start('SignIn')
    const notYet = [404, 'session.identifier_not_found']
    expect(await outcomeOf(await send(begun, 'email'))).toEqual(notYet)
    expect(await outcomeOf(await prove(begun, { emailCode: '000000' }))).toEqual(notYet)
    expect(await receivedMessages(app, { email })).toEqual([])
    const interaction = await firstStep(app, username)
    expect(await outcomeOf(await send(interaction, 'phone'))).toEqual(notTaken)
    expect(await outcomeOf(await prove(interaction, { phoneCode: '000000' }))).toEqual(notTaken)
    expect(await outcomeOf(await prove(interaction, { totpCode: '000000' }))).toEqual(notTaken)
    expect((await outcomeOf(await interaction.call('POST', '/factors/passkey-options')))[1]).toBe(notTaken[1])
    expect(await receivedMessages(app, { phone })).toEqual([])
  })

  it('is neither required nor sent if the address is not verified', async () => {
    const app = await appWith(['email', 'phone'])
    const { username, userId, email } = await newReader(app)
    await app.env.DB.prepare('update users set email_verified = 0 where id = ?').bind(userId).run()
    const interaction = await signInByPassword(app, username)
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor('phone'))
    expect(await outcomeOf(await send(interaction, 'email'))).toEqual(notTaken)
    expect(await receivedMessages(app, { email })).toEqual([])
  })

  it('comes with no advice about a password that was not the first factor', async () => {
    const app = await appWith(['email'])
    const { email, phone } = await newReader(app)
    const byPhone = await beginInteraction(app)
    await byPhone.start('SignIn')
    await byPhone.prove({ phone })
    expect(await outcomeOf(await byPhone.submit())).toEqual(asksFor('email'))
    const [message] = await receivedMessages(app, { email })
    expect(message?.body).toContain('Someone may have access to the account or address you sign in with.')
    expect(message?.body).not.toContain('password')
  })

  it('is not accepted as the second factor if a code to the same address was the first', async () => {
    const app = await appWith(['email', 'phone'])
    const { email } = await newReader(app)
    const byMail = await beginInteraction(app)
    await byMail.start('SignIn')
    await byMail.prove({ email })
    expect(await outcomeOf(await byMail.submit())).toEqual(asksFor('phone'))
    expect(await outcomeOf(await send(byMail, 'email'))).toEqual(notTaken)

    const reset = await beginInteraction(app)
    await reset.start('ForgotPassword')
    await reset.prove({ email })
    await reset.call('PUT', '/profile', { password: `${PASSWORD}2` })
    expect((await reset.submit()).status).toBe(204)
    await reset.start('SignIn', { identifier: { email, password: `${PASSWORD}2` } })
    expect(await outcomeOf(await reset.submit())).toEqual(asksFor('phone'))
    expect(await outcomeOf(await send(reset, 'email'))).toEqual(notTaken)
    // The reset does not verify the mailbox of another account.
    const other = await newReader(app)
    await reset.start('SignIn', { identifier: { username: other.username, password: PASSWORD } })
    expect(await outcomeOf(await reset.submit())).toEqual(asksFor('phone', 'email'))
  })

  it('[ASVS-6.4.3-3] is still required after a reset that also verified someone else’s address', async () => {
    const app = await appWith(['email', 'phone'])
    const [{ email, username }, own] = [await newReader(app), { phone: freshPhone() }]
    const reset = await beginInteraction(app)
    await reset.start('ForgotPassword')
    await reset.prove({ email })
    await reset.prove(own)
    await reset.call('PUT', '/profile', { password: `${PASSWORD}2`, ...own })
    expect((await reset.submit()).status).toBe(204)
    await reset.start('SignIn', { identifier: { username, password: `${PASSWORD}2` } })
    expect(await outcomeOf(await reset.submit())).toEqual(asksFor('phone'))
  })

  it('has its own rate limits, which neither strangers nor other factors can exhaust', async () => {
    const few = { count: 2, windowSeconds: 600 }
    const { limits } = DEFAULT_TENANT_SETTINGS
    const app = await appWith(['email', 'phone'], {
      limits: {
        ...limits,
        codeTriesPerAddress: few,
        codeSendsPerAddress: few,
        emailFactorTries: few,
        emailFactorSends: few,
      },
    })
    const { username, email, phone } = await newReader(app)
    // The stranger knows only the address.
    const stranger = await beginInteraction(app)
    await stranger.start('SignIn')
    for (let tries = 0; tries < 3; tries++) {
      await stranger.sendCode({ email })
      await prove(stranger, { email, verificationCode: 'wrong!' })
    }
    expect((await stranger.sendCode({ email })).status).toBe(429)

    const interaction = await firstStep(app, username)
    expect((await send(interaction, 'email')).status).toBe(200)
    const code = await codeTo(app, { email })
    const guesses = []
    for (let tries = 0; tries < 3; tries++)
      guesses.push((await prove(interaction, { emailCode: wrongCode(code) })).status)
    expect(guesses).toEqual([400, 400, 429])
    expect((await prove(interaction, { emailCode: code })).status).toBe(429)
    expect((await send(interaction, 'email')).status).toBe(200)
    expect((await send(interaction, 'email')).status).toBe(429)
    expect((await send(interaction, 'phone')).status).toBe(200)
    expect((await prove(interaction, { phoneCode: await codeTo(app, { phone }) })).status).toBe(204)
    expect((await interaction.submit()).status).toBe(200)
  })
})

const options = async ({ call }: Caller) =>
  (await (await call('POST', '/factors/passkey-options')).json()) as RequestOptions & {
    userVerification: string
    allowCredentials: { id: string; type: string; transports: string[] }[]
  }

const isTouched = { flags: FLAGS.unverified }

/** Creates a user who has a security key without a PIN. */
async function newKeeper(app: TestApp, flags: Said = isTouched) {
  const member = await storeMember(app)
  await member.call('POST', '/password/verify', { password: PASSWORD })
  const options = await member.call('POST', '/passkeys/options', { purpose: 'secondFactor' })
  const created = await createPasskey((await options.json()) as CreationOptions, {
    origin: app.origin,
    transports: ['usb'],
    ...flags,
  })
  const added = await member.call('POST', '/passkeys', created.attestation)
  return { ...member, key: created.passkey, added }
}

const proveKey = async (
  interaction: Pick<InteractionClient, 'call'>,
  key: SoftPasskey,
  said: Said = isTouched,
) => prove(interaction, { securityKey: await key.sign(await options(interaction), said) })

/** Signs in with both factors, as calls that change credentials require. */
const signInWithKey = (app: TestApp, username: string, key: SoftPasskey) =>
  signInWithBoth(app, { username }, { prove: (interaction) => proveKey(interaction, key) })

describe('a security key without a PIN', () => {
  it('is required even if it is added between the two database batches that complete a sign-in', async () => {
    await appWith(['passkey'])
    const { username, userId } = await storeMember(database)
    const { app, meanwhile } = openRacingApp(async () => {
      const added = await database.env.DB.prepare(
        `insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid, rp_id,
          is_backup_eligible, is_backed_up, created_at) select tenant_id, id, id, 'x', 0, '[]', '', ?, 0, 0, 1
          from users where id = ?`,
      )
        .bind(RP_ID, userId)
        .run()
      return added.meta.changes
    })
    const interaction = await signInByPassword(app, username)
    const { answer, changed } = await meanwhile(2, () => interaction.submit())
    expect([changed, ...(await outcomeOf(answer))]).toEqual([
      1,
      404,
      'session.verification_session_not_found',
    ])
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor('passkey'))
  })

  it('is created and listed only as a second factor', async () => {
    const app = await appWith(['passkey'])
    const member = await storeMember(app)
    await member.call('POST', '/password/verify', { password: PASSWORD })
    const readOptions = async (body?: object) =>
      (await (await member.call('POST', '/passkeys/options', body)).json()) as CreationOptions & {
        authenticatorSelection: object
      }
    const forKey = await readOptions({ purpose: 'secondFactor' })
    expect(forKey.authenticatorSelection).toEqual({
      residentKey: 'discouraged',
      requireResidentKey: false,
      userVerification: 'discouraged',
    })
    // The challenge determines whether the key becomes a passkey, which requires user verification, or a second factor.
    const { attestation } = await createPasskey(await readOptions(), { origin: app.origin, ...isTouched })
    expect((await outcomeOf(await member.call('POST', '/passkeys', attestation)))[1]).toBe(
      'passkey.verification_failed',
    )
    const key = await createPasskey(forKey, { origin: app.origin, ...isTouched })
    const added = await member.call('POST', '/passkeys', key.attestation)
    expect(await added.json()).toMatchObject({ id: key.passkey.id, isSecondFactor: true })
    expect(await (await member.call('GET', '/factors')).json()).toMatchObject({ passkeys: 1 })
  })

  it('is accepted as the second factor after a touch, with one round trip for the options and two for the response', async () => {
    const app = await appWith(['passkey'])
    const { username, key } = await newKeeper(app)
    const interaction = await firstStep(app, username)
    app.trips()
    const passkeyOptions = await options(interaction)
    expect(app.trips().awaited).toBe(1)
    expect(passkeyOptions).toEqual({
      challenge: expect.any(String),
      rpId: RP_ID,
      timeout: 300_000,
      userVerification: 'discouraged',
      allowCredentials: [{ id: key.id, type: 'public-key', transports: ['usb'] }],
    })
    const securityKey = await key.sign(passkeyOptions, isTouched)
    app.trips()
    expect((await prove(interaction, { securityKey })).status).toBe(204)
    expect(app.trips().awaited).toBe(2)
    expect((await interaction.submit()).status).toBe(200)
  })

  it('cannot sign a user in by itself, and does not count as a sign-in method', async () => {
    const app = await appWith(['passkey'])
    const { userId, username, key } = await newKeeper(app)
    const { call } = await signInWithKey(app, username, key)
    const interaction = await beginInteraction(app)
    const request = await interaction.call('POST', '/verification/passkey-options')
    const options = (await request.json()) as RequestOptions
    // The user may set a PIN on the key after adding it.
    for (const assertionFlags of [isTouched, { flags: FLAGS.deviceBound }]) {
      const passkey = await key.sign(options, assertionFlags)
      const alone = await interaction.call('PUT', '', { event: 'SignIn', identifier: { passkey } })
      expect(await outcomeOf(alone)).toEqual([422, 'passkey.verification_failed', { reason: 'secondFactor' }])
    }

    // The only passkey of an account without a password cannot be removed, even if it has a security key.
    await app.env.DB.prepare('update users set password_encrypted = null where id = ?').bind(userId).run()
    await app.env.DB.prepare(
      `insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid, rp_id,
        is_backup_eligible, is_backed_up, created_at)
        select tenant_id, 'own-' || credential_id, user_id, public_key, counter, transports, aaguid, rp_id,
        is_backup_eligible, is_backed_up, created_at from passkeys where credential_id = ?`,
    )
      .bind(key.id)
      .run()
    expect(await outcomeOf(await call('DELETE', `/passkeys/own-${key.id}`))).toEqual([
      422,
      'user.last_sign_in_method',
    ])
    expect((await call('DELETE', `/passkeys/${key.id}`)).status).toBe(204)
  })

  it('is accepted once per challenge in three concurrent attempts', async () => {
    const app = await appWith(['passkey'])
    const { username, key } = await newKeeper(app)
    const interaction = await firstStep(app, username)
    const securityKey = await key.sign(await options(interaction), isTouched)
    const tries = await Promise.all(
      Array.from({ length: RACERS }, async () => (await prove(interaction, { securityKey })).status),
    )
    expect(tries.filter((status) => status === 204)).toHaveLength(1)
    expect(await outcomeOf(await prove(interaction, { securityKey }))).toEqual([
      422,
      'passkey.verification_failed',
      { reason: 'challenge' },
    ])
  })

  it("is rejected if it signs another interaction's challenge or belongs to another account", async () => {
    const app = await appWith(['passkey'])
    const [{ username, key }, other] = [await newKeeper(app), await newKeeper(app)]
    const [one, two] = [await firstStep(app, username), await firstStep(app, username)]
    const reasonOf = async (response: Response) => (await outcomeOf(response)).slice(1)
    const failed = (reason: string) => ['passkey.verification_failed', { reason }]

    const foreign = await key.sign(await options(two), isTouched)
    expect(await reasonOf(await prove(one, { securityKey: foreign }))).toEqual(failed('challenge'))
    const first = await one.call('POST', '/verification/passkey-options')
    const ofFirstPage = await key.sign((await first.json()) as RequestOptions, isTouched)
    expect(await reasonOf(await prove(one, { securityKey: ofFirstPage }))).toEqual(failed('challenge'))
    // The challenge of a second factor is not accepted for a sign-in either.
    const passkey = await key.sign(await options(one))
    const alone = await one.call('PATCH', '/identifiers', { passkey })
    expect(await reasonOf(alone)).toEqual(failed('challenge'))

    expect(await reasonOf(await proveKey(one, other.key))).toEqual(['passkey.not_found'])
    expect(
      await reasonOf(await proveKey(one, key, { ...isTouched, origin: 'https://evil.example' })),
    ).toEqual(failed('signature'))
    expect(await reasonOf(await proveKey(one, key, { flags: FLAGS.synced }))).toEqual(
      failed('backupEligibility'),
    )
    expect((await one.submit()).status).toBe(422)
    expect((await proveKey(one, key)).status).toBe(204)
    expect((await one.submit()).status).toBe(200)
  })

  it('is rejected if its counter has not increased', async () => {
    const app = await appWith(['passkey'])
    const { username, key } = await newKeeper(app, { ...isTouched, counter: 5 })
    const interaction = await firstStep(app, username)
    expect((await proveKey(interaction, key, { ...isTouched, counter: 6 })).status).toBe(204)
    const copy = await outcomeOf(await proveKey(interaction, key, { ...isTouched, counter: 6 }))
    expect(copy).toEqual([422, 'passkey.verification_failed', { reason: 'counter' }])
  })

  it('is not accepted if it is removed before the interaction is submitted', async () => {
    const app = await appWith(['passkey', 'email'])
    const { username, userId, key } = await newKeeper(app)
    const operator = await newOperator(app)
    const interaction = await firstStep(app, username)
    expect((await proveKey(interaction, key)).status).toBe(204)
    await app.env.DB.prepare('update users set primary_email = ? where id = ?')
      .bind(freshEmail(), userId)
      .run()
    await operator.send('DELETE', `/users/${userId}/passkeys/${key.id}`)
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor('email'))
  })

  it('is not needed if the user enters a backup code, and the user is warned when only two codes are left', async () => {
    const app = await appWith(['passkey'])
    const { username, key } = await newKeeper(app)
    const { call } = await signInWithKey(app, username, key)
    const listed = async () => (await call('GET', '/factors')).json()
    expect(await listed()).toMatchObject({ backupCodesLeft: 0, hasFewBackupCodes: true })
    const renewed = await call('POST', '/factors/backup-codes')
    const { backupCodes } = (await renewed.json()) as { backupCodes: string[] }
    expect(await listed()).toMatchObject({ backupCodesLeft: 10, hasFewBackupCodes: false })
    const interaction = await signInByPassword(app, username)
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor('passkey', 'backupCode'))
    for (const backupCode of backupCodes.slice(0, 8))
      expect((await prove(interaction, { backupCode })).status).toBe(204)
    expect((await interaction.submit()).status).toBe(200)

    expect(await listed()).toMatchObject({ backupCodesLeft: 2, hasFewBackupCodes: true })
    const next = await signInByPassword(app, username)
    const warned = { factors: ['passkey', 'backupCode'], backupCodesLeft: 2 }
    expect(await outcomeOf(await next.submit())).toEqual([422, 'user.second_factor_required', warned])
    for (const backupCode of backupCodes.slice(8))
      expect((await prove(next, { backupCode })).status).toBe(204)
    // The last two codes are still accepted.
    expect((await next.submit()).status).toBe(200)
  })
})
