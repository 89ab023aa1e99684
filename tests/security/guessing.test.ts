import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
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
  type InteractionClient,
  outcomeOf,
  wrongCode,
} from '../kit/clients/interaction-client.ts'
import { countingHashes } from '../kit/counted-hashes.ts'
import { storeAccount } from '../kit/stored-account.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** The app runs in production, because network limits are a hundred times higher in development. */
let app: TestApp
let development: TestApp
beforeAll(async () => {
  development = openTestApp()
  await setExperience(development, { methods: everyMethod })
  const { limits } = DEFAULT_TENANT_SETTINGS
  await setTenantSettings(development, {
    limits: {
      ...limits,
      passwordTriesPerNetwork: { count: 6, windowSeconds: 3600 },
      codeTriesPerAddress: { count: 12, windowSeconds: 24 * 3600 },
    },
  })
  app = openTestApp({ ENVIRONMENT: 'production' })
})

const barred = [429, 'request.too_many_requests', { retryAfter: expect.any(Number) }]
const wrong = [422, 'session.invalid_credentials']

/** Creates an account. If a browser is passed, the account is registered in it. */
async function newAccount(client?: CookieClient): Promise<string> {
  if (!client) return (await storeAccount()).username
  const username = freshName()
  const interaction = await beginInteraction(app, client, RESUMED)
  await interaction.start('Register', { profile: { username, password: PASSWORD } })
  expect((await interaction.submit()).status).toBe(200)
  return username
}

/** Signs in from an IP address. */
const signInFrom = async (ip: string, username: string, password: string, client?: CookieClient) => {
  const { call } = await beginInteraction(app, client ?? newCookieClient(app))
  const identifier = { username, password }
  return call('PUT', '', { event: 'SignIn', identifier }, { 'cf-connecting-ip': ip })
}

describe('password attempts from one network', () => {
  it('[ASVS-2.4.1-8] are limited across all accounts, without affecting other networks', async () => {
    const username = await newAccount()
    for (let count = 0; count < 6; count++)
      expect(
        await outcomeOf(await signInFrom(`2001:db8:1:1::${count}`, freshName(), 'wrong-horse-7')),
      ).toEqual(wrong)
    const response = await signInFrom('2001:db8:1:1:ffff::1', username, PASSWORD)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(await outcomeOf(response)).toEqual(barred)
    expect((await signInFrom('2001:db8:1:2::1', username, PASSWORD)).status).toBe(204)
  })

  it('are all counted, even if ten arrive simultaneously', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () =>
        outcomeOf(await signInFrom('192.0.2.20', freshName(), 'wrong-horse-7')),
      ),
    )
    expect(answers.filter(([status]) => status === 422).length).toBe(6)
    expect(answers.filter(([status]) => status === 429).length).toBe(4)
  })

  it('are not counted for an account once the network is over its limit', async () => {
    const username = await newAccount()
    for (let count = 0; count < 6; count++) await signInFrom('192.0.2.30', freshName(), 'wrong-horse-7')
    for (let count = 0; count < 12; count++) await signInFrom('192.0.2.30', username, 'wrong-horse-7')
    expect((await signInFrom('192.0.2.31', username, PASSWORD)).status).toBe(204)
  })

  it('[ASVS-6.3.1-2] do not lock out a trusted browser, and do not include correct passwords', async () => {
    const owner = newCookieClient(app)
    const username = await newAccount(owner)
    for (let count = 0; count < 9; count++)
      expect((await signInFrom('192.0.2.40', username, PASSWORD)).status).toBe(204)
    for (let count = 0; count < 6; count++) await signInFrom('192.0.2.40', freshName(), 'wrong-horse-7')
    expect(await outcomeOf(await signInFrom('192.0.2.40', username, PASSWORD))).toEqual(barred)
    expect((await signInFrom('192.0.2.40', username, PASSWORD, owner)).status).toBe(204)
    const another = await newAccount()
    expect(await outcomeOf(await signInFrom('192.0.2.40', another, PASSWORD, owner))).toEqual(barred)
  })
})

describe('code attempts for one address', () => {
  const type = (interaction: InteractionClient, email: string, verificationCode: string) =>
    interaction.call('PATCH', '/identifiers', { email, verificationCode })

  async function asking(email: string, client?: CookieClient) {
    const interaction = await beginInteraction(development, client)
    await interaction.start('SignIn')
    expect((await interaction.sendCode({ email })).status).toBe(204)
    return { interaction, code: await codeTo(development, { email }) }
  }

  /** Makes twelve wrong attempts, six for each of two codes. */
  async function exhaust(email: string) {
    for (let round = 0; round < 2; round++) {
      const { interaction, code } = await asking(email)
      for (let count = 0; count < 6; count++) {
        const [status, errorCode] = await outcomeOf(await type(interaction, email, wrongCode(code)))
        expect([status, errorCode]).toEqual([400, 'verification_code.code_mismatch'])
      }
    }
  }

  it('[ASVS-6.6.3] are limited across all codes, and rejected attempts do not use up the correct code', async () => {
    const email = freshEmail()
    await exhaust(email)
    const { interaction, code } = await asking(email)
    const response = await type(interaction, email, code)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
    expect(await outcomeOf(response)).toEqual(barred)
    await development.env.DB.prepare(
      "update counters set window_start = window_start - ?1, locked_until = locked_until - ?1 where key like 'code/%'",
    )
      .bind(24 * 3600 * 1000)
      .run()
    expect((await type(interaction, email, code)).status).toBe(204)
  })

  it('[ASVS-6.6.3-2] do not lock out a trusted browser', async () => {
    const owner = newCookieClient(development)
    const email = freshEmail()
    const first = await beginInteraction(development, owner, RESUMED)
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
    const other = await asking(email)
    expect(await outcomeOf(await type(other.interaction, email, other.code))).toEqual(barred)
    const { interaction, code } = await asking(email, owner)
    expect((await type(interaction, email, code)).status).toBe(204)
  })

  it('are not counted if no code was sent to the address', async () => {
    const email = freshEmail()
    const interaction = await beginInteraction(development)
    await interaction.start('SignIn')
    for (let count = 0; count < 13; count++)
      expect((await outcomeOf(await type(interaction, email, '000000'))).slice(0, 2)).toEqual([
        400,
        'verification_code.not_found',
      ])
    const sending = await asking(email)
    expect((await type(sending.interaction, email, sending.code)).status).toBe(204)
  })
})

describe('an unknown username and a wrong password', () => {
  async function observe(name: string) {
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    app.trips()
    const identifier = { username: name, password: 'wrong-horse-7' }
    const { value: response, hashes } = await countingHashes(() =>
      interaction.start('SignIn', { identifier }),
    )
    const headers = [...response.headers.keys()]
    return { hashes, trips: app.trips(), status: response.status, body: await response.text(), headers }
  }

  it('[ASVS-6.3.8] need equal numbers of hashes and round trips, and get the same response', async () => {
    const known = await observe(await newAccount())
    expect(known.hashes).toBe(1)
    expect(known.trips.awaited).toBe(1)
    expect(await observe(freshName())).toEqual(known)
  })
})
