import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  freshPhone,
  type InteractionClient,
  outcomeOf,
  wrongCode,
} from '../kit/clients/interaction-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/**
 * A stranger with any number of networks uses up the limits of an account and its address. The owner has only
 * a mailbox or a phone, a new browser and a new network (ADR-0153).
 */

const IN_A_ROW = 3
let app: TestApp
/** The app runs in production, because network limits are a hundred times higher in development. */
let production: TestApp
beforeAll(async () => {
  const { limits } = DEFAULT_TENANT_SETTINGS
  const passwordTriesInARow = { ...limits.passwordTriesInARow, count: IN_A_ROW }
  await setTenantSettings(openTestApp(), { limits: { ...limits, passwordTriesInARow } })
  await setExperience(openTestApp(), { methods: everyMethod })
  app = openTestApp({}, { hasCalmDatabase: true })
  production = openTestApp({ ENVIRONMENT: 'production' })
})
afterAll(() => setTenantSettings(app, {}))

type Address = { email: string } | { phone: string }

async function newAccount() {
  const account = { username: freshName(), primaryEmail: freshEmail(), primaryPhone: freshPhone() }
  const created = await (await newOperator(app)).send('POST', '/users', { ...account, password: PASSWORD })
  expect(created.status).toBe(200)
  const { username, primaryEmail, primaryPhone } = account
  return { username, email: { email: primaryEmail }, phone: { phone: primaryPhone } }
}

let networks = 0
const freshNetwork = () => `198.18.${++networks >> 8}.${networks & 255}`
const from = (ip: string) => ({ 'cf-connecting-ip': ip })

/** Requests a code in a new browser. Returns the interaction and the response. */
async function send(event: InteractionEvent, address: Address, ip = freshNetwork(), at = app) {
  const interaction = await beginInteraction(at)
  await interaction.start(event)
  return {
    interaction,
    sent: await interaction.call('POST', '/verification/verification-code', address, from(ip)),
  }
}

const signIn = async (username: string, password: string) => {
  const { call } = await beginInteraction(app)
  const identifier = { username, password }
  return call('PUT', '', { event: 'SignIn', identifier }, from(freshNetwork()))
}

const guess = async (interaction: InteractionClient, address: Address, verificationCode: string) =>
  interaction.call('PATCH', '/identifiers', { ...address, verificationCode })

/** Ages the counters by this many hours, as if that time had passed. */
const later = (hours: number) =>
  app.env.DB.prepare(`update counters set window_start = window_start - ?1, locked_until = locked_until - ?1,
      burst_window_start = burst_window_start - ?1, burst_locked_until = burst_locked_until - ?1`)
    .bind(hours * 3_600_000)
    .run()

/** Uses up the sixteen attempts for an address, with two codes. */
async function useUpTries(event: InteractionEvent, address: Address) {
  for (let code = 0; code < 2; code++) {
    const { interaction } = await send(event, address)
    const wrong = wrongCode(await codeTo(app, address))
    for (let count = 0; count < 8; count++)
      expect((await guess(interaction, address, wrong)).status).toBe(400)
    if (code === 1) expect((await guess(interaction, address, wrong)).status).toBe(429)
  }
}

async function useUpPasswordsAndCodes(username: string, address: Address) {
  for (let count = 0; count < IN_A_ROW; count++) await signIn(username, 'wrong-horse-7')
  for (const event of ['SignIn', 'Register', 'SignIn'] as const) {
    for (let count = 0; count < 5; count++) expect((await send(event, address)).sent.status).toBe(204)
    await later(0.2)
  }
  await useUpTries('SignIn', address)
  for (let count = 0; count < 3; count++) await send('Register', address)
  await later(0.2)
  expect((await send('SignIn', address)).sent.status).toBe(429)
  expect(await outcomeOf(await signIn(username, PASSWORD))).toEqual([422, 'session.password_locked'])
}

async function expectReset(username: string, address: Address) {
  const { interaction, sent } = await send('ForgotPassword', address)
  expect(sent.status).toBe(204)
  expect((await guess(interaction, address, await codeTo(app, address))).status).toBe(204)
  const password = 'another-horse-8'
  await interaction.call('PUT', '/profile', { password })
  expect((await interaction.submit()).status).toBe(204)
  expect((await signIn(username, password)).status).toBe(204)
}

it.each(['email', 'phone'] as const)(
  '[ASVS-6.1.1-2] an owner whose password and code attempts are used up can reset the password by %s',
  async (kind) => {
    const { username, ...addresses } = await newAccount()
    const address = addresses[kind]
    await useUpPasswordsAndCodes(username, address)
    // Each network has a separate limit for resets, across all its addresses and browsers. The first three
    // messages cannot be delivered, but are counted.
    for (const status of [400, 400, 400, 429, 429])
      expect((await send('ForgotPassword', address, '192.0.2.66', production)).sent.status).toBe(status)
    await expectReset(username, address)
  },
)

it('[ASVS-6.1.1-3] an owner’s reset is delayed by at most four hours if a stranger uses up the attempts', async () => {
  const { username, email } = await newAccount()
  await useUpPasswordsAndCodes(username, email)
  await useUpTries('ForgotPassword', email)
  for (const status of [204, 204, 204, 429])
    expect((await send('ForgotPassword', email)).sent.status).toBe(status)
  const { sent } = await send('ForgotPassword', email)
  expect(await outcomeOf(sent)).toEqual([
    429,
    'request.too_many_requests',
    { retryAfter: expect.any(Number) },
  ])
  expect(Number(sent.headers.get('retry-after'))).toBeLessThanOrEqual(4 * 3600)
  await later(4)
  await expectReset(username, email)
})

it('[ASVS-6.1.1-4] a password reset is limited identically for addresses with and without an account', async () => {
  const answers = async (address: Address) => {
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push((await send('ForgotPassword', address)).sent.status)
    return statuses
  }
  const { email } = await newAccount()
  const known = await answers(email)
  expect(known).toEqual([204, 204, 204, 204, 204, 429])
  expect(await answers({ email: freshEmail() })).toEqual(known)
})
