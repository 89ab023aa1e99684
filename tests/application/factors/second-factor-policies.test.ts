import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SecondFactorPolicy } from '../../../src/contract/tenants/settings.ts'
import { newMember } from '../../kit/clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  PASSWORD,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { beginInteraction, freshEmail, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  codeOf,
  enrol,
  forgetUsedSteps,
  signInByPassword,
  signInWithBoth,
  TWO_FACTORS,
} from '../../kit/second-factor.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the second-factor policies of applications and roles (spec/accounts#second-factor-policy). */

const REDIRECT_URI = 'https://shop.example/callback'
const asksFor = [422, 'user.second_factor_required']
const misses = [422, 'user.second_factor_missing']

let app: TestApp
let operator: Operator
beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  app = await appWith('off')
  operator = await newOperator(app)
})
afterAll(() => setTenantSettings(app, {}))

/** Opens a new app for each policy, because settings are cached. */
async function appWith(policy: SecondFactorPolicy, more: { putOffs?: number } = {}): Promise<TestApp> {
  await setTenantSettings(openTestApp(), { secondFactor: { policy, ...more } })
  return openTestApp({}, { hasCalmDatabase: true })
}

const read = async (answer: Promise<Response>) => (await answer).json() as Promise<{ id: string }>

const newApplication = (secondFactorPolicy: SecondFactorPolicy | null) =>
  read(
    operator.send('POST', '/applications', {
      name: 'Shop',
      type: 'SPA',
      secondFactorPolicy,
      oidcClientMetadata: { redirectUris: [REDIRECT_URI] },
    }),
  )

async function newRole(secondFactorPolicy: SecondFactorPolicy, userId: string) {
  const role = await read(
    operator.send('POST', '/roles', { name: freshName(), description: '', secondFactorPolicy }),
  )
  await operator.send('POST', `/users/${userId}/roles`, { roleIds: [role.id] })
  return role
}

const at = ({ id }: { id: string }) => ({ client_id: id, redirect_uri: REDIRECT_URI })
const codeAndStatus = async (response: Response) => (await outcomeOf(response)).slice(0, 2)

/** Returns the first redirect of an authorization request, either to the application or to a page. */
async function authorize(client: CookieClient, parameters: Record<string, string>) {
  const { url } = await authorizationRequest(parameters)
  return (await client.get(url)).headers.get('location') ?? ''
}

describe('an application’s second-factor policy', () => {
  it('requires a second factor only from users of that application', async () => {
    const { username } = await storeMember(app)
    const strict = await newApplication('required')
    const interaction = await signInByPassword(app, username, newCookieClient(app), at(strict))
    expect(await codeAndStatus(await interaction.submit())).toEqual(misses)
    const { secret } = await enrol(interaction)
    expect((await interaction.submit()).status).toBe(200)

    expect((await (await signInByPassword(app, username)).submit()).status).toBe(200)
    await forgetUsedSteps(app)
    const again = await signInByPassword(app, username, newCookieClient(app), at(strict))
    expect(await codeAndStatus(await again.submit())).toEqual(asksFor)
    const proof = await again.call('PATCH', '/identifiers', { totpCode: await codeOf(secret) })
    expect(proof.status).toBe(204)
    expect((await again.submit()).status).toBe(200)
  })

  it('is never less strict than the tenant’s', async () => {
    const strict = await appWith('required')
    const mild = await newApplication('optional')
    const { username } = await storeMember(app)
    const interaction = await signInByPassword(strict, username, newCookieClient(strict), at(mild))
    expect(await codeAndStatus(await interaction.submit())).toEqual(misses)
  })

  it('also applies to registrations', async () => {
    const interaction = await beginInteraction(
      app,
      newCookieClient(app),
      at(await newApplication('required')),
    )
    await interaction.start('Register', { profile: { username: freshName(), password: PASSWORD } })
    expect(await codeAndStatus(await interaction.submit())).toEqual(misses)
    await enrol(interaction)
    expect((await interaction.submit()).status).toBe(200)
  })

  it('cannot be bypassed with a session from another application', async () => {
    const strict = await newApplication('optional')
    const { client, username } = await storeMember(app)
    expect(await authorize(client, { ...at(strict), prompt: 'none' })).toContain('error=login_required')
    // Opening the sign-in page and abandoning it does not count as a sign-in.
    expect(await authorize(client, at(strict))).toContain('/sign-in')
    expect(await authorize(client, at(strict))).toContain('/sign-in')
    const interaction = await signInByPassword(app, username, client, at(strict))
    const back = await resumeAuthorization(client, await interaction.submit())
    expect(back.searchParams.get('code')).not.toBeNull()
    // The user's decision remains valid for the session until the policy becomes stricter.
    expect(await authorize(client, { ...at(strict), prompt: 'none' })).toContain('code=')
    await operator.send('PATCH', `/applications/${strict.id}`, { secondFactorPolicy: 'required' })
    const fresh = openTestApp({}, { hasCalmDatabase: true })
    const copy = newCookieClient(fresh)
    for (const [name, cookie] of client.cookies) copy.cookies.set(name, cookie)
    expect(await authorize(copy, { ...at(strict), prompt: 'none' })).toContain('error=login_required')
  })

  it('is satisfied by a two-factor session from any application', async () => {
    const { username } = await storeMember(app)
    const client = newCookieClient(app)
    const first = await signInByPassword(app, username, client, at(await newApplication('required')))
    await first.submit()
    await enrol(first)
    await resumeAuthorization(client, await first.submit())
    const other = await newApplication('required')
    expect(await authorize(client, { ...at(other), prompt: 'none' })).toContain('code=')
  })
})

