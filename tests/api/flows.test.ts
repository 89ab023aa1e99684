import { beforeAll, describe, expect, it } from 'vitest'
import type { SignUp } from '../../src/contract/experience.ts'
import { arrive, codeTo, freshEmail, freshPhone, type Guest, inbox, told } from '../guest.ts'
import { type House, openHouse } from '../house.ts'
import { everyMethod, setExperience } from '../tenant.ts'
import { authorization, begin, freshName, PASSWORD, redeem, resume } from '../visitor.ts'

/** Every flow of contract 2.8 that is not social, as a front end would make it. */

/** With a house of its own: what it remembers of other settings is not in the way. */
async function houseAsking(signUp: SignUp): Promise<House> {
  const house = openHouse()
  await setExperience(house, { methods: everyMethod, signUp })
  return house
}

const byName: SignUp = { identifiers: ['username'], password: true, verify: false }
const byEmail: SignUp = { identifiers: ['email'], password: false, verify: true }
const byPhone: SignUp = { identifiers: ['phone'], password: false, verify: true }
const byEither: SignUp = { identifiers: ['email', 'phone'], password: false, verify: true }
const byAll: SignUp = { identifiers: ['username', 'email'], password: true, verify: true }

type Row = { id: string; primary_email: string; primary_phone: string; last_sign_in_at: number }

const userBy = (house: House, column: 'username' | 'primary_email' | 'primary_phone', value: string) =>
  house.env.DB.prepare(`select * from users where ${column} = ?`).bind(value).first<Row>()

/** An account with all three names and a password. */
async function newAccount(house: House) {
  const [username, email, phone] = [freshName(), freshEmail(), freshPhone()]
  const guest = await arrive(house)
  await guest.start('Register', { profile: { username, password: PASSWORD } })
  expect((await guest.submit()).status).toBe(200)
  await house.env.DB.prepare('update users set primary_email = ?, primary_phone = ? where username = ?')
    .bind(email, phone, username)
    .run()
  return { username, email, phone }
}

const landed = async ({ visitor }: Guest, submitted: Response) => {
  expect(submitted.status).toBe(200)
  expect((await resume(visitor, submitted)).searchParams.get('code')).toBeTruthy()
}

