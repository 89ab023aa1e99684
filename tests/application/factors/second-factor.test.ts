import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  DEFAULT_TENANT_SETTINGS,
  type SecondFactorPolicy,
  type TenantSettings,
} from '../../../src/contract/tenants/settings.ts'
import { freshName, newCookieClient, PASSWORD, resumeAuthorization } from '../../kit/clients/cookie-client.ts'
import {
  beginInteraction,
  codeTo,
  outcomeOf,
  receivedMessages,
  wrongCode,
} from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { codeOf, type Enrolled, enrol, forgetUsedSteps, signInByPassword } from '../../kit/second-factor.ts'
import { storeAccount, storeAuthenticator } from '../../kit/stored-account.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests second factors at sign-in (spec/accounts#second-factors). */

const RACERS = 3
const database = openTestApp()
beforeAll(() => setExperience(database, { methods: everyMethod }))
afterAll(() => setTenantSettings(database, {}))

/** Opens a new app for each policy, because settings are cached. */
async function appWith(policy: SecondFactorPolicy, more: Partial<TenantSettings> = {}): Promise<TestApp> {
  await setTenantSettings(database, { secondFactor: { policy }, ...more })
  return openTestApp({}, { hasCalmDatabase: true })
}

const asksFor = [422, 'user.second_factor_required', { factors: ['totp', 'backupCode'] }]
const misses = [422, 'user.second_factor_missing', { factors: ['totp'] }]
const isWrong = [422, 'session.invalid_second_factor']

type Holder = Enrolled & { username: string; email: string; userId: string }

/** Creates a user with an authenticator app. */
async function newHolder(): Promise<Holder> {
  const { id: userId, username, email } = await storeAccount()
  return { ...(await storeAuthenticator(userId)), username, email, userId }
}

const prove = (interaction: Awaited<ReturnType<typeof beginInteraction>>, body: object) =>
  interaction.call('PATCH', '/identifiers', body)

/** Starts several sign-ins and submits them, so each of them requires the second factor. */
async function newRacers(app: TestApp, username: string) {
  const interactions = []
  for (let index = 0; index < RACERS; index++) {
    const interaction = await signInByPassword(app, username)
    await interaction.submit()
    interactions.push(interaction)
  }
  return interactions
}

describe('the second-factor policy', () => {
  it('"off" never requires a factor, and does not let users set one up', async () => {
    const { username } = await newHolder()
    const app = await appWith('off')
    const interaction = await signInByPassword(app, username)
    expect(await outcomeOf(await interaction.call('POST', '/factors/totp'))).toEqual([
      422,
      'user.sign_in_method_not_enabled',
    ])
    expect((await interaction.submit()).status).toBe(200)
  })

  it('"optional" requires the factor from users who have one', async () => {
    const holder = await newHolder()
    const app = await appWith('optional')
    const { username } = await storeMember(app)
    expect((await (await signInByPassword(app, username)).submit()).status).toBe(200)
    expect(await outcomeOf(await (await signInByPassword(app, holder.username)).submit())).toEqual(asksFor)
  })

  it.each<Record<string, string>>([
    { acr_values: 'urn:vestibule:acr:2fa' },
    { claims: '{"id_token":{"acr":{"essential":true,"values":["phr","urn:vestibule:acr:2fa"]}}}' },
  ])('"optional" becomes "required" for a request that requires two factors: %s', async (parameters) => {
    const app = await appWith('optional')
    const { username } = await storeMember(app)
    const client = newCookieClient(app)
    const interaction = await signInByPassword(app, username, client, parameters)
    expect(await outcomeOf(await interaction.submit())).toEqual(misses)
    await enrol(interaction)
    const back = await resumeAuthorization(client, await interaction.submit())
    expect([back.searchParams.get('error'), back.searchParams.get('code') !== null]).toEqual([null, true])
  })

  it.each<Record<string, string>>([
    { acr_values: 'urn:vestibule:acr:1fa urn:vestibule:acr:2fa' },
    { acr_values: 'phr' },
    { claims: '{"id_token":{"acr":{"values":["urn:vestibule:acr:2fa"]}}}' },
    { claims: '{"id_token":{"acr":null}}' },
    { claims: '{"userinfo":{"email":null}}' },
  ])('"optional" remains optional for the request %s', async (parameters) => {
    const app = await appWith('optional')
    const { username } = await storeMember(app)
    const interaction = await signInByPassword(app, username, newCookieClient(app), parameters)
    expect((await interaction.submit()).status).toBe(200)
  })

  it('[ASVS-6.3.3] "required" prevents registering and signing in without a factor', async () => {
    const app = await appWith('required')
    const interaction = await beginInteraction(app)
    const username = freshName()
    await interaction.start('Register', { profile: { username, password: PASSWORD } })
    expect(await outcomeOf(await interaction.submit())).toEqual(misses)
    const { secret } = await enrol(interaction)
    expect((await interaction.submit()).status).toBe(200)

    await forgetUsedSteps(app)
    const again = await signInByPassword(app, username)
    expect(await outcomeOf(await again.submit())).toEqual(asksFor)
    expect((await prove(again, { totpCode: await codeOf(secret) })).status).toBe(204)
    expect((await again.submit()).status).toBe(200)
  })

  it('adds no round trips to a sign-in', async () => {
    const { username, secret } = await newHolder()
    for (const policy of ['off', 'optional', 'required'] as const) {
      const app = await appWith(policy)
      // The first call makes the app cache the settings.
      await signInByPassword(app, username)
      const interaction = await beginInteraction(app)
      const counted = async (call: Promise<Response>) => {
        const { status } = await call
        return [status, app.trips().awaited]
      }
      app.trips()
      const identifier = { username, password: PASSWORD }
      expect(await counted(interaction.start('SignIn', { identifier }))).toEqual([204, 1])
      if (policy !== 'off') {
        expect(await counted(interaction.submit())).toEqual([422, 1])
        await forgetUsedSteps(database)
        expect(await counted(prove(interaction, { totpCode: await codeOf(secret) }))).toEqual([204, 2])
      }
      expect(await counted(interaction.submit())).toEqual([200, 2])
    }
  })
})

