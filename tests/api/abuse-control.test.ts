import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/settings.ts'
import { arrive, codeTo, freshEmail, freshPhone, type Guest, inbox, told, wrongCode } from '../guest.ts'
import { type House, openHouse } from '../house.ts'
import { everyMethod, setExperience, setTenantSettings } from '../tenant.ts'
import { freshName, newVisitor, PASSWORD, type Visitor } from '../visitor.ts'

/** Decision 16, through the front door. */

let house: House
beforeAll(async () => {
  house = openHouse()
  await setExperience(house, { methods: everyMethod })
})

async function newAccount(visitor: Visitor = newVisitor(house)): Promise<string> {
  const username = freshName()
  const guest = await arrive(house, visitor)
  await guest.start('Register', { profile: { username, password: PASSWORD } })
  expect((await guest.submit()).status).toBe(200)
  return username
}

const WRONG = 'wrong-horse-7'
const signIn = (guest: Guest, username: string, password: string) =>
  guest.start('SignIn', { identifier: { username, password } })

const wrong = [422, 'session.invalid_credentials']
const barred = [429, 'request.too_many_requests', { retryAfter: expect.any(Number) }]

async function failTenTimes(username: string) {
  const guest = await arrive(house)
  for (let count = 0; count < 10; count++)
    expect(await told(await signIn(guest, username, WRONG))).toEqual(wrong)
}

/** The clock of the counters, put forward by so many minutes. */
const later = (minutes: number) =>
  house.env.DB.prepare(
    'update counters set window_start = window_start - ?1, locked_until = locked_until - ?1',
  )
    .bind(minutes * 60_000)
    .run()

describe('guessing a password', () => {
  it('ends after ten tries, for the right one too, until ten minutes are over', async () => {
    const username = await newAccount()
    await failTenTimes(username)
    const response = await signIn(await arrive(house), username, PASSWORD)
    const seconds = Number(response.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(590)
    expect(seconds).toBeLessThanOrEqual(600)
    expect(await told(response)).toEqual([429, 'request.too_many_requests', { retryAfter: seconds }])

    await later(9)
    expect(await told(await signIn(await arrive(house), username, PASSWORD))).toEqual(barred)
    await later(1)
    expect((await signIn(await arrive(house), username, PASSWORD)).status).toBe(204)
  })

  it('of one account says nothing to another, nor to nobody', async () => {
    const [victim, other] = [await newAccount(), await newAccount()]
    await failTenTimes(victim)
    expect((await signIn(await arrive(house), other, PASSWORD)).status).toBe(204)
    const nobody = freshName()
    await failTenTimes(nobody)
    expect(await told(await signIn(await arrive(house), nobody, WRONG))).toEqual(barred)
  })

  it('counts twenty at once as twenty, by PUT / and PATCH /identifiers alike', async () => {
    const username = await newAccount()
    const guest = await arrive(house)
    await guest.start('SignIn')
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        told(
          index % 2
            ? await guest.call('PATCH', '/identifiers', { username, password: WRONG })
            : await signIn(guest, username, WRONG),
        ),
      ),
    )
    expect(answers.filter(([status]) => status === 422).length).toBe(10)
    expect(answers.filter(([status]) => status === 429).length).toBe(10)
  })

  it('is not what somebody does who knows it, however often, suspended or not', async () => {
    const username = await newAccount()
    const guest = await arrive(house)
    for (let count = 0; count < 12; count++)
      expect((await signIn(guest, username, PASSWORD)).status).toBe(204)
    await house.env.DB.prepare('update users set is_suspended = 1 where username = ?').bind(username).run()
    for (let count = 0; count < 12; count++) {
      expect(await told(await signIn(guest, username, PASSWORD))).toEqual([401, 'user.suspended'])
    }
  })

  it('does not cost a try where the method is off', async () => {
    const phone = freshPhone()
    const guest = await arrive(house)
    await setExperience(house, { methods: everyMethod.filter(({ identifier }) => identifier !== 'phone') })
    const identifier = { phone, password: WRONG }
    for (let count = 0; count < 11; count++) {
      const response = await guest.call('PUT', '?no_cache', { event: 'SignIn', identifier })
      expect(response.status).toBe(422)
    }
    await setExperience(house, { methods: everyMethod })
    const response = await guest.call('PUT', '?no_cache', { event: 'SignIn', identifier })
    expect(await told(response)).toEqual(wrong)
  })
})

