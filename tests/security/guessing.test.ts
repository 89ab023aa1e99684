import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/settings.ts'
import { countingHashes } from '../counted-hashes.ts'
import { arrive, codeTo, freshEmail, type Guest, told, wrongCode } from '../guest.ts'
import { type House, openHouse } from '../house.ts'
import { everyMethod, setExperience, setTenantSettings } from '../tenant.ts'
import { freshName, newVisitor, PASSWORD, type Visitor } from '../visitor.ts'

/** Production: in development a network may do a hundred times as much. */
let house: House
let development: House
beforeAll(async () => {
  development = openHouse()
  await setExperience(development, { methods: everyMethod })
  const { limits } = DEFAULT_TENANT_SETTINGS
  await setTenantSettings(development, {
    limits: {
      ...limits,
      passwordTriesPerNetwork: { count: 6, windowSeconds: 3600 },
      codeTriesPerAddress: { count: 12, windowSeconds: 24 * 3600 },
    },
  })
  house = openHouse({ ENVIRONMENT: 'production' })
})

const barred = [429, 'request.too_many_requests', { retryAfter: expect.any(Number) }]
const wrong = [422, 'session.invalid_credentials']

async function newAccount(visitor: Visitor = newVisitor(house)): Promise<string> {
  const username = freshName()
  const guest = await arrive(house, visitor)
  await guest.start('Register', { profile: { username, password: PASSWORD } })
  expect((await guest.submit()).status).toBe(200)
  return username
}

/** PUT /interaction from one address of the internet. */
const signInFrom = async (ip: string, username: string, password: string, visitor?: Visitor) => {
  const { call } = await arrive(house, visitor ?? newVisitor(house))
  const identifier = { username, password }
  return call('PUT', '', { event: 'SignIn', identifier }, { 'cf-connecting-ip': ip })
}

describe('guessing from one network', () => {
  it('ends, whosever passwords are tried, and bars nobody elsewhere', async () => {
    const username = await newAccount()
    for (let count = 0; count < 6; count++)
      expect(await told(await signInFrom(`2001:db8:1:1::${count}`, freshName(), 'wrong-horse-7'))).toEqual(
        wrong,
      )
    const response = await signInFrom('2001:db8:1:1:ffff::1', username, PASSWORD)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(await told(response)).toEqual(barred)
    expect((await signInFrom('2001:db8:1:2::1', username, PASSWORD)).status).toBe(204)
  })

  it('of twenty at once is counted as twenty', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () =>
        told(await signInFrom('192.0.2.20', freshName(), 'wrong-horse-7')),
      ),
    )
    expect(answers.filter(([status]) => status === 422).length).toBe(6)
    expect(answers.filter(([status]) => status === 429).length).toBe(14)
  })

  it('costs an account nothing once the network is barred', async () => {
    const username = await newAccount()
    for (let count = 0; count < 6; count++) await signInFrom('192.0.2.30', freshName(), 'wrong-horse-7')
    for (let count = 0; count < 12; count++) await signInFrom('192.0.2.30', username, 'wrong-horse-7')
    expect((await signInFrom('192.0.2.31', username, PASSWORD)).status).toBe(204)
  })

  it('locks nobody out of a browser that signed in before, nor is it what somebody does who knows the password', async () => {
    const owner = newVisitor(house)
    const username = await newAccount(owner)
    for (let count = 0; count < 9; count++)
      expect((await signInFrom('192.0.2.40', username, PASSWORD)).status).toBe(204)
    for (let count = 0; count < 6; count++) await signInFrom('192.0.2.40', freshName(), 'wrong-horse-7')
    expect(await told(await signInFrom('192.0.2.40', username, PASSWORD))).toEqual(barred)
    expect((await signInFrom('192.0.2.40', username, PASSWORD, owner)).status).toBe(204)
    const another = await newAccount()
    expect(await told(await signInFrom('192.0.2.40', another, PASSWORD, owner))).toEqual(barred)
  })
})

describe('guessing the codes of one address', () => {
  const type = (guest: Guest, email: string, verificationCode: string) =>
    guest.call('PATCH', '/identifiers', { email, verificationCode })

  async function asking(email: string, visitor?: Visitor) {
    const guest = await arrive(development, visitor)
    await guest.start('SignIn')
    expect((await guest.sendCode({ email })).status).toBe(204)
    return { guest, code: await codeTo(development, { email }) }
  }

  /** Twelve wrong ones, of two codes. */
  async function exhaust(email: string) {
    for (let round = 0; round < 2; round++) {
      const { guest, code } = await asking(email)
      for (let count = 0; count < 6; count++) {
        const [status, said] = await told(await type(guest, email, wrongCode(code)))
        expect([status, said]).toEqual([400, 'verification_code.code_mismatch'])
      }
    }
  }

  it('ends for a day, however many codes are asked for, and does not use up the code that is right', async () => {
    const email = freshEmail()
    await exhaust(email)
    const { guest, code } = await asking(email)
    const response = await type(guest, email, code)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
    expect(await told(response)).toEqual(barred)
    await development.env.DB.prepare(
      "update counters set window_start = window_start - ?1, locked_until = locked_until - ?1 where key like 'code/%'",
    )
      .bind(24 * 3600 * 1000)
      .run()
    expect((await type(guest, email, code)).status).toBe(204)
  })

  it('locks nobody out of a browser that signed in before', async () => {
    const owner = newVisitor(development)
    const email = freshEmail()
    const first = await arrive(development, owner)
    await first.start('Register', { profile: { username: freshName(), password: PASSWORD } })
    expect((await first.submit()).status).toBe(200)
    const [newest] = (
      await development.env.DB.prepare('select id from users order by created_at desc limit 1').all<{
        id: string
      }>()
    ).results
    await development.env.DB.prepare('update users set primary_email = ? where id = ?')
      .bind(email, newest?.id)
      .run()
    await exhaust(email)
    const stranger = await asking(email)
    expect(await told(await type(stranger.guest, email, stranger.code))).toEqual(barred)
    const { guest, code } = await asking(email, owner)
    expect((await type(guest, email, code)).status).toBe(204)
  })

  it('is nothing where there is no code to guess, so that nobody is barred by what was never sent', async () => {
    const email = freshEmail()
    const guest = await arrive(development)
    await guest.start('SignIn')
    for (let count = 0; count < 13; count++)
      expect((await told(await type(guest, email, '000000'))).slice(0, 2)).toEqual([
        400,
        'verification_code.not_found',
      ])
    const asked = await asking(email)
    expect((await type(asked.guest, email, asked.code)).status).toBe(204)
  })
})

describe('an unknown name and a wrong password', () => {
  async function observe(name: string) {
    const guest = await arrive(house)
    await guest.start('SignIn')
    house.trips()
    const identifier = { username: name, password: 'wrong-horse-7' }
    const { value: response, hashes } = await countingHashes(() => guest.start('SignIn', { identifier }))
    const headers = [...response.headers.keys()]
    return { hashes, trips: house.trips(), status: response.status, body: await response.text(), headers }
  }

  it('cost the same: one hash, one trip, and the same words', async () => {
    const known = await observe(await newAccount())
    expect(known.hashes).toBe(1)
    expect(known.trips.awaited).toBe(1)
    expect(await observe(freshName())).toEqual(known)
  })
})
