import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SignUp } from '../../../src/contract/experience/experience.ts'
import type { ProviderAccount } from '../../journeys/social/upstream-accounts.ts'
import { resumeAuthorization } from '../../kit/clients/cookie-client.ts'
import { freshEmail, freshPhone, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import {
  addUser,
  beginSocialInteraction,
  installUpstream,
  newProviderAccount,
  type SocialClient,
  userById,
  userByIdentity,
} from '../../kit/clients/social-client.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the flows with a social provider, call by call, against real providers (spec/interaction#flow-social). */

const nothing: SignUp = { identifiers: [], password: false, verify: false }
const email: SignUp = { identifiers: ['email'], password: true, verify: true }

let base: TestApp
beforeAll(async () => {
  base = openTestApp()
  await installUpstream(base, ['oidc', 'oidcFormPost', 'oidcFragment', 'google', 'oauth2', 'github'])
})

/** Returns a new app with empty caches and these sign-up settings. */
async function appWith(signUp: SignUp): Promise<TestApp> {
  await setExperience(base, { methods: everyMethod, signUp, signInMode: 'SignInAndRegister' })
  return openTestApp()
}

async function signInWith(
  app: TestApp,
  providerAccount: ProviderAccount,
  connectorId = 'oidc',
): Promise<SocialClient> {
  const interaction = await beginSocialInteraction(app)
  await interaction.start('SignIn')
  expect((await interaction.proveBy(connectorId, providerAccount)).status).toBe(204)
  return interaction
}

/** Registers the user after a submit has failed with `user.identity_not_exist`. */
async function register(interaction: SocialClient, connectorId = 'oidc'): Promise<Response> {
  await interaction.call('PUT', '/event', { event: 'Register' })
  await interaction.call('PATCH', '/profile', { connectorId })
  return interaction.submit()
}

const newVerifiedAccount = () =>
  newProviderAccount({ email: freshEmail(), phone: freshPhone(), isVerified: true })
const identityOf = (providerAccount: ProviderAccount, connectorId = 'oidc') =>
  userByIdentity(base, connectorId, providerAccount.id)

/** One connector for each way in which the response arrives. The other tests of this file use `oidc`. */
const connectors = ['oidcFormPost', 'oidcFragment', 'github']
if (env.TEST_SWEEP.isExhaustive) connectors.push('oidc', 'google', 'oauth2')

describe.each(connectors)('the connector %s', (connectorId) => {
  it('registers a user and signs them in the next time', async () => {
    const app = await appWith(nothing)
    const providerAccount = await newProviderAccount({
      email: freshEmail(),
      isVerified: true,
      picture: 'https://a.example/ann.png',
    })
    const interaction = await signInWith(app, providerAccount, connectorId)
    expect((await outcomeOf(await interaction.submit())).slice(0, 2)).toEqual([
      422,
      'user.identity_not_exist',
    ])
    const registered = await register(interaction, connectorId)
    expect((await resumeAuthorization(interaction.client, registered)).searchParams.get('code')).toBeTruthy()

    const user = await userByIdentity(app, connectorId, providerAccount.id)
    expect(user).toMatchObject({
      name: providerAccount.name,
      avatar: providerAccount.picture,
      // The address is not filled in, because sign-up does not require it.
      primary_email: null,
      identities: {
        [connectorId]: {
          userId: providerAccount.id,
          details: { id: providerAccount.id, email: providerAccount.email },
        },
      },
    })

    const back = await signInWith(app, providerAccount, connectorId)
    expect(
      (await resumeAuthorization(back.client, await back.submit())).searchParams.get('code'),
    ).toBeTruthy()
    expect((await userByIdentity(app, connectorId, providerAccount.id))?.id).toBe(user?.id)
  })
})

describe('a required profile item', () => {
  it('is filled in from the provider at registration', async () => {
    const app = await appWith(email)
    const providerAccount = await newVerifiedAccount()
    const interaction = await signInWith(app, providerAccount)
    await interaction.submit()
    expect((await register(interaction)).status).toBe(200)
    expect(await identityOf(providerAccount)).toMatchObject({
      primary_email: providerAccount.email,
      primary_phone: null,
    })
  })

  it('is filled in from the provider at sign-in', async () => {
    const app = await appWith(email)
    const providerAccount = await newVerifiedAccount()
    const id = await addUser(app, { identity: ['oidc', providerAccount.id] })
    expect((await (await signInWith(app, providerAccount)).submit()).status).toBe(200)
    expect(await userById(app, id)).toMatchObject({ primary_email: providerAccount.email })
  })

  it('is requested if the provider has not verified the address', async () => {
    const app = await appWith(email)
    const providerAccount = await newProviderAccount({ email: freshEmail(), isVerified: false })
    const interaction = await signInWith(app, providerAccount)
    await interaction.submit()
    const missing = { missingProfile: ['email'] }
    expect(await outcomeOf(await register(interaction))).toEqual([422, 'user.missing_profile', missing])

    // A code sent to the address verifies it.
    const address = { email: providerAccount.email ?? '' }
    await interaction.prove(address)
    await interaction.call('PATCH', '/profile', address)
    expect((await interaction.submit()).status).toBe(200)
    expect(await identityOf(providerAccount)).toMatchObject({ primary_email: providerAccount.email })
  })

  it.each([
    ['friendly', true],
    ['hidden', false],
  ] as const)(
    'is requested if another account has the address (account existence %s, account revealed: %s)',
    async (accountExistence, isRevealed) => {
      const app = await appWith(email)
      await setTenantSettings(app, { accountExistence })
      const fresh = openTestApp()
      const providerAccount = await newVerifiedAccount()
      const id = await addUser(fresh, { identity: ['oidc', providerAccount.id] })
      const other = await addUser(fresh, { email: providerAccount.email ?? '' })
      expect(await outcomeOf(await (await signInWith(fresh, providerAccount)).submit())).toEqual([
        422,
        'user.missing_profile',
        {
          missingProfile: ['email'],
          ...(isRevealed && { registeredSocialIdentity: { email: providerAccount.email } }),
        },
      ])
      expect(await userById(fresh, id)).toMatchObject({ primary_email: null, last_sign_in_at: null })
      expect((await userById(fresh, other))?.identities).toEqual({})
      await setTenantSettings(app, {})
    },
  )

  it('is never a password for an account with a social identity', async () => {
    const app = await appWith({ ...nothing, password: true })
    const interaction = await signInWith(app, await newProviderAccount())
    await interaction.submit()
    expect((await register(interaction)).status).toBe(200)
  })
})

describe('linking a social identity', () => {
  it('works for an account whose address the user verified during registration', async () => {
    const app = await appWith(email)
    const address = { email: freshEmail() }
    const owner = await addUser(app, { ...address, identity: ['google', 'her-google'] })
    const providerAccount = await newProviderAccount({ email: freshEmail(), isVerified: false })
    const interaction = await signInWith(app, providerAccount)
    await interaction.submit()
    expect((await outcomeOf(await register(interaction))).slice(0, 2)).toEqual([422, 'user.missing_profile'])
    await interaction.prove(address)
    await interaction.call('PATCH', '/profile', address)
    expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.email_already_in_use'])

    await interaction.call('PUT', '/event', { event: 'SignIn' })
    await interaction.call('PUT', '/profile', { connectorId: 'oidc' })
    expect((await interaction.submit()).status).toBe(200)
    expect(await userById(app, owner)).toMatchObject({
      identities: { google: { userId: 'her-google' }, oidc: { userId: providerAccount.id } },
    })
  })

  it('works for the account to which the user has signed in', async () => {
    const app = await appWith(nothing)
    const providerAccount = await newProviderAccount()
    const interaction = await signInWith(app, providerAccount)
    const address = { email: freshEmail() }
    const owner = await addUser(app, address)
    await interaction.prove(address)
    // If the profile does not name the connector, the identity must already belong to an account.
    expect((await outcomeOf(await interaction.submit())).slice(0, 2)).toEqual([
      422,
      'user.identity_not_exist',
    ])
    await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
    expect((await interaction.submit()).status).toBe(200)
    expect((await identityOf(providerAccount))?.id).toBe(owner)
  })

  it('fails without changes if another account has the identity', async () => {
    const app = await appWith(nothing)
    const providerAccount = await newProviderAccount()
    const owner = await addUser(app, { identity: ['oidc', providerAccount.id] })
    const address = { email: freshEmail() }
    const other = await addUser(app, address)
    const interaction = await signInWith(app, providerAccount)
    await interaction.prove(address)
    expect(await outcomeOf(await interaction.submit())).toEqual([400, 'session.verification_failed'])
    await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
    expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.identity_already_in_use'])
    expect((await identityOf(providerAccount))?.id).toBe(owner)
    expect(await userById(app, other)).toMatchObject({ identities: {}, last_sign_in_at: null })
  })

  it('creates only one account from two concurrent registrations', async () => {
    const app = await appWith(nothing)
    const providerAccount = await newProviderAccount()
    const interactions = await Promise.all([
      signInWith(app, providerAccount),
      signInWith(app, providerAccount),
    ])
    for (const interaction of interactions) {
      await interaction.call('PUT', '/event', { event: 'Register' })
      await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
    }
    const answers = await Promise.all(
      interactions.map(async (interaction) => (await outcomeOf(await interaction.submit())).slice(0, 2)),
    )
    expect(answers.sort()).toEqual([
      [200, null],
      [422, 'user.identity_already_in_use'],
    ])
    expect(await identityOf(providerAccount)).not.toBeNull()
  })
})

describe('the name and avatar', () => {
  it.each([
    { syncProfile: true, name: 'Ann Lovelace', avatar: 'https://a.example/new.png' },
    { syncProfile: false, name: 'Old Name', avatar: null },
  ])(
    'are updated at sign-in according to the connector’s syncProfile setting: $syncProfile',
    async ({ syncProfile, ...expected }) => {
      const operator = await newOperator(base)
      expect((await operator.send('PATCH', '/connectors/oidc', { syncProfile })).status).toBe(200)
      const app = await appWith(nothing)
      const providerAccount = await newProviderAccount({ picture: 'https://a.example/new.png' })
      const id = await addUser(app, { identity: ['oidc', providerAccount.id] })
      await app.env.DB.prepare("update users set name = 'Old Name' where id = ?").bind(id).run()
      expect((await (await signInWith(app, providerAccount)).submit()).status).toBe(200)
      expect(await userById(app, id)).toMatchObject({
        ...expected,
        // The stored details keep the values from when the identity was linked.
        identities: { oidc: { userId: providerAccount.id, details: { id: providerAccount.id } } },
      })
    },
  )
})

it('deleting an interaction’s profile also deletes its connector session', async () => {
  const app = await appWith(nothing)
  const providerAccount = await newProviderAccount()
  const interaction = await signInWith(app, providerAccount)
  await interaction.submit()
  await interaction.call('PUT', '/event', { event: 'Register' })
  await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
  const data = await interaction.signInAtProvider('oidc', providerAccount)
  expect((await interaction.call('DELETE', '/profile')).status).toBe(204)

  expect(await outcomeOf(await interaction.show('oidc', data))).toEqual([
    400,
    'session.connector_validation_session_not_found',
  ])
  expect(await outcomeOf(await interaction.submit())).toEqual([422, 'user.missing_profile'])
  expect(await identityOf(providerAccount)).toBeNull()
})

it('a social sign-in to a suspended account fails', async () => {
  const app = await appWith(nothing)
  const providerAccount = await newVerifiedAccount()
  const id = await addUser(app, { identity: ['oidc', providerAccount.id] })
  await app.env.DB.prepare('update users set is_suspended = 1 where id = ?').bind(id).run()
  const interaction = await signInWith(app, providerAccount)
  expect(await outcomeOf(await interaction.submit())).toEqual([401, 'user.suspended'])

  // Linking the identity through the provider's address also fails.
  const related = await newProviderAccount({ email: freshEmail(), isVerified: true })
  const other = await addUser(app, { email: related.email ?? '' })
  await app.env.DB.prepare('update users set is_suspended = 1 where id = ?').bind(other).run()
  const binding = await signInWith(app, related)
  await binding.call('PATCH', '/identifiers', { connectorId: 'oidc', email: related.email })
  await binding.call('PATCH', '/profile', { connectorId: 'oidc' })
  expect(await outcomeOf(await binding.submit())).toEqual([401, 'user.suspended'])
  expect(await identityOf(related)).toBeNull()
})

describe('two connectors in one interaction', () => {
  it('can each start an authorization, but only the last one can be completed', async () => {
    const interaction = await beginSocialInteraction(await appWith(nothing))
    await interaction.start('SignIn')
    const providerAccount = await newProviderAccount()
    const first = await interaction.signInAtProvider('oidc', providerAccount)
    const second = await interaction.signInAtProvider('google', providerAccount)
    expect(await outcomeOf(await interaction.show('oidc', first))).toEqual([
      400,
      'session.connector_validation_session_not_found',
    ])
    expect((await interaction.show('google', second)).status).toBe(204)
  })

  it('leave only the second identity verified, so a profile with the first connector is rejected', async () => {
    const app = await appWith(nothing)
    const providerAccount = await newProviderAccount()
    const interaction = await signInWith(app, providerAccount)
    await interaction.call('PATCH', '/profile', { connectorId: 'oidc' })
    expect((await interaction.proveBy('google', providerAccount)).status).toBe(204)
    await interaction.call('PUT', '/event', { event: 'Register' })
    expect(await outcomeOf(await interaction.submit())).toEqual([404, 'session.connector_session_not_found'])
    await interaction.call('PATCH', '/profile', { connectorId: 'google' })
    expect((await interaction.submit()).status).toBe(200)
    expect(Object.keys((await identityOf(providerAccount, 'google'))?.identities ?? {})).toEqual(['google'])
  })
})

describe('a connector that was removed during an interaction', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await appWith(nothing)
  })
  const remove = () => app.env.DB.prepare("delete from connectors where id = 'oauth2'").run()
  it('can no longer be used, and identities that it verified are rejected', async () => {
    const proved = await signInWith(app, await newProviderAccount(), 'oauth2')
    const returning = await beginSocialInteraction(app)
    await returning.start('SignIn')
    const data = await returning.signInAtProvider('oauth2', await newProviderAccount())
    await remove()

    expect(await outcomeOf(await returning.show('oauth2', data))).toEqual([
      422,
      'session.invalid_connector_id',
      { connectorId: 'oauth2' },
    ])
    // An app may use settings that are some seconds old (spec/storage#settings-cache), so this test uses a new app.
    const later = openTestApp()
    const submit = () =>
      later.fetch('/api/interaction/submit', { method: 'POST', headers: cookiesOf(proved) })
    expect(await outcomeOf(await submit())).toEqual([404, 'entity.not_found'])
    await proved.call('PUT', '/event', { event: 'Register' })
    await proved.call('PATCH', '/profile', { connectorId: 'oauth2' })
    expect(await outcomeOf(await submit())).toEqual([404, 'entity.not_found'])
  })
})

const cookiesOf = ({ client, uid }: SocialClient) => ({
  Interaction: uid,
  cookie: client.cookieHeader(),
})