describe('an authenticator app that an application required', () => {
  it('can be removed only with both factors, even through an application that requires no second factor', async () => {
    const { username } = await storeMember(app)
    const strict = at(await newApplication('required'))
    const first = await signInByPassword(app, username, newCookieClient(app), strict)
    await first.submit()
    const { secret } = await enrol(first)
    expect((await first.submit()).status).toBe(200)

    const weak = await newMember(app, { username, parameters: { max_age: '600' } })
    expect(await outcomeOf(await weak.call('DELETE', '/factors'))).toEqual([
      ...[401, 'auth.insufficient_user_authentication'],
      { maxAge: 600, acrValues: TWO_FACTORS },
    ])
    // The challenge can be satisfied through the application that requires no second factor.
    const strong = await signInWithBoth(app, { username, secret })
    expect(strong.claims.acr).toBe(TWO_FACTORS)
    expect((await strong.call('DELETE', '/factors')).status).toBe(204)
  })
})

describe('a role’s second-factor policy', () => {
  it('applies to users who have the role, with no additional round trip', async () => {
    const { username, userId } = await storeMember(app)
    const other = await storeMember(app)
    await newRole('optional', userId)
    await newRole('required', userId)
    const interaction = await signInByPassword(app, username)
    app.trips()
    expect(await codeAndStatus(await interaction.submit())).toEqual(misses)
    expect(app.trips().awaited).toBe(1)
    expect((await (await signInByPassword(app, other.username)).submit()).status).toBe(200)
  })

  it('is the only part of the built-in administrator role that can be changed', async () => {
    const patch = (body: object) => operator.send('PATCH', '/roles/admin-role', body)
    expect((await patch({ secondFactorPolicy: 'required' })).status).toBe(200)
    const { username, userId } = await storeMember(app)
    await operator.send('POST', `/users/${userId}/roles`, { roleIds: ['admin-role'] })
    expect(await codeAndStatus(await (await signInByPassword(app, username)).submit())).toEqual(misses)
    expect((await patch({ secondFactorPolicy: null, description: 'x' })).status).toBe(400)
    expect((await patch({ secondFactorPolicy: null })).status).toBe(200)
    expect((await (await signInByPassword(app, username)).submit()).status).toBe(200)
  })

  it('also lets the role’s users set up an authenticator app in the account centre', async () => {
    const { call, userId } = await storeMember(app)
    await newRole('optional', userId)
    expect(await codeAndStatus(await call('POST', '/factors/totp'))).toEqual([
      401,
      'auth.insufficient_user_authentication',
    ])
  })
})

const putOff = { putsOffSecondFactor: true }
const mayPutOff = (putOffsLeft: number) => [
  422,
  'user.second_factor_missing',
  { factors: ['totp'], putOffsLeft },
]

