import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ALL_EDITABLE } from '../../src/contract/account/account-fields.ts'
import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import {
  type Limit,
  RATE_LIMITS,
  type RateLimitName,
  rateLimitNames,
} from '../../src/contract/rate-limits.ts'
import { DEFAULT_TENANT_SETTINGS, type TenantSettings } from '../../src/contract/tenants/settings.ts'
import { newMember } from '../kit/clients/account-client.ts'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  PASSWORD,
  RESUMED,
} from '../kit/clients/cookie-client.ts'
import { openCodeForm, xsrfIn } from '../kit/clients/device-client.ts'
import {
  beginInteraction,
  codeTo,
  freshEmail,
  type InteractionClient,
  outcomeOf,
  wrongCode,
} from '../kit/clients/interaction-client.ts'
import { machineToken, newOperator } from '../kit/clients/management-client.ts'
import { RP_ID } from '../kit/clients/passkey-client.ts'
import { storeOrganization } from '../kit/organisations/organizations.ts'
import { signInByPassword } from '../kit/second-factor.ts'
import { storeAccount } from '../kit/stored-account.ts'
import { storeMember, storeVisitor } from '../kit/stored-session.ts'
import { someOf } from '../kit/sweep.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { pictureFiles } from '../outbound/messages/pictures.ts'
import { basicHeader, newClient } from './parties.ts'

/** Tests every row of the table of rate limits over HTTP (spec/limits#rate-limits). */

const WRONG = 'wrong-horse-7'
const LIMIT = 2
const AT_ONCE = 3

const database = openTestApp()
beforeAll(() => setExperience(database, { methods: everyMethod }))
afterAll(() => setTenantSettings(database, {}))

/** Opens a new app for each set of settings, because settings are cached. */
async function appWith(
  changed: Partial<Record<RateLimitName, Limit>>,
  more: Partial<TenantSettings> = {},
  environment = 'production',
): Promise<TestApp> {
  await setTenantSettings(database, {
    limits: { ...DEFAULT_TENANT_SETTINGS.limits, ...changed },
    secondFactor: { policy: 'optional', factors: ['totp', 'email', 'phone'] },
    ...more,
  })
  return openTestApp({ ENVIRONMENT: environment }, { hasCalmDatabase: true })
}

async function newAccount() {
  const phone = numberOf('49')
  return { ...(await storeAccount({ phone })), phone }
}

let numbers = 0
const numberOf = (callingCode: string) => `${callingCode}${17_000_000_000 + ++numbers}`

let networks = 0
/** Returns an IP address in a network that has not been used before. */
const anyNetwork = () => `198.18.${(++networks >> 8) & 255}.${networks & 255}`
/** Returns different IP addresses in one network. */
const hostOf = (network: string) => (host: number) => `${network}::${host + 1}`
const freshNetwork = () => `2001:db8:${(++networks).toString(16)}:1`
const from = (ip: string) => ({ 'cf-connecting-ip': ip })

const signIn = async (app: TestApp, identifier: object, ip = anyNetwork(), client?: CookieClient) =>
  (await beginInteraction(app, client)).call('PUT', '', { event: 'SignIn', identifier }, from(ip))

const started = async (app: TestApp, event: InteractionEvent, more = {}) => {
  const interaction = await beginInteraction(app)
  await interaction.start(event, more)
  return interaction
}
const sendFrom = (interaction: InteractionClient, address: object, ip: string) =>
  interaction.call('POST', '/verification/verification-code', address, from(ip))

/** Returns a function that guesses a second factor in an interaction that has identified its account. */
async function secondStep(app: TestApp) {
  const { username, userId } = await storeMember(app)
  await app.env.DB.prepare(
    "insert into totp_factors (tenant_id, user_id, secret, created_at) values ('default', ?, 'not sealed', 1)",
  )
    .bind(userId)
    .run()
  const interaction = await signInByPassword(app, username)
  expect((await interaction.submit()).status).toBe(422)
  return (guess: object) => interaction.call('PATCH', '/identifiers', guess)
}

