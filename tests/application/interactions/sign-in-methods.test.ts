import { beforeAll, describe, expect, it } from 'vitest'
import { freshName, newCookieClient, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { beginInteraction, freshEmail, freshPhone, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import {
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
  userById,
} from '../../kit/clients/social-client.ts'
import { setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests that codes verify addresses even if codes are not enabled for sign-in (spec/interaction#settings-checks). */

let app: TestApp
beforeAll(async () => {
  const first = openTestApp()
  await setExperience(first, {
    methods: (['username', 'email', 'phone'] as const).map((identifier) => ({
      identifier,
      password: true,
      verificationCode: false,
      isPasswordPrimary: true,
    })),
    signUp: { identifiers: ['email', 'phone'], password: true, verify: true },
  })
  await installUpstream(first, ['oidc'])
  app = openTestApp({}, { hasCalmDatabase: true })
})

async function newOwner(more: object = { primaryPhone: freshPhone() }) {
  const [username, email] = [freshName(), freshEmail()]
  const account = { username, password: PASSWORD, primaryEmail: email, ...more }
  const created = await (await newOperator(app)).send('POST', '/users', account)
  const { id, primaryPhone: phone } = (await created.json()) as { id: string; primaryPhone: string }
  return { id, username, email, phone }
}

const refused = [422, 'user.sign_in_method_not_enabled']

describe.each(['email', 'phone'] as const)('a code sent by %s', (kind) => {
  const addressOf = async (): Promise<{ email: string } | { phone: string }> => {
    const { email, phone } = await newOwner()
    return kind === 'email' ? { email } : { phone }
  }

  it('[ASVS-6.3.4-2] is not accepted for sign-in if codes are disabled', async () => {
    const { start, prove } = await beginInteraction(app)
    await start('SignIn')
    expect(await outcomeOf(await prove(await addressOf()))).toEqual(refused)
  })

  it('[ASVS-6.3.4-3] cannot sign a user in after it was verified for a registration', async () => {
    const address = await addressOf()
    const { start, prove, call, submit } = await beginInteraction(app)
    await start('Register')
    expect((await prove(address)).status).toBe(204)
    await call('PATCH', '/profile', { ...address, password: 'attackers-horse-9' })
    expect(await outcomeOf(await submit())).toEqual([422, `user.${kind}_already_in_use`])
    await call('DELETE', '/profile')
    expect((await call('PUT', '/event', { event: 'SignIn' })).status).toBe(204)
    expect(await outcomeOf(await submit())).toEqual(refused)
  })

  it('verifies a new account’s address', async () => {
    const address = kind === 'email' ? { email: freshEmail() } : { phone: freshPhone() }
    const { start, prove, call, submit } = await beginInteraction(app)
    await start('Register')
    await prove(address)
    await call('PATCH', '/profile', { ...address, password: PASSWORD })
    expect((await submit()).status).toBe(200)
  })
})

it('a code can verify an address that is added during a password sign-in', async () => {
  const { username } = await newOwner({ primaryEmail: undefined })
  const { start, prove, call, submit } = await beginInteraction(app)
  await start('SignIn', { identifier: { username, password: PASSWORD } })
  expect(await outcomeOf(await submit())).toEqual([
    422,
    'user.missing_profile',
    { missingProfile: ['emailOrPhone'] },
  ])
  const address = { email: freshEmail() }
  expect((await prove(address)).status).toBe(204)
  await call('PATCH', '/profile', address)
  expect((await submit()).status).toBe(200)
})

it('[ASVS-6.3.4-4] a code can identify the account to which a social identity is linked', async () => {
  const { id, email } = await newOwner()
  const { id: identity } = await newProviderAccount()
  const { start, proveBy, prove, call, submit } = await beginSocialInteraction(app, newCookieClient(app))
  await start('SignIn')
  await proveBy('oidc', { id: identity })
  await call('PUT', '/event', { event: 'Register' })
  await call('PATCH', '/profile', { connectorId: 'oidc' })
  expect((await prove({ email })).status).toBe(204)
  await call('PATCH', '/profile', { email })
  expect(await outcomeOf(await submit())).toEqual([422, 'user.email_already_in_use'])
  await call('PUT', '/event', { event: 'SignIn' })
  await call('PUT', '/profile', { connectorId: 'oidc' })
  expect((await submit()).status).toBe(200)
  expect((await userById(app, id))?.identities.oidc?.userId).toBe(identity)
})