describe('signing in', () => {
  let house: House
  let account: Awaited<ReturnType<typeof newAccount>>
  beforeAll(async () => {
    house = await houseAsking(byName)
    account = await newAccount(house)
  })

  it.each(['username', 'email', 'phone'] as const)('with %s and password', async (type) => {
    const guest = await arrive(house)
    const identifier = { [type]: account[type], password: PASSWORD }
    expect((await guest.start('SignIn', { identifier })).status).toBe(204)
    await landed(guest, await guest.submit())
  })

  it('with an e-mail address in another case', async () => {
    const guest = await arrive(house)
    const identifier = { email: account.email.toUpperCase(), password: PASSWORD }
    expect((await guest.start('SignIn', { identifier })).status).toBe(204)
  })

  it.each(['email', 'phone'] as const)('with a code sent by %s', async (type) => {
    const guest = await arrive(house)
    await guest.start('SignIn')
    const address = type === 'email' ? { email: account.email } : { phone: account.phone }
    expect((await guest.sendCode(address)).status).toBe(204)
    const [message] = await inbox(house, address)
    expect(message).toMatchObject({
      to: account[type],
      channel: type === 'email' ? 'email' : 'sms',
      type: 'SignIn',
      language: 'en',
      code: expect.stringMatching(/^\d{6}$/),
    })
    const proof = { ...address, verificationCode: message?.code }
    expect((await guest.call('PATCH', '/identifiers', proof)).status).toBe(204)
    const before = Date.now()
    await landed(guest, await guest.submit())
    expect((await userBy(house, 'username', account.username))?.last_sign_in_at).toBeGreaterThanOrEqual(
      before,
    )
  })

  it('with a code that begins the sign-in anew', async () => {
    const guest = await arrive(house)
    await guest.start('SignIn')
    await guest.sendCode({ email: account.email })
    const identifier = {
      email: account.email,
      verificationCode: await codeTo(house, { email: account.email }),
    }
    expect((await guest.start('SignIn', { identifier })).status).toBe(204)
    await landed(guest, await guest.submit())
  })

  it('writes the code in the language of the page', async () => {
    const guest = await arrive(house)
    await guest.start('SignIn')
    const email = freshEmail()
    await guest.call('POST', '/verification/verification-code', { email }, { 'accept-language': 'de-AT' })
    expect((await inbox(house, { email })).map(({ language }) => language)).toEqual(['de'])
  })

  it('leaves audit rows for what was sent and typed, without the code', async () => {
    const guest = await arrive(house)
    await guest.start('SignIn')
    const email = freshEmail()
    await guest.prove({ email })
    const { results } = await house.env.DB.prepare(
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
    const { results: all } = await house.env.DB.prepare('select payload from logs').all<{ payload: string }>()
    expect(JSON.stringify(all)).not.toContain(`"${await codeTo(house, { email })}"`)
  })
})

describe.each([
  { type: 'email', signUp: byEmail, column: 'primary_email', fresh: () => ({ email: freshEmail() }) },
  { type: 'phone', signUp: byPhone, column: 'primary_phone', fresh: () => ({ phone: freshPhone() }) },
] as const)('an address ($type) that', ({ type, signUp, column, fresh }) => {
  let house: House
  beforeAll(async () => {
    house = await houseAsking(signUp)
  })

  async function registered() {
    const address = fresh()
    const guest = await arrive(house)
    await guest.start('Register')
    expect((await guest.prove(address)).status).toBe(204)
    expect((await guest.call('PATCH', '/profile', address)).status).toBe(204)
    await landed(guest, await guest.submit())
    return address
  }

  it('registers, is the account’s from then on', async () => {
    const address = await registered()
    expect(await userBy(house, column, Object.values(address)[0] ?? '')).toBeTruthy()
  })

  it('signs in and has no account, registers with the proof already given', async () => {
    const guest = await arrive(house)
    const address = fresh()
    await guest.start('SignIn')
    await guest.prove(address)
    expect(await told(await guest.submit())).toEqual([
      404,
      'user.user_not_exist',
      { identifier: Object.values(address)[0] },
    ])
    expect((await guest.call('PUT', '/event', { event: 'Register' })).status).toBe(204)
    expect((await guest.call('PUT', '/profile', address)).status).toBe(204)
    await landed(guest, await guest.submit())
  })

  it('registers and has an account, signs in with the proof already given', async () => {
    const address = await registered()
    const guest = await arrive(house)
    await guest.start('Register')
    await guest.prove(address)
    await guest.call('PATCH', '/profile', address)
    expect(await told(await guest.submit())).toEqual([422, `user.${type}_already_in_use`])
    expect((await guest.call('DELETE', '/profile')).status).toBe(204)
    expect((await guest.call('PUT', '/event', { event: 'SignIn' })).status).toBe(204)
    await landed(guest, await guest.submit())
  })

  it('was proved for one event, is not asked again after the switch, but a code does not carry over', async () => {
    const guest = await arrive(house)
    const address = fresh()
    await guest.start('SignIn')
    await guest.sendCode(address)
    const verificationCode = await codeTo(house, address)
    await guest.call('PUT', '/event', { event: 'Register' })
    expect(await told(await guest.call('PATCH', '/identifiers', { ...address, verificationCode }))).toEqual([
      400,
      'verification_code.not_found',
    ])
    await guest.call('PUT', '/event', { event: 'SignIn' })
    expect((await guest.call('PATCH', '/identifiers', { ...address, verificationCode })).status).toBe(204)
  })
})

describe('what is missing', () => {
  it('a password, then the account: registering with a username', async () => {
    const house = await houseAsking(byName)
    const guest = await arrive(house)
    await guest.start('Register', { profile: { username: freshName() } })
    expect(await told(await guest.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['password'] },
    ])
    await guest.call('PATCH', '/profile', { password: PASSWORD })
    await landed(guest, await guest.submit())
  })

  it('an e-mail address is asked for and proved, when registering and when signing in', async () => {
    const signingUp = await houseAsking(byAll)
    const guest = await arrive(signingUp)
    const username = freshName()
    const email = freshEmail()
    await guest.start('Register', { profile: { username, password: PASSWORD } })
    expect(await told(await guest.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['email'] },
    ])
    await guest.call('PATCH', '/profile', { email })
    expect(await told(await guest.submit())).toEqual([404, 'session.verification_session_not_found'])
    expect((await guest.prove({ email })).status).toBe(204)
    expect((await inbox(signingUp, { email })).at(0)?.type).toBe('Register')
    await landed(guest, await guest.submit())

    await signingUp.env.DB.prepare('update users set primary_email = null where username = ?')
      .bind(username)
      .run()
    const again = await arrive(signingUp)
    await again.start('SignIn', { identifier: { username, password: PASSWORD } })
    expect(await told(await again.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['email'] },
    ])
    await again.prove({ email })
    await again.call('PATCH', '/profile', { email })
    await landed(again, await again.submit())
    expect((await userBy(signingUp, 'username', username))?.primary_email).toBe(email)
  })

  it('either address will do', async () => {
    const house = await houseAsking(byEither)
    const guest = await arrive(house)
    await guest.start('Register')
    expect(await told(await guest.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['emailOrPhone'] },
    ])
    const phone = freshPhone()
    await guest.prove({ phone })
    await guest.call('PATCH', '/profile', { phone })
    await landed(guest, await guest.submit())
  })

  it('a password for an account that was registered without one is the owner’s to set', async () => {
    const email = freshEmail()
    const before = await houseAsking(byEmail)
    const guest = await arrive(before)
    await guest.start('Register')
    await guest.prove({ email })
    await guest.call('PATCH', '/profile', { email })
    await landed(guest, await guest.submit())

    const asking = await houseAsking({ identifiers: ['email'], password: true, verify: true })
    const again = await arrive(asking)
    await again.start('SignIn')
    await again.prove({ email })
    expect(await told(await again.submit())).toEqual([
      422,
      'user.missing_profile',
      { missingProfile: ['password'] },
    ])
    await again.call('PATCH', '/profile', { password: PASSWORD })
    await landed(again, await again.submit())

    const third = await arrive(asking)
    await third.start('SignIn', { identifier: { email, password: PASSWORD } })
    await landed(third, await third.submit())
  })
})