/** Returns functions that send and guess codes for an account whose addresses are its second factors. */
async function addressStep(app: TestApp, sent = ['email', 'phone']) {
  const { username } = await newAccount()
  const interaction = await signInByPassword(app, username)
  expect((await interaction.submit()).status).toBe(422)
  const send = (factor: string) => interaction.call('POST', '/factors/code', { factor }, from(anyNetwork()))
  for (const factor of sent) expect((await send(factor)).status).toBe(200)
  return { send, guess: (guess: object) => interaction.call('PATCH', '/identifiers', guess) }
}

/** Submits an unknown device code. Returns the response and the form token for the next attempt. */
async function tryDeviceCode(browser: CookieClient, xsrf: string, index: number, ip: string) {
  const form = { xsrf, user_code: `BCDF-${'GHJKLMNPQRSTVWXZ'[index]}CDF` }
  const page = await browser.post('/oidc/device', form, from(ip))
  const { status, headers } = page
  const code = status === 429 ? 'request.too_many_requests' : 'unknown'
  return { next: xsrfIn(await page.text()), answer: Response.json({ code }, { status, headers }) }
}

const introspect = (app: TestApp, client: { id: string; secret: string }, ip: string) =>
  app.fetch('/oidc/token/introspection', {
    method: 'POST',
    headers: { ...basicHeader({ ...client, redirectUri: '' }), ...from(ip) },
    body: new URLSearchParams({ token: 'none' }),
  })

/**
 * Prepares attempts against one limit. The returned function makes the attempt with the given number. Attempts
 * can run in parallel.
 */
type Driver = (app: TestApp) => Promise<(index: number) => Promise<Response>>

/**
 * The only limit that never rejects a call. `tests/application/factors/own-factors.test.ts` tests this limit.
 */
const SILENT = 'noticesPerNumber'
type Refusing = Exclude<RateLimitName, typeof SILENT>

