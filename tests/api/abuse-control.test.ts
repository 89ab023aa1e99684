import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
import { visitAccount } from '../kit/account-centre.ts'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  PASSWORD,
  RESUMED,
} from '../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  freshPhone,
  type InteractionClient,
  outcomeOf,
  receivedMessages,
  wrongCode,
} from '../kit/clients/interaction-client.ts'
import { storeAccount } from '../kit/stored-account.ts'
import { storeMember } from '../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Tests the rate limits over HTTP (spec/accounts#rate-limits). */

/** These limits are lower than the defaults, because many tests have to reach them. */
const TRIES = 2
const SENDS_A_DAY = 10
const { limits } = DEFAULT_TENANT_SETTINGS
const fewTries = {
  ...limits,
  passwordTries: { ...limits.passwordTries, count: TRIES },
  strangerSendsPerAddress: { ...limits.strangerSendsPerAddress, count: SENDS_A_DAY },
}

let app: TestApp
beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  await setTenantSettings(openTestApp(), { limits: fewTries })
  app = openTestApp()
})

/** Registers an account in the given browser, or stores one directly if there is none. Returns the username. */
async function newAccount(client?: CookieClient): Promise<string> {
  if (!client) return (await storeAccount()).username
  const username = freshName()
  const interaction = await beginInteraction(app, client, RESUMED)
  await interaction.start('Register', { profile: { username, password: PASSWORD } })
  expect((await interaction.submit()).status).toBe(200)
  return username
}

const WRONG = 'wrong-horse-7'
const signIn = (interaction: InteractionClient, username: string, password: string) =>
  interaction.start('SignIn', { identifier: { username, password } })

const wrong = [422, 'session.invalid_credentials']
const locked = [429, 'request.too_many_requests', { retryAfter: expect.any(Number) }]

async function failAll(username: string) {
  const interaction = await beginInteraction(app)
  for (let count = 0; count < TRIES; count++)
    expect(await outcomeOf(await signIn(interaction, username, WRONG))).toEqual(wrong)
}

/** Ages all rate-limit counters by this many minutes, as if that time had passed. */
const passMinutes = (minutes: number) =>
  app.env.DB.prepare(`update counters set window_start = window_start - ?1, locked_until = locked_until - ?1,
      burst_window_start = burst_window_start - ?1, burst_locked_until = burst_locked_until - ?1`)
    .bind(minutes * 60_000)
    .run()

