import { beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR_ROLES } from '../../src/contract/access/management-scopes.ts'
import { DEFAULT_TENANT_SETTINGS, type TenantSettings } from '../../src/contract/tenants/settings.ts'
import { type Administrator, newAdministrator } from '../kit/clients/console-client.ts'
import { freshName, ORIGIN, PASSWORD } from '../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Administrators who are not owners cannot extend their own permissions (spec/management#escalation). */

let app: TestApp
let operator: Operator
let developer: Administrator
let support: Administrator
let reader: Administrator
/**
 * The user id of an owner, whose account an attacker wants to change. The next variables are other targets of
 * attacks.
 */
let owner: string
let customer: string
let adminApp: { id: string; secret: string }
let listedApp: string
let shop: { id: string; secret: string }
let clerk: string
/** A role without scopes that requires a second factor from its users, who include an owner and a supporter. */
let staff: string
/** Another role without scopes, which an owner has. It prevents browsers from being remembered. */
let strictStaff: string
let helper: string
let strictApp: string
let settingsWriter: Administrator
let api: string
const aNewApplication = {
  name: 'Mine',
  type: 'SPA',
  oidcClientMetadata: { redirectUris: [`${ORIGIN}/back`] },
}
const aNewResource = { name: 'API', indicator: `https://${freshName()}.example` }
const aTemplate = { email2: '$.primaryEmail' }
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  ;[developer, support, reader] = await Promise.all([
    newAdministrator(app, operator, ['developer-role']),
    newAdministrator(app, operator, ['support-role']),
    newAdministrator(app, operator, ['read-only-role']),
  ])
  owner = await newUser(['admin-role'])
  customer = await newUser([])
  const { id } = await newApplication({ type: 'MachineToMachine' })
  adminApp = await (await operator.send('PATCH', `/applications/${id}`, { isAdmin: true })).json()
  const listed = { allowedBuiltInResources: ['urn:vestibule:management-api'] }
  listedApp = (await newApplication({ customClientMetadata: listed })).id
  shop = await newApplication({})
  api = (await created('/resources', { name: 'API', indicator: `https://${freshName()}.example` })).id
  clerk = await newRole([])
  staff = await newRole([], 'required')
  const eachTime = { name: freshName(), description: 'A role', rememberDays: 0 }
  strictStaff = (await created('/roles', eachTime)).id
  await operator.send('POST', `/roles/${strictStaff}/users`, { userIds: [owner] })
  helper = await newUser(['support-role', staff])
  await operator.send('POST', `/roles/${staff}/users`, { userIds: [owner] })
  strictApp = (await newApplication({ secondFactorPolicy: 'required' })).id
  settingsWriter = await newAdministrator(app, operator, [await newRole(['settings-write'])])
})

async function created(path: string, body: unknown): Promise<{ id: string; secret: string }> {
  const answer = await operator.send('POST', path, body)
  expect(answer.status).toBe(200)
  return (await answer.json()) as { id: string; secret: string }
}
async function newUser(roleIds: string[]): Promise<string> {
  const { id } = await created('/users', { username: freshName(), password: PASSWORD })
  await operator.send('PUT', `/users/${id}/roles`, { roleIds })
  return id
}
const newApplication = (more: object) =>
  created('/applications', {
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [`${ORIGIN}/back`] },
    ...more,
  })
const newRole = async (scopeIds: string[], secondFactorPolicy: string | null = null) =>
  (await created('/roles', { name: freshName(), description: 'A role', scopeIds, secondFactorPolicy })).id

async function refusalOf(answer: Response) {
  const { code, data } = (await answer.json()) as { code: string; data?: { scopes?: string[] } }
  return {
    status: answer.status,
    code,
    scopes: data?.scopes,
    challenge: answer.headers.get('www-authenticate'),
  }
}

type Attempt = { who: string; what: string; send(): Promise<Response>; lacks: string }

const ownersSettings: Partial<TenantSettings>[] = [
  { limits: { ...DEFAULT_TENANT_SETTINGS.limits, lockSeconds: 1 } },
  { passwordPolicy: { rules: 'Length', haveIBeenPwned: false } },
  { passkeys: { enabled: false, rpId: null, manageUrl: null, offer: false } },
  { passkeys: { enabled: true, rpId: 'mallory.example', manageUrl: null, offer: true } },
  { secondFactor: { ...DEFAULT_TENANT_SETTINGS.secondFactor, policy: 'off' } },
  { accountExistence: 'friendly' },
  { previewOrigins: ['https://mallory.example'] },
  { imageOrigins: ['https://mallory.example'] },
  { sessionNotFoundRedirectUrl: 'https://mallory.example/' },
  { changePasswordUrl: 'https://mallory.example/' },
]