const drivers: Record<Refusing, Driver> = {
  async passwordTries(app) {
    const { username, email, phone } = await newAccount()
    const names = [{ username }, { email }, { phone }, { email: email.toUpperCase() }]
    return (index) => signIn(app, { ...names[index % names.length], password: WRONG })
  },
  async passwordTriesInARow(app) {
    const { username, call } = await storeMember(app)
    return (index) =>
      index % 2
        ? call('POST', '/password/verify', { password: WRONG })
        : signIn(app, { username, password: WRONG })
  },
  async passwordTriesPerNetwork(app) {
    const host = hostOf(freshNetwork())
    return (index) => signIn(app, { username: freshName(), password: WRONG }, host(index))
  },
  async passkeyTriesPerNetwork(app) {
    const host = hostOf(freshNetwork())
    const passkey = { id: 'unknown', rawId: 'unknown', type: 'public-key' }
    const response = { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' }
    return (index) => signIn(app, { passkey: { ...passkey, response } }, host(index))
  },
  async ownPasswordTries(app) {
    const { call } = await storeMember(app)
    return () => call('POST', '/password/verify', { password: WRONG })
  },
  async ownUsernameTries(app) {
    const { username } = await newAccount()
    const { call } = await storeMember(app)
    await call('POST', '/password/verify', { password: PASSWORD })
    return () => call('PATCH', '', { username })
  },
  async ownDataDownloads(app) {
    const { client } = await storeVisitor(app)
    return async () => {
      const answer = await client.post('/account/data', { intent: 'download' })
      // The response to a rejected attempt is a page, not JSON.
      const { status } = answer
      return status === 200 ? answer : Response.json({ code: 'request.too_many_requests' }, { status })
    }
  },
  async ownPictures(app) {
    const { client, userId } = await storeVisitor(app)
    // Without storage, only a user with a picture has the page.
    await app.env.DB.prepare("update users set avatar = 'https://pictures.example/1.png' where id = ?")
      .bind(userId)
      .run()
    return async () => {
      const body = new FormData()
      body.set('intent', 'upload')
      body.set('picture', new File([pictureFiles['image/png']], 'me.png', { type: 'image/png' }))
      const cookie = client.cookieHeader('/account/picture')
      const { status } = await app.fetch('/account/picture', { method: 'POST', headers: { cookie }, body })
      // The response is a page, not JSON. No upload provider is configured.
      const code = status === 429 ? 'request.too_many_requests' : 'storage.not_configured'
      return Response.json({ code }, { status })
    }
  },
  async codeTriesPerAddress(app) {
    const { userId, call } = await storeMember(app)
    const email = freshEmail()
    await app.env.DB.prepare('update users set primary_email = ? where id = ?').bind(email, userId).run()
    const interaction = await started(app, 'SignIn')
    await interaction.sendCode({ email })
    await call('POST', '/verification-codes', { email })
    const guess = { email, verificationCode: 'wrong!' }
    return (index) =>
      index % 2
        ? call('POST', '/verification-codes/verify', guess)
        : interaction.call('PATCH', '/identifiers', guess)
  },
  async resetTriesPerAddress(app) {
    const { email } = await newAccount()
    const interaction = await started(app, 'ForgotPassword')
    await interaction.sendCode({ email })
    return () => interaction.call('PATCH', '/identifiers', { email, verificationCode: 'wrong!' })
  },
  async totpTries(app) {
    const guess = await secondStep(app)
    return () => guess({ totpCode: '000000' })
  },
  async backupCodeTries(app) {
    const guess = await secondStep(app)
    return () => guess({ backupCode: '0000-0000-0000-0000' })
  },
  async emailFactorTries(app) {
    const { guess } = await addressStep(app)
    return () => guess({ emailCode: '000000' })
  },
  async phoneFactorTries(app) {
    const { guess } = await addressStep(app)
    return () => guess({ phoneCode: '000000' })
  },
  async emailFactorSends(app) {
    const { send } = await addressStep(app, [])
    return () => send('email')
  },
  async phoneFactorSends(app) {
    const { send } = await addressStep(app, [])
    // The first code was sent with the password.
    await app.env.DB.prepare("delete from counters where key like 'phone-factor-send%'").run()
    return () => send('phone')
  },
  async codeSendsPerAddress(app) {
    const email = freshEmail()
    return async () => sendFrom(await started(app, 'SignIn'), { email }, anyNetwork())
  },
  async strangerSendsPerAddress(app) {
    const email = freshEmail()
    return async () => sendFrom(await started(app, 'SignIn'), { email }, anyNetwork())
  },
  async resetSendsPerAddress(app) {
    const email = freshEmail()
    return async () => sendFrom(await started(app, 'ForgotPassword'), { email }, anyNetwork())
  },
  async resetSendsPerAddressAndNetwork(app) {
    const email = freshEmail()
    const host = hostOf(freshNetwork())
    return async (index) => sendFrom(await started(app, 'ForgotPassword'), { email }, host(index))
  },
  async codeSendsPerNetwork(app) {
    const host = hostOf(freshNetwork())
    return async (index) => sendFrom(await started(app, 'SignIn'), { email: freshEmail() }, host(index))
  },
  async sendsPerApplication(app) {
    const operator = await newOperator(app)
    return () => operator.send('POST', '/verification-codes', { email: freshEmail() })
  },
  async smsPerTenant(app) {
    // Deletes the counters of earlier drivers.
    await app.env.DB.prepare("delete from counters where key like 'sms%'").run()
    return async (index) =>
      sendFrom(await started(app, 'SignIn'), { phone: numberOf(String(40 + index)) }, anyNetwork())
  },
  async smsPerNetwork(app) {
    // Every message comes from a different /56 in one /48.
    const site = `2001:db8:${(++networks).toString(16)}`
    return async (index) =>
      sendFrom(
        await started(app, 'SignIn'),
        { phone: numberOf(String(40 + (index % 9))) },
        `${site}:${(index * 256 + 256).toString(16)}::1`,
      )
  },
  async smsPerCallingCode(app) {
    const operator = await newOperator(app)
    return async (index) => {
      const address = { phone: numberOf('372') }
      if (index % 2) return operator.send('POST', '/verification-codes', address)
      return sendFrom(await started(app, 'SignIn'), address, anyNetwork())
    }
  },
  async registrationsPerNetwork(app) {
    const host = hostOf(freshNetwork())
    return async (index) => {
      const profile = { username: freshName(), password: PASSWORD }
      const interaction = await started(app, 'Register', { profile })
      return interaction.call('POST', '/submit', undefined, from(host(index)))
    }
  },
  async submitsPerNetwork(app) {
    const { username } = await newAccount()
    const host = hostOf(freshNetwork())
    return async (index) => {
      const interaction = await started(app, 'Register', { profile: { username, password: PASSWORD } })
      return interaction.call('POST', '/submit', undefined, from(host(index)))
    }
  },
  async newPasswordsPerNetwork(app) {
    // Deletes the counters of earlier drivers.
    await app.env.DB.prepare("delete from counters where key like 'new-password%'").run()
    const { call } = await newMember(app)
    await call('POST', '/password/verify', { password: PASSWORD })
    const host = hostOf(freshNetwork())
    const password = 'another-horse-8'
    return async (index) => {
      const ip = from(host(index))
      if (index % 4 === 3) return call('POST', '/password', { password }, ip)
      const interaction = await started(app, 'Register')
      const profile = { username: freshName(), password }
      if (index % 4 === 2) return interaction.call('PUT', '', { event: 'Register', profile }, ip)
      return interaction.call(index % 2 ? 'PATCH' : 'PUT', '/profile', profile, ip)
    }
  },
  async deviceCodeTries(app) {
    const browser = newCookieClient(app)
    let { xsrf } = await openCodeForm(browser)
    return async (index) => {
      const { answer, next } = await tryDeviceCode(browser, xsrf, index, anyNetwork())
      xsrf = next
      return answer
    }
  },
  async deviceCodeTriesPerNetwork(app) {
    const host = hostOf(freshNetwork())
    return async (index) => {
      const browser = newCookieClient(app)
      const { xsrf } = await openCodeForm(browser)
      return (await tryDeviceCode(browser, xsrf, index, host(index))).answer
    }
  },
  async clientDocumentsPerNetwork(app) {
    const host = hostOf(freshNetwork())
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: 404 }))
    return (index) => {
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: `https://agent.example/${index}`,
      })
      return app.fetch('/oidc/token', { method: 'POST', headers: from(host(index)), body })
    }
  },
  async invitationSendsPerTenant(app) {
    const operator = await newOperator(app)
    return () => operator.send('POST', '/invitations', { email: freshEmail() })
  },
  async organizationDomainChecks(app) {
    const operator = await newOperator(app)
    const path = `/organizations/${await storeOrganization()}/domains`
    await operator.send('POST', path, { domain: 'acme-checks.com' })
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: 404 }))
    return () => operator.send('POST', `${path}/acme-checks.com/verification`)
  },
  async organizationInvitations(app) {
    const operator = await newOperator(app)
    const path = `/organizations/${await storeOrganization()}/invitations`
    return () => operator.send('POST', path, { email: freshEmail() })
  },
  async organizationInvitationsPerAddress(app) {
    const operator = await newOperator(app)
    const email = freshEmail()
    return async (index) => {
      const path = `/organizations/${await storeOrganization()}/invitations`
      return operator.send('POST', path, { email: index % 2 ? email : email.toUpperCase() })
    }
  },
  async invitationTriesPerNetwork(app) {
    const host = hostOf(freshNetwork())
    return async (index) => {
      const { status, headers } = await app.fetch(`/account/invitation?token=${index}`, {
        headers: from(host(index)),
      })
      const code = status === 429 ? 'request.too_many_requests' : 'unknown'
      return Response.json({ code }, { status, headers })
    }
  },
  async clientRegistrationsPerNetwork(app) {
    const host = hostOf(freshNetwork())
    return (index) =>
      app.fetch('/oidc/register', {
        method: 'POST',
        headers: { ...from(host(index)), authorization: `Bearer guess${index}` },
        body: '{}',
      })
  },
  async clientTriesPerNetwork(app) {
    const client = await newClient(app, 'Traditional')
    const host = hostOf(freshNetwork())
    return (index) => introspect(app, { ...client, secret: `guess-${index}` }, host(index))
  },
}