describe('a one-time code', () => {
  it('is accepted only once in three concurrent sign-ins', async () => {
    const { username, secret } = await newHolder()
    const app = await appWith('optional')
    const interactions = await newRacers(app, username)
    const totpCode = await codeOf(secret)
    const answers = await Promise.all(interactions.map((interaction) => prove(interaction, { totpCode })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    const submitted = await Promise.all(interactions.map((interaction) => interaction.submit()))
    expect(submitted.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is rejected if it is wrong, already used, from another time step or from another user', async () => {
    const holder = await newHolder()
    const other = await newHolder()
    const app = await appWith('optional')
    const interaction = await signInByPassword(app, holder.username)
    await interaction.submit()
    const right = await codeOf(holder.secret)
    for (const totpCode of [
      wrongCode(right),
      await codeOf(holder.secret, -3),
      await codeOf(holder.secret, 3),
      await codeOf(other.secret),
      'no code',
    ])
      expect(await outcomeOf(await prove(interaction, { totpCode }))).toEqual(isWrong)
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor)
    expect((await prove(interaction, { totpCode: `${right.slice(0, 3)} ${right.slice(3)}` })).status).toBe(
      204,
    )
    expect(await outcomeOf(await prove(interaction, { totpCode: right }))).toEqual(isWrong)
    expect((await interaction.submit()).status).toBe(200)
  })

  it('[ASVS-6.3.3-2] is accepted only after the first factor, and only for a sign-in', async () => {
    const { username, email, secret } = await newHolder()
    const app = await appWith('optional')
    const notYet = [404, 'session.identifier_not_found']
    const totpCode = await codeOf(secret)

    const begun = await beginInteraction(app)
    await begun.start('SignIn')
    expect(await outcomeOf(await prove(begun, { totpCode }))).toEqual(notYet)
    expect(await outcomeOf(await begun.call('POST', '/factors/totp'))).toEqual(notYet)

    // A correct password does not bind the interaction to an account until the submit.
    const unsubmitted = await signInByPassword(app, username)
    expect(await outcomeOf(await prove(unsubmitted, { totpCode }))).toEqual(notYet)

    // An interaction cannot be started with a code instead of a password.
    const replaced = await signInByPassword(app, username)
    await replaced.submit()
    const restarted = await replaced.start('SignIn', { identifier: { totpCode } })
    expect(restarted.status).toBe(400)

    const reset = await beginInteraction(app)
    await reset.start('ForgotPassword')
    await reset.prove({ email })
    await reset.submit()
    expect(await outcomeOf(await prove(reset, { totpCode }))).toEqual([
      422,
      'user.sign_in_method_not_enabled',
    ])
  })

  it('is accepted only for the account for which it was entered', async () => {
    const { username, secret } = await newHolder()
    const other = await newHolder()
    const app = await appWith('optional')
    const interaction = await signInByPassword(app, username)
    await interaction.submit()
    expect((await prove(interaction, { totpCode: await codeOf(secret) })).status).toBe(204)
    await prove(interaction, { username: other.username, password: PASSWORD })
    expect(await outcomeOf(await interaction.submit())).toEqual([400, 'session.verification_failed'])
  })

  it('is not accepted after the user has been signed out everywhere', async () => {
    const { email, secret, userId } = await newHolder()
    const app = await appWith('optional')
    const interaction = await beginInteraction(app)
    await interaction.start('SignIn')
    await interaction.prove({ email })
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor)
    expect((await prove(interaction, { totpCode: await codeOf(secret) })).status).toBe(204)
    await app.env.DB.prepare('update users set revoked_at = ? where id = ?')
      .bind(Date.now() + 1, userId)
      .run()
    // The first factor is also invalid, so the sign-in starts again (tests/security/stale-proofs.test.ts).
    expect((await outcomeOf(await interaction.submit())).slice(0, 2)).toEqual([
      400,
      'session.verification_failed',
    ])
  })
})

describe('a backup code', () => {
  it('is accepted only once in three concurrent sign-ins', async () => {
    const { username, backupCodes } = await newHolder()
    const app = await appWith('optional')
    const interactions = await newRacers(app, username)
    const [backupCode] = backupCodes
    const answers = await Promise.all(interactions.map((interaction) => prove(interaction, { backupCode })))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  })

  it('is accepted regardless of case and separators, but only once', async () => {
    const { username, backupCodes } = await newHolder()
    const app = await appWith('optional')
    const [first = '', second = ''] = backupCodes
    const interaction = await signInByPassword(app, username)
    await interaction.submit()
    expect(
      (await prove(interaction, { backupCode: ` ${first.toLowerCase().replaceAll('-', ' ')}` })).status,
    ).toBe(204)
    expect((await interaction.submit()).status).toBe(200)

    const again = await signInByPassword(app, username)
    await again.submit()
    expect(await outcomeOf(await prove(again, { backupCode: first }))).toEqual(isWrong)
    expect((await prove(again, { backupCode: second })).status).toBe(204)
  })
})

describe('a password reset', () => {
  it('[ASVS-6.3.3-3] does not remove the need for a second factor at the next sign-in', async () => {
    const { email, username, secret } = await newHolder()
    const app = await appWith('optional')
    const interaction = await beginInteraction(app)
    await interaction.start('ForgotPassword')
    await interaction.prove({ email })
    await interaction.submit()
    await interaction.call('PATCH', '/profile', { password: 'another-horse-8' })
    expect((await interaction.submit()).status).toBe(204)
    await interaction.start('SignIn', { identifier: { username, password: 'another-horse-8' } })
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor)
    expect((await prove(interaction, { totpCode: await codeOf(secret) })).status).toBe(204)
    expect((await interaction.submit()).status).toBe(200)
  })
})