describe('an administrator without the required scope', () => {
  const attempts: Attempt[] = [
    ...(
      [
        ['password', 'PATCH', '/password', { password: 'correct-horse-battery-9' }],
        ['name', 'PATCH', '', { name: 'Mallory' }],
        ['address', 'PATCH', '', { primaryEmail: 'mallory@example.com' }],
        ['factors', 'DELETE', '/factors', undefined],
        ['passkeys', 'DELETE', '/passkeys/any', undefined],
        ['identities', 'DELETE', '/identities/google', undefined],
        ['sessions', 'DELETE', '/sessions', undefined],
        ['roles', 'PUT', '/roles', { roleIds: [] }],
        ['owner role', 'DELETE', '/roles/admin-role', undefined],
        ['suspension', 'PATCH', '/is-suspended', { isSuspended: true }],
        ['account', 'DELETE', '', undefined],
      ] as const
    ).map(([what, method, path, body]) => ({
      who: 'support',
      what: `change the owner’s ${what}`,
      send: () => support.send(method, `/users/${owner}${path}`, body),
      lacks: 'all',
    })),
    {
      who: 'support',
      what: 'change an owner by an encoded spelling of the id',
      send: () =>
        support.send('PATCH', `/users/%${owner.charCodeAt(0).toString(16)}${owner.slice(1)}`, { name: 'M' }),
      lacks: 'all',
    },
    {
      who: 'support',
      what: 'get the owner role',
      send: () => support.send('POST', `/users/${support.id}/roles`, { roleIds: ['admin-role'] }),
      lacks: 'all',
    },
    {
      who: 'support',
      what: 'assign a forbidden role together with an allowed one',
      send: () => support.send('PUT', `/users/${customer}/roles`, { roleIds: [clerk, 'developer-role'] }),
      lacks: 'roles:write',
    },
    {
      who: 'support',
      what: 'import an owner',
      send: () =>
        support.send('POST', '/users/import', {
          users: [{ username: freshName(), roleNames: ['#internal:admin'] }],
          withAdministrators: true,
        }),
      lacks: 'all',
    },
    {
      who: 'support',
      what: 'export the secrets of authenticator apps',
      send: () => support.send('GET', '/users/export?withTotpSecrets=true'),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'assign the owner role to a user',
      send: () => developer.send('POST', '/roles/admin-role/users', { userIds: [developer.id] }),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'assign the support role to an application',
      send: () => developer.send('POST', '/roles/support-role/applications', { applicationIds: [shop.id] }),
      lacks: 'users:write',
    },
    {
      who: 'developer',
      what: 'remove the owner role from an owner',
      send: () => developer.send('DELETE', `/roles/admin-role/users/${owner}`),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'add a scope to a role',
      send: () => developer.send('POST', `/roles/${clerk}/scopes`, { scopeIds: ['users-write'] }),
      lacks: 'users:write',
    },
    {
      who: 'developer',
      what: 'create a role with the scope for everything',
      send: () =>
        developer.send('POST', '/roles', {
          name: freshName(),
          description: 'A role',
          scopeIds: ['management-api-all'],
        }),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'add the scope for managing tenants to a role',
      send: () => developer.send('POST', `/roles/${clerk}/scopes`, { scopeIds: ['manage-tenant'] }),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'remove the second-factor policy of owners',
      send: () => developer.send('PATCH', '/roles/admin-role', { secondFactorPolicy: null }),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'remove the second-factor policy of developers',
      send: () => developer.send('PATCH', '/roles/developer-role', { secondFactorPolicy: null }),
      lacks: 'all',
    },
    ...(
      [
        ['by a weaker policy', 'PATCH', () => `/roles/${staff}`, { secondFactorPolicy: 'optional' }],
        ['by removing a policy', 'PATCH', () => `/roles/${staff}`, { secondFactorPolicy: null }],
        ['by allowing remembered browsers', 'PATCH', () => `/roles/${strictStaff}`, { rememberDays: null }],
        [
          'by deleting a role that forbids remembered browsers',
          'DELETE',
          () => `/roles/${strictStaff}`,
          undefined,
        ],
        ['by deleting their role', 'DELETE', () => `/roles/${staff}`, undefined],
        ['by removing them from a role', 'DELETE', () => `/roles/${staff}/users/${owner}`, undefined],
        [
          'by a weaker policy of an application',
          'PATCH',
          () => `/applications/${strictApp}`,
          { secondFactorPolicy: 'adaptive' },
        ],
        ['by deleting an application', 'DELETE', () => `/applications/${strictApp}`, undefined],
      ] as const
    ).map(([what, method, path, body]) => ({
      who: 'developer',
      what: `weaken the factors of owners ${what}`,
      send: () => developer.send(method, path(), body),
      lacks: 'all',
    })),
    ...(
      [
        ['by removing a role', 'DELETE', () => `/users/${helper}/roles/${staff}`, undefined],
        ['by replacing the roles', 'PUT', () => `/users/${helper}/roles`, { roleIds: ['support-role'] }],
      ] as const
    ).map(([what, method, path, body]) => ({
      who: 'support',
      what: `weaken the factors of a supporter ${what}`,
      send: () => support.send(method, path(), body),
      lacks: 'all',
    })),
    ...ownersSettings.map((setting) => ({
      who: 'settings writer',
      what: `change a setting that protects sign-ins of owners: ${Object.keys(setting).join()}`,
      send: () => settingsWriter.send('PATCH', '/configs/settings', setting),
      lacks: 'all',
    })),
    {
      who: 'settings writer',
      what: 'change a setting that protects sign-ins of owners together with an allowed one',
      send: () => settingsWriter.send('PATCH', '/configs/settings', { smsCountries: ['FR'], limits: {} }),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'make an application an administrator',
      send: () => developer.send('PATCH', `/applications/${shop.id}`, { isAdmin: true }),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'change the secret of an administrator application',
      send: () =>
        developer.send('PATCH', `/applications/${adminApp.id}`, {
          secret: 'a-secret-that-an-attacker-knows',
        }),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'change the redirect URI of an application that owners use',
      send: () =>
        developer.send('PATCH', `/applications/${listedApp}`, {
          oidcClientMetadata: { redirectUris: ['https://mallory.example/'] },
        }),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'allow an application to request management tokens',
      send: () =>
        developer.send('PATCH', `/applications/${shop.id}`, {
          customClientMetadata: { allowedBuiltInResources: ['urn:vestibule:management-api'] },
        }),
      lacks: 'all',
    },
    {
      who: 'developer',
      what: 'create an application that can request management tokens',
      send: () =>
        developer.send('POST', '/applications', {
          name: 'Mine',
          type: 'SPA',
          oidcClientMetadata: { redirectUris: ['https://mallory.example/'] },
          customClientMetadata: { allowedBuiltInResources: ['urn:vestibule:management-api'] },
        }),
      lacks: 'all',
    },
    ...(
      [
        ['of a new application', 'POST', () => '/applications', { ...aNewApplication, claims: aTemplate }],
        ['of an application', 'PATCH', () => `/applications/${shop.id}`, { name: 'Shop', claims: aTemplate }],
        ['of an application, by removing it', 'PATCH', () => `/applications/${shop.id}`, { claims: null }],
        ['of a new API', 'POST', () => '/resources', { ...aNewResource, claims: aTemplate }],
        ['of an API', 'PATCH', () => `/resources/${api}`, { claims: aTemplate }],
        ['of an API, by removing it', 'PATCH', () => `/resources/${api}`, { claims: {} }],
      ] as const
    ).map(([what, method, path, body]) => ({
      who: 'developer',
      what: `change the template of claims ${what}`,
      send: () => developer.send(method, path(), body),
      lacks: 'all',
    })),
    {
      who: 'developer',
      what: 'preview the claims of a user of an application',
      send: () => developer.send('POST', `/applications/${shop.id}/claims/preview`, { userId: customer }),
      lacks: 'users:read',
    },
    {
      who: 'developer',
      what: 'preview the claims of a user of an API',
      send: () => developer.send('POST', `/resources/${api}/claims/preview`, { userId: customer }),
      lacks: 'users:read',
    },
    {
      who: 'developer',
      what: 'extend the lifetime of management tokens',
      send: () => developer.send('PATCH', '/resources/management-api', { accessTokenTtl: 1_209_600 }),
      lacks: 'all',
    },
  ]
  it.each(attempts)('[ASVS-8.2.1-6] cannot $what as $who', async ({ send, lacks }) => {
    const refusal = await refusalOf(await send())
    expect(refusal).toMatchObject({ status: 403, code: 'auth.forbidden' })
    expect(refusal.scopes).toContain(lacks)
    expect(refusal.challenge).toContain('error="insufficient_scope"')
  })

  it('[ASVS-8.2.1-7] changes nothing with any of these attempts', async () => {
    const owners = (await (await operator.get('/roles/admin-role/users')).json()) as { id: string }[]
    expect(owners.map(({ id }) => id)).toEqual([owner])
    expect(await (await operator.get(`/users/${owner}`)).json()).toMatchObject({
      name: null,
      isSuspended: false,
    })
    expect(await (await operator.get(`/applications/${shop.id}`)).json()).toMatchObject({ isAdmin: false })
    expect(await (await operator.get(`/roles/${clerk}/scopes`)).json()).toEqual([])
    for (const path of [`/roles/${staff}`, `/applications/${strictApp}`])
      expect(await (await operator.get(path)).json()).toMatchObject({ secondFactorPolicy: 'required' })
    const holders = (await (await operator.get(`/roles/${staff}/users`)).json()) as { id: string }[]
    expect(holders.map(({ id }) => id).toSorted()).toEqual([helper, owner].toSorted())
    expect(await (await operator.get(`/applications/${adminApp.id}`)).json()).toMatchObject({
      secret: adminApp.secret,
    })
  })
})

