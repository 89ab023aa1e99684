import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../../src/contract/tenants/settings.ts'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  freshEmail,
  freshPhone,
  outcomeOf,
  receivedMessages,
} from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests that only the owner of an address of the account can reset the password, and that other addresses are notified.
 */

let app: TestApp
beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  // Without a calm database, a claim that is retried would leave the notice to the scheduled maintenance.
  app = openTestApp({}, { hasCalmDatabase: true })
})

afterAll(() => setTenantSettings(app, {}))

async function newAccount(more = {}) {
  const account = {
    username: freshName(),
    password: PASSWORD,
    primaryEmail: freshEmail(),
    primaryPhone: freshPhone(),
    ...more,
  }
  const created = await (await newOperator(app)).send('POST', '/users', account)
  expect(created.status).toBe(200)
  const { id } = (await created.json()) as { id: string }
  return { id, ...account, email: { email: account.primaryEmail }, phone: { phone: account.primaryPhone } }
}

const noticesOf = async (recipient: string) =>
  (
    await app.env.DB.prepare('select id from notices where recipient = ?')
      .bind(recipient)
      .all<{ id: string }>()
  ).results.map(({ id }) => id)

const refused = [422, 'user.sign_in_method_not_enabled']
const profile = { password: 'another-horse-8' }

async function reset(
  address: { email: string } | { phone: string },
  headers = {},
  through = app,
): Promise<Response> {
  const { start, prove, call } = await beginInteraction(through)
  await start('ForgotPassword')
  expect((await prove(address)).status).toBe(204)
  await call('PUT', '/profile', profile)
  return call('POST', '/submit', undefined, headers)
}