describe('the attempt counters', () => {
  it('count the attempts for each factor separately', async () => {
    const { username, secret, backupCodes } = await newHolder()
    const few = { count: 2, windowSeconds: 600 }
    const limits = { ...DEFAULT_TENANT_SETTINGS.limits, totpTries: few, backupCodeTries: few }
    const app = await appWith('optional', { limits })
    const interaction = await signInByPassword(app, username)
    await interaction.submit()
    const statuses = async (body: object, count: number) => {
      const seen: number[] = []
      for (let index = 0; index < count; index++) seen.push((await prove(interaction, body)).status)
      return seen
    }
    expect(await statuses({ totpCode: '000000' }, 3)).toEqual([422, 422, 429])
    // While the counter is locked, not even the correct code is accepted.
    expect(await statuses({ totpCode: await codeOf(secret) }, 1)).toEqual([429])
    expect(await statuses({ backupCode: '0000-0000-0000-0000' }, 1)).toEqual([422])
    expect(await statuses({ backupCode: backupCodes[0] }, 1)).toEqual([204])
    expect((await interaction.submit()).status).toBe(200)
    // Neither the counter for authenticator app codes nor the one for backup codes blocks a sign-in with the
    // password.
    expect((await (await signInByPassword(app, username)).submit()).status).toBe(422)
  })
})