const isRefused = ({ status, code }: { status: number; code: string }) =>
  code === 'session.password_locked' ||
  (status === 429 && ['request.too_many_requests', 'temporarily_unavailable'].includes(code))

const observe = async (response: Response) => {
  const body = response.status === 204 ? {} : ((await response.json()) as { code?: string; error?: string })
  return { status: response.status, code: body.code ?? body.error ?? '' }
}

describe('rate limit enforcement', () => {
  const names = rateLimitNames.filter((name) => name !== SILENT)
  it.each(someOf(env.TEST_SWEEP, names, Math.ceil(names.length / 2)))(
    '[RFC8628-5.1] applies the limit %s even to many simultaneous attempts',
    async (name) => {
      const { windowSeconds, per } = RATE_LIMITS[name]
      // Network limits are a hundred times higher in development.
      const environment = per.includes('network') ? 'production' : 'development'
      const passkeys = { enabled: true, rpId: RP_ID, manageUrl: null, offer: true }
      const unregisteredClients = { ...DEFAULT_TENANT_SETTINGS.unregisteredClients, enabled: true }
      const settings = {
        passkeys,
        unregisteredClients,
        clientRegistration: { ...DEFAULT_TENANT_SETTINGS.clientRegistration, enabled: true },
        accountCentre: { enabled: true, fields: ALL_EDITABLE, customFields: [], deletionGraceDays: 14 },
      }
      const app = await appWith({ [name]: { count: LIMIT, windowSeconds } }, settings, environment)
      const attempt = await drivers[name](app)

      const first = await observe(await attempt(0))
      expect(isRefused(first)).toBe(false)
      const outcomes = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, index) => observe(await attempt(index + 1))),
      )
      const passed = outcomes.filter((outcome) => !isRefused(outcome))
      expect(passed).toEqual(Array.from({ length: LIMIT - 1 }, () => first))
      expect(isRefused(await observe(await attempt(AT_ONCE + 1)))).toBe(true)
    },
  )
})

