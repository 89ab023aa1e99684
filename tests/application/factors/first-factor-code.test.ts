import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import {
  DEFAULT_TENANT_SETTINGS,
  type SecondFactorKind,
  type TenantSettings,
} from '../../../src/contract/tenants/settings.ts'
import { newCookieClient, PASSWORD } from '../../kit/clients/cookie-client.ts'
import {
  codeTo,
  freshEmail,
  freshPhone,
  type InteractionClient,
  outcomeOf,
  receivedMessages,
} from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { signInByPassword } from '../../kit/second-factor.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the code that a submission sends without being asked (spec/interaction#first-factor-code). */

const database = openTestApp()
beforeAll(() => setExperience(database, { methods: everyMethod }))
afterAll(() => setTenantSettings(database, {}))

async function appWith(factors: SecondFactorKind[], more: Partial<TenantSettings> = {}): Promise<TestApp> {
  await setTenantSettings(database, { secondFactor: { policy: 'optional', factors }, ...more })
  return openTestApp({}, { hasCalmDatabase: true })
}

async function newReader(app: TestApp) {
  const member = await storeMember(app)
  const [email, phone] = [freshEmail(), freshPhone()]
  await app.env.DB.prepare('update users set primary_email = ?, primary_phone = ? where id = ?')
    .bind(email, phone, member.userId)
    .run()
  return { ...member, email, phone, masked: `****${phone.slice(-4)}` }
}

/** Returns the page for the second factor, without its scripts. */
async function pageOf({ client, uid }: InteractionClient): Promise<string> {
  const html = await (await client.get(`/second-factor?factors=phone,email&interaction=${uid}`)).text()
  return html.replaceAll(/<script.*?<\/script>/gs, '')
}

const submitRejected = async (interaction: InteractionClient) =>
  expect((await outcomeOf(await interaction.submit()))[1]).toBe('user.second_factor_required')

it('is sent once when the first factor is proved, and by no later request of the interaction', async () => {
  const app = await appWith(['phone', 'email'])
  const { username, phone, email, masked } = await newReader(app)
  const interaction = await signInByPassword(app, username)
  expect(await receivedMessages(app, { phone })).toEqual([])
  app.trips()
  await submitRejected(interaction)
  expect(app.trips().awaited).toBeLessThanOrEqual(7)
  expect(await pageOf(interaction)).toContain(masked)
  await pageOf(interaction)
  await submitRejected(interaction)
  // The page still asks for the code that was sent.
  expect(await pageOf(interaction)).toContain('totpCode_0')
  await interaction.start('SignIn', { identifier: { username, password: PASSWORD } })
  await submitRejected(interaction)
  expect(await receivedMessages(app, { phone })).toHaveLength(1)
  expect(await receivedMessages(app, { email })).toEqual([])

  const phoneCode = await codeTo(app, { phone })
  expect((await interaction.call('PATCH', '/identifiers', { phoneCode })).status).toBe(204)
  expect((await interaction.submit()).status).toBe(200)
  const audit = await app.env.DB.prepare(
    `select json_extract(payload, '$.result') as result from logs
     where key = 'Interaction.SignIn.Identifier.PhoneFactor.Create' and json_extract(payload, '$.interactionId') = ?`,
  )
    .bind(interaction.uid)
    .all()
  expect(audit.results).toEqual([{ result: 'Success' }])
})

it('is sent and counted once even if four requests prove the first factor at the same time', async () => {
  const app = await appWith(['phone'])
  const { username, phone, userId } = await newReader(app)
  const interaction = await signInByPassword(app, username)
  const pages = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = newCookieClient(app)
      for (const [name, cookie] of interaction.client.cookies) client.cookies.set(name, cookie)
      await client.send('POST', '/api/interaction/submit', undefined, { Interaction: interaction.uid })
      return pageOf({ ...interaction, client })
    }),
  )
  expect(await receivedMessages(app, { phone })).toHaveLength(1)
  const counted = await app.env.DB.prepare('select count from counters where key like ?')
    .bind(`phone-factor-send%${userId}`)
    .all()
  expect(counted.results).toEqual([{ count: 1 }])
  // Whichever response the browser shows, its page asks for the code.
  expect(pages.filter((page) => page.includes('totpCode_0'))).toHaveLength(4)
})

it('is not sent if the account prefers a factor that needs no message', async () => {
  const app = await appWith(['totp', 'phone'])
  const { username, phone, userId } = await newReader(app)
  await app.env.DB.prepare(
    `insert into totp_factors (tenant_id, user_id, secret, last_step, created_at) values ('default', ?, 'x', 0, 1)`,
  )
    .bind(userId)
    .run()
  const interaction = await signInByPassword(app, username)
  expect(await outcomeOf(await interaction.submit())).toEqual([
    422,
    'user.second_factor_required',
    { factors: ['totp', 'phone'] },
  ])
  expect(await receivedMessages(app, { phone })).toEqual([])
})

it('reveals no address before the first factor is proved, or in another browser', async () => {
  const app = await appWith(['phone'])
  const { username, masked } = await newReader(app)
  const interaction = await signInByPassword(app, username)
  expect(await pageOf(interaction)).not.toContain(masked)
  await submitRejected(interaction)
  expect(await pageOf(interaction)).toContain(masked)
  expect(await pageOf({ ...interaction, client: newCookieClient(app) })).not.toContain(masked)
})

it('counts towards the limits of requested codes, and above them the page offers the button', async () => {
  const { limits } = DEFAULT_TENANT_SETTINGS
  const phoneFactorSends = { count: 2, windowSeconds: 600 }
  const app = await appWith(['phone'], { limits: { ...limits, phoneFactorSends } })
  const { username, phone, masked } = await newReader(app)
  const first = await signInByPassword(app, username)
  await submitRejected(first)
  expect((await first.call('POST', '/factors/code', { factor: 'phone' })).status).toBe(200)
  const second = await signInByPassword(app, username)
  await submitRejected(second)
  expect(await receivedMessages(app, { phone })).toHaveLength(2)
  const page = await pageOf(second)
  expect(page).toContain('Too many codes were sent')
  expect(page).toContain(`Text a code to ${masked}`)
  expect((await second.call('POST', '/factors/code', { factor: 'phone' })).status).toBe(429)
})

it('loses nothing if the provider fails: the page offers the button, and another factor works', async () => {
  const app = await appWith(['phone', 'email'])
  const { username, phone, email } = await newReader(app)
  const operator = await newOperator(app)
  const config = { endpoint: 'https://sms.invalid', authentication: 'Bearer', secret: 'x' }
  const installed = await operator.send('POST', '/connectors', { connectorId: 'http-sms', config })
  const { id } = (await installed.json()) as { id: string }
  onTestFinished(async () => void (await operator.send('DELETE', `/connectors/${id}`)))
  const interaction = await signInByPassword(app, username)
  await submitRejected(interaction)
  expect(await receivedMessages(app, { phone })).toEqual([])
  expect(await pageOf(interaction)).toContain('We couldn’t send the code')
  await submitRejected(interaction)
  expect(await pageOf(interaction)).toContain('We couldn’t send the code')
  expect((await interaction.call('POST', '/factors/code', { factor: 'email' })).status).toBe(200)
  const emailCode = await codeTo(app, { email })
  expect((await interaction.call('PATCH', '/identifiers', { emailCode })).status).toBe(204)
  expect((await interaction.submit()).status).toBe(200)
})