describe('the password rate limit', () => {
  it('[ASVS-2.3.2] locks the account after ten wrong attempts, and rejects even the correct password for ten minutes', async () => {
    await setTenantSettings(app, {})
    onTestFinished(() => setTenantSettings(app, { limits: fewTries }))
    const defaultApp = openTestApp()
    const username = await newAccount()
    const attempt = async (password: string) => signIn(await beginInteraction(defaultApp), username, password)
    for (let count = 0; count < 10; count++) expect(await outcomeOf(await attempt(WRONG))).toEqual(wrong)
    const response = await attempt(PASSWORD)
    const seconds = Number(response.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(590)
    expect(seconds).toBeLessThanOrEqual(600)
    expect(await outcomeOf(response)).toEqual([429, 'request.too_many_requests', { retryAfter: seconds }])

    await passMinutes(9)
    expect(await outcomeOf(await attempt(PASSWORD))).toEqual(locked)
    await passMinutes(1)
    expect((await attempt(PASSWORD)).status).toBe(204)
  })

  it('locks only the attacked identifier, whether or not it belongs to an account', async () => {
    const [victim, other] = [await newAccount(), await newAccount()]
    await failAll(victim)
    expect((await signIn(await beginInteraction(app), other, PASSWORD)).status).toBe(204)
    const unknown = freshName()
    await failAll(unknown)
    expect(await outcomeOf(await signIn(await beginInteraction(app), unknown, WRONG))).toEqual(locked)
  })

  it('[ASVS-6.3.1] counts every concurrent attempt through PUT / and PATCH /identifiers', async () => {
    const username = await newAccount()
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    const answers = await Promise.all(
      Array.from({ length: 2 * TRIES }, async (_, index) =>
        outcomeOf(
          index % 2
            ? await interaction.call('PATCH', '/identifiers', { username, password: WRONG })
            : await signIn(interaction, username, WRONG),
        ),
      ),
    )
    expect(answers.filter(([status]) => status === 422).length).toBe(TRIES)
    expect(answers.filter(([status]) => status === 429).length).toBe(TRIES)
  })

  it('does not count correct passwords, even for a suspended account', async () => {
    const username = await newAccount()
    const interaction = await beginInteraction(app)
    for (let count = 0; count <= TRIES; count++)
      expect((await signIn(interaction, username, PASSWORD)).status).toBe(204)
    await app.env.DB.prepare('update users set is_suspended = 1 where username = ?').bind(username).run()
    for (let count = 0; count <= TRIES; count++) {
      expect(await outcomeOf(await signIn(interaction, username, PASSWORD))).toEqual([401, 'user.suspended'])
    }
  })

  it('does not count attempts to use a disabled sign-in method', async () => {
    const phone = freshPhone()
    const interaction = await beginInteraction(app)
    await setExperience(app, { methods: everyMethod.filter(({ identifier }) => identifier !== 'phone') })
    const identifier = { phone, password: WRONG }
    for (let count = 0; count <= TRIES; count++) {
      const response = await interaction.call('PUT', '?no_cache', { event: 'SignIn', identifier })
      expect(response.status).toBe(422)
    }
    await setExperience(app, { methods: everyMethod })
    const response = await interaction.call('PUT', '?no_cache', { event: 'SignIn', identifier })
    expect(await outcomeOf(response)).toEqual(wrong)
  })
})

describe('a trusted browser', () => {
  it('[ASVS-6.1.1] has its own password limit, separate from the one shared by all other browsers', async () => {
    const owner = newCookieClient(app)
    const username = await newAccount(owner)
    await failAll(username)
    expect(await outcomeOf(await signIn(await beginInteraction(app), username, PASSWORD))).toEqual(locked)

    const interaction = await beginInteraction(app, owner)
    for (let count = 0; count < TRIES - 1; count++)
      expect(await outcomeOf(await signIn(interaction, username, WRONG))).toEqual(wrong)
    expect((await signIn(interaction, username, PASSWORD)).status).toBe(204)
    expect(await outcomeOf(await signIn(interaction, username, WRONG))).toEqual(wrong)
    expect(await outcomeOf(await signIn(interaction, username, PASSWORD))).toEqual(locked)
  })

  it('has its own limit for entering codes', async () => {
    const owner = newCookieClient(app)
    const username = await newAccount(owner)
    const email = freshEmail()
    await app.env.DB.prepare('update users set primary_email = ? where username = ?')
      .bind(email, username)
      .run()
    const other = await beginInteraction(app)
    await other.start('SignIn')
    for (let count = 0; count < 5; count++) expect((await other.sendCode({ email })).status).toBe(204)
    expect(await outcomeOf(await other.sendCode({ email }))).toEqual(locked)
    const interaction = await beginInteraction(app, owner)
    await interaction.start('SignIn')
    expect((await interaction.sendCode({ email })).status).toBe(204)
  })

  it('has its own limit only for accounts that have used it to sign in, and is not trusted if its cookie is forged', async () => {
    const [attacker, victim] = [newCookieClient(app), newCookieClient(app)]
    await newAccount(attacker)
    const username = await newAccount(victim)
    await failAll(username)
    expect(await outcomeOf(await signIn(await beginInteraction(app, attacker), username, PASSWORD))).toEqual(
      locked,
    )

    const sealed = victim.cookies.get('_known')?.value ?? ''
    for (const value of ['forged', `${sealed.slice(0, -4)}AAAA`]) {
      const forger = newCookieClient(app)
      forger.cookies.set('_known', { value, path: '/' })
      expect(await outcomeOf(await signIn(await beginInteraction(app, forger), username, PASSWORD))).toEqual(
        locked,
      )
    }
  })

  it('remembers its last five users in an HttpOnly cookie', async () => {
    const shared = newCookieClient(app)
    const usernames: string[] = []
    for (let count = 0; count < 6; count++) usernames.push(await newAccount(shared))
    const becomesLocked = async (username: string) => {
      await failAll(username)
      return (await signIn(await beginInteraction(app, shared), username, PASSWORD)).status === 429
    }
    expect(await becomesLocked(usernames[0] ?? '')).toBe(true)
    expect(await becomesLocked(usernames[1] ?? '')).toBe(false)

    const interaction = await beginInteraction(app)
    await signIn(interaction, usernames[5] ?? '', PASSWORD)
    const [cookie] = (await interaction.submit()).headers
      .getSetCookie()
      .filter((line) => line.startsWith('_known='))
    expect(cookie).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
  })
})

describe('sending codes', () => {
  it("[ASVS-2.4.1-3] is limited per day for strangers, but not for notices or the owner's trusted browser", async () => {
    const owner = await storeMember(app)
    const email = freshEmail()
    await app.env.DB.prepare('update users set primary_email = ?, email_verified = 1 where id = ?')
      .bind(email, owner.userId)
      .run()
    const sendAsStranger = async () => {
      const interaction = await beginInteraction(app)
      await interaction.start('SignIn')
      return interaction.sendCode({ email })
    }
    for (let round = 0; round < SENDS_A_DAY / 5; round++) {
      for (let count = 0; count < 5; count++) expect((await sendAsStranger()).status).toBe(204)
      // The ten-minute limit rejects this attempt, so it does not count towards the daily limit.
      expect(await outcomeOf(await sendAsStranger())).toEqual(locked)
      await passMinutes(10)
    }
    const refused = await sendAsStranger()
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60)
    expect(await outcomeOf(refused)).toEqual(locked)

    const interaction = await beginInteraction(app, owner.client, { prompt: 'login' })
    await interaction.start('SignIn')
    expect((await interaction.prove({ email })).status).toBe(204)
    await owner.call('POST', '/password/verify', { password: PASSWORD })
    expect((await owner.call('POST', '/password', { password: 'another-horse-8' })).status).toBe(204)
    const [newest] = await receivedMessages(app, { email })
    expect(newest).toMatchObject({ type: 'PasswordChanged', code: '' })
  })

  it("[ASVS-2.4.1-4] is exempt from the daily limit only for the signed-in account's addresses", async () => {
    const strict = openTestApp()
    const strangerSendsPerAddress = { count: 1, windowSeconds: 86_400 }
    await setTenantSettings(strict, {
      accountCentre: { enabled: true },
      limits: { ...limits, strangerSendsPerAddress },
    })
    const [username, other] = [await newAccount(), await newAccount()]
    const [email, phone] = [freshEmail(), freshPhone()]
    await app.env.DB.prepare('update users set primary_email = ?, primary_phone = ? where username = ?')
      .bind(email, phone, username)
      .run()
    const interaction = await beginInteraction(strict)
    await interaction.start('SignIn')
    for (const address of [{ email }, { phone }])
      expect((await interaction.sendCode(address)).status).toBe(204)
    const expectLocked = async () => {
      for (const address of [{ email: email.toUpperCase() }, { phone }])
        expect(await outcomeOf(await interaction.sendCode(address))).toEqual(locked)
    }
    // This verified address belongs to no account.
    expect((await interaction.prove({ email: freshEmail() })).status).toBe(204)
    await expectLocked()
    expect((await signIn(interaction, other, PASSWORD)).status).toBe(204)
    await expectLocked()
    const { client } = await visitAccount(strict)
    const response = await client.post('/account/email', { intent: 'send', identifier: email })
    expect(response.status).toBe(429)
    expect((await signIn(interaction, username, PASSWORD)).status).toBe(204)
    for (const address of [{ email }, { phone }])
      expect((await interaction.sendCode(address)).status).toBe(204)
    await setTenantSettings(strict, { limits: fewTries })
  })

  it('is limited to five per address, even for concurrent requests, and only the newest code is valid', async () => {
    const email = freshEmail()
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => outcomeOf(await interaction.sendCode({ email }))),
    )
    expect(answers.filter(([status]) => status === 204).length).toBe(5)
    expect(answers.filter(([status]) => status !== 204)).toEqual(Array.from({ length: 3 }, () => locked))
    const messages = await receivedMessages(app, { email })
    // A code that is replaced before it is sent is never sent.
    expect([1, 2, 3, 4, 5]).toContain(messages.length)

    const { results } = await app.env.DB.prepare('select id from passcodes where email = ?').bind(email).all()
    expect(results.length).toBe(1)
    const proofs: unknown[] = []
    for (const { code: verificationCode } of messages)
      proofs.push(
        (await outcomeOf(await interaction.call('PATCH', '/identifiers', { email, verificationCode })))[1],
      )
    expect(proofs.filter((errorCode) => errorCode === null)).toHaveLength(1)
    expect((await interaction.sendCode({ email: freshEmail() })).status).toBe(204)
    await passMinutes(10)
    expect((await interaction.sendCode({ email: email.toUpperCase() })).status).toBe(204)
  })

  it('[ASVS-2.4.1] is limited per network and hour across all addresses', async () => {
    const production = openTestApp({ ENVIRONMENT: 'production' })
    const codeSendsPerNetwork = { ...limits.codeSendsPerNetwork, count: 3 }
    await setTenantSettings(production, { limits: { ...limits, codeSendsPerNetwork } })
    onTestFinished(() => setTenantSettings(app, { limits: fewTries }))
    const send = async (ip: string) => {
      const interaction = await beginInteraction(production)
      await interaction.start('SignIn')
      const address = { phone: freshPhone() }
      const headers = { 'cf-connecting-ip': ip }
      return outcomeOf(await interaction.call('POST', '/verification/verification-code', address, headers))
    }
    for (let count = 0; count < codeSendsPerNetwork.count; count++) {
      expect((await send(`2001:db8:7:7::${count}`))[1]).toBe('connector.not_found')
    }
    const [status, code, data] = await send('2001:db8:7:7:ffff::1')
    expect([status, code]).toEqual([429, 'request.too_many_requests'])
    expect((data as { retryAfter: number }).retryAfter).toBeGreaterThan(3500)
    expect((await send('2001:db8:7:8::1'))[1]).toBe('connector.not_found')
  })

  it('does not count towards the limit before the interaction has started', async () => {
    const email = freshEmail()
    const interaction = await beginInteraction(app)
    for (let count = 0; count < 6; count++) expect((await interaction.sendCode({ email })).status).toBe(404)
    await interaction.start('SignIn')
    expect((await interaction.sendCode({ email })).status).toBe(204)
  })
})