describe('wrong passwords for one account', () => {
  it('[ASVS-6.3.1-5] lock the account under all its identifiers, and lock each unknown identifier separately', async () => {
    const app = await appWith({ passwordTries: { count: LIMIT, windowSeconds: 600 } })
    const { username, email, phone } = await newAccount()
    for (const name of [{ username }, { email }]) await signIn(app, { ...name, password: WRONG })
    for (const name of [{ username }, { email }, { phone }])
      expect((await outcomeOf(await signIn(app, { ...name, password: PASSWORD })))[1]).toBe(
        'request.too_many_requests',
      )
    const unknown = { email: freshEmail() }
    const outcomes = []
    for (let count = 0; count <= LIMIT; count++)
      outcomes.push((await signIn(app, { ...unknown, password: WRONG })).status)
    expect(outcomes).toEqual([422, 422, 429])
    const other = await newAccount()
    expect((await signIn(app, { username: other.username, password: PASSWORD })).status).toBe(204)
  })
})

describe('consecutive wrong passwords', () => {
  const inARow = { passwordTriesInARow: { count: LIMIT, windowSeconds: 3600 } }
  const locked = [422, 'session.password_locked']
  const fail = async (app: TestApp, identifier: object) => {
    for (let count = 0; count < LIMIT; count++)
      expect((await signIn(app, { ...identifier, password: WRONG })).status).toBe(422)
  }

  it('[ASVS-6.3.1-6] lock the account for all but trusted browsers, until one of those signs in', async () => {
    const app = await appWith(inARow)
    const owner = newCookieClient(app)
    const username = freshName()
    const registering = await beginInteraction(app, owner, RESUMED)
    await registering.start('Register', { profile: { username, password: PASSWORD } })
    expect((await registering.submit()).status).toBe(200)
    await fail(app, { username })
    expect(await outcomeOf(await signIn(app, { username, password: PASSWORD }))).toEqual(locked)
    // Expires all counters, to show that this lock does not expire.
    await app.env.DB.prepare(
      `update counters set window_start = window_start - ?1, locked_until = locked_until - ?1,
      burst_window_start = burst_window_start - ?1, burst_locked_until = burst_locked_until - ?1`,
    )
      .bind(24 * 3600 * 1000)
      .run()
    expect(await outcomeOf(await signIn(app, { username, password: PASSWORD }))).toEqual(locked)
    expect((await signIn(app, { username, password: PASSWORD }, anyNetwork(), owner)).status).toBe(204)
    expect((await signIn(app, { username, password: PASSWORD })).status).toBe(204)
  })

  it('are counted from zero after a correct password or a reset', async () => {
    const app = await appWith(inARow, {}, 'development')
    const { username, email } = await newAccount()
    for (const name of [{ username }, { email }]) {
      await signIn(app, { ...name, password: WRONG })
      expect((await signIn(app, { username, password: PASSWORD })).status).toBe(204)
    }
    const unknown = { username: freshName() }
    for (const identifier of [unknown, { username }]) {
      await fail(app, identifier)
      expect(await outcomeOf(await signIn(app, { ...identifier, password: PASSWORD }))).toEqual(locked)
    }

    const interaction = await beginInteraction(app)
    await interaction.start('ForgotPassword')
    expect((await interaction.sendCode({ email })).status).toBe(204)
    const verificationCode = await codeTo(app, { email })
    await interaction.call('PATCH', '/identifiers', { email, verificationCode })
    await interaction.call('PUT', '/profile', { password: 'another-horse-8' })
    expect((await interaction.submit()).status).toBe(204)
    expect((await signIn(app, { username, password: 'another-horse-8' })).status).toBe(204)
  })
})