describe('an administrator with the required scopes', () => {
  it('can change users and assign roles without administrative scopes', async () => {
    expect((await support.send('PATCH', `/users/${customer}`, { name: 'Ann' })).status).toBe(200)
    expect((await support.send('POST', `/users/${customer}/roles`, { roleIds: [clerk] })).status).toBe(201)
    expect((await support.send('DELETE', `/users/${customer}/roles/${clerk}`)).status).toBe(204)
    const password = { password: 'correct-horse-battery-9' }
    expect((await support.send('PATCH', `/users/${customer}/password`, password)).status).toBe(200)
    const another = await newUser(['support-role'])
    expect((await support.send('PATCH', `/users/${another}`, { name: 'Ben' })).status).toBe(200)
  })

  it('[ASVS-8.2.1-9] can change settings that are irrelevant to the security of owners’ sign-ins', async () => {
    const { smsCountries, storageProvider, demoSocial, allowPrivateTargets } = DEFAULT_TENANT_SETTINGS
    const harmless = { smsCountries, storageProvider, demoSocial, allowPrivateTargets }
    expect((await settingsWriter.send('PATCH', '/configs/settings', harmless)).status).toBe(200)
  })

  it('can assign scopes that their own roles include, and scopes of other APIs', async () => {
    const role = await newRole([])
    const at = `/roles/${role}/scopes`
    const assigned = { scopeIds: ['applications-write', 'logs-read', 'send-email'] }
    expect((await developer.send('POST', at, assigned)).status).toBe(200)
    expect((await developer.send('POST', `/roles/${role}/users`, { userIds: [customer] })).status).toBe(201)
    expect((await developer.send('DELETE', `/roles/${role}`)).status).toBe(204)
  })

  it('can change policies for customers, and make policies for owners stricter', async () => {
    const vip = await newRole([], 'required')
    await operator.send('POST', `/roles/${vip}/users`, { userIds: [customer] })
    const policy = (secondFactorPolicy: string | null) => ({ secondFactorPolicy })
    expect((await developer.send('PATCH', `/roles/${vip}`, policy('adaptive'))).status).toBe(200)
    expect((await developer.send('PATCH', `/roles/${staff}`, policy('required'))).status).toBe(200)
    expect((await support.send('DELETE', `/users/${customer}/roles/${vip}`)).status).toBe(204)
    expect((await developer.send('DELETE', `/roles/${vip}`)).status).toBe(204)
    const { id } = await newApplication(policy('optional'))
    expect((await developer.send('PATCH', `/applications/${id}`, policy('required'))).status).toBe(200)
  })

  it('[ASVS-8.2.1-8] cannot remove the last second-factor policy, because it protects owners', async () => {
    const policies = async (secondFactorPolicy: string | null) => {
      for (const path of [`/roles/${staff}`, `/applications/${strictApp}`])
        expect((await operator.send('PATCH', path, { secondFactorPolicy })).status).toBe(200)
    }
    const others = (await (await operator.get('/applications?page_size=100')).json()) as { id: string }[]
    for (const { id } of others)
      await operator.send('PATCH', `/applications/${id}`, { secondFactorPolicy: null })
    await policies(null)
    const last = await newRole([], 'optional')
    for (const answer of [
      await developer.send('DELETE', `/roles/${last}`),
      await developer.send('PATCH', `/roles/${last}`, { secondFactorPolicy: null }),
    ])
      expect(await refusalOf(answer)).toMatchObject({ status: 403, scopes: ['all'] })
    const own = await newRole([], 'optional')
    const both = await Promise.all([last, own].map((id) => developer.send('DELETE', `/roles/${id}`)))
    expect(both.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1)
    await policies('required')
  })

  it('gets the scopes of their roles in tokens for the console', () => {
    for (const { id, scopes } of ADMINISTRATOR_ROLES) {
      const who = { 'developer-role': developer, 'support-role': support, 'read-only-role': reader }[
        id as string
      ]
      if (who)
        expect(who.scopes.filter((name) => name.includes(':')).toSorted()).toEqual([...scopes].toSorted())
    }
  })
})