describe('entering a code', () => {
  it('[ASVS-6.5.1] succeeds at most once, and only ten of many concurrent attempts are checked', async () => {
    for (const rightCodes of [1, 10]) {
      const email = freshEmail()
      const interaction = await beginInteraction(app)
      await interaction.start('SignIn')
      await interaction.sendCode({ email })
      const code = await codeTo(app, { email })
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const verificationCode = index % 2 === 0 && index < rightCodes * 2 ? code : wrongCode(code)
          return outcomeOf(await interaction.call('PATCH', '/identifiers', { email, verificationCode }))
        }),
      )
      const count = (outcome: string | null) =>
        answers.filter(([, errorCode]) => errorCode === outcome).length
      expect(count(null)).toBeLessThanOrEqual(1)
      expect(count('verification_code.code_mismatch')).toBeLessThanOrEqual(10)
      expect(answers.every(([status]) => status === 204 || status === 400)).toBe(true)
      const { results } = await app.env.DB.prepare(
        'select consumed, try_count as tries, code from passcodes where email = ?',
      )
        .bind(email)
        .all<{ consumed: number; tries: number; code: string | null }>()
      expect(results).toEqual([{ consumed: count(null), tries: expect.any(Number), code: null }])
    }
  })
})

describe('an operator', () => {
  it('can configure custom rate limits', async () => {
    const strict = openTestApp()
    const passwordTries = { count: 2, windowSeconds: 30 }
    await setTenantSettings(strict, { limits: { ...limits, passwordTries, lockSeconds: 30 } })
    const interaction = await beginInteraction(strict)
    const username = freshName()
    expect(await outcomeOf(await signIn(interaction, username, WRONG))).toEqual(wrong)
    expect(await outcomeOf(await signIn(interaction, username, WRONG))).toEqual(wrong)
    const response = await signIn(interaction, username, WRONG)
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(30)
    expect(await outcomeOf(response)).toEqual(locked)
    await setTenantSettings(strict, { limits: fewTries })
  })
})