describe('a signed-in user’s limits', () => {
  it('[ASVS-6.3.1-7] reject even correct codes and passwords once exceeded, but count only wrong ones', async () => {
    const few = { count: LIMIT, windowSeconds: 600 }
    const app = await appWith({ codeTriesPerAddress: few, passwordTriesInARow: few }, {}, 'development')
    const { userId, call } = await storeMember(app)
    const email = freshEmail()
    await app.env.DB.prepare('update users set primary_email = ? where id = ?').bind(email, userId).run()
    const send = async () => {
      expect((await call('POST', '/verification-codes', { email })).status).toBe(204)
      return codeTo(app, { email })
    }
    const verify = (verificationCode: string) =>
      call('POST', '/verification-codes/verify', { email, verificationCode })

    for (let count = 0; count <= LIMIT; count++) expect((await verify(await send())).status).toBe(204)
    const code = await send()
    for (let count = 0; count < LIMIT; count++) expect((await verify(wrongCode(code))).status).toBe(400)
    const refused = await verify(code)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await outcomeOf(refused)).slice(0, 2)).toEqual([429, 'request.too_many_requests'])

    const show = (password: string) => call('POST', '/password/verify', { password })
    for (let count = 0; count <= LIMIT; count++) {
      expect((await show(WRONG)).status).toBe(422)
      expect((await show(PASSWORD)).status).toBe(204)
    }
    for (let count = 0; count < LIMIT; count++) await show(WRONG)
    expect(await outcomeOf(await show(PASSWORD))).toEqual([422, 'session.password_locked'])
  })

  it('apply to username changes, but not to other profile changes', async () => {
    const app = await appWith({ ownUsernameTries: { count: LIMIT, windowSeconds: 600 } })
    const { username } = await newAccount()
    const member = await newMember(app)
    const change = async (changes: object) => (await member.call('PATCH', '', changes)).status
    for (let count = 0; count <= LIMIT; count++) expect(await change({ name: `Ada ${count}` })).toBe(200)
    expect(await change({ username: member.username })).toBe(200)
    await member.call('POST', '/password/verify', { password: PASSWORD })
    expect(await change({ username: freshName() })).toBe(200)
    expect(await change({ username })).toBe(422)
    for (const name of [username, freshName()]) expect(await change({ username: name })).toBe(429)
    expect(await change({ name: 'Ada' })).toBe(200)
  })
})