describe('secrets', () => {
  const secretsFor = async (who: Administrator) => {
    const listed = (await (await who.send('GET', '/applications')).json()) as { id: string; secret: string }[]
    const one = async (id: string) =>
      ((await (await who.send('GET', `/applications/${id}`)).json()) as { secret: string }).secret
    const inList = (id: string) => listed.find((each) => each.id === id)?.secret
    return [inList(shop.id), await one(shop.id), inList(adminApp.id), await one(adminApp.id)]
  }

  it('are shown for applications only to administrators who may change them', async () => {
    const hidden = '********'
    expect(await secretsFor(developer)).toEqual([shop.secret, shop.secret, hidden, hidden])
    for (const who of [support, reader])
      expect(await secretsFor(who)).toEqual([hidden, hidden, hidden, hidden])
    const ofRole = await (await reader.send('GET', '/roles/admin-role/applications')).text()
    expect(ofRole).toContain(adminApp.id)
    expect(ofRole).not.toContain(adminApp.secret)
  })

  it('are shown for hooks only to administrators who may change them', async () => {
    const config = { url: 'https://shop.example/hooks', headers: { 'x-key': 'a-shared-key' }, retries: 1 }
    const { id } = await created('/hooks', { event: 'PostSignIn', config })
    const seenBy = async (who: Administrator, path: string) => (await who.send('GET', path)).text()
    for (const path of ['/hooks', `/hooks/${id}`]) {
      expect(await seenBy(developer, path)).toContain('a-shared-key')
      const seen = await seenBy(reader, path)
      expect(seen).toContain('"x-key":"********"')
      expect(seen).not.toContain('a-shared-key')
    }
  })
})