describe('a browser that signed in before', () => {
  it('keeps its own allowance while others use up the shared one, and no more than that', async () => {
    const owner = newVisitor(house)
    const username = await newAccount(owner)
    await failTenTimes(username)
    expect(await told(await signIn(await arrive(house), username, PASSWORD))).toEqual(barred)

    const guest = await arrive(house, owner)
    for (let count = 0; count < 9; count++)
      expect(await told(await signIn(guest, username, WRONG))).toEqual(wrong)
    expect((await signIn(guest, username, PASSWORD)).status).toBe(204)
    expect(await told(await signIn(guest, username, WRONG))).toEqual(wrong)
    expect(await told(await signIn(guest, username, PASSWORD))).toEqual(barred)
  })

  it('has it for codes too', async () => {
    const owner = newVisitor(house)
    const username = await newAccount(owner)
    const email = freshEmail()
    await house.env.DB.prepare('update users set primary_email = ? where username = ?')
      .bind(email, username)
      .run()
    const stranger = await arrive(house)
    await stranger.start('ForgotPassword')
    for (let count = 0; count < 5; count++) expect((await stranger.sendCode({ email })).status).toBe(204)
    expect(await told(await stranger.sendCode({ email }))).toEqual(barred)
    const guest = await arrive(house, owner)
    await guest.start('ForgotPassword')
    expect((await guest.sendCode({ email })).status).toBe(204)
  })

  it('has it for its own accounts alone, and cannot make it up', async () => {
    const [own, victim] = [newVisitor(house), newVisitor(house)]
    await newAccount(own)
    const username = await newAccount(victim)
    await failTenTimes(username)
    expect(await told(await signIn(await arrive(house, own), username, PASSWORD))).toEqual(barred)

    const sealed = victim.cookies.get('_known')?.value ?? ''
    for (const value of ['forged', `${sealed.slice(0, -4)}AAAA`]) {
      const forger = newVisitor(house)
      forger.cookies.set('_known', { value, path: '/' })
      expect(await told(await signIn(await arrive(house, forger), username, PASSWORD))).toEqual(barred)
    }
  })

  it('remembers the last five who did, in a cookie no script can read', async () => {
    const shared = newVisitor(house)
    const usernames: string[] = []
    for (let count = 0; count < 6; count++) usernames.push(await newAccount(shared))
    const barredNow = async (username: string) => {
      await failTenTimes(username)
      return (await signIn(await arrive(house, shared), username, PASSWORD)).status === 429
    }
    expect(await barredNow(usernames[0] ?? '')).toBe(true)
    expect(await barredNow(usernames[1] ?? '')).toBe(false)

    const guest = await arrive(house)
    await signIn(guest, usernames[5] ?? '', PASSWORD)
    const [cookie] = (await guest.submit()).headers
      .getSetCookie()
      .filter((line) => line.startsWith('_known='))
    expect(cookie).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
  })
})

describe('sending codes', () => {
  it('to one address ends after five, also of twenty asked for at once, and each that was sent is in the inbox', async () => {
    const email = freshEmail()
    const guest = await arrive(house)
    await guest.start('SignIn')
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => told(await guest.sendCode({ email }))),
    )
    expect(answers.filter(([status]) => status === 204).length).toBe(5)
    expect(answers.filter(([status]) => status !== 204)).toEqual(Array.from({ length: 15 }, () => barred))
    const messages = await inbox(house, { email })
    expect(messages.length).toBe(5)

    const { results } = await house.env.DB.prepare('select code from passcodes where email = ?')
      .bind(email)
      .all<{ code: string }>()
    expect(results.length).toBe(1)
    expect(messages.map(({ code }) => code)).toContain(results[0]?.code)
    expect((await guest.sendCode({ email: freshEmail() })).status).toBe(204)
    await later(10)
    expect((await guest.sendCode({ email: email.toUpperCase() })).status).toBe(204)
  })

  it('from one network ends after twenty within the hour, whatever the addresses', async () => {
    const production = openHouse({ ENVIRONMENT: 'production' })
    const send = async (ip: string) => {
      const guest = await arrive(production)
      await guest.start('SignIn')
      const address = { phone: freshPhone() }
      const headers = { 'cf-connecting-ip': ip }
      return told(await guest.call('POST', '/verification/verification-code', address, headers))
    }
    for (let count = 0; count < 20; count++) {
      expect((await send(`2001:db8:7:7::${count}`))[1]).toBe('connector.not_found')
    }
    const [status, code, data] = await send('2001:db8:7:7:ffff::1')
    expect([status, code]).toEqual([429, 'request.too_many_requests'])
    expect((data as { retryAfter: number }).retryAfter).toBeGreaterThan(3500)
    expect((await send('2001:db8:7:8::1'))[1]).toBe('connector.not_found')
  })

  it('is not counted before there is anything to prove', async () => {
    const email = freshEmail()
    const guest = await arrive(house)
    for (let count = 0; count < 6; count++) expect((await guest.sendCode({ email })).status).toBe(404)
    await guest.start('SignIn')
    expect((await guest.sendCode({ email })).status).toBe(204)
  })
})

describe('typing a code', () => {
  it('twenty times at once, right and wrong, succeeds once and is counted ten times at most', async () => {
    for (const rights of [1, 10]) {
      const email = freshEmail()
      const guest = await arrive(house)
      await guest.start('SignIn')
      await guest.sendCode({ email })
      const code = await codeTo(house, { email })
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const verificationCode = index % 2 === 0 && index < rights * 2 ? code : wrongCode(code)
          return told(await guest.call('PATCH', '/identifiers', { email, verificationCode }))
        }),
      )
      const count = (outcome: string | null) => answers.filter(([, one]) => one === outcome).length
      expect(count(null)).toBeLessThanOrEqual(1)
      expect(count('verification_code.code_mismatch')).toBeLessThanOrEqual(10)
      expect(answers.every(([status]) => status === 204 || status === 400)).toBe(true)
      const { results } = await house.env.DB.prepare(
        'select consumed, try_count as tries, code from passcodes where email = ?',
      )
        .bind(email)
        .all<{ consumed: number; tries: number; code: string | null }>()
      expect(results).toEqual([{ consumed: count(null), tries: expect.any(Number), code: null }])
    }
  })
})

describe('an operator', () => {
  it('sets other limits', async () => {
    const strict = openHouse()
    const passwordTries = { count: 2, windowSeconds: 30 }
    const limits = { ...DEFAULT_TENANT_SETTINGS.limits, passwordTries, lockSeconds: 30 }
    await setTenantSettings(strict, { limits })
    const guest = await arrive(strict)
    const username = freshName()
    expect(await told(await signIn(guest, username, WRONG))).toEqual(wrong)
    expect(await told(await signIn(guest, username, WRONG))).toEqual(wrong)
    const response = await signIn(guest, username, WRONG)
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(30)
    expect(await told(response)).toEqual(barred)
    await setTenantSettings(strict, {})
  })
})
