import { env } from 'cloudflare:workers'
import type { D1Database } from '@cloudflare/workers-types'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  freshEmail,
  freshPhone,
  type InteractionClient,
  outcomeOf,
  receivedMessages,
} from '../kit/clients/interaction-client.ts'
import { countingHashes } from '../kit/counted-hashes.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * If the tenant hides the existence of accounts, responses and their countable cost are the same whether or not an
 * address has an account (spec/accounts#hidden-existence).
 */

const statements: string[] = []
let app: TestApp
let known: { username: string; email: string; phone: string }

beforeAll(async () => {
  app = openTestApp()
  await setExperience(app, {
    methods: everyMethod,
    signUp: { identifiers: ['email'], password: false, verify: true },
  })
  await setTenantSettings(app, { accountExistence: 'hidden' })
  known = { username: freshName(), email: freshEmail(), phone: freshPhone() }
  const interaction = await beginInteraction(app)
  await interaction.start('Register')
  await interaction.prove({ email: known.email })
  await interaction.call('PUT', '/profile', { email: known.email })
  expect((await interaction.submit()).status).toBe(200)
  const reset = await beginInteraction(app)
  await reset.start('ForgotPassword')
  await reset.prove({ email: known.email })
  await reset.call('PUT', '/profile', { password: PASSWORD })
  expect((await reset.submit()).status).toBe(204)
  await app.env.DB.prepare('update users set username = ?, primary_phone = ? where primary_email = ?')
    .bind(known.username, known.phone, known.email)
    .run()
})

function recordStatements(database: D1Database): D1Database {
  return new Proxy(database, {
    get(target, property) {
      if (property === 'prepare') {
        return (query: string) => {
          statements.push(query)
          return target.prepare(query)
        }
      }
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

type Observed = {
  status: number
  body: string
  headers: [name: string, value: string][]
  statements: string[]
  hashes: number
}

/**
 * Makes a call to a new app with empty caches, and returns everything that can be observed or counted, including the
 * work after the response.
 */
async function observe(call: (interaction: InteractionClient) => Promise<Response>): Promise<Observed> {
  const interaction = await beginInteraction(openTestApp({ DB: recordStatements(env.DB) }))
  await interaction.start('SignIn')
  statements.length = 0
  const { value: response, hashes } = await countingHashes(() => call(interaction))
  return {
    status: response.status,
    body: await response.text(),
    headers: [...response.headers].filter(([name]) => name !== 'x-request-id'),
    statements: [...statements],
    hashes,
  }
}

const unknown = { username: freshName(), email: freshEmail(), phone: freshPhone() }

describe('the existence of a hidden account', () => {
  it.each(['username', 'email', 'phone'] as const)(
    'is not revealed by the response to a wrong password or by the cost of computing the response: %s',
    async (type) => {
      const attempt = (account: typeof known) =>
        observe((interaction) =>
          interaction.start('SignIn', { identifier: { [type]: account[type], password: 'wrong-1' } }),
        )
      const [one, other] = [await attempt(known), await attempt(unknown)]
      expect(one).toEqual(other)
      expect(one.status).toBe(422)
      expect(one.hashes).toBeGreaterThan(0)
      expect(one.statements.length).toBeGreaterThan(3)
    },
  )

  it('is not revealed by a password attempt on an account without a password', async () => {
    const email = freshEmail()
    await app.env.DB.prepare(
      "insert into users (tenant_id, id, primary_email, created_at) values ('default', ?, ?, 0)",
    )
      .bind(freshName().slice(-12), email)
      .run()
    const attempt = (address: string) =>
      observe((interaction) =>
        interaction.start('SignIn', { identifier: { email: address, password: PASSWORD } }),
      )
    expect(await attempt(email)).toEqual(await attempt(freshEmail()))
  })

  it.each([
    ['SignIn', 'email'],
    ['SignIn', 'phone'],
    ['Register', 'email'],
    ['ForgotPassword', 'email'],
    ['ForgotPassword', 'phone'],
  ] as const)('[ASVS-6.3.8-3] is not revealed by a request for a code: %s by %s', async (event, type) => {
    const requestCode = async (account: typeof known) => {
      const address = type === 'email' ? { email: account.email } : { phone: account.phone }
      const before = (await receivedMessages(app, address)).length
      const observed = await observe(async (interaction) => {
        await interaction.start(event)
        statements.length = 0
        return interaction.sendCode(address)
      })
      return { ...observed, messages: (await receivedMessages(app, address)).length - before }
    }
    const [one, other] = [await requestCode(known), await requestCode(unknown)]
    expect(one).toEqual(other)
    expect([one.status, one.messages]).toEqual([204, 1])
  })

  it('is not revealed by a wrong code', async () => {
    const attempt = (email: string) =>
      observe((interaction) =>
        interaction.call('PATCH', '/identifiers', { email, verificationCode: '000000' }),
      )
    expect(await attempt(known.email)).toEqual(await attempt(unknown.email))
  })

  it('is not revealed by an unverified address in a profile', async () => {
    const attempt = (email: string) =>
      observe(async (interaction) => {
        await interaction.start('Register', { profile: { email } })
        statements.length = 0
        return interaction.submit()
      })
    const [one, other] = [await attempt(known.email), await attempt(unknown.email)]
    expect(one).toEqual(other)
    expect(one.status).toBe(404)
  })
})

describe('the owner of a verified address', () => {
  it('finds out whether an account has the address, even if account existence is hidden', async () => {
    const interaction = await beginInteraction(app)
    const email = freshEmail()
    await interaction.start('SignIn')
    await interaction.prove({ email })
    expect(await outcomeOf(await interaction.submit())).toEqual([
      404,
      'user.user_not_exist',
      { identifier: email },
    ])

    await interaction.call('PUT', '/event', { event: 'Register' })
    await interaction.call('PUT', '/profile', { email })
    expect((await interaction.submit()).status).toBe(200)
    const owner = await beginInteraction(app)
    await owner.start('Register')
    await owner.prove({ email })
    await owner.call('PUT', '/profile', { email })
    expect(await outcomeOf(await owner.submit())).toEqual([422, 'user.email_already_in_use'])
  })
})