describe('deferring a second factor', () => {
  it('is allowed as often as the tenant configures', async () => {
    const prompting = await appWith('prompt', { putOffs: 2 })
    const { username } = await storeMember(app)
    for (const left of [2, 1]) {
      const interaction = await signInByPassword(prompting, username)
      expect(await outcomeOf(await interaction.submit())).toEqual(mayPutOff(left))
      expect((await interaction.call('POST', '/submit', putOff)).status).toBe(200)
    }
    const interaction = await signInByPassword(prompting, username)
    expect(await codeAndStatus(await interaction.call('POST', '/submit', putOff))).toEqual(misses)
    await enrol(interaction)
    expect((await interaction.submit()).status).toBe(200)
    // A user with a second factor must use it and cannot defer it.
    await forgetUsedSteps(app)
    const later = await signInByPassword(prompting, username)
    expect(await codeAndStatus(await later.call('POST', '/submit', putOff))).toEqual(asksFor)
  })

  it('is also counted at registration', async () => {
    const prompting = await appWith('prompt', { putOffs: 1 })
    const interaction = await beginInteraction(prompting)
    const username = freshName()
    await interaction.start('Register', { profile: { username, password: PASSWORD } })
    expect(await outcomeOf(await interaction.submit())).toEqual(mayPutOff(1))
    expect((await interaction.call('POST', '/submit', putOff)).status).toBe(200)
    const again = await signInByPassword(prompting, username)
    expect(await codeAndStatus(await again.call('POST', '/submit', putOff))).toEqual(misses)
  })

  it('is counted even if the interaction is rejected for another reason', async () => {
    const prompting = await appWith('prompt')
    const { username } = await storeMember(app)
    await setExperience(app, { signUp: { identifiers: ['email'], password: true, verify: true } })
    const asking = openTestApp({}, { hasCalmDatabase: true })
    const interaction = await signInByPassword(asking, username)
    const refused = await interaction.call('POST', '/submit', putOff)
    expect((await outcomeOf(refused))[1]).toBe('user.missing_profile')
    const email = freshEmail()
    await interaction.prove({ email })
    await interaction.call('PATCH', '/profile', { email })
    expect((await interaction.submit()).status).toBe(200)
    await setExperience(app, { signUp: { identifiers: ['username'], password: true, verify: false } })
    const later = await signInByPassword(prompting, username)
    expect(await outcomeOf(await later.submit())).toEqual(mayPutOff(2))
  })

  it('succeeds no more often than allowed when six interactions are submitted concurrently', async () => {
    const prompting = await appWith('prompt', { putOffs: 3 })
    const { username, userId } = await storeMember(app)
    const interactions = []
    for (let index = 0; index < 6; index++) interactions.push(await signInByPassword(prompting, username))
    const answers = await Promise.all(interactions.map(({ call }) => call('POST', '/submit', putOff)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    const { results } = await app.env.DB.prepare('select 1 from second_factor_put_offs where user_id = ?')
      .bind(userId)
      .all()
    expect(results).toHaveLength(3)
  })

  it('is not allowed if a role or the request requires a second factor', async () => {
    const prompting = await appWith('prompt')
    const { username, userId } = await storeMember(app)
    const parameters = { acr_values: 'urn:vestibule:acr:2fa' }
    const levelled = await signInByPassword(prompting, username, newCookieClient(prompting), parameters)
    expect(await codeAndStatus(await levelled.call('POST', '/submit', putOff))).toEqual(misses)
    await newRole('required', userId)
    const interaction = await signInByPassword(prompting, username)
    expect(await codeAndStatus(await interaction.call('POST', '/submit', putOff))).toEqual(misses)
  })
})

it('applications and roles cannot have the policy `off` or an unknown policy', async () => {
  const { id } = await newApplication(null)
  for (const secondFactorPolicy of ['off', 'always', 1]) {
    for (const path of [`/applications/${id}`, '/roles/admin-role'])
      expect((await operator.send('PATCH', path, { secondFactorPolicy })).status).toBe(400)
  }
})

describe('the setting that administrators need a second factor', () => {
  const newHolder = async (roleIds: readonly string[]) => {
    const { username, userId } = await storeMember(app)
    await operator.send('POST', `/users/${userId}/roles`, { roleIds })
    return username
  }
  const newPlainRole = (scopeIds: readonly string[]) =>
    read(operator.send('POST', '/roles', { name: freshName(), description: '', scopeIds }))

  it('covers the built-in roles and every role with a scope of the management API, and nobody else', async () => {
    const helpers = await newPlainRole(['users-read'])
    const clerks = await newPlainRole([])
    const administrators = await Promise.all(
      ['admin-role', 'developer-role', 'support-role', 'read-only-role', helpers.id].map((id) =>
        newHolder([id]),
      ),
    )
    const others = [await newHolder([clerks.id]), (await storeMember(app)).username]
    const outcomes = (strict: TestApp, usernames: readonly string[]) =>
      Promise.all(
        usernames.map(async (username) =>
          codeAndStatus(await (await signInByPassword(strict, username)).submit()),
        ),
      )
    expect(await outcomes(app, administrators)).toEqual(administrators.map(() => [200, null]))

    await setTenantSettings(app, { administratorsNeedSecondFactor: true })
    const strict = openTestApp({}, { hasCalmDatabase: true })
    expect(await outcomes(strict, administrators)).toEqual(administrators.map(() => misses))
    expect(await outcomes(strict, others)).toEqual(others.map(() => [200, null]))

    const [username = ''] = administrators
    const interaction = await signInByPassword(strict, username)
    await interaction.submit()
    await enrol(interaction)
    expect((await interaction.submit()).status).toBe(200)
    await setTenantSettings(app, {})
  })
})