describe('a password reset', () => {
  it('[ASVS-6.4.3-2] accepts neither a password nor a social account as verification', async () => {
    const { username, primaryEmail, primaryPhone } = await newAccount()
    const { call, start, submit } = await beginInteraction(app)
    for (const identifier of [
      { username, password: PASSWORD },
      { email: primaryEmail, password: PASSWORD },
      { phone: primaryPhone, password: PASSWORD },
      { connectorId: 'github', connectorData: { code: '1' } },
      { connectorId: 'github', email: primaryEmail },
    ]) {
      expect(await outcomeOf(await start('ForgotPassword', { identifier, profile }))).toEqual(refused)
      expect((await start('ForgotPassword', { profile })).status).toBe(204)
      expect(await outcomeOf(await call('PATCH', '/identifiers', identifier))).toEqual(refused)
      expect((await submit()).status).toBeGreaterThanOrEqual(400)
    }
    const { start: again } = await beginInteraction(app)
    expect((await again('SignIn', { identifier: { username, password: PASSWORD } })).status).toBe(204)
  })

  it('[ASVS-6.3.7] sends a notice in the user’s language to the email address if the user resets by phone', async () => {
    const { email, phone } = await newAccount()
    expect((await reset(phone, { 'accept-language': 'de' })).status).toBe(204)
    const messages = await receivedMessages(app, email)
    expect(messages).toMatchObject([{ type: 'PasswordReset', code: '', language: 'de', channel: 'email' }])
    expect(messages[0]?.body).toContain('Das waren Sie nicht? Setzen Sie jetzt Ihr Passwort zurück')
  })

  it('sends a notice to the email address even if a code sent to another address was used', async () => {
    const { email, phone } = await newAccount()
    const { start, prove, call, submit } = await beginInteraction(app)
    const own = { email: freshEmail() }
    await start('ForgotPassword', { profile: { ...profile, ...own } })
    await prove(own)
    await prove(phone)
    await call('PUT', '/profile', profile)
    if ((await submit()).status !== 204) await call('PUT', '/profile', { ...profile, ...own })
    expect((await submit()).status).toBe(204)
    expect(await receivedMessages(app, email)).toHaveLength(1)
  })

  it('[ASVS-6.3.7-2] sends a notice to the phone number if the user resets by email, but only if the number is verified', async () => {
    const { email, phone } = await newAccount()
    expect((await reset(email, { 'accept-language': 'fr' })).status).toBe(204)
    expect((await receivedMessages(app, email)).map(({ type }) => type)).toEqual(['ForgotPassword'])
    const messages = await receivedMessages(app, phone)
    expect(messages).toMatchObject([{ type: 'PasswordReset', code: '', language: 'fr', channel: 'sms' }])
    expect(messages[0]?.body).toContain('Ce n’était pas vous\u202f? Réinitialisez votre mot de passe')

    const unverified = await newAccount({ phoneVerified: false })
    expect((await reset(unverified.email)).status).toBe(204)
    expect(await receivedMessages(app, unverified.phone)).toEqual([])
  })

  it('is not delayed by limits on text messages, although its notice may be delayed or dropped', async () => {
    const limits = { ...DEFAULT_TENANT_SETTINGS.limits, smsPerTenant: { count: 1, windowSeconds: 3600 } }
    await app.env.DB.prepare("delete from counters where key like 'sms/%'").run()
    await setTenantSettings(app, { limits })
    const limited = openTestApp({}, { hasCalmDatabase: true })
    const [first, second] = [await newAccount(), await newAccount()]
    for (const { email } of [first, second]) expect((await reset(email, {}, limited)).status).toBe(204)
    expect(await receivedMessages(app, first.phone)).toHaveLength(1)
    expect(await receivedMessages(app, second.phone)).toEqual([])
    expect(await noticesOf(second.primaryPhone)).toHaveLength(1)
    for (const statement of [
      "delete from counters where key like 'sms/%'",
      'update notices set next_attempt_at = 1',
    ])
      await app.env.DB.prepare(statement).run()
    await limited.sweep()
    expect(await receivedMessages(app, second.phone)).toMatchObject([{ type: 'PasswordReset' }])

    await setTenantSettings(app, { smsCountries: ['EE'] })
    const abroad = await newAccount()
    const elsewhere = openTestApp({}, { hasCalmDatabase: true })
    expect((await reset(abroad.email, {}, elsewhere)).status).toBe(204)
    expect(await receivedMessages(app, abroad.phone)).toEqual([])
    expect(await noticesOf(abroad.primaryPhone)).toEqual([])
    await setTenantSettings(app, {})
  })

  it('responds before sending its notice', async () => {
    const { primaryEmail, email, phone } = await newAccount()
    const { start, prove, call, uid, client } = await beginInteraction(app)
    await start('ForgotPassword')
    await prove(phone)
    await call('PUT', '/profile', profile)
    app.trips()
    const headers = { Interaction: uid, cookie: client.cookieHeader('/api/interaction/submit') }
    const { response, settled } = await app.answer('/api/interaction/submit', { method: 'POST', headers })
    expect(response.status).toBe(204)
    expect(app.trips().awaited).toBe(2)
    await settled
    expect(await receivedMessages(app, email)).toHaveLength(1)
    expect(await noticesOf(primaryEmail)).toEqual([])
  })

  it('retries a failed notice in the scheduled maintenance until the last attempt', async () => {
    const { id, primaryEmail, email } = await newAccount()
    for (const notice of [
      { id: 'due', type: 'PasswordReset', attempts: 1 },
      { id: 'unreadable', type: 'Unknown', attempts: 1 },
      { id: 'last', type: 'Unknown', attempts: 99 },
    ]) {
      await app.env.DB.prepare(
        `insert into notices (tenant_id, user_id, id, recipient, type, host, request_id, attempts, next_attempt_at,
          created_at) values ('default', ?, ?, ?, ?, 'id.example.com', 'r', ?, 1, 1)`,
      )
        .bind(id, notice.id, primaryEmail, notice.type, notice.attempts)
        .run()
    }
    await app.sweep()
    expect(await receivedMessages(app, email)).toMatchObject([{ type: 'PasswordReset' }])
    expect(await noticesOf(primaryEmail)).toEqual(['unreadable'])
    await app.sweep()
    expect(await receivedMessages(app, email)).toHaveLength(1)
  })
})