describe('setting up an authenticator app', () => {
  it('requires a code from the app, and takes effect only when the interaction is submitted', async () => {
    const app = await appWith('required')
    const username = freshName()
    const interaction = await beginInteraction(app)
    await interaction.start('Register', { profile: { username, password: PASSWORD } })
    const early = await interaction.call('PUT', '/factors/totp', { totpCode: '000000' })
    expect(await outcomeOf(early)).toEqual([404, 'session.verification_session_not_found'])

    const begun = (await (await interaction.call('POST', '/factors/totp')).json()) as {
      secret: string
      address: string
    }
    expect(begun.address).toContain(`:${username}?secret=${begun.secret}`)
    const wrong = await interaction.call('PUT', '/factors/totp', {
      totpCode: wrongCode(await codeOf(begun.secret)),
    })
    expect(await outcomeOf(wrong)).toEqual(isWrong)
    // The set-up has started, but no code from the app has been entered.
    expect(await outcomeOf(await interaction.submit())).toEqual(misses)

    const { backupCodes } = await enrol(interaction)
    expect(new Set(backupCodes).size).toBe(10)
    const count = async () =>
      (await app.env.DB.prepare('select count(*) as n from totp_factors').first<{ n: number }>())?.n ?? 0
    const before = await count()
    expect((await interaction.submit()).status).toBe(200)
    expect((await count()) - before).toBe(1)
  })

  it('does not replace an existing app', async () => {
    const { username, secret } = await newHolder()
    const app = await appWith('required')
    const interaction = await signInByPassword(app, username)
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor)
    await enrol(interaction)
    expect(await outcomeOf(await interaction.submit())).toEqual(asksFor)
    expect((await prove(interaction, { totpCode: await codeOf(secret) })).status).toBe(204)
    expect((await interaction.submit()).status).toBe(200)
    await forgetUsedSteps(app)

    const later = await signInByPassword(app, username)
    await later.submit()
    expect((await prove(later, { totpCode: await codeOf(secret) })).status).toBe(204)
  })

  it('succeeds in only one of two browsers that set one up concurrently', async () => {
    const app = await appWith('off')
    const { username, userId } = await storeMember(app)
    const strict = await appWith('required')
    const [one, other] = [await signInByPassword(strict, username), await signInByPassword(strict, username)]
    for (const interaction of [one, other]) {
      await interaction.submit()
      await enrol(interaction)
    }
    const statuses = (await Promise.all([one.submit(), other.submit()])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const { results } = await app.env.DB.prepare('select 1 from backup_codes where user_id = ?')
      .bind(userId)
      .all()
    expect(results).toHaveLength(10)
  })

  it('must begin again if the interaction is restarted', async () => {
    const app = await appWith('required')
    const interaction = await beginInteraction(app)
    const profile = { username: freshName(), password: PASSWORD }
    await interaction.start('Register', { profile })
    await enrol(interaction)
    await interaction.start('Register', { profile })
    expect(await outcomeOf(await interaction.submit())).toEqual(misses)
  })
})

it('the audit log names the factor that was used, but contains no codes or secrets', async () => {
  const { id: userId, username } = await storeAccount()
  const first = await signInByPassword(await appWith('required'), username)
  await first.submit()
  const { secret, backupCodes } = await enrol(first)
  expect((await first.submit()).status).toBe(200)
  await forgetUsedSteps(database)
  const app = await appWith('optional')
  const operator = await newOperator(app)
  const interaction = await signInByPassword(app, username)
  await interaction.submit()
  const [backupCode = ''] = backupCodes
  const totpCode = await codeOf(secret)
  await prove(interaction, { backupCode })
  await prove(interaction, { totpCode })
  expect((await interaction.submit()).status).toBe(200)
  const { results } = await app.env.DB.prepare('select key, payload from logs where user_id = ?')
    .bind(userId)
    .all<{ key: string; payload: string }>()
  const keys = results.map(({ key }) => key)
  expect(keys).toContain('Interaction.SignIn.Identifier.Totp.Submit')
  expect(keys).toContain('Interaction.SignIn.Identifier.BackupCode.Submit')
  const text = JSON.stringify(results)
  for (const credential of [totpCode, backupCode, backupCode.replaceAll('-', ''), secret])
    expect(text).not.toContain(credential)
  const listed = await operator.get(`/logs?userId=${userId}&logKey=Interaction.SignIn.Submit`)
  expect(await listed.json()).toMatchObject([
    { payload: { result: 'Success' } },
    { payload: { error: { code: 'user.second_factor_required' } } },
    { payload: { result: 'Success' } },
    { payload: { error: { code: 'user.second_factor_missing' } } },
  ])
})

it('an emailed code is accepted as the first factor of an account with an authenticator app', async () => {
  const { email } = await newHolder()
  const app = await appWith('optional')
  const interaction = await beginInteraction(app)
  await interaction.start('SignIn')
  await interaction.sendCode({ email })
  expect((await receivedMessages(app, { email })).length).toBeGreaterThan(0)
  await prove(interaction, { email, verificationCode: await codeTo(app, { email }) })
  expect(await outcomeOf(await interaction.submit())).toEqual(asksFor)
})