describe('a phone number with several spellings', () => {
  it('[ASVS-2.4.1-2] has a single limit for codes and can be registered only in canonical form', async () => {
    const beginSignIn = async () => {
      const interaction = await beginInteraction(app)
      await interaction.start('SignIn')
      return interaction
    }
    const phone = freshPhone()
    const [callingCode, national] = [phone.slice(0, 2), phone.slice(2)]
    const spellings = [
      phone,
      `0${phone}`,
      `00${phone}`,
      `${callingCode}0${national}`,
      `00${callingCode}0${national}`,
    ]
    for (const spelling of spellings)
      expect([
        spelling,
        ...(await outcomeOf(await (await beginSignIn()).sendCode({ phone: spelling }))),
      ]).toEqual([spelling, 204, null])
    const sixth = await (await beginSignIn()).sendCode({ phone: `000${phone}` })
    expect(await outcomeOf(sixth)).toEqual(locked)

    const registration = await beginInteraction(app)
    for (const spelling of spellings.slice(1)) {
      const refused = await registration.start('Register', { profile: { phone: spelling } })
      expect((await outcomeOf(refused)).slice(0, 2)).toEqual([400, 'guard.invalid_input'])
    }
    // The phone number is valid, but users of this tenant register with a username.
    const canonical = await registration.start('Register', { profile: { phone } })
    expect((await outcomeOf(canonical)).slice(0, 2)).toEqual([422, 'user.sign_in_method_not_enabled'])
  })

  it('can be used to sign in to an account that stores the number exactly as entered', async () => {
    const username = await newAccount()
    const phone = freshPhone().replace('49', '490')
    await app.env.DB.prepare('update users set primary_phone = ? where username = ?')
      .bind(phone, username)
      .run()
    const byCode = await beginInteraction(app)
    await byCode.start('SignIn')
    expect((await byCode.prove({ phone })).status).toBe(204)
    expect((await byCode.submit()).status).toBe(200)
    const byPassword = await beginInteraction(app)
    const started = await byPassword.start('SignIn', { identifier: { phone, password: PASSWORD } })
    expect(started.status).toBe(204)
  })
})