describe('text messages', () => {
  it('are sent only to the countries that the tenant lists', async () => {
    const app = await appWith({}, { smsCountries: ['DE'] }, 'development')
    const operator = await newOperator(app)
    const member = await storeMember(app)
    const send = async (phone: string) => {
      await app.env.DB.prepare('update users set primary_phone = ? where id = ?')
        .bind(phone, member.userId)
        .run()
      const answers = [
        await (await started(app, 'SignIn')).sendCode({ phone }),
        await operator.send('POST', '/verification-codes', { phone }),
        await member.call('POST', '/verification-codes', { phone }),
      ]
      return Promise.all(answers.map(async (answer) => (await outcomeOf(answer)).slice(0, 2)))
    }
    const refused = [422, 'verification_code.country_not_allowed']
    expect(await send('37251234567')).toEqual([refused, refused, refused])
    const accepted = [204, null]
    expect(await send('4915112345678')).toEqual([accepted, accepted, accepted])
  })
})

describe('a client secret', () => {
  const tries = { clientTriesPerNetwork: { count: LIMIT, windowSeconds: 3600 } }

  it('[RFC9700-2.5-2] is protected by one limit on guesses across all endpoints', async () => {
    const app = await appWith(tries)
    const client = await newClient(app, 'Traditional')
    const ip = `${freshNetwork()}::1`
    const call = (endpoint: string, secret: string, address = ip) =>
      app.fetch(`/oidc/${endpoint}`, {
        method: 'POST',
        headers: { ...basicHeader({ ...client, secret }), ...from(address) },
        body: new URLSearchParams({
          client_id: client.id,
          grant_type: 'refresh_token',
          refresh_token: 'none',
          token: 'none',
          response_type: 'code',
          scope: 'openid',
          redirect_uri: client.redirectUri,
        }),
      })
    const endpoints = ['token', 'token/introspection', 'token/revocation', 'request']
    for (const [index, endpoint] of endpoints.entries()) {
      const answer = await call(endpoint, client.secret)
      expect([answer.status, await answer.text()]).toEqual([[400, 200, 200, 201][index], expect.any(String)])
    }
    for (const endpoint of endpoints.slice(2))
      expect((await call(endpoint, 'a wrong secret')).status).toBe(401)
    for (const endpoint of endpoints)
      for (const secret of ['a wrong secret', client.secret]) {
        const response = await call(endpoint, secret)
        expect([endpoint, response.status, await response.json()]).toEqual([
          endpoint,
          429,
          { error: 'temporarily_unavailable', error_description: 'too many failed client authentications' },
        ])
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3500)
      }
    expect((await call('request', client.secret, anyNetwork())).status).toBe(201)
    const { results } = await app.env.DB.prepare(
      "select count(*) as rows from oidc_model_instances where model_name = 'PushedAuthorizationRequest'",
    ).all()
    expect(results).toEqual([{ rows: 2 }])
  })

  it('is verified without an additional round trip if it is correct', async () => {
    const app = await appWith(tries)
    await machineToken(app)
    app.trips()
    await machineToken(app)
    expect(app.trips().awaited).toBe(2)
  })

  it('[RFC9700-2.5-3] must have at least 21 characters when an operator sets it, but existing shorter ones still work', async () => {
    const app = await appWith({})
    const operator = await newOperator(app)
    const application = { name: 'Shop', type: 'MachineToMachine' }
    const short = await operator.send('POST', '/applications', { ...application, secret: 's'.repeat(20) })
    expect((await outcomeOf(short)).slice(0, 2)).toEqual([400, 'guard.invalid_input'])
    const secret = 's'.repeat(21)
    const made = await operator.send('POST', '/applications', { ...application, secret })
    const { id } = (await made.json()) as { id: string }
    expect((await operator.send('PATCH', `/applications/${id}`, { secret: 'short' })).status).toBe(400)
    expect((await introspect(app, { id, secret }, anyNetwork())).status).toBe(200)

    await app.env.DB.prepare("update applications set secret = 'short' where id = ?").bind(id).run()
    expect((await operator.send('PATCH', `/applications/${id}`, { name: 'Shop 2' })).status).toBe(200)
    expect((await introspect(app, { id, secret: 'short' }, anyNetwork())).status).toBe(200)
  })
})