describe('a forgotten password', () => {
  const NEW_PASSWORD = 'another-horse-8'
  let house: House
  beforeAll(async () => {
    house = await houseAsking(byName)
  })

  async function provedOwner(address: { email: string } | { phone: string }) {
    const guest = await arrive(house)
    expect((await guest.start('ForgotPassword')).status).toBe(204)
    expect((await guest.prove(address)).status).toBe(204)
    expect((await inbox(house, address)).at(0)?.type).toBe('ForgotPassword')
    return guest
  }

  it('is set anew by who can read the mail, and signs out everybody else', async () => {
    const account = await newAccount(house)
    const elsewhere = await arrive(house)
    const wanted = await authorization({ scope: 'openid offline_access', prompt: 'login consent' })
    const other = await begin(elsewhere.visitor, wanted)
    const byPassword = { event: 'SignIn', identifier: { username: account.username, password: PASSWORD } }
    const headers = { Interaction: other }
    await elsewhere.visitor.send('PUT', '/api/interaction', byPassword, headers)
    const submitted = await elsewhere.visitor.send('POST', '/api/interaction/submit', undefined, headers)
    const consent = (await resume(elsewhere.visitor, submitted)).searchParams.get('interaction') ?? ''
    const granted = await elsewhere.visitor.send('POST', '/api/interaction/consent', undefined, {
      Interaction: consent,
    })
    const back = await resume(elsewhere.visitor, granted)
    const tokens = (await (await redeem(house, wanted, back.searchParams.get('code') ?? '')).json()) as {
      refresh_token: string
    }

    const guest = await provedOwner({ email: account.email })
    const older = new Map(guest.visitor.cookies)
    expect(await told(await guest.submit())).toEqual([422, 'user.new_password_required_in_profile'])
    await guest.call('PUT', '/profile', { password: PASSWORD })
    expect(await told(await guest.submit())).toEqual([422, 'user.same_password'])
    await guest.call('PATCH', '/profile', { password: NEW_PASSWORD })
    const reset = await guest.submit()
    expect([reset.status, await reset.text()]).toEqual([204, ''])

    // Nothing of the record counts any more, whichever cookie names it.
    expect((await guest.submit()).status).toBe(404)
    const newest = new Map(guest.visitor.cookies)
    for (const [name, cookie] of older) guest.visitor.cookies.set(name, cookie)
    expect(await told(await guest.submit())).toEqual([404, 'session.verification_session_not_found'])
    for (const [name, cookie] of newest) guest.visitor.cookies.set(name, cookie)

    const identifier = { username: account.username, password: PASSWORD }
    expect(await told(await guest.start('SignIn', { identifier }))).toEqual([
      422,
      'session.invalid_credentials',
    ])
    await guest.start('SignIn', { identifier: { ...identifier, password: NEW_PASSWORD } })
    await landed(guest, await guest.submit())

    const silent = await elsewhere.visitor.get((await authorization({ prompt: 'none' })).url)
    expect(silent.headers.get('location')).toContain('error=login_required')
    const refreshed = await house.fetch('/oidc/token', {
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
    const account = await newAccount(house)
    await house.env.DB.prepare(
      'update users set password_encrypted = null, password_encryption_method = null where username = ?',
    )
      .bind(account.username)
      .run()
    const guest = await provedOwner({ phone: account.phone })
    await guest.call('PUT', '/profile', { password: PASSWORD })
    expect((await guest.submit()).status).toBe(204)
    await guest.start('SignIn', { identifier: { phone: account.phone, password: PASSWORD } })
    await landed(guest, await guest.submit())
  })

  it('of nobody is said to be nobody’s once the address is proved', async () => {
    const email = freshEmail()
    const guest = await provedOwner({ email })
    expect(await told(await guest.submit())).toEqual([404, 'user.user_not_exist', { identifier: email }])
  })

  it('is one submit away once, when two are sent at the same time', async () => {
    const account = await newAccount(house)
    const guest = await provedOwner({ email: account.email })
    await guest.call('PUT', '/profile', { password: NEW_PASSWORD })
    const both = await Promise.all([guest.submit(), guest.submit()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404])
  })

  it('stays one: it turns into no sign-in by switching the event', async () => {
    const guest = await arrive(house)
    await guest.start('ForgotPassword')
    for (const event of ['SignIn', 'Register']) {
      expect(await told(await guest.call('PUT', '/event', { event }))).toEqual([
        404,
        'session.interaction_not_found',
      ])
    }
    expect((await guest.call('PUT', '/event', { event: 'ForgotPassword' })).status).toBe(204)
  })
})