describe('the last owner', () => {
  const tryAll = async (who: Administrator, userId: string) => {
    const answers = [
      await who.send('DELETE', `/users/${userId}/roles/admin-role`),
      await who.send('PUT', `/users/${userId}/roles`, { roleIds: [] }),
      await who.send('DELETE', `/roles/admin-role/users/${userId}`),
      await who.send('PATCH', `/users/${userId}/is-suspended`, { isSuspended: true }),
    ]
    return Promise.all(answers.map(refusalOf))
  }

  it('cannot be removed, even if two owners remove each other concurrently', async () => {
    const [first, second] = await Promise.all([
      newAdministrator(app, operator, ['admin-role']),
      newAdministrator(app, operator, ['admin-role']),
    ])
    // Suspends the owners that other tests created.
    for (const { id } of (await (await operator.get('/roles/admin-role/users?page_size=100')).json()) as {
      id: string
    }[])
      if (id !== first.id && id !== second.id)
        await operator.send('PATCH', `/users/${id}/is-suspended`, { isSuspended: true })

    const both = await Promise.all([
      first.send('DELETE', `/roles/admin-role/users/${second.id}`),
      second.send('DELETE', `/roles/admin-role/users/${first.id}`),
    ])
    expect(both.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1)
    const left = both[0]?.status === 204 ? first : second

    for (const { status, code } of await tryAll(left, left.id))
      expect([status, code]).toEqual([422, 'role.last_owner'])
    const aide = await newAdministrator(app, operator, [await newRole(['management-api-all'])])
    const deleted = await refusalOf(await aide.send('DELETE', `/users/${left.id}`))
    expect([deleted.status, deleted.code]).toEqual([422, 'role.last_owner'])
    expect((await left.send('GET', '/my-permissions')).status).toBe(200)

    // An owner may be removed if another one remains. An application may remove even the last owner.
    const successor = await newUser(['admin-role'])
    expect((await left.send('DELETE', `/users/${left.id}/roles/admin-role`)).status).toBe(204)
    expect((await operator.send('DELETE', `/users/${successor}`)).status).toBe(204)
  })
})
